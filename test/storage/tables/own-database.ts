import Database from 'better-sqlite3'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { connectionSettings, kyselyOver } from '../../../src/storage/postgres/session.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { isOnPostgres } from '../../support/databases/engine.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres, type WorkStorage } from '../work-storage.ts'

/** A database of the engine of this run with every table, and how a storage opens it. The connection ends with the test. */
export async function openOwn() {
  const { db, openStorage } = isOnPostgres ? await openServer() : openFile()
  await migrate(db)
  return { db, openStorage }
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
