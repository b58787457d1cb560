import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DamagedDocument, type Readers } from '../../../src/storage/storage.ts'
import { documents, documentTables } from '../../../src/storage/stores/checksums.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { aDraft, addPeople, anAuditEntry, anId, anItem, aTemplate, noon } from '../contract/records.ts'
import { openOwn } from '../tables/own-database.ts'

const group = { kind: 'group', groupId: anId(100) } as const
const portal = { kind: 'portal', portalId: anId(100) } as const
const [lakes, rivers] = [anItem({ itemId: anId(501), title: 'Lakes' }), anItem({ itemId: anId(502), title: 'Rivers' })]
const entry = anAuditEntry({ data: { title: 'Łódź' } })

/** A storage with documents of every kind, and the rows behind it. */
async function open() {
  const { db, openStorage } = await openOwn()
  const storage = await openStorage()
  await addPeople(storage)
  await storage.write(async ({ categories, drafts, templates, items, audit }) => {
    await templates.addTemplate(aTemplate())
    await drafts.addDraft(aDraft())
    for (const document of ['"one"', '"two"', '"two"']) await categories.putDocument(group, document, 'anna', noon)
    await categories.putDocument(portal, '"of the portal"', 'anna', noon)
    await items.addItem(lakes, '{"a":"lake"}')
    await items.addItem(rivers, '{"a":"river"}')
    await audit.add(entry)
  })
  return { db, storage }
}

type Read = (stores: Readers) => Promise<unknown>

const textOf = (document: Uint8Array | undefined) => document && Buffer.from(document).toString()
const present: Read = async ({ categories }) => textOf((await categories.findDocument(group))?.document)
const version = (number: number): Read => {
  return async ({ schemaHistory }) => textOf((await schemaHistory.findVersion(group, number))?.document)
}
const titleOf = (itemId: string): Read => {
  return async ({ items }) => (await items.findItemFor(itemId, undefined))?.item.title
}
const dataOf =
  (itemId: string): Read =>
  ({ items }) =>
    items.findItemText(itemId)
const template: Read = async ({ templates }) =>
  (await templates.findTemplate(aTemplate().portalId, aTemplate().name))?.document
const draft: Read = async ({ drafts }) => (await drafts.findDraft(aDraft().owner, aDraft().draftId))?.document
const log: Read = async ({ audit }) => {
  const { portalId } = entry
  const found = await audit.listEntries({ portalId: portalId!, filter: {}, order: 'asc', after: undefined, max: 10 })
  return found.map(({ data }) => data)
}

/** Damage to a document, the place that is named, the read that fails, and another read that gives what it did before. */
const harms: readonly (readonly [string, string, RegExp, Read, Read, unknown])[] = [
  [
    'a present category schema',
    `update category_schema_versions set document = '"twp"' where owner_kind = 'group' and version = 2`,
    /category_schema_versions \(owner_kind group, owner_id 0+64, version 2\)/,
    present,
    async ({ categories }) => textOf((await categories.findDocument(portal))?.document),
    '"of the portal"',
  ],
  [
    'an earlier category schema',
    `update category_schema_versions set document = '"ond"' where owner_kind = 'group' and version = 1`,
    /category_schema_versions \(owner_kind group, owner_id 0+64, version 1\)/,
    version(1),
    present,
    '"two"',
  ],
  [
    'a category schema that another version has, too',
    `update category_schema_versions set document = '"twp"' where owner_kind = 'group' and version = 2`,
    /category_schema_versions \(owner_kind group, owner_id 0+64, version 2\)/,
    version(3),
    version(1),
    '"one"',
  ],
  [
    'a template of an organization',
    `update schema_templates set document = '"lakfs"'`,
    /schema_templates \(portal_id PortalOfMaps0001, name lakes\)/,
    template,
    present,
    '"two"',
  ],
  [
    'a draft of a category schema',
    `update schema_drafts set document = '"lakfs"'`,
    /schema_drafts \(draft_id 0+2bc\)/,
    draft,
    present,
    '"two"',
  ],
  [
    'the title of an item',
    `update items set title = 'Lakfs' where title = 'Lakes'`,
    /items \(id \d+\)/,
    titleOf(lakes.itemId),
    titleOf(rivers.itemId),
    'Rivers',
  ],
  [
    'the tags of an item, which are JSON no longer,',
    `update items set tags = '{{{{' where title = 'Lakes'`,
    /items \(id \d+\)/,
    titleOf(lakes.itemId),
    dataOf(lakes.itemId),
    '{"a":"lake"}',
  ],
  [
    'the data of an item',
    `update item_texts set text = '{"a":"lbke"}' where text = '{"a":"lake"}'`,
    /item_texts \(item_number \d+\)/,
    dataOf(lakes.itemId),
    dataOf(rivers.itemId),
    '{"a":"river"}',
  ],
  ['an entry of the log', `update audit set data = '{"title":"Lodz"}'`, /audit \(id \d+\)/, log, present, '"two"'],
  [
    'an entry of the log, which is JSON no longer,',
    `update audit set data = '{{'`,
    /audit \(id \d+\)/,
    log,
    present,
    '"two"',
  ],
  ['who is named in the log', `update audit set username = 'bnna'`, /audit \(id \d+\)/, log, present, '"two"'],
]

