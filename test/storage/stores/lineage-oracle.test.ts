import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { Draw } from '../../support/search/random-items.ts'
import { LineageOfOwner } from '../../support/search/random-lineage.ts'
import { aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'

const worlds = countOf({ sample: 200, long: 10_000 })
const steps = 25
const itemsOfWorld = 4

/** Few titles, so that paths meet. */
function drawShortPath(draw: Draw): string {
  return `/${[draw.one(['A', 'B', 'C']), ...draw.some(2, () => draw.one(['A', 'B']))].join('/')}`
}

test(
  'categories go where the model has them, through any sequence of changes and assignments',
  async () => {
    const db = openKysely(new Database(':memory:'))
    onTestFinished(() => db.destroy())
    await migrate(db)
    const stores = openStores(db)
    await stores.directory.addPortal(aPortal(), aKey)
    await stores.directory.addUser(aUser(), 'hash')
    for (let world = 0; world < worlds; world += 1) {
      const draw = new Draw(seededRandom(world))
      // An organization for each world.
      const portalId = `Portal${String(world).padStart(10, '0')}`
      await stores.directory.addPortal(aPortal({ portalId, urlKey: portalId.toLowerCase() }), aKey)
      const lineage = new LineageOfOwner({ kind: 'portal', portalId }, drawShortPath)
      const items = Array.from({ length: itemsOfWorld }, (_, at) =>
        anItem({ itemId: anId(world * itemsOfWorld + at + 1), portalId }),
      )
      for (const item of items) await stores.items.addItem(item)
      const done: unknown[] = []
      for (let step = 0; step < steps; step += 1) {
        if (draw.once(3)) done.push(await lineage.change(stores, draw))
        else {
          const item = draw.one(items)
          const categories = lineage.paths(draw, item.itemId)
          await stores.items.updateItem({ ...item, categories })
          lineage.model.assign(item.itemId, categories)
          done.push({ item: items.indexOf(item), categories })
        }
        const carried = await stores.items.listItemsFor(
          items.map(({ itemId }) => itemId),
          undefined,
        )
        // In no order: of categories that are put apart again, none comes first.
        const paths = carried.map(({ item }) => item.categories.toSorted())
        expect({ world, done, paths }).toEqual({
          world,
          done,
          paths: items.map(({ itemId }) => lineage.model.pathsOf(itemId).toSorted()),
        })
      }
    }
  },
  timeoutOf(worlds, 500),
)
