import type { AuditDetails } from '../call/audit-details.ts'
import { type Call, requireCaller } from '../call/call.ts'
import type { ChangeStores } from '../categories/history/store.ts'
import { groupLimits, portalLimits, type SchemaLimits } from '../categories/limits.ts'
import { assignCategorySchema } from '../categories/operations.ts'
import { type Category, type CategorySchema, judgeSchema } from '../categories/schema.ts'
import { createGroup } from '../directory/group-operations.ts'
import { updateGroupItems } from '../items/categories/category-operations.ts'
import { addItem } from '../items/item-operations.ts'
import { shareItem } from '../items/sharing-operations.ts'
import type { ItemStores } from '../items/store.ts'
import { type Language, readTexts, type Texts } from '../languages.ts'
import { sampleTexts } from './sample-texts.ts'

/** Sample content for a new organization: a category schema, a group with one of its own, and items with categories of both. */

export type SampleStores = ChangeStores & ItemStores

/** Ids that cannot be guessed. */
export interface SampleIds {
  readonly groupId: string
  /** One for each sample item. */
  readonly itemIds: readonly string[]
}

/** A category and what is below it, by the keys of their titles. */
type Tree = readonly [key: string, below?: readonly Tree[]]

const portalTrees: readonly Tree[] = [
  ['region', [['world'], ['europe', [['alps'], ['baltic']]], ['africa']]],
  ['topic', [['water'], ['forests'], ['transport']]],
]
const groupTrees: readonly Tree[] = [['state', [['draft'], ['inReview'], ['approved']]]]

/** Items by the keys of their texts, with their categories; one is without, so that there is something to sort. */
export const sampleItems = [
  { key: 'lakes', type: 'Web Map', categories: ['region/europe/alps', 'topic/water'], groupCategory: 'state/approved' },
  {
    key: 'ferries',
    type: 'Feature Service',
    categories: ['region/europe/baltic', 'topic/transport'],
    groupCategory: 'state/inReview',
  },
  { key: 'forest', type: 'Web Map', categories: ['region/world', 'topic/forests'], groupCategory: 'state/draft' },
  { key: 'wells', type: 'Feature Service', categories: [], groupCategory: undefined },
] as const

function schemaOf(trees: readonly Tree[], texts: Texts): CategorySchema {
  const categoryOf = ([key, below]: Tree): Category => ({
    title: texts.get(key)!,
    ...(texts.has(`${key}Text`) && { description: texts.get(`${key}Text`)! }),
    ...(below && { categories: below.map(categoryOf) }),
  })
  return { categorySchema: trees.map(categoryOf) }
}

function pathOf(keys: string, texts: Texts): string {
  const titles = keys.split('/').map((key) => texts.get(key)!)
  return `/${titles.join('/')}`
}

/** Plants all of it in a language for the caller, who is an administrator; by the operations of the API. Answers what the log says of each. */
export async function plantSample(
  stores: SampleStores,
  call: Call,
  { groupId, itemIds }: SampleIds,
  language: Language,
): Promise<readonly AuditDetails[]> {
  const { username, portalId } = requireCaller(call)
  const texts = readTexts(sampleTexts, language)
  const described = (key: string) => ({
    title: texts.get(key)!,
    snippet: texts.get(`${key}Text`)!,
    tags: ['sampleTag', `${key}Tag`].flatMap((tag) => texts.get(tag) ?? []),
  })
  await assignCategorySchema(stores, call, {
    owner: { kind: 'portal', id: portalId },
    ...assignOf(schemaOf(portalTrees, texts), portalLimits),
  })
  await createGroup(stores, call, { groupId, properties: { value: { ...described('maps'), access: 'org' } } })
  await assignCategorySchema(stores, call, {
    owner: { kind: 'group', id: groupId },
    ...assignOf(schemaOf(groupTrees, texts), groupLimits),
  })
  for (const [position, { key, type, categories }] of sampleItems.entries()) {
    const itemId = itemIds[position]!
    const value = {
      properties: { ...described(key), type },
      text: undefined,
      categories: categories.map((keys) => pathOf(keys, texts)),
      itemIdToCreate: undefined,
    }
    await addItem(stores, call, { username, itemId, given: { value } })
    const wish = {
      value: { everyone: undefined, org: true, account: undefined, groups: [groupId], confirmItemControl: false },
    }
    await shareItem(stores, call, { itemId, wish })
  }
  const assignments = sampleItems.map(({ groupCategory }, position) => ({
    itemId: itemIds[position]!,
    paths: groupCategory === undefined ? [] : [pathOf(groupCategory, texts)],
  }))
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
