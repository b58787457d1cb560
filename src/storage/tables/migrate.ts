import type { Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { reasonOf } from '../../errors.ts'
import { StorageUnavailable } from '../storage.ts'
import { findBreaking, findMigrationState, foreignTables, listTables, newerVersion } from './catalog.ts'
import { migrations as known } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'
import { requireNoUnfinishedMove } from './unfinished-move.ts'

/** Called in the transaction before the first change that servers of older versions cannot live with. */
export type BeforeChange = (transaction: Kysely<Rows>) => Promise<void>

/** Runs the missing migrations in one transaction. Refuses a database of a newer version. */
export async function migrate(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>> = known,
  beforeChange: BeforeChange = async () => undefined,
): Promise<void> {
  await requireOwnOrEmpty(db)
  await requireNoUnfinishedMove(db)
  const unknown = await listUnknown(db, migrations)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => guarded({ ...migrations, ...nothingFor(unknown) }, beforeChange) },
    // Some databases have 022 and 023 already, and no 021: that one was added later.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  if (error instanceof StorageUnavailable) throw error
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  // A newer version has migrated the database meanwhile.
  if (!failed && (await listUnknown(db, migrations)).length > unknown.length)
    return migrate(db, migrations, beforeChange)
  const where = failed ? `in migration ${failed}` : 'before any migration'
  throw new StorageUnavailable(`The database could not be migrated, ${where}: ${reasonOf(error)}.`, {
    cause: error,
  })
}

/** Migrations of newer versions that this one can live with. Refuses a database that has others. */
async function listUnknown(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const { unknown = [] } = (await findMigrationState(db, migrations)) ?? {}
  const newer = findBreaking(unknown)
  if (newer) throw new StorageUnavailable(newerVersion('The database', newer))
  return unknown
}

/** Empty migrations, for the names of those that have run already. */
function nothingFor(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(names.map((name) => [name, { up: async () => undefined }]))
}

/** Wraps migrations: `beforeChange` is called before the first one that runs, unless older servers can live with all of them. */
function guarded(
  migrations: Readonly<Record<string, Migration>>,
  beforeChange: BeforeChange,
): Record<string, Migration> {
  let hasBegun = false
  const begin = async (transaction: Kysely<Rows>) => {
    if (hasBegun) return
    hasBegun = true
    const state = await findMigrationState(transaction, migrations)
    if (findBreaking(state?.missing ?? Object.keys(migrations))) await beforeChange(transaction)
  }
  const guard = ({ up }: Migration): Migration => ({
    async up(transaction) {
      await begin(transaction)
      await up(transaction)
    },
  })
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, guard(migration)]))
}

/** Whether every migration of this version has run. Refuses the databases that `migrate` refuses. */
export async function requireMigrated(db: Kysely<Rows>): Promise<boolean> {
  await requireOwnOrEmpty(db)
  await requireNoUnfinishedMove(db)
  const state = await findMigrationState(db)
  const newer = findBreaking(state?.unknown ?? [])
  if (newer) throw new StorageUnavailable(newerVersion('The database', newer))
  return state !== undefined && state.missing.length === 0
}

/** Refuses a database with tables of another program. */
async function requireOwnOrEmpty(db: Kysely<Rows>): Promise<void> {
  const tables = await listTables(db)
  if (tables.length === 0 || tables.includes(DEFAULT_MIGRATION_TABLE)) return
  throw new StorageUnavailable(foreignTables(tables[0]!))
}
