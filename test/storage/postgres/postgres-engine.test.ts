import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { Postgres, queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { addPeople, aKey, anAuditEntry, aPortal, aRole, aUser, everything } from '../contract/records.ts'
import { openWorkPostgres, type WorkStorage } from '../work-storage.ts'

async function open(): Promise<{ url: string; storage: WorkStorage }> {
  const url = await emptyDatabase()
  const storage = await openWorkPostgres(url)
  onTestFinished(() => storage.close())
  return { url, storage }
}

/** A server whose settings these tests may change. */
let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

test.each(['synchronous_commit', 'fsync', 'full_page_writes'])('a server with %s=off is refused', async (name) => {
  const url = await postgres.createDatabase()
  await set(name, 'off')
  const opening = openWorkPostgres(url)
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(`The database is not durable: ${name}=off loses acknowledged writes.`)
  await set(name, 'on')
  await (await openWorkPostgres(url)).close()
})

/** Changes a setting, and waits until new connections have it. */
async function set(name: string, value: 'on' | 'off'): Promise<void> {
  await postgres.query(`alter system set ${name} = ${value}`)
  await postgres.query('select pg_reload_conf()')
  await expect.poll(() => postgres.query(`show ${name}`)).toEqual([{ [name]: value }])
}

test('a database of another encoding is refused', async () => {
  await postgres.query("create database latin encoding 'LATIN1' template template0 locale 'C'")
  await expect(openWorkPostgres(postgres.url('latin'))).rejects.toThrow(
    'The database has the encoding LATIN1; it has to be UTF8.',
  )
})

test('a server that only follows another one is refused', async () => {
  await using standby = await Postgres.open()
  const url = await standby.createDatabase()
  await standby.stop()
  standby.makeStandby()
  await standby.start('database system is ready to accept read-only connections')
  await expect(openWorkPostgres(url)).rejects.toThrow('The database is a standby server, which is read-only.')
})

test.each([
  ['postgres://user:the-password@127.0.0.1:1/maps', /: The database does not answer: connect ECONNREFUSED/],
  ['postgres://user:the-password@no-such-host.invalid/maps', /: The database does not answer: /],
])('a server that is not there, %s, is refused in one sentence without the password', async (url, sentence) => {
  const opening = openWorkPostgres(url)
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  const message = await opening.catch(String)
  expect(message).toMatch(sentence)
  expect(String(message)).not.toContain('the-password')
})

test('a database that is not there is refused in one sentence', async () => {
  const url = new URL(await emptyDatabase())
  url.pathname = '/no_such_database'
  await expect(openWorkPostgres(url.href)).rejects.toThrow(
    'The database cannot be used: database "no_such_database" does not exist (3D000).',
  )
})

test('the description says where the database is, without the password', async () => {
  const url = new URL(await emptyDatabase())
  url.password = 'the-password'
  const storage = await openWorkPostgres(url.href)
  onTestFinished(() => storage.close())
  expect(storage.description).toBe(`PostgreSQL at ${url.host}${url.pathname}`)
})

test('texts are in the order of their bytes, whatever the language of the database', async () => {
  await postgres.query("create database german template template0 locale_provider icu icu_locale 'de-DE' locale 'C'")
  const storage = await openWorkPostgres(postgres.url('german'))
  await storage.directory.addPortal(aPortal(), aKey)
  const names = ['Zebra', 'apfel', 'Äpfel', 'Apfel', 'b_a', 'b-a', 'ba']
  for (const [index, name] of names.entries()) {
    await storage.directory.addRole(aRole({ roleId: `role${index}`, name }))
  }
  const { entries } = await storage.directory.listRoles(aPortal().portalId, everything)
  await storage.close()
  expect(entries.map(({ name }) => name)).toEqual(['Apfel', 'Zebra', 'apfel', 'b-a', 'b_a', 'ba', 'Äpfel'])
})

test('an id with a character that PostgreSQL does not have is not found', async () => {
  const { storage } = await open()
  expect(await storage.directory.findPortal('a\0b')).toBeUndefined()
  expect(await storage.write(({ directory }) => directory.findUser('\0'))).toBeUndefined()
})

test('a write whose failed statement was caught is not acknowledged', async () => {
  const { storage } = await open()
  await addPeople(storage)
  const work = storage.write(async ({ directory, audit }) => {
    await directory.addUser(aUser(), 'hash').catch(() => undefined)
    await audit.add(anAuditEntry()).catch(() => undefined)
  })
  await expect(work).rejects.toThrow()
  expect(await storage.recorded.entries()).toEqual([])
})

test('a database that a newer program made is refused', async () => {
  const { url, storage } = await open()
  await storage.close()
  await queryAt(url, "insert into kysely_migration (name, timestamp) values ('999-future', '2030-01-01')")
  await expect(openWorkPostgres(url)).rejects.toThrow('migrated by a newer version of Cartulary')
})

test('a database whose tables are gone does not answer', async () => {
  const { url, storage } = await open()
  await queryAt(url, 'alter table portals rename to gone')
  await expect(storage.ping()).rejects.toThrow('relation "portals" does not exist')
  await queryAt(url, 'alter table gone rename to portals')
  await expect(storage.ping()).resolves.toBeUndefined()
})

test('a database of another program is left as it is', async () => {
  const url = await emptyDatabase()
  await queryAt(url, 'create table users (name text)')
  await expect(openWorkPostgres(url)).rejects.toThrow(
    'The database has tables that Cartulary did not create (first: users)',
  )
  expect(await queryAt(url, "select tablename from pg_tables where schemaname = 'public'")).toEqual([
    { tablename: 'users' },
  ])
})
