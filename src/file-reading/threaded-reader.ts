import { Worker } from 'node:worker_threads'
import { serviceUnavailable, tooManyRequests } from '../errors.ts'
import { measuredQueue } from '../queue.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type { SchemaFileReader, SkosFile } from '../schema-files/schema-file-reader.ts'
import { parserEnded } from './rdf.ts'

const program = new URL('../../bin/file-thread.mjs', import.meta.url)

/** Milliseconds in which a file has to be read (contract §6.3). */
const defaultDeadline = 5_000
/** MiB of the thread's heap; the memory of the parser is limited apart (chosen). */
const mostHeap = 128
/** Files of one user that wait, and milliseconds that one may wait for those of others (chosen). */
const mostPerUser = 2
const longestWaitMilliseconds = 10_000
const secondsUntilTurn = 5

/**
 * Reads each file in a thread of its own, one at a time, which ends afterwards: what a parser of WebAssembly does after a
 * failure, or with the memory that it has taken, does not matter then.
 */
export function openSchemaFileReader(deadlineMilliseconds = defaultDeadline): SchemaFileReader {
  const turns = measuredQueue({
    atOnce: 1,
    mostPerKey: mostPerUser,
    full: () => tooManyRequests('schemaFilesWaiting', secondsUntilTurn),
    longestWaitMilliseconds,
    busy: () => serviceUnavailable('schemaFilesWaiting'),
  })
  return { read: (file, userKey) => turns.runSoon(userKey, () => readInThread(file, deadlineMilliseconds)) }
}

async function readInThread(file: SkosFile, deadlineMilliseconds: number): Promise<SchemaFileReading> {
  const thread = new Worker(program, { workerData: file, resourceLimits: { maxOldGenerationSizeMb: mostHeap } })
  const { promise, resolve, reject } = Promise.withResolvers<SchemaFileReading>()
  const late = { problems: [`Reading the file takes more than ${deadlineMilliseconds / 1000} seconds.`] }
  const deadline = setTimeout(() => resolve(late), deadlineMilliseconds)
  thread.on('message', resolve)
  thread.on('error', (error) => {
    if (isOutOfMemory(error)) resolve({ problems: [parserEnded] })
    else reject(error)
  })
  thread.on('exit', (code) => reject(new Error(`The thread that reads a file has ended with code ${code}.`)))
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    // Its memory is free before the next one starts.
    await thread.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
