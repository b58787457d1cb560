/** Program of the thread that reads one file. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Parsed } from '../call/parsed.ts'
import { giveWay } from '../priority.ts'
import type { GivenTable } from '../schema-files/csv/read.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type { GivenFile, TableFile, WrittenRows } from '../schema-files/schema-file-reader.ts'
import { partsOf, zipParts } from '../schema-files/xlsx/parts.ts'
import { readAnyTable, readGiven } from './read.ts'

/** Data that the thread is started with. */
export interface FileThreadData {
  readonly file: GivenFile | TableFile | WrittenRows
  /** Whether other threads go before it whenever they have something to do; only on Linux. */
  readonly givesWay: boolean
}

async function read(file: FileThreadData['file']): Promise<SchemaFileReading | Parsed<GivenTable | Uint8Array>> {
  if (file.format === 'rows') return { value: zipParts(partsOf(file.rows)) }
  return file.format === 'table' ? readAnyTable(file) : readGiven(file)
}

const { file, givesWay } = workerData as FileThreadData
if (givesWay) giveWay(19)
if (file.format === 'skos') await import('./rdf.ts')
// The time of the file counts from now on: a busy machine may take longer to start the thread.
parentPort!.postMessage('begun')
parentPort!.postMessage(await read(file))
