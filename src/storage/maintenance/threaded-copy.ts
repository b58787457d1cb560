import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { moveToNewName } from './sqlite-copy.ts'

const program = new URL('../../../bin/copy-thread.mjs', import.meta.url)

/** Of the names of copies that are not complete. */
const draftEnding = '.part'

/**
 * Copies a SQLite file to a new name, in a thread of its own, while its server writes. The copy gets its name when it is
 * complete, was opened and checked, and is on the disk. Rejects where the copy fails or is stopped, and leaves nothing then.
 */
export async function copyInThread(from: string, to: string, signal: AbortSignal): Promise<void> {
  const draft = `${to}${draftEnding}`
  try {
    const thread = new Worker(program, { workerData: { from, to: draft } })
    const stop = () => void thread.terminate()
    signal.addEventListener('abort', stop)
    // Rejects with the error of the thread.
    await once(thread, 'exit').finally(() => signal.removeEventListener('abort', stop))
    signal.throwIfAborted()
    moveToNewName(draft, to)
  } finally {
    for (const ending of ['', '-journal']) rmSync(`${draft}${ending}`, { force: true })
  }
}
