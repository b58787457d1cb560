import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import type { DatabaseSetting } from '../../settings/database.ts'
import { placeOf } from '../../settings/postgres-url.ts'
import { toStorageError } from '../postgres/errors.ts'
import { requireOwnSession } from '../postgres/pooler.ts'
import { servingLock } from '../postgres/serving-lock.ts'
import { Connection, connectionSettings, kyselyOver, requireSettings } from '../postgres/session.ts'
import { findFile, lockFile, openConnection } from '../sqlite/file.ts'
import { kyselyOnSqlite, openReading } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'

/** Source or target of a move. */
export interface MoveEnd {
  /** URL without user, password and parameters. */
  readonly label: string
  /** Equal for two ends that are the same database. */
  readonly identity: string
  /** Locks the database against servers and other moves until it is closed. */
  claim(): Promise<void>
  /** A read-only snapshot. */
  beginReading(): Promise<Kysely<Rows>>
  /** For writing; a missing file is created. */
  beginWriting(): Promise<Kysely<Rows>>
  close(): Promise<void>
}

/** Opens a database that exists. */
export async function openSource(database: DatabaseSetting): Promise<MoveEnd> {
  if (database.engine === 'sqlite' && database.file !== ':memory:' && !existsSync(database.file)) {
    throw new StorageUnavailable(`There is no database at ${resolve(database.file)}.`)
  }
  return openTarget(database)
}

/** Opens a database whose file is created by the first write if it does not exist. */
export async function openTarget(database: DatabaseSetting): Promise<MoveEnd> {
  return database.engine === 'sqlite' ? openSqliteEnd(database.file) : openPostgresEnd(database.url)
}

function openSqliteEnd(file: string): MoveEnd {
  if (file === ':memory:') throw new StorageUnavailable('A database in memory cannot be moved.')
  const path = findFile(file)
  const opened: Database.Database[] = []
  const keep = (connection: Database.Database) => {
    opened.unshift(connection)
    return connection
  }
  return {
    label: `file:${path}`,
    identity: path,
    async claim() {
      keep(lockFile(path))
    },
    async beginReading() {
      const connection = keep(openReading(path))
      connection.exec('begin')
      return kyselyOnSqlite(connection)
    },
    beginWriting: async () => kyselyOnSqlite(keep(openConnection(path))),
    async close() {
      for (const connection of opened) connection.close()
    },
  }
}

async function openPostgresEnd(url: string): Promise<MoveEnd> {
  const client = new Connection(connectionSettings(url))
  const close = () => client.end().catch(() => undefined)
  const db = kyselyOver(client)
  const label = `postgres://${placeOf(url)}`
  try {
    await client.connect()
    await requireOwnSession(client, url)
    await requireSettings(client)
    // A move may take hours.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0')
    const { rows } = await client.query(
      'select pg_postmaster_start_time()::text as started, oid from pg_database where datname = current_database()',
    )
    return {
      label,
      identity: JSON.stringify(rows[0]),
      async claim() {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [servingLock])
        if (!rows[0].held) throw new StorageUnavailable(`${label} is in use by a running server; stop it first.`)
      },
      async beginReading() {
        await sql`begin isolation level repeatable read read only`.execute(db)
        return db
      },
      beginWriting: async () => db,
      close,
    }
  } catch (error) {
    await close()
    throw toStorageError(error)
  }
}
