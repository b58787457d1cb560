import { Worker } from 'node:worker_threads'
import type { Parsed } from '../call/parsed.ts'
import { hasOwnPriority } from '../priority.ts'
import type { GivenTable } from '../schema-files/csv/read.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type {
  FileSender,
  GivenFile,
  SchemaFileReader,
  TableFile,
  WrittenRows,
} from '../schema-files/schema-file-reader.ts'
import { say } from '../sentences/say.ts'
import { UsedTime } from '../used-time.ts'
import { isHeavy, type LaneLimits, openLane } from './lane.ts'
import type { FileThreadData } from './thread.ts'

type AnyFile = GivenFile | TableFile | WrittenRows

interface Refused {
  readonly problems: readonly string[]
}

const program = new URL('../../bin/file-thread.mjs', import.meta.url)

/** All chosen but the first (contract §6.3). */
export interface SchemaFileReaderLimits extends LaneLimits {
  readonly deadlineMilliseconds: number
  /** For a file that is not heavy. */
  readonly shortMilliseconds: number
  /** For a thread that gives way to others, after which one that does not reads the file. */
  readonly givingWayMilliseconds: number
  /** Heap of the thread; the memory of the RDF parser is limited apart. */
  readonly heapMebibytes: number
}

const defaultLimits: SchemaFileReaderLimits = {
  deadlineMilliseconds: 5_000,
  shortMilliseconds: 125,
  givingWayMilliseconds: 5_000,
  heapMebibytes: 128,
  maxPerUser: 2,
  maxPerPortal: 32,
  waitTimeout: 30_000,
}

/**
 * Reads each file in a thread of its own, which ends afterwards: what a parser of WebAssembly does after a failure, or with the
 * memory that it has taken, does not matter then. Heavy files are read one at a time, and beside them others: two, so that no
 * organization with short files alone keeps another one waiting.
 */
export function openSchemaFileReader(given: Partial<SchemaFileReaderLimits> = {}): SchemaFileReader {
  const limits = { ...defaultLimits, ...given }
  const { deadlineMilliseconds, shortMilliseconds, givingWayMilliseconds, heapMebibytes } = limits
  const used = new UsedTime()
  const [short, long] = [openLane(limits, used, { maxAtOnce: 2 }), openLane(limits, used, { maxAtOnce: 1 })]
  const readIn = <Reading>(milliseconds: number, file: AnyFile, givesWay = false) =>
    readInThread<Reading>({ file, givesWay }, milliseconds, heapMebibytes)

  async function readLast<Reading>(file: AnyFile): Promise<Reading | Refused> {
    const found = await readIn<Reading>(deadlineMilliseconds, file)
    return found ?? { problems: [say('readingTooLong', { max: deadlineMilliseconds / 1000 })] }
  }

  /** Estimated from idle processor time; undefined on a busy machine. */
  async function readFirst<Reading>(file: AnyFile, sender: FileSender): Promise<Reading | Refused | undefined> {
    if (!isHeavy(file)) return short.run(sender, () => readIn<Reading>(shortMilliseconds, file))
    return hasOwnPriority ? long.run(sender, () => readIn<Reading>(givingWayMilliseconds, file, true)) : undefined
  }

  /** A file that takes long waits once more, behind those who have used less time. */
  async function read<Reading>(file: AnyFile, sender: FileSender): Promise<Reading | Refused> {
    return (await readFirst<Reading>(file, sender)) ?? long.run(sender, () => readLast<Reading>(file), true)
  }

  return {
    read: (file, sender) => read<SchemaFileReading>(file, sender),
    readTable: (file, sender) => read<Parsed<GivenTable>>(file, sender),
    writeWorkbook: (rows, sender) => read<Parsed<Uint8Array>>(rows, sender),
  }
}

/** Undefined if it takes longer. */
async function readInThread<Reading>(
  workerData: FileThreadData,
  milliseconds: number,
  heapMebibytes: number,
): Promise<Reading | Refused | undefined> {
  const thread = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } })
  const { promise, resolve, reject } = Promise.withResolvers<Reading | Refused | undefined>()
  let deadline: NodeJS.Timeout | undefined
  thread.once('message', () => {
    deadline = setTimeout(() => resolve(undefined), milliseconds)
    thread.on('message', resolve)
  })
  // A result may be too deep for a message.
  thread.on('messageerror', () => resolve({ problems: [say('readingTooLarge')] }))
  thread.on('error', (error) => {
    if (isOutOfMemory(error)) resolve({ problems: [say('readingTooLarge')] })
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
