import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { DocumentCache } from '../../../src/storage/stores/categories/document-cache.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { anId, noon } from '../contract/records.ts'
import { preparedFile } from '../sqlite/temporary-file.ts'
import { openWorkFile } from '../work-storage.ts'

const group = { kind: 'group', groupId: anId(100) } as const
const portal = { kind: 'portal', portalId: anId(100) } as const

/** Stores with a cache, on a connection without any other, and how often a document was read since one looked last. */
async function open(cache = new DocumentCache()) {
  const file = await preparedFile()
  const storage = await openWorkFile(file)
  onTestFinished(() => storage.close())
  const statements: string[] = []
  const database = new Database(file, { verbose: (statement) => statements.push(String(statement)) })
  onTestFinished(() => void database.close())
  const { categories } = openStores(openKysely(database), { documents: cache })
  return {
    database,
    put: (owner: typeof group | typeof portal, document: string, at = noon) =>
      storage.categories.putDocument(owner, document, 'anna', at),
    remove: () => storage.categories.removeDocument(group, 'anna', noon),
    async find(owner: typeof group | typeof portal = group) {
      const present = await categories.findDocument(owner)
      return present && Buffer.from(present.document).toString()
    },
    reads: () => statements.splice(0).filter((statement) => /^select .*"document" from/.test(statement)).length,
  }
}

test('a document is read once, and its version each time', async () => {
  const { put, remove, find, reads } = await open()
  expect(await find()).toBeUndefined()
  await put(group, 'one')
  for (let times = 0; times < 3; times += 1) expect(await find()).toBe('one')
  expect(reads()).toBe(1)
  await put(group, 'two')
  expect(await find()).toBe('two')
  await remove()
  expect(await find()).toBeUndefined()
  await put(group, 'three', noon)
  expect(await find()).toBe('three')
})

test('a group and a portal of one id are two', async () => {
  const { put, find } = await open()
  await put(group, 'of the group')
  await put(portal, 'of the portal')
  for (let times = 0; times < 2; times += 1) {
    expect([await find(group), await find(portal)]).toEqual(['of the group', 'of the portal'])
  }
})

test('a version that a restored backup numbers again is another one', async () => {
  const { put, find, database } = await open()
  await put(group, 'before')
  expect(await find()).toBe('before')
  database.exec(`update category_schema_versions set document = 'restored', checksum = null`)
  database.exec(`update category_schemas set assigned_at = ${noon + 1}`)
  expect(await find()).toBe('restored')
})

test('the cache is bounded in bytes', async () => {
  const { put, find, reads } = await open(new DocumentCache(2_000))
  await put(group, 'a'.repeat(1_000))
  await put(portal, 'b'.repeat(1_000))
  await find(group)
  await find(portal)
  expect(reads()).toBe(2)
  await find(portal)
  expect(reads()).toBe(0)
  await find(group)
  expect(reads()).toBe(1)
})

test('a small document keeps nothing of the pool that it was read into', () => {
  const cache = new DocumentCache()
  const key = { owner: group, version: 1, assignedAt: noon }
  const pooled = Buffer.from('small')
  expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.byteLength)
  cache.put(key, pooled)
  const kept = cache.find(key)!
  expect(Buffer.from(kept).toString()).toBe('small')
  expect(kept.buffer.byteLength).toBe(kept.byteLength)
})
