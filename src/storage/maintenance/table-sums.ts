import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '../tables/rows.ts'
import { type TableName, tableNames } from '../tables/tables.ts'
import { readBatches } from './read-batches.ts'

/** Number of rows of a table, and their SHA-256 in the order of the primary key. */
export interface TableSum {
  readonly table: TableName
  readonly rows: number
  readonly digest: string
}

/** Sums of tables, by default of all. `onRead` may throw to stop. */
export async function sumTables(
  db: Kysely<Rows>,
  onRead: (rows: number) => void,
  tables: readonly TableName[] = tableNames,
): Promise<readonly TableSum[]> {
  const sums: TableSum[] = []
  let read = 0
  for (const table of tables) {
    const hash = createHash('sha256')
    let count = 0
    for await (const rows of readBatches(db, table)) {
      const names = Object.keys(rows[0]!).sort()
      if (count === 0) hash.update(`${JSON.stringify(names)}\n`)
      for (const row of rows) hash.update(`${JSON.stringify(names.map((name) => row[name]))}\n`)
      count += rows.length
      onRead(read + count)
    }
    read += count
    sums.push({ table, rows: count, digest: hash.digest('hex') })
  }
  return sums
}

export async function countRows(db: Kysely<Rows>, tables: readonly TableName[] = tableNames): Promise<number> {
  let total = 0
  for (const table of tables) total += await countRowsOf(db, table)
  return total
}

export async function countRowsOf(db: Kysely<Rows>, table: TableName): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(db)
  return rows[0]!.total
}
