import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'

function open() {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  const prepare = vi.spyOn(database, 'prepare')
  return { db: openKysely(database), prepare }
}

test('a connection prepares a statement once', async () => {
  const { db, prepare } = open()
  for (let number = 0; number < 100; number += 1) {
    expect((await sql`select ${number} as it`.execute(db)).rows).toEqual([{ it: number }])
  }
  expect(prepare).toHaveBeenCalledOnce()
})

test('a connection keeps 500 statements', async () => {
  const { db, prepare } = open()
  for (let number = 0; number <= 500; number += 1) await sql`select ${sql.lit(number)}`.execute(db)
  prepare.mockClear()
  await sql`select ${sql.lit(500)}`.execute(db)
  expect(prepare).not.toHaveBeenCalled()
  await sql`select ${sql.lit(0)}`.execute(db)
  expect(prepare).toHaveBeenCalledOnce()
})

test('a prepared statement sees columns that came later', async () => {
  const { db } = open()
  await sql`create table things (one)`.execute(db)
  await sql`insert into things values (1)`.execute(db)
  expect((await sql`select * from things`.execute(db)).rows).toEqual([{ one: 1 }])
  await sql`alter table things add column two default 2`.execute(db)
  expect((await sql`select * from things`.execute(db)).rows).toEqual([{ one: 1, two: 2 }])
})

test('a statement that gives rows back may change some', async () => {
  const { db } = open()
  await sql`create table things (one)`.execute(db)
  expect(await sql`insert into things values (1) returning one`.execute(db)).toMatchObject({ rows: [{ one: 1 }] })
  expect(await sql`update things set one = 2`.execute(db)).toMatchObject({ rows: [], numAffectedRows: 1n })
})
