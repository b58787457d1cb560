import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { Privilege } from '../call/privilege.ts'
import { holds } from '../directory/permissions.ts'
import { requireMayOwnMoreItems } from '../directory/quotas.ts'
import type { User } from '../directory/user.ts'
import { findNamedUser, requireUser } from '../directory/users/named-user.ts'
import { itemNotFound, operationRefused } from '../errors.ts'
import type { BegunJob, JobStep } from '../jobs/job.ts'
import { beginJob } from '../jobs/operations.ts'
import type { JobStore } from '../jobs/store.ts'
import { say } from '../sentences/say.ts'
import { attemptEach } from './attempt.ts'
import { deleteChecked, reassignTo, type StoresOfOwners } from './owner-operations.ts'
import type { ItemStores } from './store.ts'

/** Items of a user who leaves go to another one, or are deleted: however many there are (chosen). */

/** Input of the job. */
interface Transfer {
  readonly ownerId: string
  readonly ownerUsername: string
  /** Id of the new owner; absent where the items are deleted. */
  readonly targetId?: string
}

/** Items of one step, at most (chosen): a transaction of a few hundredths of a second. */
const itemsOfStep = 50

/** Begins the job and answers its id. Nothing is begun that more items than the other user may own would end. */
export async function transferItems(
  stores: StoresOfOwners & { readonly jobs: JobStore },
  call: Call,
  input: {
    readonly username: string
    readonly jobId: string
    readonly to: Parsed<{ readonly targetUsername: string | undefined; readonly delete: boolean | undefined }>
  },
): Promise<{ readonly jobId: string }> {
  const { caller, user } = await requireUser(stores, call, input.username)
  requireMayTransfer(caller, user.portalId, 'value' in input.to ? [privilegeFor(input.to.value.delete)] : privileges)
  const { targetUsername, delete: isDeletion = false } = unwrapParsed(input.to)
  if ((targetUsername === undefined) !== isDeletion) {
    throw operationRefused(
      'Either targetUsername or delete=true is needed: who gets the items, or that they are deleted.',
    )
  }
  const owned = await stores.items.sumItemsOwnedBy(user.userId)
  const begun: Transfer = { ownerId: user.userId, ownerUsername: user.username }
  let transfer = begun
  if (targetUsername !== undefined) {
    const target = requireNewOwner(
      await findNamedUser(stores, targetUsername),
      { portalId: user.portalId, ownerId: user.userId },
      targetUsername,
    )
    if (owned.items > 0) await requireMayOwnMoreItems(stores, call, target, owned)
    transfer = { ...begun, targetId: target.userId }
  }
  const { jobId } = input
  const { portalId } = user
  const begunJob = { jobId, portalId, kind: 'transferItems', input: transfer, total: owned.items } as const
  await beginJob(stores, { ...call, caller }, begunJob)
  return { jobId }
}

/** The user if that is another enabled one of the organization. */
function requireNewOwner(target: User | undefined, { portalId, ownerId }: Owner, named: string): User {
  if (target && target.portalId === portalId && !target.disabled && target.userId !== ownerId) return target
  throw operationRefused(`targetUsername: ${say('notAnotherUser', { username: named })}`)
}

interface Owner {
  readonly portalId: string
  readonly ownerId: string
}

const privileges = ['portal:admin:reassignItems', 'portal:admin:deleteItems'] as const

function privilegeFor(isDeletion = false): Privilege {
  return privileges[isDeletion ? 1 : 0]
}

/** One of the privileges is enough: before the input is known to be right, it may mean either. */
function requireMayTransfer(caller: Caller, portalId: string, enough: readonly Privilege[]): void {
  requirePermission(
    enough.some((privilege) => holds(caller, portalId, privilege)),
    enough[0],
  )
}

/** The item that is given or deleted next. */
export async function nextOfOwner({ items }: Pick<StoresOfOwners, 'items'>, { input, position }: BegunJob) {
  const [itemId] = await items.listItemIdsOwnedBy((input as Transfer).ownerId, 1, position)
  return itemId === undefined ? undefined : { itemId, position: itemId }
}

/** One step: the next items in the order of their ids, each by the rules by which it is given or deleted alone. */
export async function transferSome(
  stores: StoresOfOwners,
  call: Call & { readonly caller: Caller },
  job: BegunJob,
  maxItems: number,
): Promise<JobStep> {
  const max = Math.min(maxItems, itemsOfStep)
  const { caller } = call
  const { ownerId, ownerUsername, targetId } = job.input as Transfer
  requireMayTransfer(caller, job.portalId, [privilegeFor(targetId === undefined)])
  const target = targetId === undefined ? undefined : await stores.directory.findUserById(targetId)
  if (targetId !== undefined) requireNewOwner(target, { portalId: job.portalId, ownerId }, target?.username ?? targetId)
  const itemIds = await stores.items.listItemIdsOwnedBy(ownerId, max, job.position)
  const { outcomes, audit } = await attemptEach(stores, caller, ownerId, itemIds, async (itemId) => {
    const found = await stores.items.findItemFor(itemId, caller.userId)
    if (!found) throw itemNotFound()
    if (target) return { changes: await reassignTo(stores, call, found.item, target) }
    await deleteChecked(stores, call, found)
    return {}
  })
  const operation = target ? 'reassignItem' : 'deleteItems'
  return {
    done: itemIds.length,
    failures: outcomes.flatMap(({ itemId, failure }) => (failure ? [{ itemId, ...failure }] : [])),
    position: itemIds.length < max ? undefined : itemIds.at(-1),
    entries:
      itemIds.length === 0
        ? []
        : audit.map((entry) => ({ ...entry, operation, target: `/content/users/${ownerUsername}` })),
  }
}

/**
 * Removes links to groups that have ended with the group or with a membership: a bounded number; `isDone` when there were none.
 * The log has an entry without a caller for it, as of an unshare, in each organization of these items.
 */
export async function removeEndedLinks(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  const ended = await items.endLinks()
  if (!ended || ended.changes.length === 0) return { isDone: !ended, audit: nothingDone }
  const { groupId } = ended
  const audit = [...Map.groupBy(ended.changes, ({ portalId }) => portalId)].map(([portalId, changes]) => ({
    portalId,
    operation: 'unshareItems',
    target: `/community/groups/${groupId}`,
    data: { targets: changes.map(({ itemId }) => itemId), groups: [groupId] },
    changes,
  }))
  return { isDone: false, audit }
}
