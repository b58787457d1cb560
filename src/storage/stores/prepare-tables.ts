import type { Kysely } from 'kysely'
import type { StartNotices } from '../storage.ts'
import { type BeforeChange, isMigrated, migrate, requireTime } from '../tables/migrate.ts'
import type { migrations as known } from '../tables/migrations/migrations.ts'
import type { Rows } from '../tables/rows.ts'
import { ensureIndex, isPresent } from './items/index/rebuild.ts'

/** Whether tables and index of a database are those of this version. Refuses the databases that `migrate` refuses. */
export async function isPrepared(db: Kysely<Rows>, migrations?: typeof known): Promise<boolean> {
  return (await isMigrated(db, migrations)) && (await isPresent(db))
}

/** Brings tables and index to this version, and says how far it is. Asked to end, it ends between two steps, and throws. */
export async function prepareTables(
  db: Kysely<Rows>,
  notices: StartNotices = {},
  migrations?: typeof known,
  beforeChange?: BeforeChange,
): Promise<void> {
  const begun = performance.now()
  let hasWorked = await migrate(db, migrations, beforeChange, notices)
  await ensureIndex(db, (done, total) => {
    if (!hasWorked && done < total) notices.say?.(`The index of the search is made for ${format(total)} records.`)
    hasWorked ||= done < total
    notices.doing?.(`Making the index: ${format(done)} of ${format(total)} items, groups and users.`)
    requireTime(notices)
  })
  const seconds = Math.ceil((performance.now() - begun) / 1_000)
  if (hasWorked) notices.say?.(`The tables are those of this version, after ${format(seconds)} s.`)
}

function format(number: number): string {
  return number.toLocaleString('en')
}
