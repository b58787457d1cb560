import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabaseSetting } from '../../settings/database.ts'
import { removeCopy } from './sqlite-copy.ts'

const program = new URL('../../../bin/copy-thread.mjs', import.meta.url)

/** Input of the thread. */
export interface ThreadedCopy {
  readonly from: DatabaseSetting
  readonly draft: string
  /** The name of the copy when it is complete. */
  readonly to: string
}

/** Of the names of copies that are not complete. */
const draftEnding = '.part'

/**
 * Copies a database into a new SQLite file, in a thread of its own, while servers write. The copy gets its name when it is
 * complete, was opened and checked, and is on the disk. Rejects where the copy fails or is stopped, and leaves no draft then. The
 * disk of the copy may not answer: the serving thread waits for nothing on it.
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
