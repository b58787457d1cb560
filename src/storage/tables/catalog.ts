import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { areAllFormer, isFormer, lastFormerCommit } from './migrations/former.ts'
import { migrations as known } from './migrations/migrations.ts'
import { isPostgres } from './migrations/statements.ts'
import type { Rows } from './rows.ts'

export { isPostgres }

/** All tables of the database, including those of other programs, without virtual tables and their shadow tables. */
export async function listTables(db: Kysely<Rows>): Promise<readonly string[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{
        name: string
      }>`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/** Difference between the migrations of a database and those of this version. */
export interface MigrationState {
  /** Known to this version and not run yet. */
  readonly missing: readonly string[]
  /** Run by another version: a newer one, or one of before the foundation that had not all migrations of that time. */
  readonly unknown: readonly string[]
  /** Whether all migrations of before the foundation have run, which takes their place. */
  readonly isFormer: boolean
}

/** Undefined if Cartulary never migrated the database. */
export async function findMigrationState(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, unknown>> = known,
  tables?: readonly string[],
): Promise<MigrationState | undefined> {
  if (!(tables ?? (await listTables(db))).includes(DEFAULT_MIGRATION_TABLE)) return undefined
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  const done = rows.map(({ name }) => name)
  if (done.length === 0) return undefined
  const ofFormer = areAllFormer(done)
  return {
    missing: Object.keys(migrations).filter((name) => !done.includes(name)),
    unknown: ofFormer ? [] : done.filter((name) => !Object.hasOwn(migrations, name)),
    isFormer: ofFormer,
  }
}

/**
 * Suffix of the names of migrations that servers of older versions can live with: all they read and write stays as it was.
 * Such a migration runs beside them, and they start on its database.
 */
const besideOlder = '-beside-older'

/** A migration that servers without it cannot live with; undefined if there is none. */
export function findBreaking(migrations: readonly string[]): string | undefined {
  return migrations.find((name) => !name.endsWith(besideOlder))
}

/** Reason to refuse a database that another version has migrated. */
export function otherVersion(label: string, migration: string): string {
  if (isFormer(migration))
    return `${label} has tables of a checkout of before ${lastFormerCommit}: start that one on it once, as docs/upgrade.md says, and then this version.`
  return `${label} was migrated by a newer version of Cartulary (migration ${migration}); install that version.`
}

/** Reason to refuse a database with tables of another program. */
export function foreignTables(first: string): string {
  return `The database has tables that Cartulary did not create (first: ${first}); give Cartulary a database of its own.`
}
