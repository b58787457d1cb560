import type Database from 'better-sqlite3'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { openConnection } from '../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { queryConnection, queryFile, queryUrl } from '../support/databases/recorded.ts'
import { databaseWithoutRows } from '../support/databases/test-database.ts'
import { describeReads } from './contract/reads.contract.ts'
import { temporaryFile } from './sqlite/temporary-file.ts'
import { runCalls } from './store-calls.ts'

const writeThread = { program: new URL('./sqlite/store-calls-thread.mjs', import.meta.url), settings: undefined }

describeReads('SQLite in a file, with its write thread', {
  async open() {
    const file = temporaryFile()
    return { storage: await openSqlite(file, runCalls, { writeThread }), query: queryFile(file) }
  },
  remembersCallers: true,
})

describeReads('SQLite in a file, written by the thread that reads', {
  async open() {
    const file = temporaryFile()
    return { storage: await openSqlite(file, runCalls), query: queryFile(file) }
  },
  remembersCallers: true,
})

describeReads('SQLite in memory', {
  async open() {
    const connections: Database.Database[] = []
    const connect = (path: string) => {
      const connection = openConnection(path)
      connections.push(connection)
      return connection
    }
    const storage = await openSqlite(':memory:', runCalls, { connect })
    return { storage, query: queryConnection(connections[0]!) }
  },
  writesWait: 'There is one connection, on which reads and writes take turns.',
  remembersCallers: false,
})

describeReads('PostgreSQL', {
  async open() {
    const url = await databaseWithoutRows()
    return { storage: await openPostgres({ url, connections: 4 }, runCalls), query: queryUrl(url) }
  },
  remembersCallers: true,
})
