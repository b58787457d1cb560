/** Program of the thread that brings a SQLite file to this version, while the thread that started it answers; any message ends it. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareTables } from '../stores/prepare-tables.ts'
import { openKysely } from './dialect.ts'
import { serializeError } from './error-transfer.ts'
import { openConnection, toStorageError } from './file.ts'
import type { FromPrepareThread } from './threaded-preparation.ts'

const asked = new AbortController()
const send = (message: FromPrepareThread) => parentPort!.postMessage(message)
parentPort!.once('message', () => asked.abort())
const connection = openConnection(workerData)
try {
  await prepareTables(openKysely(connection), {
    say: (say) => send({ say }),
    doing: (doing) => send({ doing }),
    signal: asked.signal,
  })
} catch (error) {
  send({ error: serializeError(toStorageError(error)) })
} finally {
  connection.close()
  parentPort!.close()
}
