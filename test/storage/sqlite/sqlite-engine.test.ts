import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { addPeople, anAuditEntry, anId, aPortal, noon } from '../contract/records.ts'
import { openWorkFile, type WorkStorage } from '../work-storage.ts'
import { temporaryFile } from './temporary-file.ts'

/** Opens a file whose connections, which are answered too, have one setting more. */
async function openWith(
  file: string,
  pragma?: string,
): Promise<{ storage: WorkStorage; connections: Database.Database[] }> {
  const connections: Database.Database[] = []
  const storage = await openWorkFile(file, (path) => {
    const connection = openConnection(path)
    if (pragma) connection.pragma(pragma)
    connections.push(connection)
    return connection
  })
  onTestFinished(() => storage.close())
  return { storage, connections }
}

test('every connection to a file writes ahead, waits for the disk and keeps foreign keys', async () => {
  const { connections } = await openWith(temporaryFile())
  const settings = connections.map((connection) =>
    ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => connection.pragma(name, { simple: true })),
  )
  const fullySynchronous = 2
  expect(settings).toEqual([
    ['wal', fullySynchronous, 1],
    ['wal', fullySynchronous, 1],
  ])
})

test('so does every connection to a file that is opened again', async () => {
  const file = temporaryFile()
  await (await openWorkFile(file)).close()
  const { connections } = await openWith(file)
  expect(connections.map((connection) => connection.pragma('synchronous', { simple: true }))).toEqual([2, 2])
})

test.each([
  ['synchronous = NORMAL', 'synchronous=FULL'],
  ['synchronous = OFF', 'synchronous=FULL'],
  ['foreign_keys = OFF', 'foreign_keys=ON'],
  ['journal_mode = DELETE', 'journal_mode=wal'],
])('a connection that has %s instead is refused', async (pragma, expected) => {
  const file = temporaryFile()
  const opening = openWith(file, pragma)
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(`The database ${file} does not keep ${expected}.`)
  await (await openWorkFile(file)).close()
})

test('the second connection is asked as well as the first', async () => {
  const file = temporaryFile()
  let opened = 0
  const opening = openWorkFile(file, (path) => {
    const connection = openConnection(path)
    opened += 1
    if (opened === 2) connection.pragma('synchronous = NORMAL')
    return connection
  })
  await expect(opening).rejects.toThrow('does not keep synchronous=FULL')
  expect(opened).toBe(2)
})

test('reads go on while a transaction is open', async () => {
  const { storage } = await openWith(temporaryFile())
  await addPeople(storage)
  await storage.write(async ({ directory }) => {
    await directory.updatePortal(aPortal({ name: 'Renamed' }))
    const seen = await storage.directory.findPortal(aPortal().portalId)
    expect(seen?.name).toBe('Ministry of Maps')
  })
})

test('what another connection commits by hand is seen in the next turn of the event loop, callers included, and not by a read that has begun', async () => {
  const file = temporaryFile()
  const { storage } = await openWith(file)
  await addPeople(storage)
  const token = { tokenHash: 'a', userId: anId(1), createdAt: noon, expiresAt: noon }
  await storage.tokens.addToken(token)
  const findCaller = () => storage.tokens.findTokenUser('a')
  for (let times = 0; times < 2; times += 1) expect(await findCaller()).toMatchObject({ disabled: false })
  expect(storage.figures().callerCache).toEqual({ hits: 1, misses: 1 })

  const other = openConnection(file)
  onTestFinished(() => void other.close())
  const seen = await storage.read(async ({ directory, tokens }) => {
    const before = await directory.findUser('anna')
    other.exec("update users set full_name = 'Anna Anew', disabled = 1")
    const after = await directory.findUserById(anId(1))
    return [before?.fullName, after?.fullName, (await tokens.findTokenUser('a'))?.disabled]
  })
  expect(seen).toEqual(['Anna Alm', 'Anna Alm', false])
  await setImmediate()
  expect(await findCaller()).toMatchObject({ disabled: true })
  other.exec('delete from tokens')
  await setImmediate()
  expect(await findCaller()).toBeUndefined()
})

