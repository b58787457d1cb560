import { tmpdir } from 'node:os'
import type { Limits } from '../limits.ts'
import type { DatabaseSetting } from '../settings/database.ts'
import type { SearchReplica } from './postgres/replicated-searches.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { DatabaseAccess, Execute, ExecuteSearch, StartWait, Storage } from './storage.ts'

const writeProgram = new URL('../../bin/write-thread.mjs', import.meta.url)
const prepareProgram = new URL('../../bin/prepare-thread.mjs', import.meta.url)
const searchProgram = new URL('../../bin/search-thread.mjs', import.meta.url)

/**
 * Opens the engine that the setting names and migrates it, unless the server beside has to. The programs of the threads get the
 * limits, to make equal `execute` and `executeSearch` functions from.
 */
export async function openStorage<Command, Search>(
  database: DatabaseSetting,
  limits: Limits,
  execute: Execute<Command>,
  executeSearch: ExecuteSearch<Search>,
  access: DatabaseAccess = 'own',
  wait: StartWait = {},
): Promise<Storage<Command, Search>> {
  const searches = { execute: executeSearch, milliseconds: limits.searchTime }
  if (database.engine === 'postgres') {
    // Loaded only where it is used: a start on SQLite is shorter without it.
    const { openPostgres } = await import('./postgres/postgres.ts')
    const replica = await openReplica(database, limits)
    const replicatedFrom = database.searchReplica === 'auto' ? manyItems : 0
    return openPostgres({ ...database, wait, replica, replicatedFrom }, execute, searches)
  }
  if (access === 'beside') return openSqlite(database.file, execute, { access, searches })
  return openSqlite(database.file, execute, {
    writeThread: { program: writeProgram, settings: limits },
    prepareThread: prepareProgram,
    notices: wait,
    searches,
    searchThread: { program: searchProgram, settings: limits },
  })
}

/** Items from which on a search replica pays (chosen): PostgreSQL counts so many in about a millisecond. */
const manyItems = 5_000

/** Undefined where the setting turns it off. */
async function openReplica(
  { url, searchReplica = 'off' }: Extract<DatabaseSetting, { engine: 'postgres' }>,
  limits: Limits,
): Promise<SearchReplica | undefined> {
  if (searchReplica === 'off') return undefined
  const { replicaInThread } = await import('./replica/replica-thread.ts')
  const folder = searchReplica === 'auto' ? tmpdir() : searchReplica
  return replicaInThread({ program: searchProgram, settings: limits }, url, folder)
}
