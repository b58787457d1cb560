import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'
import { StorageUnavailable } from './storage.ts'

/** Brings the tables up to date. A database of a newer program is refused, not guessed at. */
export async function migrate(db: Kysely<Rows>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  const where = failed ? `in migration ${failed}` : 'before any migration'
  throw new StorageUnavailable(
    `The database could not be brought up to date, ${where}: ${error instanceof Error ? error.message : String(error)}.`,
    { cause: error },
  )
}
