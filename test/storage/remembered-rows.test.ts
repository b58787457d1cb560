import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely, SqliteDialectWithTransactionalDdl } from '../../src/storage/sqlite/dialect.ts'
import { openConnection } from '../../src/storage/sqlite/file.ts'
import { type Purpose, RememberedRows } from '../../src/storage/sqlite/remembered-rows.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { prepared } from '../../src/storage/stores/prepared.ts'
import { openStores } from '../../src/storage/stores.ts'
import type { Rows } from '../../src/storage/tables/rows.ts'
import { addPeople, aGroup, anAuditEntry, anId, aUser, noon } from './records.ts'
import { temporaryFile } from './temporary-file.ts'

const group = { kind: 'group', groupId: anId(100) } as const
const owner = { groupId: anId(100), userId: anId(1) }

/** A file with people, a group and a token in it. */
async function makeFile(): Promise<string> {
  const file = temporaryFile()
  const storage = await openSqlite(file)
  await addPeople(storage)
  await storage.write(async ({ directory, tokens }) => {
    for (const number of [2, 3]) {
      await directory.addUser(aUser({ userId: anId(number), username: `user${number}` }), 'hash')
    }
    await directory.addGroup(aGroup())
    await directory.putMember(anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon })
    await tokens.addToken({ tokenHash: 'hash', userId: anId(1), createdAt: noon, expiresAt: noon + 1 })
  })
  await storage.close()
  return file
}

/** A connection with stores that remember, and how many SELECTs were sent to it since one looked last. */
function connect(file: string, purpose: Purpose = 'writes') {
  let selects = 0
  const database = new Database(file, {
    verbose: (statement) => {
      if (String(statement).startsWith('select')) selects += 1
    },
  })
  database.pragma('foreign_keys = ON')
  onTestFinished(() => void database.close())
  const { db, forget, expire } = openKysely(database, purpose)
  const { directory, tokens, categories, audit } = openStores(db)
  return {
    database,
    db,
    forget,
    expire,
    directory,
    categories,
    audit,
    findCaller: () => tokens.findTokenUser('hash'),
    findGroup: () => directory.findGroupFor(owner.groupId, owner.userId),
    selects() {
      const sent = selects
      selects = 0
      return sent
    },
  }
}

/** Another process, or somebody with a shell. */
function connectOutside(file: string): Database.Database {
  const outside = openConnection(file)
  onTestFinished(() => void outside.close())
  return outside
}

const disable = "update users set disabled = 1 where user_id = '00000000000000000000000000000001'"

test('the same look-up asks once, for each value its own, and for what is not there too', async () => {
  const { directory, selects } = connect(await makeFile())
  for (let times = 0; times < 3; times += 1) {
    expect((await directory.findGroupFor(anId(100), anId(1)))?.memberType).toBe('owner')
    expect((await directory.findGroupFor(anId(100), undefined))?.memberType).toBeUndefined()
    expect((await directory.findGroupFor(anId(100), 'null'))?.memberType).toBeUndefined()
    expect(await directory.findGroupFor(anId(1), anId(100))).toBeUndefined()
  }
  expect(selects()).toBe(4)
})

test('look-ups that look alike are told apart', async () => {
  const { db } = connect(await makeFile())
  type Pair = { one: string | number | null; two: string }
  const build = (column: 'name' | 'url_key') =>
    prepared((on, { one, two }: Pair) =>
      on
        .selectFrom('portals')
        .select((part) => [part.val(one).as('one'), part.val(two).as('two'), part.ref(column).as('column')])
        .where('portal_id', '=', 'PortalOfMaps0001'),
    )
  for (const [column, find] of [
    ['Ministry of Maps', build('name')],
    ['ministryofmaps', build('url_key')],
  ] as const) {
    for (const given of [
      { one: 'a', two: 'b,c' },
      { one: 'a,b', two: 'c' },
      { one: 'a","b', two: 'c' },
      { one: null, two: 'c' },
      { one: 'null', two: 'c' },
      { one: 1, two: 'c' },
      { one: '1', two: 'c' },
    ]) {
      expect(await find.first(db, given)).toEqual({ ...given, column })
    }
  }
})

test('what another connection commits is seen at once', async () => {
  const file = await makeFile()
  const reader = connect(file)
  const outside = connectOutside(file)
  for (let times = 1; times <= 20; times += 1) {
    outside.exec(`update groups set title = 'Title ${times}'`)
    expect((await reader.findGroup())?.group.title).toBe(`Title ${times}`)
    expect((await reader.findGroup())?.group.title).toBe(`Title ${times}`)
  }
  expect(reader.selects()).toBe(20)
})

test('what another connection has not committed is not seen', async () => {
  const file = await makeFile()
  const reader = connect(file)
  const outside = connectOutside(file)
  expect((await reader.findCaller())?.disabled).toBe(false)
  outside.exec(`begin; ${disable}`)
  expect((await reader.findCaller())?.disabled).toBe(false)
  outside.exec('commit')
  expect((await reader.findCaller())?.disabled).toBe(true)
})

