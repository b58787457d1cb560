import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { StartNotices } from '../storage.ts'
import { deserializeError, type SerializedError } from './error-transfer.ts'

export type FromPrepareThread =
  | { readonly say: string }
  | { readonly doing: string }
  | { readonly error: SerializedError }

/** Brings a file to this version in a thread: a statement of SQLite lasts minutes, and this thread answers meanwhile. */
export async function prepareInThread(program: URL, path: string, notices: StartNotices): Promise<void> {
  const thread = new Worker(program, { workerData: path })
  let failure: Error | undefined
  thread.on('message', (message: FromPrepareThread) => {
    if ('say' in message) notices.say?.(message.say)
    else if ('doing' in message) notices.doing?.(message.doing)
    else failure = deserializeError(message.error)
  })
  const stop = () => thread.postMessage('end')
  if (notices.signal?.aborted) stop()
  notices.signal?.addEventListener('abort', stop)
  // Rejects with what else the thread throws.
  await once(thread, 'exit').finally(() => notices.signal?.removeEventListener('abort', stop))
  if (failure) throw failure
}
