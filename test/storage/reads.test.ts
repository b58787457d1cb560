import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { isOnPostgres } from '../support/databases/engine.ts'
import { describeReads } from './contract/reads.contract.ts'
import { makeFile, makeMemory, makePostgres } from './reused-database.ts'
import { threadProgram } from './thread-program.ts'

const program = new URL('./sqlite/store-calls-thread.mjs', import.meta.url)

if (isOnPostgres) {
  describeReads('PostgreSQL', {
    makeDatabase: makePostgres,
    open: ({ place }, execute) => openPostgres({ url: place, connections: 4 }, execute),
    remembersCallers: true,
  })
} else {
  describeReads('SQLite in a file, with its write thread', {
    makeDatabase: makeFile,
    open: async ({ place }, execute) => openSqlite(place, execute, { writeThread: await threadProgram(program) }),
    remembersCallers: true,
  })

  describeReads('SQLite in a file, written by the thread that reads', {
    makeDatabase: makeFile,
    open: ({ place }, execute) => openSqlite(place, execute),
    remembersCallers: true,
  })

  describeReads('SQLite in memory', {
    makeDatabase: makeMemory,
    open: ({ place, connect }, execute) => openSqlite(place, execute, { connect }),
    writesWait: 'There is one connection, on which reads and writes take turns.',
    remembersCallers: false,
  })
}
