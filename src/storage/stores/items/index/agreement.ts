import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../tables/catalog.ts'
import type { IndexRows } from '../../../tables/rows/search-index.ts'
import type { Rows } from '../../../tables/rows.ts'
import { findGroupRecord, findUserRecord } from './index-directory.ts'
import { listItemRecords } from './index-item.ts'
import { digestOfRecord, type IndexedRecord, wordsOfIndex } from './index-rows.ts'
import { batchesOf } from './rebuild.ts'

/** Counts items, groups and users that the index lacks or has otherwise than stored, and rows without a record. */
export async function countDisagreements(db: Kysely<Rows>): Promise<number> {
  let found = 0
  for await (const items of batchesOf<number>(db, 'items', 'id')) {
    const records = new Map((await listItemRecords(db, items)).map((record) => [record.row.number, record]))
    for (const id of items) {
      if (!isEqual(records.get(id), await findKept(db, 'item_index', 'number', id))) found += 1
    }
  }
  for await (const groups of batchesOf<string>(db, 'groups', 'group_id')) {
    for (const id of groups) {
      const kept = await findKept(db, 'group_index', 'group_id', id)
      if (!kept || !isEqual(await findGroupRecord(db, id, kept.number), kept)) found += 1
    }
  }
  for await (const users of batchesOf<string>(db, 'users', 'user_id')) {
    for (const id of users) {
      const kept = await findKept(db, 'user_index', 'user_id', id)
      if (!kept || !isEqual(await findUserRecord(db, id, kept.number), kept)) found += 1
    }
  }
  for (const table of Object.keys(wordsOfIndex) as (keyof IndexRows)[]) found += await countLoose(db, table)
  return found
}

interface Kept {
  readonly number: number
  readonly digest: string
  /** Null where the row has no words. */
  readonly tokens: number | null
}

async function findKept(
  db: Kysely<Rows>,
  table: keyof IndexRows,
  column: string,
  id: string | number,
): Promise<Kept | undefined> {
  const tokens = isPostgres(db)
    ? sql`length(tokens)`
    : sql`(select length(sz) from ${sql.table(`${wordsOfIndex[table]}_docsize`)} as sizes where sizes.id = number)`
  const { rows } = await sql<Kept>`select number, digest, ${tokens} as tokens from ${sql.table(table)}
    where ${sql.ref(column)} = ${id}`.execute(db)
  return rows[0]
}

function isEqual<Table extends keyof IndexRows>(
  record: IndexedRecord<Table> | undefined,
  kept: Kept | undefined,
): boolean {
  if (!record || !kept || kept.tokens === null) return false
  return digestOfRecord(record) === kept.digest
}

/** Rows of the index without a record, and words without a row. */
async function countLoose(db: Kysely<Rows>, table: keyof IndexRows): Promise<number> {
  if (isPostgres(db)) return 0
  const words = sql.table(`${wordsOfIndex[table]}_docsize`)
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${words} as sizes
    where not exists (select 1 from ${sql.table(table)} as kept where kept.number = sizes.id)`.execute(db)
  return rows[0]!.total
}