/** By another connection than those of the storage. */
async function harm(db: Kysely<Rows>, statement: string): Promise<void> {
  // SQLite follows tags by triggers, which read JSON.
  if (statement.includes('set tags') && engine === 'SQLite') await sql`drop trigger owner_tags_by_update`.execute(db)
  if (statement.includes('set tags') && engine === 'PostgreSQL') {
    await sql`drop trigger item_tags_changed on items`.execute(db)
  }
  await sql.raw(statement).execute(db)
  // Reads of one turn of the event loop share a snapshot.
  await setImmediate()
}

async function checksumsIn(db: Kysely<Rows>): Promise<unknown> {
  const found: Record<string, unknown> = {}
  for (const table of documentTables) {
    const { rows } = await sql<{ checksum: number | null }>`select checksum from ${sql.table(table)}`.execute(db)
    found[table] = rows.map(({ checksum }) => checksum).toSorted()
  }
  return found
}

describe(`${engine}:`, () => {
  test.each(harms)('%s is refused when it is not what was written, and no other document', async (...given) => {
    const [, statement, place, read, other, expected] = given
    const { db, storage } = await open()
    await harm(db, statement)
    const refusal = await storage.read(read).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DamagedDocument)
    expect((refusal as DamagedDocument).place).toMatch(place)
    expect(await storage.read(other)).toEqual(expected)
  })

  test('documents without a checksum are served, and get one in steps', async () => {
    const { db, storage } = await open()
    const written = await checksumsIn(db)
    for (const table of documentTables) await sql`update ${sql.table(table)} set checksum = null`.execute(db)
    await setImmediate()
    const countUnknown = () => storage.read(({ checksums }) => checksums.countUnknown())
    // A draft, three documents of category schemas, as one is that of another version; a template, two items with
    // data, and an entry.
    expect(await countUnknown()).toBe(10)
    expect(await storage.read(present)).toBe('"two"')
    expect(await storage.read(log)).toEqual([entry.data])
    const steps: number[] = []
    while (steps.at(-1) !== 0) steps.push(await storage.write(({ checksums }) => checksums.putChecksums()))
    expect(steps).toEqual([3, 1, 1, 2, 2, 1, 0])
    expect(await countUnknown()).toBe(0)
    expect(await checksumsIn(db)).toEqual(written)
    await harm(db, `update items set title = 'Lakfs' where title = 'Lakes'`)
    await expect(storage.read(titleOf(lakes.itemId))).rejects.toBeInstanceOf(DamagedDocument)
  })

  test('a changed item and changed data have the checksums of what they are now', async () => {
    const { db, storage } = await open()
    const before = await checksumsIn(db)
    await storage.write(({ items }) => items.updateItem({ ...lakes, title: 'Lake', extent: [-0, 1e-7, 7.5, 60] }, '{}'))
    expect(await storage.read(titleOf(lakes.itemId))).toBe('Lake')
    expect(await storage.read(dataOf(lakes.itemId))).toBe('{}')
    expect(await checksumsIn(db)).not.toEqual(before)
  })

  test('texts that no engine has as they were given are what was written', async () => {
    const { storage } = await open()
    await storage.write(async ({ items, audit }) => {
      await items.updateItem({ ...lakes, title: 'a\0b\ud800', tags: ['\0', '\udc00'] }, '{"a":"\0\ud800"}')
      await audit.add({ ...entry, target: '/\0\ud800' })
    })
    expect(await storage.read(titleOf(lakes.itemId))).toContain('a')
    expect(await storage.read(dataOf(lakes.itemId))).toContain('a')
    expect(await storage.read(log)).toHaveLength(2)
  })

  test('damage of any column that a checksum is of is noticed', async () => {
    const { db, storage } = await open()
    for (const column of documents.items) {
      const isNumber = ['west', 'south', 'east', 'north'].includes(column)
      const { rows } = await sql<Record<string, unknown>>`select * from items where title = 'Lakes'`.execute(db)
      const kept = rows[0]![column] as string | number | null
      const harmed = isNumber ? 7 : `${column === 'tags' || column === 'type_keywords' ? '["x"]' : 'x'}`
      await sql`update items set ${sql.ref(column)} = ${harmed} where item_id = ${lakes.itemId}`.execute(db)
      await setImmediate()
      await expect(storage.read(titleOf(lakes.itemId)), column).rejects.toBeInstanceOf(DamagedDocument)
      await sql`update items set ${sql.ref(column)} = ${kept} where item_id = ${lakes.itemId}`.execute(db)
      await setImmediate()
      expect(await storage.read(titleOf(lakes.itemId))).toBe('Lakes')
    }
  })

  test('an entry that is damaged before it is indexed keeps no other one from the index', async () => {
    const { db, storage } = await open()
    await storage.write(({ audit }) => audit.add(anAuditEntry()))
    await harm(db, `update audit set data = '{{' where data is not null`)
    expect(await storage.write(({ audit }) => audit.indexEntries(1))).toBe(1)
    expect(await storage.write(({ audit }) => audit.indexEntries(1))).toBe(1)
    expect(await storage.write(({ audit }) => audit.indexEntries(1))).toBe(0)
    expect(await storage.read(log)).toEqual([undefined])
  })
})
