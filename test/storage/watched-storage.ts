import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { isOnPostgres } from '../support/databases/engine.ts'
import { databaseWithoutRows } from '../support/databases/test-database.ts'
import { verboseConnection } from '../support/databases/verbose-connection.ts'
import { preparedFile } from './sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres, type WorkStorage } from './work-storage.ts'

/** A storage, and the statements that it has sent since the last look. */
export interface Watched {
  readonly storage: WorkStorage
  takeStatements(): readonly string[]
}

async function openSqlite(): Promise<Watched> {
  const statements: string[] = []
  const connect = verboseConnection((statement) => statements.push(statement))
  const storage = await openWorkFile(await preparedFile(), connect)
  statements.length = 0
  return { storage, takeStatements: () => statements.splice(0) }
}

async function openPostgres(): Promise<Watched> {
  const storage = await openWorkPostgres(await databaseWithoutRows())
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const takeStatements = () => {
    const sent = query.mock.calls.map(([statement]) => (statement as unknown as { text: string }).text)
    query.mockClear()
    return sent
  }
  return { storage, takeStatements }
}

/** On the engine of this run, for the length of a test. */
export async function openWatched(): Promise<Watched> {
  const watched = await (isOnPostgres ? openPostgres : openSqlite)()
  onTestFinished(() => watched.storage.close())
  return watched
}
