import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { reasonOf } from '../../errors.ts'
import { StorageUnavailable } from '../storage.ts'
import { findMigrationState, foreignTables, listTables, newerVersion } from './catalog.ts'
import { migrations as known } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'
import { requireNoUnfinishedMove } from './unfinished-move.ts'

/** Runs the missing migrations in one transaction. Refuses a database of a newer version. */
export async function migrate(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>> = known,
): Promise<void> {
  await requireOwnOrEmpty(db)
  await requireNoUnfinishedMove(db)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Some databases have 022 and 023 already, and no 021: that one was added later.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  const newer = failed ? undefined : await findUnknown(db, migrations)
  if (newer) {
    throw new StorageUnavailable(newerVersion('The database', newer), { cause: error })
  }
  const where = failed ? `in migration ${failed}` : 'before any migration'
  throw new StorageUnavailable(`The database could not be migrated, ${where}: ${reasonOf(error)}.`, {
    cause: error,
  })
}

/** Whether every migration of this version has run. Refuses what a migration refuses. */
export async function requireMigrated(db: Kysely<Rows>): Promise<boolean> {
  await requireOwnOrEmpty(db)
  await requireNoUnfinishedMove(db)
  const state = await findMigrationState(db)
  const [newer] = state?.unknown ?? []
  if (newer) throw new StorageUnavailable(newerVersion('The database', newer))
  return state !== undefined && state.missing.length === 0
}

/** Refuses a database with tables of another program. */
async function requireOwnOrEmpty(db: Kysely<Rows>): Promise<void> {
  const tables = await listTables(db)
  if (tables.length === 0 || tables.includes(DEFAULT_MIGRATION_TABLE)) return
  throw new StorageUnavailable(foreignTables(tables[0]!))
}

/** A migration that the database has and this version does not know. */
async function findUnknown(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string | undefined> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
    return rows.map(({ name }) => name).find((name) => !Object.hasOwn(migrations, name))
  } catch {
    // This table cannot be read either; the first error says more.
    return undefined
  }
}
