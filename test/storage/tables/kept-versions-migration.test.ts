import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId, noon, strangeTexts } from '../contract/records.ts'
import { openFilled } from './earlier-database.ts'

const group: SchemaOwner = { kind: 'group', groupId: anId(100) }
const portal: SchemaOwner = { kind: 'portal', portalId: anId(100) }
const unsetGroup: SchemaOwner = { kind: 'group', groupId: anId(101) }
const deletedGroup: SchemaOwner = { kind: 'group', groupId: anId(102) }

/** As the first version of the tables kept it: head and versions of each owner; no head for a deleted group. */
const histories: readonly (readonly [SchemaOwner, boolean, readonly (string | null)[]])[] = [
  [group, true, strangeTexts],
  [portal, true, ['one']],
  [unsetGroup, true, ['one', 'two', null]],
  [deletedGroup, false, ['one', 'one']],
]

function columnsOf(owner: SchemaOwner) {
  return { owner_kind: owner.kind, owner_id: owner.kind === 'group' ? owner.groupId : owner.portalId }
}

async function fillFirstTables(db: Kysely<Rows>): Promise<void> {
  for (const [owner, hasHead, documents] of histories) {
    const key = columnsOf(owner)
    const head = { ...key, version: documents.length, is_set: documents.at(-1) === null ? 0 : 1 }
    if (hasHead)
      await db
        .insertInto('category_schemas')
        .values(head as never)
        .execute()
    for (const [index, document] of documents.entries()) {
      const version = { ...key, version: index + 1, document, author: 'anna', assigned_at: noon + index }
      await db.insertInto('category_schema_versions').values(version).execute()
    }
  }
}

test(`${engine}: a database of the first tables keeps every version, counts what is kept, and goes on`, async () => {
  const storage = await openFilled('002', fillFirstTables)
  for (const [owner, , documents] of histories) {
    const versions = await storage.recorded.versions(owner)
    expect(versions.toReversed()).toEqual(
      documents.map((document, index) => {
        return { version: index + 1, document: document ?? undefined, author: 'anna', assignedAt: noon + index }
      }),
    )
    const kept = await storage.read(({ categories }) => categories.findKept(owner))
    expect(kept).toMatchObject({ versions: documents.length })
  }
  const find = (owner: SchemaOwner) => storage.read(({ categories }) => categories.findDocument(owner))
  const last = strangeTexts.at(-1)!
  expect(await find(group)).toEqual({
    document: Buffer.from(last),
    version: strangeTexts.length,
    assignedAt: noon + strangeTexts.length - 1,
  })
  expect(await find(unsetGroup)).toBeUndefined()
  expect(await find(deletedGroup)).toBeUndefined()
  const deleted = await storage.read(({ categories }) => categories.findKept(deletedGroup))
  expect(deleted).toMatchObject({ deletedAt: noon + 1 })
  const counted = await storage.read(({ categories }) => categories.countVersions())
  expect(counted).toBe(19)

  const put = (at: number) => storage.write(({ categories }) => categories.putDocument(group, last, 'bert', at))
  const bytesAfter = async (at: number) => {
    await put(at)
    return storage.recorded.storedBytes()
  }
  const bytes = await storage.recorded.storedBytes()
  // The checksum of the present document was not known.
  const [once, twice] = [await bytesAfter(noon + 100), await bytesAfter(noon + 101)]
  expect([once, twice]).toEqual([bytes + Buffer.byteLength(last), once])
})
