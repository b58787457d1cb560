import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { reasonOf } from '../../errors.ts'
import { requireNoUnfinishedMove } from '../maintenance/unfinished-move.ts'
import { StorageUnavailable } from '../storage.ts'
import { listTables } from './catalog.ts'
import { migrations as known } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'

/** Brings the tables up to date, all or nothing. A database of a newer program is refused, not guessed at. */
export async function migrate(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>> = known,
): Promise<void> {
  await requireOwnOrEmpty(db)
  await requireNoUnfinishedMove(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  const newer = failed ? undefined : await findUnknown(db, migrations)
  if (newer) {
    throw new StorageUnavailable(
      `The database was made by a newer version of this program, which this one would damage: it has the migration ${newer}.`,
      { cause: error },
    )
  }
  const where = failed ? `in migration ${failed}` : 'before any migration'
  throw new StorageUnavailable(`The database could not be brought up to date, ${where}: ${reasonOf(error)}.`, {
    cause: error,
  })
}

/** Somebody else's tables are left alone. */
async function requireOwnOrEmpty(db: Kysely<Rows>): Promise<void> {
  const tables = await listTables(db)
  if (tables.length === 0 || tables.includes(DEFAULT_MIGRATION_TABLE)) return
  throw new StorageUnavailable(
    `The database is not one of this program, and not empty: it has a table ${tables[0]}. Give the program one of its own.`,
  )
}

/** A migration that the database has seen and this program has not. */
async function findUnknown(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string | undefined> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
    return rows.map(({ name }) => name).find((name) => !Object.hasOwn(migrations, name))
  } catch {
    // Not even this table can be read; what went wrong first is the better story.
    return undefined
  }
}
