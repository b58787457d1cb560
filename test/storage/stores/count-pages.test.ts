import Database from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { countItems } from '../../../src/storage/stores/items/count-paths.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { addPeople, anId, anItem } from '../contract/records.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres } from '../work-storage.ts'

const engines = [
  [
    'SQLite',
    async () => {
      const file = temporaryFile()
      const storage = await openWorkFile(file)
      const dialect = new SqliteDialectWithTransactionalDdl(new Database(file))
      return { storage, db: new Kysely<Rows>({ dialect }) }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const connectionString = await databaseWithoutRows()
      const storage = await openWorkPostgres(connectionString)
      const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString }) })
      return { storage, db: new Kysely<Rows>({ dialect }) }
    },
  ],
] as const

const owner = { kind: 'portal', portalId: anItem().portalId } as const

test.each(engines)('on %s, items are counted page by page, whatever a page has', async (_, open) => {
  const { storage, db } = await open()
  onTestFinished(async () => {
    await db.destroy()
    await storage.close()
  })
  await addPeople(storage)
  const carried = [['/A'], ['/A', '/B'], ['/A'], ['/B'], ['/A'], ['/A', '/B'], ['/C']]
  for (const [at, categories] of carried.entries()) {
    await storage.write(({ items }) => items.addItem(anItem({ itemId: anId(500 + at), categories })))
  }
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
  // Of 5, 3 and 1 items, with an empty page where the last one is full; and before two sets are put together.
  expect(asked).toEqual([6 + 4 + 2, 3 + 2 + 1, 2 + 2 + 1, 2 + 1 + 1, 2 + 1 + 1, 1 + 1 + 1].map((pages) => pages + 2))
})
