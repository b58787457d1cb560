import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { isOnPostgres } from '../../support/databases/engine.ts'
import { makeFile, makeMemory, makePostgres } from '../reused-database.ts'
import { threadProgram } from '../thread-program.ts'
import { searches } from './search-calls.ts'
import { describeSearches } from './searches.contract.ts'

const program = new URL('./search-calls-thread.mjs', import.meta.url)

if (isOnPostgres) {
  describeSearches('PostgreSQL', {
    makeDatabase: makePostgres,
    open: ({ place }, execute) => openPostgres({ url: place, connections: 4 }, execute, searches),
  })
} else {
  describeSearches('SQLite in a file, with its search thread', {
    makeDatabase: makeFile,
    open: async ({ place }, execute) =>
      openSqlite(place, execute, { searches, searchThread: await threadProgram(program) }),
  })

  describeSearches('SQLite in a file, searched by the thread that reads', {
    makeDatabase: makeFile,
    open: ({ place }, execute) => openSqlite(place, execute, { searches }),
  })

  describeSearches('SQLite in memory', {
    makeDatabase: makeMemory,
    open: ({ place, connect }, execute) => openSqlite(place, execute, { searches, connect }),
    othersWait: 'There is one connection, on which reads, searches and writes take turns.',
  })
}
