import { setImmediate } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '../tables/rows.ts'
import { primaryKeys, type TableName } from '../tables/tables.ts'

/** Values of a row by their columns. */
export type Row = Readonly<Record<string, string | number | null>>

const fewestOfBatch = 8
const maxBatch = 1_024
/** Intended length of a batch, in characters. */
const batchLength = 2_000_000

/** Rows in the order of the primary key. The longer the rows, the smaller the batches. */
export async function* readBatches(
  db: Kysely<Rows>,
  table: TableName,
  after?: Row,
  condition: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<readonly Row[]> {
  const names = primaryKeys[table]
  const key = sql.join(names.map((name) => sql.ref(name)))
  let last = after
  let size = 64
  while (true) {
    const place = last
    const rest = place ? sql`and (${key}) > (${sql.join(names.map((name) => place[name]))})` : sql``
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where (${condition}) ${rest} order by ${key} limit ${size}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
    size = Math.round(Math.min(maxBatch, Math.max(fewestOfBatch, (size * batchLength) / lengthOf(rows))))
    // SQLite answers synchronously: without this, the event loop would never run, and signals would be ignored.
    await setImmediate()
  }
}

function lengthOf(rows: readonly Row[]): number {
  const length = (value: unknown) => (typeof value === 'string' ? value.length : 8)
  return rows.reduce((sum, row) => sum + Object.values(row).reduce<number>((part, value) => part + length(value), 0), 1)
}
