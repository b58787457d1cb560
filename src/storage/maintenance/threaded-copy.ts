import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabaseSetting } from '../../settings/database.ts'
import { removeCopy } from './sqlite-copy.ts'

const program = new URL('../../../bin/copy-thread.mjs', import.meta.url)

/** Input of the thread. */
export interface ThreadedCopy {
  readonly from: DatabaseSetting
  readonly draft: string
  /** Path of the completed copy. */
  readonly to: string
}

/** Suffix of the names of incomplete copies. */
const draftEnding = '.part'

/**
 * Copies a database into a new SQLite file, in a thread of its own, while servers write. The copy gets its name when it is
 * complete, was opened and checked, and is on the disk. Rejects where the copy fails or is stopped, and leaves no draft then. The
 * serving thread waits for nothing on the disk of the copy, which may hang.
 */
export async function copyInThread(from: DatabaseSetting, to: string, signal: AbortSignal): Promise<void> {
  // A signal that is aborted already notifies no listener.
  signal.throwIfAborted()
  const draft = `${to}${draftEnding}`
  try {
    const thread = new Worker(program, { workerData: { from, draft, to } satisfies ThreadedCopy })
    const stop = () => void thread.terminate()
    signal.addEventListener('abort', stop)
    // Rejects with the error of the thread.
    await once(thread, 'exit').finally(() => signal.removeEventListener('abort', stop))
    signal.throwIfAborted()
  } finally {
    await removeCopy(draft)
  }
}
