import type { CategoryPolicy } from '../../directory/category-policy.ts'
import type { DirectoryReaders } from '../../directory/store.ts'
import { operationRefused } from '../../errors.ts'
import { asSeen } from '../../plain-text.ts'
import { allOf, anyOf, negationOf } from '../../search/condition.ts'
import { fold } from '../../search/folding.ts'
import { say } from '../../sentences/say.ts'
import type { Item, ItemAccess } from '../item.ts'
import { categoryNamed } from '../item-fields.ts'
import type { ItemCondition, ItemFields } from '../search/item-search.ts'

/** Which items need a category, as pure functions of the policy of their organization. */

type Rules = Omit<CategoryPolicy, 'require'>

const ranks = { private: 0, shared: 1, org: 2, public: 3 } as const satisfies Record<ItemAccess, number>
/** The lowest access that each audience means. */
const reached = { any: 'shared', org: 'org', public: 'public' } as const satisfies Record<Rules['when'], ItemAccess>

/** Items of the organization that are subject to the policy; where `when` is `any`, private ones too. */
export function subjectTo({ types, when }: Rules, portalId: string): ItemCondition {
  const ofTypes = types.map((type) => keyOf('type', type))
  const levels =
    when === 'any' ? [] : (['org', 'public'] as const).filter((level) => ranks[level] >= ranks[reached[when]])
  return allOf<ItemFields>([
    ofPortal(portalId),
    ...(levels.length > 0 ? [anyOf<ItemFields>(levels.map((level) => keyOf('access', level)))] : []),
    ...(ofTypes.length > 0 ? [anyOf<ItemFields>(ofTypes)] : []),
  ])
}

export function ofPortal(portalId: string): ItemCondition {
  return keyOf('orgid', portalId)
}

export function keyOf(field: 'access' | 'orgid' | 'owner' | 'type', value: string): ItemCondition {
  return { kind: 'key', field, value: field === 'type' ? typeKeyOf(value) : fold(value), isPrefix: false }
}

/** Items without a category that the policy asks for. */
export function withoutCategory({ below }: Rules): ItemCondition {
  const any: ItemCondition = { kind: 'categorized', holder: 'portal' }
  return negationOf<ItemFields>(below.length === 0 ? any : anyOf(below.map((path) => categoryNamed(path, 'portal'))))
}

/** Why the item must not get the access; undefined if it may. What has as much access already is never refused. */
export function findPolicyProblem(policy: CategoryPolicy, item: Item, access: ItemAccess): string | undefined {
  const { require, types, when, below } = policy
  const rank = ranks[reached[when]]
  if (require !== 'enforce' || ranks[item.access] >= rank || ranks[access] < rank) return undefined
  if (types.length > 0 && !types.some((type) => typeKeyOf(type) === typeKeyOf(item.type))) return undefined
  if (below.length === 0 ? item.categories.length > 0 : item.categories.some((path) => isBelow(path, below))) {
    return undefined
  }
  const category = below.length === 0 ? 'category' : `category below ${below.join(' or ')}`
  return say(refusals[when], { itemId: item.itemId, category })
}

/** A type, compared as tags are, however many blanks it was written with. */
function typeKeyOf(type: string): string {
  return fold(asSeen(type))
}

const refusals = { any: 'policyAny', org: 'policyOrg', public: 'policyPublic' } as const

/** Whether the path is one of these, or below one, in any case. */
function isBelow(path: string, below: readonly string[]): boolean {
  return below.some((one) => `${fold(path)}/`.startsWith(`${fold(one)}/`))
}

/** Refuses more access for an item without a category that its organization requires for it. */
export async function requireCategoryFor(
  { directory }: DirectoryReaders,
  item: Item,
  access: ItemAccess,
): Promise<void> {
  if (access === 'private' || access === item.access) return
  const portal = await directory.findPortal(item.portalId)
  const problem = portal && findPolicyProblem(portal.categoryPolicy, item, access)
  if (problem !== undefined) throw operationRefused(problem)
}
