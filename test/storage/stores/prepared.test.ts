import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { kyselyOver } from '../../../src/storage/postgres/session.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { prepared } from '../../../src/storage/stores/prepared.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'

function openMemory(): Kysely<Rows> {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  return openKysely(database)
}

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

/** PostgreSQL as far as the text of a statement and its parameters. */
function openSilentPostgres(): { db: Kysely<Rows>; sent: Sent[] } {
  const sent: Sent[] = []
  async function query(text: string, values: readonly unknown[]) {
    sent.push({ text, values })
    return { rows: [], rowCount: 0, command: '' }
  }
  const db = kyselyOver({ query, send: async (text, values) => void (await query(text, values)) })
  return { db, sent }
}

test('a statement that runs a thousand times is built once, on whichever connection', async () => {
  const db = openMemory()
  let built = 0
  const count = prepared((on, { from }: { from: number }) => {
    built += 1
    return on.selectNoFrom(sql<number>`${from} + 1`.as('next'))
  })
  for (let number = 0; number < 1000; number += 1) {
    expect(await count.first(db, { from: number })).toEqual({ next: number + 1 })
  }
  await db.transaction().execute((on) => count.first(on, { from: 1 }))
  await db.connection().execute((on) => count.first(on, { from: 1 }))
  await count.first(openMemory(), { from: 1 })
  expect(built).toBe(1)
})

test('each engine has its own words, and all connections to it share them', async () => {
  const texts = new Set<string>()
  let built = 0
  const find = prepared((on, { id }: { id: string }) => {
    built += 1
    return on.selectFrom('roles').select('name').where('role_id', '=', id)
  })
  const servers = [openSilentPostgres(), openSilentPostgres()]
  for (const { db, sent } of servers) {
    await find.first(db, { id: 'a' })
    await find.all(db, { id: 'b' })
    for (const { text } of sent) texts.add(text)
    expect(sent.map(({ values }) => values)).toEqual([['a'], ['b']])
  }
  expect([...texts]).toEqual(['select "name" from "roles" where "role_id" = $1'])
  expect(built).toBe(1)
})

test('values stand where they belong: in any order, more than once, null, and beside constants', async () => {
  const db = openMemory()
  const all = prepared((on, { one, two, none }: { one: string; two: number; none: string | null }) =>
    on.selectNoFrom([
      sql`${two}`.as('first'),
      sql`${'constant'}`.as('second'),
      sql`${one}`.as('third'),
      sql`${two}`.as('fourth'),
      sql`${none}`.as('fifth'),
    ]),
  )
  const expected = (one: string, two: number, none: string | null) => ({
    first: two,
    second: 'constant',
    third: one,
    fourth: two,
    fifth: none,
  })
  expect(await all.first(db, { one: 'a', two: 2, none: null })).toEqual(expected('a', 2, null))
  expect(await all.first(db, { none: '', two: 0, one: 'null' })).toEqual(expected('null', 0, ''))
  const runs = await Promise.all(
    Array.from({ length: 50 }, (_, two) => all.first(db, { one: `${two}`, two, none: `none ${two}` })),
  )
  expect(runs).toEqual(Array.from({ length: 50 }, (_, two) => expected(`${two}`, two, `none ${two}`)))
})

test('it answers how many rows were changed', async () => {
  const db = openMemory()
  await db.schema.createTable('roles').addColumn('role_id', 'text').execute()
  const add = prepared((on, { role_id }: { role_id: string }) => on.insertInto('roles').values({ role_id } as never))
  const remove = prepared((on, { role_id }: { role_id: string }) =>
    on.deleteFrom('roles').where('role_id', '=', role_id),
  )
  for (const role_id of ['a', 'a', 'b']) expect(await add.run(db, { role_id })).toBe(1)
  expect(await remove.run(db, { role_id: 'a' })).toBe(2)
  expect(await remove.run(db, { role_id: 'a' })).toBe(0)
})
