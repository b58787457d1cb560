import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { kyselyOver } from '../../../src/storage/postgres/session.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres, type WorkStorage } from '../work-storage.ts'

type Fill = (db: Kysely<Rows>) => Promise<void>

/** For each engine, opens a database whose tables are those before a migration, filled with rows of that time. */
export function earlierDatabases(before: string, fill: Fill): Readonly<Record<string, () => Promise<WorkStorage>>> {
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < before))
  const fillEarlier: Fill = async (db) => {
    await migrate(db, earlier)
    await fill(db)
  }
  return {
    async SQLite() {
      const file = temporaryFile()
      const database = new Database(file)
      await fillEarlier(openKysely(database))
      database.close()
      return openWorkFile(file)
    },
    async PostgreSQL() {
      const url = await emptyDatabase()
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await fillEarlier(kyselyOver(client))
      await client.end()
      return openWorkPostgres(url)
    },
  }
}
