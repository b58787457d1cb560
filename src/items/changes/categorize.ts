import { type AuditDetails, type RecordedChange, withChanges } from '../../call/audit-details.ts'
import { type Call, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import type { SchemaOwner } from '../../categories/store.ts'
import { requireGroup } from '../../directory/group-operations.ts'
import { mayManageCategories } from '../../directory/permissions.ts'
import { itemNotFound, operationRefused } from '../../errors.ts'
import { attempt, type ItemOutcome, settle } from '../attempt.ts'
import { readKnownPaths } from '../categories/category-operations.ts'
import { choosePaths, type KnownPaths, requireFew, unknownCategory } from '../categories/category-paths.ts'
import { changeOf, groupChangeOf, isSameList, recordChange } from '../item-change.ts'
import { canViewItem, mayCategorizeItem } from '../item-permissions.ts'
import type { AssignedPaths, ItemOfMember, ItemReaders, ItemStores } from '../store.ts'

/** Categories of many items: those of the organization, or of a group. */

/** Paths that are given for one item. */
export interface GivenPaths {
  readonly itemId: string
  readonly paths: readonly string[]
}

/** Judgement of one item: what it carries, and is to carry. */
export interface JudgedPaths {
  readonly found: ItemOfMember
  readonly from: readonly string[]
  readonly to: readonly string[]
}

type Judged = ItemOutcome<JudgedPaths>
type MemberCall = Call & { readonly caller: Caller }

/** Requires what holds for all items: a group's categories are given by who manages them. */
export async function requireCategorizer(
  stores: ItemReaders,
  call: MemberCall,
  groupId: string | undefined,
): Promise<SchemaOwner> {
  if (groupId === undefined) return { kind: 'portal', portalId: call.caller.portalId }
  const { memberType } = await requireGroup(stores, call, groupId)
  requirePermission(mayManageCategories(memberType))
  return { kind: 'group', groupId }
}

/** Judges each of the items, none of which is given twice. `judgeMore` refuses an item for further reasons. */
export async function judgeItems<Given extends GivenPaths>(
  stores: ItemReaders,
  { caller }: MemberCall,
  owner: SchemaOwner,
  rules: CategoryRules,
  given: readonly Given[],
  judgeMore: (given: Given, judged: JudgedPaths) => Promise<void> = async () => undefined,
): Promise<readonly Judged[]> {
  const ids = given.map(({ itemId }) => itemId)
  const known = await readKnownPaths(stores, owner)
  const listed = await stores.items.listItemsFor(ids, caller.userId)
  const byId = new Map(listed.map((found) => [found.item.itemId, found]))
  const ofGroup = owner.kind === 'group' ? await stores.items.listGroupCategories(owner.groupId, ids) : undefined
  const outcomes: Judged[] = []
  for (const one of given) {
    const outcome = await attempt(one.itemId, async () => {
      const found = byId.get(one.itemId)
      if (!found || !canViewItem(caller, found)) throw itemNotFound()
      const from = ofGroup ? ofGroup.get(one.itemId) : found.item.categories
      if (!from) throw itemNotFound()
      if (!ofGroup) requirePermission(mayCategorizeItem(caller, found))
      const judged = { found, from, to: judgeCategories(one.paths, from, known, rules) }
      if (!isSameList(judged.from, judged.to)) await judgeMore(one, judged)
      return judged
    })
    outcomes.push(outcome)
  }
  return outcomes
}

/** Writes what was judged, and answers the entries of the log. Items that stay as they were are none of its targets. */
export async function assignJudged(
  stores: ItemStores,
  { caller, now }: MemberCall,
  owner: SchemaOwner,
  judged: readonly Judged[],
  runId: string,
): Promise<readonly AuditDetails[]> {
  const changed = judged.flatMap((outcome) =>
    outcome.failure || isSameList(outcome.from, outcome.to) ? [] : [{ ...outcome }],
  )
  const assigned: readonly AssignedPaths[] = changed.map(({ itemId, to }) => ({ itemId, paths: to }))
  if (owner.kind === 'group') await stores.items.putGroupCategories(owner.groupId, assigned)
  else await stores.items.putCategories(assigned, now)
  const changes = changed.flatMap(({ found, from, to }) =>
    recordChange(
      found.item,
      owner.kind === 'group' ? groupChangeOf(owner.groupId, from, to) : changeOf('categories', from, to),
    ),
  )
  const refused = judged.filter(({ failure }) => failure !== undefined)
  if (changed.length + refused.length === 0) return []
  const group = owner.kind === 'group' ? { groupId: owner.groupId } : {}
  const { audit } = await settle(stores, caller, [...changed, ...refused], group)
  const operation = owner.kind === 'group' ? 'updateGroupItems' : 'updateItems'
  return entriesOfRun(audit, { runId, changes, operation })
}

/** The entries of a step of a run, of which the one of what was done has its changes. */
export function entriesOfRun(
  entries: readonly AuditDetails[],
  {
    runId,
    changes,
    operation,
  }: { readonly runId: string; readonly changes: readonly RecordedChange[]; readonly operation: string },
): readonly AuditDetails[] {
  const ofRun = changes.map((change) => ({ ...change, runId }))
  return withChanges(
    entries.map((entry) => ({
      ...entry,
      operation,
      target: '/content/categories/runs',
      data: { ...entry.data, runId },
    })),
    ofRun,
  )
}

export const assignModes = ['set', 'add', 'remove'] as const
export const unknownChoices = ['refuse', 'skip'] as const

/** Paths of one item that are set, added or removed. */
export interface CategoryRules {
  readonly mode: (typeof assignModes)[number]
  /** Whether an item with paths that are none of the schema's is refused, or they are left out. */
  readonly onUnknown: (typeof unknownChoices)[number]
}

/** Paths that the item is to carry; refused if it may not. */
function judgeCategories(
  given: readonly string[],
  carried: readonly string[],
  known: KnownPaths,
  { mode, onUnknown }: CategoryRules,
): readonly string[] {
  const { paths, unknown } = choosePaths(given, known, carried)
  const [first] = unknown
  if (first !== undefined && onUnknown === 'refuse') throw operationRefused(unknownCategory(first, known))
  if (mode === 'remove') return carried.filter((path) => !paths.includes(path))
  return requireFew(mode === 'add' ? [...new Set([...carried, ...paths])] : paths)
}
