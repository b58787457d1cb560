import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '../../../tables/rows.ts'
import { indexGroup, indexUser } from './index-directory.ts'
import { indexItems } from './index-item.ts'
import { wordsOfIndex } from './index-rows.ts'

/**
 * Version of the index, which increases with every change of its records: the next start of a server rebuilds it. Such a change
 * comes with a migration, which keeps servers of older versions away.
 */
const presentVersion = 4

/** Rebuilds the index unless this version of it is present. */
export async function ensureIndex(db: Kysely<Rows>): Promise<void> {
  if (!(await isPresent(db))) await rebuildIndex(db)
}

/** Whether the index has the present version. */
export async function isPresent(db: Kysely<Rows>): Promise<boolean> {
  const { rows } = await sql<{ version: number }>`select version from index_version`.execute(db)
  return rows[0]?.version === presentVersion
}

/** Rebuilds the index from the stored rows, in one transaction. Resolves with the number of records. */
export async function rebuildIndex(
  db: Kysely<Rows>,
  onIndexed: (records: number) => void = () => undefined,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    for (const table of Object.keys(wordsOfIndex)) await sql`delete from ${sql.table(table)}`.execute(transaction)
    await sql`delete from inexact_categories`.execute(transaction)
    let done = 0
    const count = (more: number) => {
      done += more
      if (more === maxBatch) onIndexed(done)
    }
    for await (const items of batchesOf<number>(transaction, 'items', 'id')) {
      await indexItems(transaction, items)
      count(items.length)
    }
    for await (const groups of batchesOf<string>(transaction, 'groups', 'group_id')) {
      for (const group of groups) await indexGroup(transaction, group)
      count(groups.length)
    }
    for await (const users of batchesOf<string>(transaction, 'users', 'user_id')) {
      for (const user of users) await indexUser(transaction, user)
      count(users.length)
    }
    await sql`delete from index_version`.execute(transaction)
    await sql`insert into index_version (version) values (${presentVersion})`.execute(transaction)
    return done
  })
}

const maxBatch = 500

/** Every id of the table, in order. */
export async function* batchesOf<Id extends string | number>(
  db: Kysely<Rows>,
  table: 'items' | 'groups' | 'users',
  column: string,
): AsyncGenerator<readonly Id[]> {
  const [from, id] = [sql.table(table), sql.ref(column)]
  let last: Id | undefined
  while (true) {
    const rest = last === undefined ? sql`` : sql`where ${id} > ${last}`
    const { rows } = await sql<{
      id: Id
    }>`select ${id} as id from ${from} ${rest} order by ${id} limit ${maxBatch}`.execute(db)
    yield rows.map((row) => row.id)
    // SQLite answers synchronously: without this, the event loop would never run, and signals would be ignored.
    await setImmediate()
    if (rows.length < maxBatch) return
    last = rows.at(-1)!.id
  }
}