test('a transaction sees what was committed before it began, and nothing that comes later', async () => {
  const file = await makeFile()
  const writer = connect(file)
  const outside = connectOutside(file)
  expect((await writer.findCaller())?.disabled).toBe(false)
  outside.exec(disable)
  writer.database.exec('begin')
  expect((await writer.findCaller())?.disabled).toBe(true)
  outside.exec('update users set disabled = 0')
  expect((await writer.findCaller())?.disabled).toBe(true)
  writer.database.exec('commit')
  expect((await writer.findCaller())?.disabled).toBe(false)
})

test('assigning a schema leaves alone what decides who may', async () => {
  const writer = connect(await makeFile())
  const assign = async (document: string) => {
    writer.database.exec('begin immediate')
    await writer.findCaller()
    await writer.findGroup()
    await writer.categories.putDocument(group, document, 'anna', noon)
    await writer.audit.add(anAuditEntry())
    writer.database.exec('commit')
  }
  await assign('one')
  expect(writer.selects()).toBe(2)
  await assign('two')
  await assign('three')
  expect(writer.selects()).toBe(0)
})

test('an INSERT ends what was read of its table: in a row that it changes, and in a subquery', async () => {
  const { categories, directory } = connect(await makeFile())
  const flag = async () => (await directory.findGroup(anId(100)))?.hasCategorySchema
  expect([await categories.findDocument(group), await flag()]).toEqual([undefined, false])
  for (const [index, document] of ['one', 'two'].entries()) {
    const version = await categories.putDocument(group, document, 'anna', noon)
    expect(version).toBe(index + 1)
    expect(await categories.findDocument(group)).toEqual({ document, version, assignedAt: noon })
    expect(await flag()).toBe(true)
  }
  await categories.removeDocument(group, 'anna', noon)
  expect([await categories.findDocument(group), await flag()]).toEqual([undefined, false])
})

test('what falls with a row that is deleted is gone from memory', async () => {
  const { directory, findGroup, db } = connect(await makeFile())
  const findMemberType = prepared((on, { userId }: { userId: string }) =>
    on.selectFrom('members').select('member_type').where('user_id', '=', userId),
  )
  await directory.putMember(anId(100), { userId: anId(2), memberType: 'member', joinedAt: noon })
  expect(await findMemberType.first(db, { userId: anId(2) })).toEqual({ member_type: 'member' })
  await directory.removeUser(anId(2))
  expect(await findMemberType.first(db, { userId: anId(2) })).toBeUndefined()
  expect(await findMemberType.first(db, { userId: anId(1) })).toEqual({ member_type: 'owner' })
  await findGroup()
  await directory.removeGroup(anId(100))
  expect(await findMemberType.first(db, { userId: anId(1) })).toBeUndefined()
  expect(await findGroup()).toBeUndefined()
})

test('an UPDATE, and plain SQL, end everything', async () => {
  const { directory, findCaller, findGroup, db } = connect(await makeFile())
  await findCaller()
  await directory.updateUser(aUser({ disabled: true }))
  expect((await findCaller())?.disabled).toBe(true)
  await findGroup()
  await sql`insert or replace into groups select * from groups`.execute(db)
  expect((await findGroup())?.memberType).toBeUndefined()
})

test('what was read in a transaction that was rolled back was never so', async () => {
  const { directory, findGroup, database, db, forget } = connect(await makeFile())
  const put = (memberType: 'member' | 'admin') =>
    directory.putMember(anId(100), { userId: anId(1), memberType, joinedAt: noon })
  const memberType = async () => (await findGroup())?.memberType

  database.exec('begin')
  await put('admin')
  expect(await memberType()).toBe('admin')
  database.exec('rollback')
  forget()
  expect(await memberType()).toBe('owner')

  database.exec('begin')
  await put('admin')
  expect(await memberType()).toBe('admin')
  database.exec('savepoint piece')
  await put('member')
  expect(await memberType()).toBe('member')
  await sql`rollback to piece`.execute(db)
  expect(await memberType()).toBe('admin')
  database.exec('rollback')
  forget()

  const turned = db.transaction().execute(async (transaction) => {
    const inside = openStores(transaction).directory
    await inside.putMember(anId(100), { userId: anId(1), memberType: 'member', joinedAt: noon })
    expect((await inside.findGroupFor(anId(100), anId(1)))?.memberType).toBe('member')
    throw new Error('turned back')
  })
  await expect(turned).rejects.toThrow('turned back')
  expect(await memberType()).toBe('owner')
})

test('an error that ends the transaction ends what was read in it', async () => {
  const { directory, findGroup, database, db } = connect(await makeFile())
  database.exec('begin')
  await directory.putMember(anId(100), { userId: anId(1), memberType: 'admin', joinedAt: noon })
  expect((await findGroup())?.memberType).toBe('admin')
  const token = { token_hash: 'hash', user_id: anId(1), created_at: 0, expires_at: 0 }
  await expect(sql`insert or rollback into tokens select * from tokens`.execute(db)).rejects.toThrow('UNIQUE')
  expect(database.inTransaction).toBe(false)
  await expect(db.insertInto('tokens').values(token).execute()).rejects.toThrow('UNIQUE')
  expect((await findGroup())?.memberType).toBe('owner')
})

