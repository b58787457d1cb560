import {
  type AuditDetails,
  type RecordedChange,
  settledEntries,
  type WithAuditDetails,
  withChanges,
} from '../call/audit-details.ts'
import type { Caller } from '../call/caller.ts'
import { attemptOne } from '../call/several.ts'
import type { PortalError } from '../errors.ts'
import { mergeRecorded } from './item-change.ts'
import { canViewItem } from './item-permissions.ts'
import type { ItemOfMember, ItemReaders } from './store.ts'

/** Outcome for one item of several. */
export type ItemOutcome<Result = object> = { readonly itemId: string } & (
  | ({ readonly failure?: undefined } & Result)
  | { readonly failure: Pick<PortalError, 'code' | 'message'> & { readonly changedBy?: string } }
)

/** Does to one item of several what a call asks for. */
export async function attempt<Result extends object>(
  itemId: string,
  work: () => Promise<Result>,
): Promise<ItemOutcome<Result>> {
  const done = await attemptOne(work)
  if (!done.refusal) return { itemId, ...done.result }
  const { code, message, members } = done.refusal
  return { itemId, failure: { code, message, ...members } }
}

/** Outcomes of all of them; the log has their ids, of those that were refused in entries of their own. */
export interface SettledItems<Result = object> extends WithAuditDetails {
  readonly outcomes: readonly ItemOutcome<Result>[]
  readonly audit: readonly AuditDetails[]
}

/** Owner of the items, where the call names one; or the group that it is done to as much as to its items; and what changed. */
interface DoneTo {
  readonly ownerId?: string
  readonly groupId?: string
  readonly changes?: readonly RecordedChange[]
}

/** Result that names what changed. */
export interface WithItemChanges {
  readonly changes?: readonly RecordedChange[]
}

/** Names those that were refused if they are of the caller's organization, or the caller sees them. */
export async function settle<Result extends object>(
  { items }: ItemReaders,
  caller: Caller,
  outcomes: readonly ItemOutcome<Result>[],
  { ownerId, groupId, changes = [] }: DoneTo = {},
): Promise<SettledItems<Result>> {
  const refused = [...new Set(outcomes.flatMap(({ itemId, failure }) => (failure ? itemId : [])))]
  const found = refused.length === 0 ? [] : await items.listItemsFor(refused, caller.userId)
  const isNamed = (one: ItemOfMember) => one.item.portalId === caller.portalId || canViewItem(caller, one)
  const named = new Set(found.filter(isNamed).map(({ item }) => item.itemId))
  const audit = settledEntries(
    outcomes.map(({ itemId, failure }) => ({
      target: !failure || named.has(itemId) ? itemId : undefined,
      code: failure?.code,
    })),
    (itemIds) => ({
      data: { targets: groupId === undefined ? itemIds : [groupId, ...itemIds] },
      ...(ownerId !== undefined && { ownerId }),
    }),
  )
  return { outcomes, audit: withChanges(audit, changes) }
}

/** Items of one owner, one after the other, in order. */
export async function attemptEach<Result extends WithItemChanges>(
  stores: ItemReaders,
  caller: Caller,
  ownerId: string,
  itemIds: readonly string[],
  work: (itemId: string) => Promise<Result>,
): Promise<SettledItems<Result>> {
  const outcomes: ItemOutcome<Result>[] = []
  for (const itemId of itemIds) outcomes.push(await attempt(itemId, () => work(itemId)))
  return settle(stores, caller, outcomes, { ownerId, changes: changesOf(outcomes) })
}

/** Changes that the outcomes name, of each item together. */
export function changesOf(outcomes: readonly ItemOutcome<WithItemChanges>[]): readonly RecordedChange[] {
  return mergeRecorded(outcomes.flatMap((outcome) => (outcome.failure ? [] : (outcome.changes ?? []))))
}
