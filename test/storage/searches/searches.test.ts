import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { runCalls } from '../store-calls.ts'
import { searches } from './search-calls.ts'
import { describeSearches } from './searches.contract.ts'

const searchThread = { program: new URL('./search-calls-thread.mjs', import.meta.url), settings: undefined }

describeSearches('SQLite in a file, with its search thread', {
  open: () => openSqlite(temporaryFile(), runCalls, { searches, searchThread }),
})

describeSearches('SQLite in a file, searched by the thread that reads', {
  open: () => openSqlite(temporaryFile(), runCalls, { searches }),
})

describeSearches('SQLite in memory', {
  open: () => openSqlite(':memory:', runCalls, { searches }),
  othersWait: 'There is one connection, on which reads, searches and writes take turns.',
})

describeSearches('PostgreSQL', {
  open: async () => openPostgres({ url: await databaseWithoutRows(), connections: 4 }, runCalls, searches),
})
