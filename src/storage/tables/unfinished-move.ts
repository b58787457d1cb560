import { type Kysely, sql } from 'kysely'
import { StorageUnavailable } from '../storage.ts'
import { isPostgres } from './catalog.ts'
import type { Rows } from './rows.ts'

/** The row of a table that exists only while another database is moved into this one. */
export interface UnfinishedMove {
  /** Source of the rows, as a URL without secrets. */
  readonly source: string
  /** Digest of all rows of the source. */
  readonly fingerprint: string
}

export const moveTable = 'unfinished_move'

export async function findUnfinishedMove(db: Kysely<Rows>): Promise<UnfinishedMove | undefined> {
  if (!(await isThere(db))) return undefined
  const { rows } = await sql<UnfinishedMove>`select source, fingerprint from ${sql.table(moveTable)}`.execute(db)
  return rows[0]
}

/** Creates the table and its row in one transaction. */
export async function beginMove(db: Kysely<Rows>, { source, fingerprint }: UnfinishedMove): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`create table ${sql.table(moveTable)} (source text not null, fingerprint text not null)`.execute(
      transaction,
    )
    await sql`insert into ${sql.table(moveTable)} (source, fingerprint) values (${source}, ${fingerprint})`.execute(
      transaction,
    )
  })
}

export async function finishMove(db: Kysely<Rows>): Promise<void> {
  await sql`drop table ${sql.table(moveTable)}`.execute(db)
}

/** Refuses to serve the target of an unfinished move. */
export async function requireNoUnfinishedMove(db: Kysely<Rows>): Promise<void> {
  const move = await findUnfinishedMove(db)
  if (!move) return
  throw new StorageUnavailable(
    `A move into this database was not finished; run "cartulary migrate-data --from ${move.source} --to …" again.`,
  )
}

async function isThere(db: Kysely<Rows>): Promise<boolean> {
  const { rows } = await (isPostgres(db)
    ? sql<{ found: boolean }>`select to_regclass(${moveTable}::text) is not null as found`
    : sql<{ found: number }>`select count(*) as found from sqlite_schema where name = ${moveTable}`
  ).execute(db)
  return Boolean(rows[0]?.found)
}
