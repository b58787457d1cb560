import { type Kysely, sql } from 'kysely'
import type { ErasureStore } from '../../directory/users/erasure.ts'
import { isPostgres } from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import type { TableName } from '../tables/tables.ts'
import { reindexEntry } from './audit/log-index.ts'
import { checksumOf, findDamage } from './checksums.ts'
import { findReplaced, type StoredRow } from './personal-columns.ts'

/** Pages of the index that one step merges (chosen): about 2 MB. */
const pagesOfStep = 500

export function erasureStore(db: Kysely<Rows>): ErasureStore {
  async function update(table: TableName, key: StoredRow, change: (row: StoredRow) => StoredRow | undefined) {
    const condition = sql.join(
      Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      sql` and `,
    )
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} where ${condition}`.execute(db)
    const columns = rows[0] && change(rows[0])
    if (!columns) return 0
    const set = Object.entries({ ...columns, ...(table === 'audit' && checksumAfter(rows[0]!, columns)) })
    const assigned = set.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update ${sql.table(table)} set ${sql.join(assigned)} where ${condition}`.execute(db)
    if (table === 'audit') await reindexEntry(db, Number(key['id']))
    return 1
  }

  return {
    async findErasureNumber() {
      const { rows } = await sql<{ next: number }>`select coalesce(max(id), 0) + 1 as next from audit`.execute(db)
      return Number(rows[0]!.next)
    },
    async replaceNames(table, keys, erased) {
      // Bytes of former texts are overwritten in the file.
      if (!isPostgres(db)) await sql`pragma secure_delete = on`.execute(db)
      let changed = 0
      for (const key of keys) {
        changed += await update(table as TableName, key, (row) => findReplaced(table as TableName, row, erased))
      }
      return changed
    },
    async putErasureEnd(entry, isFirst) {
      // PostgreSQL removes words by itself (autovacuum).
      const isDone = isPostgres(db) || !(await mergeLogIndex(isFirst))
      if (isDone) await update('audit', { id: entry }, () => ({ data: null }))
      return isDone
    },
  }

  /** One step; false when no words of former entries are left in the segments. */
  async function mergeLogIndex(isFirst: boolean): Promise<boolean> {
    const countChanges = async () =>
      (await sql<{ total: number }>`select total_changes() as total`.execute(db)).rows[0]!.total
    const before = await countChanges()
    const pages = sql.lit(isFirst ? -pagesOfStep : pagesOfStep)
    await sql`insert into audit_words (audit_words, rank) values ('merge', ${pages})`.execute(db)
    // A merge that does nothing counts as one change (documented).
    return isFirst || (await countChanges()) - before > 1
  }
}

/** Checksum of a changed entry; a damaged one stays damaged. */
function checksumAfter(row: StoredRow, columns: StoredRow) {
  if (findDamage('audit', row as never) !== undefined) return {}
  return { checksum: checksumOf('audit', { ...row, ...columns } as never) }
}
