import { readFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { earlierDatabases } from './earlier-database.ts'

type EarlierRows = Readonly<Record<keyof Rows, readonly Readonly<Record<string, never>>[]>>

/**
 * Rows that the program before this migration wrote by its own operations: an organization and a group, each with equal
 * versions, a deletion and two versions after it, and an item with categories of the organization.
 */
const rows: EarlierRows = JSON.parse(readFileSync(new URL('earlier/009-histories.json', import.meta.url), 'utf8'))

async function fill(db: Kysely<Rows>): Promise<void> {
  for (const [table, values] of Object.entries(rows)) {
    await db
      .insertInto(table as keyof Rows)
      .values(values as never)
      .execute()
  }
}

const portalId = String(rows.portals[0]!['portal_id'])
const groupId = String(rows.groups[0]!['group_id'])
const itemId = String(rows.items[0]!['item_id'])
const owners: readonly (readonly [SchemaOwner, number])[] = [
  [{ kind: 'portal', portalId }, 6],
  [{ kind: 'group', groupId }, 5],
]

describe.each(Object.entries(earlierDatabases('010', fill)))(
  'a database of the tables before versions had notes, on %s',
  (_, open) => {
    test('opens with all its history, and goes on', async () => {
      const storage = await open()
      onTestFinished(() => storage.close())
      for (const [owner, latest] of owners) {
        const listed = await storage.read(({ schemaHistory }) =>
          schemaHistory.listVersions(owner, { start: 1, num: 100 }),
        )
        expect(listed.total).toBe(latest)
        expect(listed.entries.map(({ version }) => version).toReversed()).toEqual([1, 2, 3, 4, 5, 6].slice(0, latest))
        for (const { version, ...entry } of listed.entries) {
          const isDeletion = version === 3
          expect(entry).toMatchObject({ action: isDeletion ? 'delete' : 'assign', author: 'admin', moves: [] })
          expect(entry.size).toEqual(isDeletion ? { trees: 0, categories: 0 } : undefined)
          const whole = await storage.read(({ schemaHistory }) => schemaHistory.findVersion(owner, version))
          const titles = version < 3 ? ['Water', 'Soil'] : version === 6 ? ['Water'] : ['Water', 'Misc']
          const categories = titles.map((title) => ({ title }))
          const document = JSON.stringify({ categorySchema: [{ title: 'Categories', categories }] })
          expect(whole?.document?.toString()).toBe(isDeletion ? undefined : document)
        }
        expect(await storage.read(({ schemaHistory }) => schemaHistory.listMoves(owner, 0, latest))).toHaveLength(
          latest,
        )
        const carried = await storage.read(({ items }) =>
          items.listCarriedOf(owner, ['/Categories/Water', '/Categories/Misc', '/Categories']),
        )
        expect(carried).toEqual(owner.kind === 'portal' ? ['/Categories/Misc', '/Categories/Water'] : [])
        const note = { action: 'assign', comment: 'Next' } as const
        await storage.write(async ({ categories, schemaHistory }) => {
          await categories.putDocument(owner, '{}', 'anna', 1, { trees: 1, categories: 2 })
          await schemaHistory.noteVersion(owner, latest + 1, note)
        })
        expect(await storage.read(({ schemaHistory }) => schemaHistory.findVersion(owner, latest + 1))).toMatchObject({
          ...note,
          size: { trees: 1, categories: 2 },
        })
      }
      const found = await storage.read(({ items }) => items.findItemFor(itemId, undefined))
      expect(found?.item.categories).toEqual(['/Categories/Water', '/Categories/Misc'])
    })
  },
)
