import { describe, expect, test } from 'vitest'
import type { ItemReader } from '../../../src/items/store.ts'
import type { Readers } from '../../../src/storage/storage.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { type ItemInMemory, searchNaively } from '../../support/search/naive-search.ts'
import { addDrawn, addWorld, Draw, viewers } from '../../support/search/random-items.ts'
import { asCategorized, categorize, type LineageOfOwner, lineagesOfWorld } from '../../support/search/random-lineage.ts'
import { drawCategorySearch, drawSearch } from '../../support/search/random-searches.ts'
import { countsByPath } from '../contract/counts-by-path.ts'
import { searchedStorages } from './searched-storages.ts'

const worlds = countOf({ sample: 2, long: 100 })
const itemsOfWorld = 40
const steps = 40
const searchesOfStep = 5

describe.each(Object.entries(searchedStorages))('%s', (_, open) => {
  test.each(Array.from({ length: worlds }, (_none, at) => at))(
    'categories that move, merge, are cleared and come back are those of the model (world %i)',
    async (world) => {
      const { storage, search: find, readItems } = await open()
      const draw = new Draw(seededRandom(3000 + world))
      const lineages = lineagesOfWorld()
      const items: ItemInMemory[] = []
      const members = await storage.write((stores) => addWorld(stores, draw))
      const addItem = async () => {
        const added = await storage.write((stores) => addDrawn(stores, draw, items.length))
        items.push(added)
        lineages.get(added.item.portalId)!.model.assign(added.item.itemId, added.item.categories)
        for (const [groupId, paths] of added.groups) lineages.get(groupId)!.model.assign(added.item.itemId, paths)
      }
      while (items.length < itemsOfWorld) await addItem()

      const done: unknown[] = []
      for (let step = 0; step < steps; step += 1) {
        const what = draw.below(5)
        if (what === 0) await addItem()
        else if (what === 1)
          done.push(await storage.write((stores) => categorize(stores, draw, lineages, draw.one(items))))
        else {
          // Most changes are of one organization, so that they meet.
          const lineage = draw.once(2) ? [...lineages.values()][0]! : draw.one([...lineages.values()])
          done.push(lineage.owner, await storage.write((stores) => lineage.change(stores, draw)))
        }
        const present = items.map((one) => asCategorized(lineages, one))
        const carried = await storage.read((stores) => readCarried(stores, present))
        expect({ step, done, carried }).toEqual({ step, done, carried: present.map(toCarried) })
        const owner = draw.one([...lineages.values()])
        expect(await readItems((reader) => readCounts(reader, owner))).toEqual(countNaively(owner, present))
        for (let number = 0; number < searchesOfStep; number += 1) {
          const { search, page } = (number % 2 ? drawSearch : drawCategorySearch)(draw, present)
          const viewer = draw.one(viewers)
          const found = await find(viewer, search, page)
          const answer = { total: found.total, ids: found.entries.map(({ item }) => item.itemId), counts: found.counts }
          const expected = searchNaively(present, members, viewer, search, page)
          expect({ step, done, viewer, search, page, answer }).toEqual({
            step,
            done,
            viewer,
            search,
            page,
            answer: expected,
          })
        }
      }
    },
    timeoutOf(steps * searchesOfStep, 200),
  )
})

/** In no order: of categories that are put apart again, none comes first. */
function toCarried({ item, groups }: ItemInMemory) {
  return {
    itemId: item.itemId,
    paths: item.categories.toSorted(),
    groups: [...groups].map(([id, paths]) => [id, paths.toSorted()]),
  }
}

async function readCarried({ items }: Readers, present: readonly ItemInMemory[]) {
  const read = []
  for (const { item, groups } of present) {
    const found = await items.findItemFor(item.itemId, undefined)
    const ofGroups = []
    for (const groupId of groups.keys()) {
      const listed = await items.listGroupCategories(groupId, [item.itemId])
      ofGroups.push([groupId, (listed.get(item.itemId) ?? []).toSorted()])
    }
    read.push({ itemId: item.itemId, paths: found!.item.categories.toSorted(), groups: ofGroups })
  }
  return read
}

/** Every number by path, in different ways. */
async function readCounts(items: ItemReader, { owner }: LineageOfOwner) {
  const counts = await countsByPath(items, owner)
  const paths = await items.listCarriedOf(
    owner,
    counts.map(({ path }) => path),
  )
  const sets = (isBelowToo: boolean) =>
    [paths, ...counts.map(({ path }) => [path])].map((set) => ({ paths: set, isBelowToo }))
  return {
    paths,
    counts,
    under: await items.countItems(owner, sets(true)),
    at: await items.countItems(owner, sets(false)),
  }
}

function countNaively({ owner }: LineageOfOwner, present: readonly ItemInMemory[]) {
  const lists = present.map(({ item, groups }) => {
    if (owner.kind === 'group') return groups.get(owner.groupId) ?? []
    return item.portalId === owner.portalId ? item.categories : []
  })
  const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`)
  const paths = [...new Set(lists.flat())].sort(compare)
  const all = paths.flatMap((path) => path.split('/').map((_, at, titles) => titles.slice(0, at + 1).join('/')))
  const known = [...new Set(all)].filter((path) => path !== '').sort(compare)
  const count = (is: (path: string) => boolean) => lists.filter((list) => list.some(is)).length
  return {
    paths,
    counts: known.map((path) => ({ path, items: count((one) => isBelow(one, path)) })),
    under: [count(() => true), ...known.map((path) => count((one) => isBelow(one, path)))],
    at: [count(() => true), ...known.map((path) => count((one) => one === path))],
  }
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
