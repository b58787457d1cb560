import type { Kysely } from 'kysely'
import { kyselyOnSqlite, openReading } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import { listTables } from '../tables/catalog.ts'
import { migrate } from '../tables/migrate.ts'
import type { Rows } from '../tables/rows.ts'
import { tableNames } from '../tables/tables.ts'
import type { CheckResult } from './check-result.ts'
import { inspectRows } from './inspect-rows.ts'
import { openTarget } from './move-end.ts'
import { countRows, sumTables } from './table-sums.ts'

/** Called after each batch of rows; may throw to stop. */
export type OnCompared = (rows: number, total: number) => void

/** Compares a restored file with its backup, row by row. Throws StorageUnavailable for a table that differs. */
export async function compareRestored(
  backup: string,
  restored: string,
  onCompared: OnCompared,
): Promise<{ readonly tables: number; readonly rows: number }> {
  const ends = [openReading(backup), openReading(restored)] as const
  try {
    const [one, other] = ends.map(kyselyOnSqlite) as [Kysely<Rows>, Kysely<Rows>]
    // A backup of an earlier version has fewer tables.
    const there = await listTables(one)
    const tables = tableNames.filter((name) => there.includes(name))
    const rows = await countRows(one, tables)
    const [sums, held] = [
      await sumTables(one, (read) => onCompared(read, 2 * rows), tables),
      await sumTables(other, (read) => onCompared(rows + read, 2 * rows), tables),
    ]
    const changed = sums.find(({ digest }, at) => digest !== held[at]!.digest)
    if (changed) throw new StorageUnavailable(`The restored table ${changed.table} is not that of the backup.`)
    return { tables: tables.length, rows }
  } finally {
    for (const end of ends) end.close()
  }
}

/** Runs the migrations of this version on a restored file, as the next start would, and yields the results of the checks. */
export async function* inspectRestored(restored: string, now: number): AsyncGenerator<CheckResult> {
  const end = await openTarget({ engine: 'sqlite', file: restored })
  try {
    const db = await end.beginWriting()
    await migrate(db)
    yield* inspectRows(db, now)
  } finally {
    await end.close()
  }
}
