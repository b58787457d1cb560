import Database from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { countItems } from '../../../src/storage/stores/items/count-paths.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine, isOnPostgres } from '../../support/databases/engine.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { addPeople, anId, anItem } from '../contract/records.ts'
import { preparedFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres } from '../work-storage.ts'

async function openSqlite() {
  const file = await preparedFile()
  const storage = await openWorkFile(file)
  return { storage, db: openKysely(new Database(file)) }
}

async function openPostgres() {
  const connectionString = await databaseWithoutRows()
  const storage = await openWorkPostgres(connectionString)
  const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString }) })
  return { storage, db: new Kysely<Rows>({ dialect }) }
}

const owner = { kind: 'portal', portalId: anItem().portalId } as const

async function openWith(carried: readonly (readonly string[])[]) {
  const { storage, db } = await (isOnPostgres ? openPostgres() : openSqlite())
  onTestFinished(async () => {
    await db.destroy()
    await storage.close()
  })
  await addPeople(storage)
  for (const [at, categories] of carried.entries()) {
    await storage.items.addItem(anItem({ itemId: anId(500 + at), categories }))
  }
  return db
}

test(`on ${engine}, items are counted page by page, whatever a page has`, async () => {
  const db = await openWith([['/A'], ['/A', '/B'], ['/A'], ['/B'], ['/A'], ['/A', '/B'], ['/C']])
  const sets = [['/A'], ['/B'], ['/A', '/B'], ['/A', '/B', '/C']].map((paths) => ({ paths, isBelowToo: false }))
  const asked: number[] = []
  for (const pageSize of [1, 2, 3, 4, 5, 100]) {
    let pages = 0
    const hasTime = () => {
      pages += 1
      return pages < 100
    }
    expect(await countItems(db, { owner, sets }, undefined, hasTime, pageSize)).toEqual([5, 3, 6, 7])
    asked.push(pages)
  }
  // Pages of 5, 3 and 1 items, with an empty page where the last one is full; and before two sets are put together.
  expect(asked).toEqual([6 + 4 + 2, 3 + 2 + 1, 2 + 2 + 1, 2 + 1 + 1, 2 + 1 + 1, 1 + 1 + 1].map((pages) => pages + 2))
})

test(`on ${engine}, categories that are read together are each read to their end`, async () => {
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
  // The path at 0 is on one item, that at 19 on twenty.
  const db = await openWith(paths.map((_, at) => paths.slice(at)))
  const below = (end: number) => ({ paths: paths.slice(0, end), isBelowToo: false })
  const sets = [below(20), ...paths.map((_, at) => below(at + 1))]
  for (const pageSize of [1, 2, 7, 100]) {
    const counts = await countItems(db, { owner, sets }, undefined, () => true, pageSize)
    expect(counts).toEqual([20, ...paths.map((_, at) => at + 1)])
  }
})

test(`on ${engine}, what was read to its end before there was no time any more is counted`, async () => {
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
  const db = await openWith(paths.map((path) => [path]))
  const countOnce = (sets: readonly { paths: readonly string[]; isBelowToo: boolean }[], pageSize: number) => {
    let left = 1
    return countItems(db, { owner, sets }, undefined, () => left-- > 0, pageSize)
  }
  const sets = [{ paths, isBelowToo: false }, ...paths.map((path) => ({ paths: [path], isBelowToo: false }))]
  // The first page is full: there may be more.
  expect(await countOnce(sets.slice(1, 2), 1)).toEqual([undefined])
  const [all, ...each] = await countOnce(sets, 100)
  expect(all).toBeUndefined()
  expect(each.slice(0, 1)).toEqual([1])
  expect(each.slice(-1)).toEqual([undefined])
})