test('a full disk ends the transaction by itself, and what was read in it', async () => {
  const { directory, findGroup, database, audit } = connect(await makeFile())
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`)
  database.exec('begin')
  await directory.putMember(anId(100), { userId: anId(1), memberType: 'admin', joinedAt: noon })
  expect((await findGroup())?.memberType).toBe('admin')
  await expect(audit.add(anAuditEntry({ target: 'x'.repeat(100_000) }))).rejects.toThrow('full')
  if (database.inTransaction) database.exec('rollback')
  expect((await findGroup())?.memberType).toBe('owner')
})

test('rows that are shared cannot be changed', async () => {
  const { db } = connect(await makeFile())
  const find = prepared((on, { id }: { id: string }) =>
    on.selectFrom('users').select('username').where('user_id', '=', id),
  )
  const rows = await find.all(db, { id: anId(1) })
  expect(() => Object.assign(rows[0]!, { username: 'eve' })).toThrow(TypeError)
  expect(() => (rows as unknown[]).push({})).toThrow(TypeError)
  expect(await find.all(db, { id: anId(1) })).toBe(rows)
})

test('only prepared statements are remembered, and none with plain SQL in it', async () => {
  const { db, selects } = connect(await makeFile())
  const plain = prepared((on) => on.selectFrom('users').select(sql`(select count(*) from groups)`.as('groups')))
  for (let times = 0; times < 2; times += 1) {
    await plain.first(db, {})
    await db.selectFrom('users').selectAll().execute()
  }
  expect(selects()).toBe(4)
})

test('it remembers so many bytes and no more: those that were asked for last', async () => {
  const file = await makeFile()
  let selects = 0
  const database = new Database(file, {
    verbose: (statement) => {
      if (String(statement).startsWith('select')) selects += 1
    },
  })
  onTestFinished(() => void database.close())
  const text = 'x'.repeat(1_000)
  database.prepare('update users set description = ?').run(text)
  database.pragma('data_version')
  const db = new Kysely<Rows>({
    dialect: new SqliteDialectWithTransactionalDdl(database, new RememberedRows(database, 'writes', 6_000)),
  })
  const find = prepared((on, { id }: { id: string }) =>
    on.selectFrom('users').select('description').where('user_id', '=', id),
  )
  const asks = async (id: number) => {
    selects = 0
    expect((await find.first(db, { id: anId(id) }))?.description).toBe(text)
    return selects === 1
  }
  const two = [await asks(1), await asks(2), await asks(1), await asks(2)]
  expect(two).toEqual([true, true, false, false])
  expect([await asks(3), await asks(2), await asks(1)]).toEqual([true, false, true])
})

const titleOf = async ({ findGroup }: ReturnType<typeof connect>) => (await findGroup())?.group.title
const retitle = (database: Database.Database, title: string) => database.exec(`update groups set title = '${title}'`)

test('reads go by what they are told of commits, and sees those of others soon after', async () => {
  const file = await makeFile()
  const reader = connect(file, 'reads')
  const writer = connectOutside(file)
  await titleOf(reader)
  for (let times = 1; times <= 20; times += 1) {
    retitle(writer, `Told ${times}`)
    reader.expire()
    expect(await titleOf(reader)).toBe(`Told ${times}`)
  }
  retitle(writer, 'Untold')
  await delay(15)
  expect(await titleOf(reader)).toBe('Untold')
})

test('reads that have seen a commit once, told or not, see nothing older afterwards', async () => {
  const file = await makeFile()
  const reader = connect(file, 'reads')
  const writer = connectOutside(file)
  for (let times = 1; times <= 20; times += 1) {
    await titleOf(reader)
    retitle(writer, `Title ${times}`)
    const seen = await reader.directory.findGroup(owner.groupId)
    expect([seen?.title, await titleOf(reader)]).toEqual([`Title ${times}`, `Title ${times}`])
  }
})

test('while nothing is committed, reads ask the database nothing, not even that', async () => {
  const statements: string[] = []
  const database = new Database(await makeFile(), { verbose: (statement) => void statements.push(String(statement)) })
  onTestFinished(() => void database.close())
  const { directory } = openStores(openKysely(database, 'reads').db)
  const find = () => directory.findGroupFor(owner.groupId, owner.userId)
  await find()
  statements.length = 0
  const begun = performance.now()
  await find()
  if (performance.now() - begun < 5) expect(statements).toEqual([])
})

test('where one connection both reads and writes, nothing of a transaction is remembered', async () => {
  const connection = connect(await makeFile(), 'both')
  expect(await titleOf(connection)).toBe('Land use')
  connection.database.exec('begin')
  retitle(connection.database, 'Half done')
  await connection.db.updateTable('groups').set({ title: 'Half done' }).execute()
  expect(await titleOf(connection)).toBe('Half done')
  connection.database.exec('rollback')
  expect(await titleOf(connection)).toBe('Land use')
  connection.selects()
  expect([await titleOf(connection), connection.selects()]).toEqual(['Land use', 0])
})
