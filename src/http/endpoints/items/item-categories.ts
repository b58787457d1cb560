import { mapParsed } from '../../../call/parsed.ts'
import { parseAssignments } from '../../../items/categories/assignments.ts'
import { itemLimits } from '../../../items/item.ts'
import { exampleIds } from '../../examples/examples.ts'
import { itemId, secondItemId } from '../../examples/items.ts'
import { outcomesToWire, resultsShape } from '../../shapes/items/item-results.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { requiredJson } from '../parameter-types.ts'

const endpoint = endpointsOf('items')

const { groupId } = exampleIds

const items = requiredJson(
  `At most ${itemLimits.itemsInOneCall} items with the paths of their categories: [{"<id>": {"categories": ["/Region/World"]}}] or [{"<id>": ["/Region/World"]}].`,
  parseAssignments,
)

const rules = [
  'The list replaces the categories that an item has; an empty list removes them. An object may have several ids, and a list may be a text with commas.',
  'A path is one of the category schema, if need be in another case: the spelling of the schema is kept. A path that the item carries already may stay, though the schema has lost it.',
  'Each item is refused for itself; the others are changed.',
] as const

/** Categories on items. */
export const itemCategoryRows: readonly Endpoint[] = [
  endpoint({
    id: 'updateItems',
    title: 'Update categories of items',
    goals: ['Sort content into categories'],
    path: '/content/updateItems',
    parameters: { items },
    judgesEach: true,
    who: 'Any signed-in user; each item: users who may update it, by portal:admin:updateItems if it is not theirs, and custom roles with portal:admin:categorizeItems',
    summary: 'Assigns categories of the organization to items.',
    chosen: rules,
    answers: { json: resultsShape },
    example: {
      parameters: {
        items: JSON.stringify([
          { [itemId]: { categories: ['/Region/World'] } },
          { [secondItemId]: { categories: ['/Region/Mars'] } },
        ]),
      },
      answer: {
        results: [
          { itemId, success: true },
          {
            itemId: secondItemId,
            success: false,
            error: { code: 400, message: 'Category does not exist: /Region/Mars' },
          },
        ],
      },
    },
    async answer({ input, run }) {
      const { outcomes } = await run({ assignments: mapParsed(input, (values) => values.items) })
      return { json: { results: outcomesToWire(outcomes, () => ({})) } }
    },
  }),
  endpoint({
    id: 'updateGroupItems',
    title: 'Update group categories of items',
    task: 'update items',
    goals: ['Sort content into categories'],
    path: '/content/groups/:groupId/updateCategories',
    parameters: { items },
    judgesEach: true,
    who: 'Owner and managers of the group',
    summary: 'Assigns categories of the group to items that are shared with it.',
    chosen: [
      ...rules,
      'When an item is changed stays: an item belongs to its owner, its group categories to the group.',
    ],
    answers: { json: resultsShape },
    example: {
      ids: { groupId },
      parameters: { items: JSON.stringify([{ [itemId]: ['/Region/World'] }]) },
      answer: { results: [{ itemId, success: true }] },
    },
    async answer({ ids, input, run }) {
      const { outcomes } = await run({ groupId: ids.groupId, assignments: mapParsed(input, (values) => values.items) })
      return { json: { results: outcomesToWire(outcomes, () => ({})) } }
    },
  }),
]
