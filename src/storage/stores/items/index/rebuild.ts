import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../tables/catalog.ts'
import type { Rows } from '../../../tables/rows.ts'
import { groupIndex, userIndex } from './index-directory.ts'
import { indexItems } from './index-item.ts'
import { wordsOfIndex } from './index-rows.ts'

/**
 * Version of the index, which increases with every change of its records: the next start of a server rebuilds it. Such a change
 * comes with a migration, which keeps servers of older versions away.
 */
const presentVersion = 4

/** Version of an index that is not complete yet. */
const unfinishedVersion = -presentVersion

/** Called after each batch; may throw to stop. */
type OnIndexed = (records: number, total: number) => void

/**
 * Rebuilds the index unless this version of it is present, in transactions of a batch: interrupted, it goes on there. Resolves with
 * whether it was rebuilt.
 */
export async function ensureIndex(db: Kysely<Rows>, onIndexed: OnIndexed = () => undefined): Promise<boolean> {
  const version = await findVersion(db)
  if (version === presentVersion) return false
  const step: Step = (work) => db.transaction().execute(work)
  if (version !== unfinishedVersion) await step(empty)
  await indexRest(db, step, onIndexed)
  return true
}

/** Whether the index has the present version. */
export async function isPresent(db: Kysely<Rows>): Promise<boolean> {
  return (await findVersion(db)) === presentVersion
}

async function findVersion(db: Kysely<Rows>): Promise<number | undefined> {
  return (await sql<{ version: number }>`select version from index_version`.execute(db)).rows[0]?.version
}

/** Rebuilds the index from the stored rows, in one transaction. Resolves with the number of records. */
export async function rebuildIndex(db: Kysely<Rows>, onIndexed: OnIndexed = () => undefined): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await empty(transaction)
    return indexRest(transaction, (work) => work(transaction), onIndexed)
  })
}

type Step = (work: (db: Kysely<Rows>) => Promise<void>) => Promise<void>

async function empty(db: Kysely<Rows>): Promise<void> {
  for (const [table, words] of Object.entries(wordsOfIndex)) {
    // Emptied as a whole: PostgreSQL gives the room back, and SQLite need not look for the words of each row.
    if (isPostgres(db)) await sql`truncate ${sql.table(table)}`.execute(db)
    else {
      await sql`insert into ${sql.table(words)} (${sql.ref(words)}) values ('delete-all')`.execute(db)
      await sql`delete from ${sql.table(table)}`.execute(db)
    }
  }
  await sql`delete from inexact_categories`.execute(db)
  await putVersion(db, unfinishedVersion)
}

async function putVersion(db: Kysely<Rows>, version: number): Promise<void> {
  await sql`delete from index_version`.execute(db)
  await sql`insert into index_version (version) values (${version})`.execute(db)
}

/** Indexes what is not indexed yet: items after the last one that is, and all groups and users. */
async function indexRest(db: Kysely<Rows>, step: Step, onIndexed: OnIndexed): Promise<number> {
  const { rows } = await sql<{ last: number | null; indexed: number; total: number }>`
    select (select max(number) from item_index) as last, (select count(*) from item_index) as indexed,
      (select count(*) from items) + (select count(*) from groups) + (select count(*) from users) as total`.execute(db)
  const { last, indexed, total } = rows[0]!
  let done = indexed
  const inSteps = async <Id extends string | number>(
    batches: AsyncGenerator<readonly Id[]>,
    index: (db: Kysely<Rows>, ids: readonly Id[]) => Promise<void>,
  ) => {
    for await (const ids of batches) {
      await step((transaction) => index(transaction, ids))
      done += ids.length
      onIndexed(done, total)
    }
  }
  await inSteps(batchesOf<number>(db, 'items', 'id', last ?? undefined), indexItems)
  for (const index of [groupIndex, userIndex]) {
    await inSteps(batchesOf<string>(db, index.table, index.id), async (transaction, ids) => {
      for (const id of ids) await index.put(transaction, id)
    })
  }
  await step((transaction) => putVersion(transaction, presentVersion))
  return done
}

const maxBatch = 500

/** Every id of the table, or every one after another, in order. */
export async function* batchesOf<Id extends string | number>(
  db: Kysely<Rows>,
  table: 'items' | 'groups' | 'users' | 'category_paths',
  column: string,
  after?: Id,
): AsyncGenerator<readonly Id[]> {
  const [from, id] = [sql.table(table), sql.ref(column)]
  let last = after
  while (true) {
    const rest = last === undefined ? sql`` : sql`where ${id} > ${last}`
    const { rows } = await sql<{
      id: Id
    }>`select ${id} as id from ${from} ${rest} order by ${id} limit ${maxBatch}`.execute(db)
    if (rows.length > 0) yield rows.map((row) => row.id)
    // SQLite answers synchronously: without this, the event loop would never run, and signals would be ignored.
    await setImmediate()
    if (rows.length < maxBatch) return
    last = rows.at(-1)!.id
  }
}
