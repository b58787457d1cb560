import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { migrations } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'

/** Which engine is behind a connection. */
export function isPostgres(db: Kysely<Rows>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The tables that are there, whoever made them. */
export async function listTables(db: Kysely<Rows>): Promise<readonly string[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{
        name: string
      }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/** How far a database is with the migrations of this program. */
export interface MigrationState {
  /** Of this program, and not in the database yet. */
  readonly missing: readonly string[]
  /** In the database, and of a newer program. */
  readonly unknown: readonly string[]
}

/** Undefined where the database was never one of this program. */
export async function findMigrationState(db: Kysely<Rows>): Promise<MigrationState | undefined> {
  if (!(await listTables(db)).includes(DEFAULT_MIGRATION_TABLE)) return undefined
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  const done = rows.map(({ name }) => name)
  const known = Object.keys(migrations)
  if (done.length === 0) return undefined
  return {
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  }
}
