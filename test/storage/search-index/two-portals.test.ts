import { describe, expect, test } from 'vitest'
import { engine } from '../../support/databases/engine.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import type { ItemInMemory } from '../../support/search/naive-search.ts'
import { addWorld, Draw, drawItem, groups, portals, users, viewers } from '../../support/search/random-items.ts'
import { drawSearch } from '../../support/search/random-searches.ts'
import { openWorkStorage } from '../work-storage.ts'

const searches = countOf({ sample: 80, system: 300, long: 10_000 })
const marker = 'Unseen'

/** Viewers of the first organization, administrators among them. */
const strangers = viewers.filter(({ portalId }) => portalId === portals[0])

describe(engine, () => {
  test(
    'no search of one organization shows anything that is of another one alone',
    async () => {
      const storage = await openWorkStorage()
      const draw = new Draw(seededRandom(99))
      await storage.write((stores) => addWorld(stores, draw))
      const items: ItemInMemory[] = []
      let unseen = 0
      for (let number = 0; number < 200; number += 1) {
        const drawn = drawItem(draw, number)
        const isUnseen = drawn.portalId === portals[1] && drawn.level !== 'public'
        const item = isUnseen
          ? {
              ...drawn,
              title: `${drawn.title} ${marker}`,
              tags: [...drawn.tags, marker],
              categories: [`/Categories/${marker}`],
            }
          : drawn
        await storage.write(async ({ items: store }) => {
          await store.addItem(item)
          // Members of both organizations are in the groups: only the first one shares with them.
          if (!isUnseen && draw.once(3))
            await store.putItemLink(item.itemId, { groupId: draw.one(groups), givesControl: true })
        })
        const ownerUsername = users.find(({ userId }) => userId === item.ownerId)!.username
        items.push({ item: { ...item, ownerUsername, access: item.level }, groups: new Map() })
        if (isUnseen) unseen += 1
      }
      for (let number = 0; number < searches; number += 1) {
        const { search, page } = drawSearch(draw, items)
        const found = await storage.items.searchItems(draw.one(strangers), search, page)
        expect(JSON.stringify(found)).not.toContain(marker)
        // The total does not count items that only non-members search for.
        const hidden = {
          ...search,
          condition: { kind: 'words', fields: ['title'], words: ['unseen'], isPrefix: false },
        } as const
        expect(await storage.items.searchItems(draw.one(strangers), hidden, page)).toMatchObject({ total: 0 })
      }
      expect(unseen).toBeGreaterThan(20)
    },
    timeoutOf(searches, 100),
  )
})
