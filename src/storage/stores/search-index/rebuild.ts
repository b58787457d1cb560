import { type Kysely, sql } from 'kysely'
import type { Rows } from '../../tables/rows.ts'
import { indexItem } from './index-item.ts'
import { wordsOfIndex } from './index-rows.ts'

/** Increases with every change of what the index has of a record: the next start of a server makes it anew. */
const presentVersion = 1

/** Makes the index anew if another version of the program has made it, or none. */
export async function ensureIndex(db: Kysely<Rows>): Promise<void> {
  const { rows } = await sql<{ version: number }>`select version from index_version`.execute(db)
  if (rows[0]?.version !== presentVersion) await rebuildIndex(db)
}

/** Makes the index anew from what is stored, in one transaction. Resolves with the number of records. */
export async function rebuildIndex(
  db: Kysely<Rows>,
  onIndexed: (records: number) => void = () => undefined,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    for (const table of Object.keys(wordsOfIndex)) await sql`delete from ${sql.table(table)}`.execute(transaction)
    let done = 0
    for await (const item of numbersOfItems(transaction)) {
      await indexItem(transaction, item)
      done += 1
      if (done % batch === 0) onIndexed(done)
    }
    await sql`delete from index_version`.execute(transaction)
    await sql`insert into index_version (version) values (${presentVersion})`.execute(transaction)
    return done
  })
}

const batch = 500

async function* numbersOfItems(db: Kysely<Rows>): AsyncGenerator<number> {
  let last = 0
  while (true) {
    const rows = await db.selectFrom('items').select('id').where('id', '>', last).orderBy('id').limit(batch).execute()
    for (const { id } of rows) yield id
    if (rows.length < batch) return
    last = rows.at(-1)!.id
  }
}
