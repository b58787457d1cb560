import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { kyselyOver } from '../../../src/storage/postgres/session.ts'
import { selectItems } from '../../../src/storage/stores/items/item-rows.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { addPeople, anId, anItem } from '../contract/records.ts'
import { openWorkPostgres } from '../work-storage.ts'

const useIndexes = `do $$ begin
  execute format('alter database %I set enable_seqscan = off', current_database());
end $$`

test('two writes add items of one user at the same time without a conflict', async () => {
  const url = await databaseWithoutRows()
  // The planner may read all of a table with few rows: a conflict with every writer, which large tables do not have.
  await queryAt(url, useIndexes)
  const storage = await openWorkPostgres(url)
  onTestFinished(() => storage.close())
  await addPeople(storage)
  const categorized = [1, 2, 3].map((at) => anItem({ itemId: anId(1_000 + at), categories: ['/A/B'] }))
  await storage.items.addItem(categorized[2]!)
  // Both have begun and added before either ends.
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let runs = 0
  const add = (item: ReturnType<typeof anItem>, own: 0 | 1) =>
    storage.write(async (stores) => {
      runs += 1
      await stores.items.findItemCount(item.ownerId)
      await stores.items.addItem(item)
      reached[own].resolve()
      await reached[1 - own]!.promise
    })
  const [one, other] = categorized
  await Promise.all([add(one!, 0), add(other!, 1)])
  expect([runs, storage.figures().retries]).toEqual([2, 0])
  expect(await storage.items.countItemsOwnedBy(one!.ownerId)).toHaveProperty('items', 3)
})

test('the paths of items are looked up, not found among all paths of the organization', async () => {
  const url = await databaseWithoutRows()
  const storage = await openWorkPostgres(url)
  onTestFinished(() => storage.close())
  await addPeople(storage)
  for (let at = 0; at < 20; at += 1) {
    const categories = Array.from({ length: 10 }, (_, leaf) => `/${'A long title '.repeat(8)}/${at}x${leaf}`)
    await storage.items.addItem(anItem({ itemId: anId(1_000 + at), categories }))
  }
  await queryAt(url, 'analyze')
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  // The database may be that of another test.
  await client.query('set enable_seqscan = on; begin')
  expect(await selectItems(kyselyOver(client)).execute()).toHaveLength(20)
  const { rows } = await client.query("select pg_stat_get_xact_numscans('category_paths'::regclass)::int as scans")
  expect(rows).toEqual([{ scans: 0 }])
})
