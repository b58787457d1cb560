import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { connectionSettings, kyselyOver } from '../../../src/storage/postgres/session.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { isOnPostgres } from '../../support/databases/engine.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres, type WorkStorage } from '../work-storage.ts'

/**
 * A database of the engine of this run whose tables are those before a migration, and how a storage opens it. The
 * connection ends with the test.
 */
export async function openEarlier(before: string) {
  const { db, openStorage } = isOnPostgres ? await openServer() : openFile()
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < before)))
  return { db, openStorage }
}

type Fill = (db: Kysely<Rows>) => Promise<void>

/** A storage on such a database, filled with rows of that time. */
export async function openFilled(before: string, fill: Fill): Promise<WorkStorage> {
  const { db, openStorage } = await openEarlier(before)
  await fill(db)
  return openStorage()
}

function openFile() {
  const file = temporaryFile()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  return { db: openKysely(database), openStorage: () => closing(openWorkFile(file)) }
}

async function openServer() {
  const url = await emptyDatabase()
  const client = new pg.Client(connectionSettings(url))
  await client.connect()
  onTestFinished(() => client.end())
  return { db: kyselyOver(client), openStorage: () => closing(openWorkPostgres(url)) }
}

async function closing(opened: Promise<WorkStorage>): Promise<WorkStorage> {
  const storage = await opened
  onTestFinished(() => storage.close())
  return storage
}

/** An organization, as every version of the tables has it. */
export async function addPortal(db: Kysely<Rows>, portalId: string): Promise<void> {
  await sql`insert into portals (portal_id, name, description, url_key, access, public_key, sealed_private_key,
    created_at, modified_at) values (${portalId}, '', '', ${portalId}, 'private', 'k', 'k', 1, 1)`.execute(db)
}

/** The user anna, as every version of the tables has her. */
export async function addUser(db: Kysely<Rows>, portalId: string, userId: string): Promise<void> {
  await sql`insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email,
    description, access, role, disabled, password_hash, created_at, modified_at)
    values (${userId}, 'anna', 'anna', ${portalId}, '', '', '', '', '', 'org', 'org_user', 0, 'h', 1, 1)`.execute(db)
}
