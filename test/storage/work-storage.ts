import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openPostgres, type PostgresStorage } from '../../src/storage/postgres/postgres.ts'
import { type Connect, openConnection } from '../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import type { Execute, Storage, Stores } from '../../src/storage/storage.ts'
import { preparedDatabase } from '../support/databases/prepared-sqlite.ts'
import { queryConnection, queryFile, queryUrl, type Recorded, recordedIn } from '../support/databases/recorded.ts'
import { temporaryFile } from './sqlite/temporary-file.ts'

/** A command that is a function: for storages that write on the thread of the test. */
type Work = (stores: Stores) => Promise<unknown>

export const runWork: Execute<Work> = (stores, work) => work(stores)

/** A storage whose commands are functions. */
export interface WorkStorage extends Omit<Storage<Work>, 'write'> {
  write<Result>(work: (stores: Stores) => Promise<Result>, until?: number): Promise<Result>
  readonly recorded: Recorded
}

/** On a file that is prepared already. */
export async function openPreparedFile(): Promise<WorkStorage> {
  const file = temporaryFile()
  writeFileSync(file, await preparedDatabase())
  return openWorkFile(file)
}

export async function openWorkFile(file = temporaryFile(), connect: Connect = openConnection): Promise<WorkStorage> {
  const storage = await openSqlite(file, runWork, { connect })
  return toWorkStorage(storage, recordedIn(queryFile(file)))
}

export async function openWorkMemory(): Promise<WorkStorage> {
  const connections: Database.Database[] = []
  const bytes = await preparedDatabase()
  const connect: Connect = () => {
    const connection = new Database(bytes)
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connections.push(connection)
    return connection
  }
  const storage = await openSqlite(':memory:', runWork, { connect })
  return toWorkStorage(storage, recordedIn(queryConnection(connections[0]!)))
}

export async function openWorkPostgres(url: string): Promise<WorkStorage & Pick<PostgresStorage<Work>, 'catchUp'>> {
  const storage = await openPostgres({ url, connections: 4 }, runWork)
  return { ...toWorkStorage(storage, recordedIn(queryUrl(url))), catchUp: storage.catchUp }
}

function toWorkStorage(storage: Storage<Work>, recorded: Recorded): WorkStorage {
  return { ...storage, write: storage.write as WorkStorage['write'], recorded }
}
