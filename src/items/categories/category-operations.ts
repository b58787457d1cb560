import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import type { CategoryReaders, SchemaOwner } from '../../categories/store.ts'
import { requireGroup } from '../../directory/group-operations.ts'
import { mayManageCategories } from '../../directory/permissions.ts'
import { itemNotFound, operationRefused } from '../../errors.ts'
import { attempt, type ItemOutcome, type SettledItems, settle } from '../attempt.ts'
import { changeOf, groupChangeOf, recordChange } from '../item-change.ts'
import { canViewItem, mayCategorizeItem } from '../item-permissions.ts'
import type { AssignedPaths, ItemOfMember, ItemStores } from '../store.ts'
import type { Assignment } from './assignments.ts'
import { KnownPaths, requirePaths } from './category-paths.ts'

/** Categories of several items, each for itself: the list replaces what an item has. */

interface Assigning {
  readonly assignments: Parsed<readonly Assignment[]>
}

/** Categories of the organization (documented). */
export async function updateItems(stores: ItemStores, call: Call, input: Assigning): Promise<SettledItems> {
  const caller = requireCaller(call)
  const assignments = unwrapParsed(input.assignments)
  const known = await readKnownPaths(stores, { kind: 'portal', portalId: caller.portalId })
  const { outcomes, assigned, byId } = await judgeEach(stores, caller, assignments, (found, given, before) => {
    requirePermission(mayCategorizeItem(caller, found))
    return requirePaths(given, known, before ?? found.item.categories)
  })
  await stores.items.putCategories(assigned, call.now)
  const changes = assigned.flatMap(({ itemId, paths }) => {
    const { item } = byId.get(itemId)!
    return recordChange(item, changeOf('categories', item.categories, paths))
  })
  return settle(stores, caller, outcomes, { changes })
}

/** Categories of a group, on items that are shared with it (documented). */
export async function updateGroupItems(
  stores: ItemStores,
  call: Call,
  input: Assigning & { readonly groupId: string },
): Promise<SettledItems> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayManageCategories(memberType))
  const assignments = unwrapParsed(input.assignments)
  const { groupId } = group
  const known = await readKnownPaths(stores, { kind: 'group', groupId })
  const carried = await stores.items.listGroupCategories(groupId, idsOf(assignments))
  const { outcomes, assigned, byId } = await judgeEach(stores, caller, assignments, ({ item }, given, before) => {
    const present = before ?? carried.get(item.itemId)
    if (!present) throw itemNotFound()
    return requirePaths(given, known, present)
  })
  await stores.items.putGroupCategories(groupId, assigned)
  const changes = assigned.flatMap(({ itemId, paths }) =>
    recordChange(byId.get(itemId)!.item, groupChangeOf(groupId, carried.get(itemId) ?? [], paths)),
  )
  return settle(stores, caller, outcomes, { groupId, ownerId: group.ownerId, changes })
}

/** Paths that an item is to carry, or an error. `before` are those that the same call has given it already. */
type Judge = (found: ItemOfMember, given: readonly string[], before: readonly string[] | undefined) => readonly string[]

/** Judges each assignment, and collects what is to be written: all of it together, each item once. */
async function judgeEach(
  { items }: ItemStores,
  caller: Caller,
  assignments: readonly Assignment[],
  judge: Judge,
): Promise<{
  readonly outcomes: readonly ItemOutcome[]
  readonly assigned: readonly AssignedPaths[]
  readonly byId: ReadonlyMap<string, ItemOfMember>
}> {
  const listed = await items.listItemsFor(idsOf(assignments), caller.userId)
  const byId = new Map(listed.map((found) => [found.item.itemId, found]))
  const assigned = new Map<string, readonly string[]>()
  const outcomes: ItemOutcome[] = []
  for (const { itemId, paths } of assignments) {
    const outcome = await attempt(itemId, async () => {
      const found = byId.get(itemId)
      if (!found || !canViewItem(caller, found)) throw itemNotFound()
      if (!paths) throw operationRefused('categories must be a list of paths.')
      assigned.set(itemId, judge(found, paths, assigned.get(itemId)))
      return {}
    })
    outcomes.push(outcome)
  }
  return { outcomes, assigned: [...assigned].map(([itemId, paths]) => ({ itemId, paths })), byId }
}

/** Each once. */
function idsOf(assignments: readonly Assignment[]): readonly string[] {
  return [...new Set(assignments.map(({ itemId }) => itemId))]
}

/** The paths of the owner's present schema; none without one. */
export async function readKnownPaths({ categories }: CategoryReaders, owner: SchemaOwner): Promise<KnownPaths> {
  const present = await categories.findDocument(owner)
  return present ? knownPathsOf(present.document) : new KnownPaths([])
}

/** How many documents' paths are remembered (chosen): an organization writes many items between two of its schemas. */
const maxRemembered = 16

/** The last documents with their paths, the latest first. */
let remembered: readonly { readonly document: Uint8Array; readonly paths: KnownPaths }[] = []

/** Found by the bytes of the document, so that nothing becomes stale: comparing them takes a hundredth of parsing them. */
function knownPathsOf(document: Uint8Array): KnownPaths {
  const known = remembered.find((one) => Buffer.compare(one.document, document) === 0)
  if (known && known === remembered[0]) return known.paths
  const schema = () => JSON.parse(Buffer.from(document).toString()) as CategorySchema
  const entry = known ?? { document, paths: new KnownPaths(listPaths(schema())) }
  remembered = [entry, ...remembered.filter((one) => one !== known)].slice(0, maxRemembered)
  return entry.paths
}
