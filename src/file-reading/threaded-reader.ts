import { Worker } from 'node:worker_threads'
import { serviceUnavailable, tooManyRequests } from '../errors.ts'
import { measuredQueue } from '../queue.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type { GivenFile, SchemaFileReader } from '../schema-files/schema-file-reader.ts'
import { isHeavy } from './heavy-file.ts'
import type { FileThreadData } from './thread.ts'

const program = new URL('../../bin/file-thread.mjs', import.meta.url)

/** All chosen but the first (contract §6.3). */
export interface SchemaFileReaderLimits {
  readonly deadlineMilliseconds: number
  /** For a thread that gives way to others, after which one that does not reads the file. */
  readonly givingWayMilliseconds: number
  /** Of the thread's heap; the memory of the RDF parser is limited apart. */
  readonly heapMebibytes: number
  /** Files of one user that wait. */
  readonly mostPerUser: number
  /** For the files of others. */
  readonly longestWaitMilliseconds: number
}

const defaultLimits: SchemaFileReaderLimits = {
  deadlineMilliseconds: 5_000,
  givingWayMilliseconds: 5_000,
  heapMebibytes: 128,
  mostPerUser: 2,
  longestWaitMilliseconds: 10_000,
}

/** After which a refused file may be sent again. */
const retryAfterSeconds = 5

/**
 * Reads each file in a thread of its own, one at a time, which ends afterwards: what a parser of WebAssembly does after a
 * failure, or with the memory that it has taken, does not matter then.
 */
export function openSchemaFileReader(given: Partial<SchemaFileReaderLimits> = {}): SchemaFileReader {
  const limits = { ...defaultLimits, ...given }
  const turns = measuredQueue({
    atOnce: 1,
    mostPerKey: limits.mostPerUser,
    full: () => tooManyRequests('schemaFilesWaiting', retryAfterSeconds),
    longestWaitMilliseconds: limits.longestWaitMilliseconds,
    busy: () => serviceUnavailable('schemaFilesWaiting'),
  })
  return { read: (file, userKey) => turns.runSoon(userKey, () => readInTime(file, limits)) }
}

/**
 * A heavy file is read by what others leave of the processors. Where that is too little, as on a busy machine, it is read once
 * more like any other.
 */
async function readInTime(file: GivenFile, limits: SchemaFileReaderLimits): Promise<SchemaFileReading> {
  const { deadlineMilliseconds, givingWayMilliseconds, heapMebibytes } = limits
  const givesWay = isHeavy(file) && canGiveWay
  const first = givesWay ? await readInThread({ file, givesWay }, givingWayMilliseconds, heapMebibytes) : undefined
  const found = first ?? (await readInThread({ file, givesWay: false }, deadlineMilliseconds, heapMebibytes))
  return found ?? { problems: [`Reading the file takes more than ${deadlineMilliseconds / 1000} seconds.`] }
}

/** Elsewhere, a thread has no priority of its own. */
const canGiveWay = process.platform === 'linux'

/** Undefined if it takes longer. */
async function readInThread(
  workerData: FileThreadData,
  milliseconds: number,
  heapMebibytes: number,
): Promise<SchemaFileReading | undefined> {
  const thread = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } })
  const { promise, resolve, reject } = Promise.withResolvers<SchemaFileReading | undefined>()
  const deadline = setTimeout(() => resolve(undefined), milliseconds)
  thread.on('message', resolve)
  thread.on('error', (error) => {
    if (isOutOfMemory(error)) resolve({ problems: ['Reading the file needs more memory than is allowed.'] })
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
