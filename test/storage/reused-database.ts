import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { inject } from 'vitest'
import { openConnection } from '../../src/storage/sqlite/file.ts'
import { emptyingOfPostgres, emptyingOfSqlite } from '../support/databases/emptying.ts'
import { preparedDatabase } from '../support/databases/prepared-sqlite.ts'
import { type Query, queryConnection } from '../support/databases/recorded.ts'
import { createDatabase, dropDatabase } from '../support/databases/test-database.ts'

/** A database that serves one test after the other: making one takes longer than most tests. */
export interface ReusedDatabase {
  /** Path of the file, or URL. */
  readonly place: string
  readonly query: Query
  /** Removes every row. What an open storage remembers, it still does. */
  empty(): Promise<void>
  remove(): Promise<void>
}

export async function makeFile(): Promise<ReusedDatabase> {
  const folder = mkdtempSync(join(inject('memoryDisk'), 'storage-'))
  const place = join(folder, 'cartulary.db')
  writeFileSync(place, await preparedDatabase())
  const connection = openConnection(place)
  return {
    place,
    query: queryConnection(connection),
    async empty() {
      // Reads of one turn of the event loop share a snapshot.
      await setImmediate()
      connection.exec(`BEGIN IMMEDIATE; ${emptyingOfSqlite}; COMMIT`)
    },
    async remove() {
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The first connection is that of the storage on it. */
export async function makeMemory(): Promise<ReusedDatabase & { connect(): Database.Database }> {
  const bytes = await preparedDatabase()
  const connections: Database.Database[] = []
  return {
    place: ':memory:',
    connect() {
      const connection = new Database(bytes)
      connection.pragma('synchronous = FULL')
      connection.pragma('foreign_keys = ON')
      connections.push(connection)
      return connection
    },
    query: (sql) => queryConnection(connections.at(-1)!)(sql),
    async empty() {
      const connection = connections.at(-1)!
      if (connection.open) connection.exec(`BEGIN IMMEDIATE; ${emptyingOfSqlite}; COMMIT`)
    },
    async remove() {},
  }
}

/** Without tables, until a storage is opened on it. */
export async function makePostgres(): Promise<ReusedDatabase> {
  const place = await createDatabase()
  const client = new pg.Client(place)
  await client.connect()
  return {
    place,
    query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    empty: async () => void (await client.query(emptyingOfPostgres)),
    async remove() {
      await client.end()
      await dropDatabase(place)
    },
  }
}
