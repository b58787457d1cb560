import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../tables/catalog.ts'
import type { IndexRows } from '../../../tables/rows/search-index.ts'
import type { Rows } from '../../../tables/rows.ts'
import { groupIndex, userIndex } from './index-directory.ts'
import { listItemRecords } from './index-item.ts'
import { digestOfRecord, wordsOfIndex } from './index-rows.ts'
import { batchesOf } from './rebuild.ts'

/** Counts items, groups and users that the index lacks or has otherwise than stored, and rows without a record. */
export async function countDisagreements(db: Kysely<Rows>): Promise<number> {
  let found = 0
  for await (const items of batchesOf<number>(db, 'items', 'id')) {
    const records = await listItemRecords(db, items)
    found += items.length - records.filter((record) => digestOfRecord(record) === record.before).length
  }
  for (const index of [groupIndex, userIndex]) {
    for await (const ids of batchesOf<string>(db, index.table, index.id)) {
      for (const id of ids) if (!(await index.agrees(db, id))) found += 1
    }
  }
  for (const table of Object.keys(wordsOfIndex) as (keyof IndexRows)[]) found += await countLoose(db, table)
  return found
}

/** Words without a row, and rows without words. */
async function countLoose(db: Kysely<Rows>, table: keyof IndexRows): Promise<number> {
  if (isPostgres(db)) return 0
  const [rows, words] = [sql.table(table), sql.table(`${wordsOfIndex[table]}_docsize`)]
  const [{ total } = { total: 0 }] = (
    await sql<{ total: number }>`select
      (select count(*) from ${words} as sizes where not exists (select 1 from ${rows} as kept where kept.number = sizes.id)) +
      (select count(*) from ${rows} as kept where not exists (select 1 from ${words} as sizes where sizes.id = kept.number))
      as total`.execute(db)
  ).rows
  return total
}