test('reads of one turn of the event loop share a snapshot until a write of this storage is done', async () => {
  const file = temporaryFile()
  const { storage } = await openWith(file)
  await addPeople(storage)
  const other = openConnection(file)
  onTestFinished(() => void other.close())
  const nameOfAnna = async () => (await storage.directory.findUser('anna'))?.fullName
  await setImmediate()

  expect(await nameOfAnna()).toBe('Anna Alm')
  other.exec("update users set full_name = 'Anna Anew'")
  expect(await nameOfAnna()).toBe('Anna Alm')
  await storage.directory.updatePortal(aPortal({ name: 'Renamed' }))
  expect(await nameOfAnna()).toBe('Anna Anew')
})

test('a read that waits for an old snapshot to end gets a new one', async () => {
  const { storage } = await openWith(temporaryFile())
  await addPeople(storage)
  const nameOfPortal = () => storage.directory.findPortal(aPortal().portalId)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const old = storage.read(async ({ directory }) => {
    await held
    return directory.findPortal(aPortal().portalId)
  })
  await storage.directory.updatePortal(aPortal({ name: 'Renamed' }))
  const [first, second] = [nameOfPortal(), nameOfPortal()]
  release()
  expect((await old)?.name).toBe('Ministry of Maps')
  expect([(await first)?.name, (await second)?.name]).toEqual(['Renamed', 'Renamed'])
})

test('a read whose turn comes after its deadline is not begun', async () => {
  const { storage } = await openWith(temporaryFile())
  let begun = false
  const late = storage.read(async () => {
    begun = true
  }, performance.now() - 1)
  await expect(late).rejects.toBeInstanceOf(StorageUnavailable)
  expect(begun).toBe(false)
})

test('folders on the way to the file are made, for their owner only', async () => {
  const folder = join(dirname(temporaryFile()), 'deep', 'er')
  await (await openWorkFile(join(folder, 'cartulary.db'))).close()
  expect(existsSync(join(folder, 'cartulary.db'))).toBe(true)
  expect(statSync(folder).mode & 0o077).toBe(0)
})

test('a file that is no database is refused in one sentence, and left as it is', async () => {
  const file = temporaryFile()
  const text = 'These are the notes of a meeting. '.repeat(100)
  writeFileSync(file, text)
  const opening = openWorkFile(file)
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(`The database ${file} cannot be opened: it is no SQLite database.`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a folder, and a file in the place of a folder, are refused in one sentence', async () => {
  const file = temporaryFile()
  mkdirSync(file)
  await expect(openWorkFile(file)).rejects.toThrow(`The database ${file} cannot be opened: `)
  writeFileSync(`${file}.txt`, '')
  const below = openWorkFile(join(`${file}.txt`, 'cartulary.db'))
  await expect(below).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(below).rejects.toThrow(/^The database .*cartulary\.db cannot be opened: /)
})

test('a damaged file is an outage, not a bug', async () => {
  const file = temporaryFile()
  const storage = await openWorkFile(file)
  await addPeople(storage)
  await storage.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, 4096))
  await expect(openWorkFile(file)).rejects.toBeInstanceOf(StorageUnavailable)
})

test('a full disk is an outage: nothing of the work stays, reads go on, and so does work when there is room', async () => {
  const { storage, connections } = await openWith(temporaryFile())
  const [, writer] = connections
  await addPeople(storage)
  writer!.pragma(`max_page_count = ${writer!.pragma('page_count', { simple: true })}`)
  const large = 'x'.repeat(10_000)
  const fill = () =>
    storage.write(async ({ audit }) => {
      for (let entry = 0; entry < 20; entry += 1) await audit.add(anAuditEntry({ target: large }))
    })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const filling = fill()
    await expect(filling).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(filling).rejects.toThrow('The database cannot be used: database or disk is full (SQLITE_FULL).')
  }
  expect(await storage.recorded.entries()).toEqual([])
  await expect(storage.ping()).resolves.toBeUndefined()
  writer!.pragma('max_page_count = 1000000')
  await fill()
  expect(await storage.recorded.entries()).toHaveLength(20)
})

test('a disk that takes no writes is an outage, and reads go on', async () => {
  const { storage, connections } = await openWith(temporaryFile())
  await addPeople(storage)
  connections[1]!.pragma('query_only = ON')
  const writing = storage.audit.add(anAuditEntry())
  await expect(writing).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(writing).rejects.toThrow('SQLITE_READONLY')
  expect(await storage.directory.listPortals()).toHaveLength(2)
})
