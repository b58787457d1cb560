import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { requireOwnPortal } from '../../directory/portal-operations.ts'
import { resourceNotFound } from '../../errors.ts'
import type { JobFailure } from '../../jobs/job.ts'
import type { Page, Slice } from '../../paging.ts'
import { attempt, changesOf, type ItemOutcome, type SettledItems, settle, type WithItemChanges } from '../attempt.ts'
import type { ItemHistoryReader, StoredChange } from '../history-store.ts'
import { requireItem } from '../item-access.ts'
import { type ItemChange, isUnkept } from '../item-change.ts'
import { canViewItem, mayUpdateItem } from '../item-permissions.ts'
import type { ItemReaders } from '../store.ts'
import { rehearseReverts } from './rehearsal.ts'
import { keepSeen, revertChange, type StoresOfHistory } from './revert.ts'

/** A change as its readers see it: with usernames, and the groups that they see. */
export interface ShownChange extends Omit<StoredChange, 'change'> {
  /** Undefined where it was too long to be kept. */
  readonly change: (Omit<ItemChange, 'owner'> & { readonly owner?: FormerOwners }) | undefined
}

/** Usernames; null for users who are deleted. */
interface FormerOwners {
  readonly from: string | null
  readonly to: string | null
}

/** Changes of an item, the last first, for who may update it. */
export async function listItemHistory(
  stores: ItemReaders & { readonly itemHistory: ItemHistoryReader },
  call: Call,
  input: { readonly itemId: string; readonly page: Parsed<Page> },
): Promise<Slice<ShownChange> & { readonly page: Page }> {
  const { caller, found } = await requireItem(stores, call, input.itemId)
  requirePermission(mayUpdateItem(caller, found))
  const page = unwrapParsed(input.page)
  const { total, entries } = await stores.itemHistory.listItemChanges(found.item.itemId, page)
  const shown: ShownChange[] = []
  for (const entry of entries) shown.push(await show(stores, caller, entry))
  return { total, entries: shown, page }
}

async function show(stores: ItemReaders, caller: Caller, stored: StoredChange): Promise<ShownChange> {
  const { change } = stored
  if (isUnkept(change)) return { ...stored, change: undefined }
  const { owner, groups, groupCategories, ...others } = change
  const isSeen = (ids: readonly string[] = []) => keepSeen(stores, caller, ids, (id) => id)
  const [added, removed] = [await isSeen(groups?.added), await isSeen(groups?.removed)]
  const seenCategories = await keepSeen(stores, caller, groupCategories ?? [], ({ groupId }) => groupId)
  const nameOf = async (userId: string) => (await stores.directory.findUserById(userId))?.username ?? null
  return {
    ...stored,
    change: {
      ...others,
      ...(owner && { owner: { from: await nameOf(owner.from), to: await nameOf(owner.to) } }),
      // Empty lists would say that there was a hidden group.
      ...(added.length + removed.length > 0 && { groups: { added, removed } }),
      ...(seenCategories.length > 0 && { groupCategories: seenCategories }),
    },
  }
}

interface EntryOfItems {
  readonly portalId: string
  readonly entry: number | undefined
  readonly itemId: Parsed<string | undefined>
}

/** The changes beside an entry of the log. Items that the caller does not see are as if they were not beside it. */
async function requireEntryChanges(
  stores: ItemReaders & { readonly itemHistory: ItemHistoryReader },
  call: Call,
  input: EntryOfItems,
): Promise<{ readonly caller: Caller; readonly changes: readonly StoredChange[] }> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const caller = requireCaller(call)
  const itemId = unwrapParsed(input.itemId)
  const beside = input.entry === undefined ? [] : await stores.itemHistory.listEntryChanges(input.entry)
  const listed = await stores.items.listItemsFor(
    beside.map((one) => one.itemId),
    caller.userId,
  )
  const seen = new Set(listed.flatMap((found) => (canViewItem(caller, found) ? found.item.itemId : [])))
  const changes = beside.filter(
    (one) =>
      one.portalId === portal.portalId && seen.has(one.itemId) && (itemId === undefined || one.itemId === itemId),
  )
  if (changes.length === 0) throw resourceNotFound()
  return { caller, changes }
}

/** Judges the changes beside an entry of the log by the rules by which they are undone; writes nothing. */
export async function planHistoryEntryRevert(
  stores: ItemReaders & { readonly itemHistory: ItemHistoryReader },
  call: Call,
  input: EntryOfItems,
): Promise<{ readonly total: number; readonly failures: readonly JobFailure[] }> {
  const { changes } = await requireEntryChanges(stores, call, input)
  return { total: changes.length, failures: await rehearseReverts(stores, call, changes) }
}

/** Undoes the changes beside an entry of the log, each item for itself and as the caller may change it today (chosen). */
export async function revertHistoryEntry(
  stores: StoresOfHistory,
  call: Call,
  input: EntryOfItems,
): Promise<SettledItems<WithItemChanges>> {
  const { caller, changes } = await requireEntryChanges(stores, call, input)
  const outcomes: ItemOutcome<WithItemChanges>[] = []
  for (const change of changes) {
    outcomes.push(await attempt(change.itemId, async () => ({ changes: await revertChange(stores, call, change) })))
  }
  return settle(stores, caller, outcomes, { changes: changesOf(outcomes) })
}
