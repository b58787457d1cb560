import type { Caller } from '../directory/caller.ts'
import { requireGroup } from '../directory/group-operations.ts'
import { mayManageCategories } from '../directory/permissions.ts'
import { itemNotFound, operationRefused } from '../errors.ts'
import { type Call, requireCaller, requirePermission } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import type { Assignment } from './assignments.ts'
import { attempt, type ItemOutcome } from './attempt.ts'
import { choosePaths, type KnownPaths, tooManyCategories, unknownCategory } from './category-paths.ts'
import { itemLimits } from './item.ts'
import { mayCategorizeItem, seesItem } from './item-permissions.ts'
import { readKnownPaths } from './known-paths.ts'
import type { ItemOfMember, ItemStores } from './store.ts'

/** Categories of several items, each for itself: the list replaces what an item has. */

interface Assigning {
  readonly assignments: Parsed<readonly Assignment[]>
}

/** Categories of the organization (documented). */
export async function updateItems(stores: ItemStores, call: Call, input: Assigning): Promise<readonly ItemOutcome[]> {
  const caller = requireCaller(call)
  const assignments = unwrapParsed(input.assignments)
  const known = await readKnownPaths(stores, { kind: 'portal', portalId: caller.portalId })
  return assignEach(stores, caller, assignments, async (found, given) => {
    const { item } = found
    requirePermission(mayCategorizeItem(caller, found))
    const paths = requirePaths(given, known, item.categories)
    const updated = { ...item, categories: paths, modifiedAt: call.now }
    await stores.items.updateItem(updated)
    return { ...found, item: updated }
  })
}

/** Categories of a group, on items that are shared with it (documented). */
export async function updateGroupItems(
  stores: ItemStores,
  call: Call,
  input: Assigning & { readonly groupId: string },
): Promise<readonly ItemOutcome[]> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayManageCategories(memberType))
  const assignments = unwrapParsed(input.assignments)
  const { groupId } = group
  const known = await readKnownPaths(stores, { kind: 'group', groupId })
  return assignEach(stores, caller, assignments, async (found, given) => {
    const { itemId } = found.item
    const links = await stores.items.listItemLinks(itemId)
    if (!links.some((link) => link.groupId === groupId)) throw itemNotFound()
    const carried = await stores.items.listGroupCategories(itemId, groupId)
    await stores.items.putGroupCategories(itemId, groupId, requirePaths(given, known, carried))
    return found
  })
}

async function assignEach(
  { items }: ItemStores,
  caller: Caller,
  assignments: readonly Assignment[],
  assign: (found: ItemOfMember, given: readonly string[]) => Promise<ItemOfMember>,
): Promise<readonly ItemOutcome[]> {
  const itemIds = assignments.map(({ itemId }) => itemId)
  const listed = await items.listItemsFor([...new Set(itemIds)], caller.userId)
  const byId = new Map(listed.map((found) => [found.item.itemId, found]))
  const outcomes: ItemOutcome[] = []
  for (const { itemId, paths } of assignments) {
    const outcome = await attempt(itemId, async () => {
      const found = byId.get(itemId)
      if (!found || !seesItem(caller, found)) throw itemNotFound()
      if (!paths) throw operationRefused('categories must be a list of paths.')
      // The same item may follow once more.
      byId.set(itemId, await assign(found, paths))
      return {}
    })
    outcomes.push(outcome)
  }
  return outcomes
}

function requirePaths(given: readonly string[], known: KnownPaths, carried: readonly string[]): readonly string[] {
  const { paths, unknown } = choosePaths(given, known, carried)
  if (paths.length + unknown.length > itemLimits.categories) throw operationRefused(tooManyCategories)
  const [first] = unknown
  if (first !== undefined) throw operationRefused(unknownCategory(first))
  return paths
}
