import type { Completeness } from '../../../items/categories/completeness-operations.ts'
import { coverageStates, overfull } from '../../../items/categories/coverage.ts'
import type { Coverage } from '../../../items/categories/coverage-operations.ts'
import { searchWindow } from '../../../items/search/search-operations.ts'
import { categoryPolicyShape } from '../category-policy.ts'
import { pageMembers, pageToWire } from '../page.ts'
import { choice, integer, list, matching, object, text, type ValueOf } from '../shape.ts'
import { itemMembers } from './item.ts'

const counts = (description: string) => list(object({ value: text(), count: integer('Items.', 0) }), description)

const { id, title, type, owner, access, modified, categories } = itemMembers

export const completenessShape = object({
  policy: categoryPolicyShape,
  items: integer('Items that are subject to the policy.', 0),
  missing: integer('Those of them without a category that it asks for: the same as `total`.', 0),
  byOwner: counts('Items without one by their owner, the largest counts first.'),
  byType: counts('Items without one by their type, the largest counts first.'),
  ...pageMembers,
  results: list(object({ id, title, type, owner, access, modified, categories }), 'Items without one.'),
})

/** `nextStart` is -1 where the next page would begin outside the window. */
export function completenessToWire(found: Completeness): ValueOf<typeof completenessShape> {
  const { policy, items, total, byOwner, byType, entries, page } = found
  const reachable = { total: Math.min(total, searchWindow), entries, page }
  const paged = pageToWire('results', reachable, ({ itemId, ownerUsername, modifiedAt, ...item }) => ({
    id: itemId,
    title: item.title,
    type: item.type,
    owner: ownerUsername,
    access: item.access,
    modified: modifiedAt,
    categories: item.categories,
  }))
  return { policy, items, missing: total, byOwner, byType, ...paged, total }
}

const share = `more than ${overfull.part * 100} percent of all items, and at least ${overfull.items}`

export const coverageShape = object({
  items: integer('All items.', 0),
  uncategorized: integer('Items without any category.', 0),
  categories: list(
    object({
      path: text(),
      title: text(),
      depth: integer('Level of the category, from 1.', 1),
      items: integer('Items that carry the category itself.', 0),
      itemsBelow: integer('Items that carry it or a category below it.', 0),
      state: choice(coverageStates, `\`empty\`: without items below it; \`overfull\`: itself with ${share}.`),
    }),
    'Every category of the schema, in its order.',
  ),
  unrecognized: counts('Paths that items carry and the schema does not have, the largest counts first.'),
  uncategorizedByOwner: counts('Items without any category by their owner, the largest counts first.'),
  uncategorizedByType: counts('Items without any category by their type, the largest counts first.'),
  history: list(
    object({
      day: matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'Day of UTC.'),
      items: integer('All items at the beginning of the day.', 0),
      uncategorized: integer('Items without any category then.', 0),
    }),
    'One entry a day, for those who see all items; else empty.',
  ),
})

export function coverageToWire(coverage: Coverage): ValueOf<typeof coverageShape> {
  return coverage
}
