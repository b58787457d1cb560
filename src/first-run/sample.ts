import type { AuditDetails } from '../call/audit-details.ts'
import { type Call, requireCaller } from '../call/call.ts'
import type { ChangeStores } from '../categories/history/store.ts'
import { groupLimits, portalLimits, type SchemaLimits } from '../categories/limits.ts'
import { assignCategorySchema } from '../categories/operations.ts'
import { type CategorySchema, judgeSchema } from '../categories/schema.ts'
import { createGroup } from '../directory/group-operations.ts'
import { updateGroupItems } from '../items/categories/category-operations.ts'
import { addItem } from '../items/item-operations.ts'
import { shareItem } from '../items/sharing-operations.ts'
import type { ItemStores } from '../items/store.ts'

/** Sample content for a new organization: a category schema, a group with one of its own, and items with categories of both. */

export type SampleStores = ChangeStores & ItemStores

/** Ids that cannot be guessed. */
export interface SampleIds {
  readonly groupId: string
  /** One for each sample item. */
  readonly itemIds: readonly string[]
}

const portalSchema: CategorySchema = {
  categorySchema: [
    {
      title: 'Region',
      description: 'Where the content lies',
      categories: [
        { title: 'World' },
        { title: 'Europe', categories: [{ title: 'Alps' }, { title: 'Baltic Sea' }] },
        { title: 'Africa' },
      ],
    },
    {
      title: 'Topic',
      description: 'What the content is about',
      categories: [{ title: 'Water' }, { title: 'Forests' }, { title: 'Transport' }],
    },
  ],
}

const groupSchema: CategorySchema = {
  categorySchema: [{ title: 'State', categories: [{ title: 'Draft' }, { title: 'In review' }, { title: 'Approved' }] }],
}

interface SampleItem {
  readonly title: string
  readonly type: string
  readonly snippet: string
  readonly tags: readonly string[]
  readonly categories: readonly string[]
  readonly groupCategories: readonly string[]
}

/** One is without categories, so that there is something to sort. */
export const sampleItems: readonly SampleItem[] = [
  {
    title: 'Alpine lakes',
    type: 'Web Map',
    snippet: 'Lakes above 1,000 metres.',
    tags: ['sample', 'lakes'],
    categories: ['/Region/Europe/Alps', '/Topic/Water'],
    groupCategories: ['/State/Approved'],
  },
  {
    title: 'Ferries of the Baltic Sea',
    type: 'Feature Service',
    snippet: 'Routes with their timetables.',
    tags: ['sample', 'ferries'],
    categories: ['/Region/Europe/Baltic Sea', '/Topic/Transport'],
    groupCategories: ['/State/In review'],
  },
  {
    title: 'Forest cover',
    type: 'Web Map',
    snippet: 'How much of the land is forest.',
    tags: ['sample', 'forest'],
    categories: ['/Region/World', '/Topic/Forests'],
    groupCategories: ['/State/Draft'],
  },
  {
    title: 'Wells',
    type: 'Feature Service',
    snippet: 'Not sorted into categories yet.',
    tags: ['sample', 'water'],
    categories: [],
    groupCategories: [],
  },
]

/** Plants all of it for the caller, who is an administrator; by the operations of the API. Answers what the log says of each. */
export async function plantSample(
  stores: SampleStores,
  call: Call,
  { groupId, itemIds }: SampleIds,
): Promise<readonly AuditDetails[]> {
  const { username, portalId } = requireCaller(call)
  const properties = { title: 'Sample maps', snippet: 'A group with categories of its own.', tags: ['sample'] }
  await assignCategorySchema(stores, call, {
    owner: { kind: 'portal', id: portalId },
    ...assignOf(portalSchema, portalLimits),
  })
  await createGroup(stores, call, { groupId, properties: { value: { ...properties, access: 'org' } } })
  await assignCategorySchema(stores, call, {
    owner: { kind: 'group', id: groupId },
    ...assignOf(groupSchema, groupLimits),
  })
  for (const [position, { groupCategories: _, categories, ...properties }] of sampleItems.entries()) {
    const itemId = itemIds[position]!
    const given = { value: { properties, text: undefined, categories, itemIdToCreate: undefined } }
    await addItem(stores, call, { username, itemId, given })
    const wish = {
      value: { everyone: undefined, org: true, account: undefined, groups: [groupId], confirmItemControl: false },
    }
    await shareItem(stores, call, { itemId, wish })
  }
  const assignments = sampleItems.map(({ groupCategories: paths }, position) => ({ itemId: itemIds[position]!, paths }))
  await updateGroupItems(stores, call, { groupId, assignments: { value: assignments } })
  return [
    { operation: 'assignPortalCategorySchema', target: `/portals/${portalId}/assignCategorySchema` },
    { operation: 'createGroup', target: `/community/groups/${groupId}` },
    { operation: 'assignGroupCategorySchema', target: `/community/groups/${groupId}/assignCategorySchema` },
    ...itemIds.map((itemId) => ({ operation: 'addItem', target: `/content/items/${itemId}` })),
  ]
}

function assignOf(schema: CategorySchema, limits: SchemaLimits) {
  return { schema: { value: judgeSchema(JSON.stringify(schema), limits) }, ifMatch: undefined }
}
