import type { AuditDetails } from '../../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { requirePrivilege } from '../../directory/portal-operations.ts'
import { findNamedUser } from '../../directory/users/named-user.ts'
import { operationRefused } from '../../errors.ts'
import type { BegunJob, Job, JobItem, JobStep } from '../../jobs/job.ts'
import { beginJob } from '../../jobs/operations.ts'
import type { JobStore } from '../../jobs/store.ts'
import { say } from '../../sentences/say.ts'
import { attempt, changesOf, type ItemOutcome, settle, type WithItemChanges } from '../attempt.ts'
import { requireVisibleItem } from '../item-access.ts'
import { updateItem } from '../item-operations.ts'
import { mayUpdateItem } from '../item-permissions.ts'
import { deleteChecked, reassignTo } from '../owner-operations.ts'
import { applySharing, endSharing, mayUnshare } from '../sharing-operations.ts'
import type { ItemOfMember } from '../store.ts'
import type { BulkChange } from './bulk-change.ts'
import { assignJudged, entriesOfRun, judgeItems, requireCategorizer } from './categorize.ts'
import type { StoresOfHistory } from './revert.ts'

/** One change of many items, as a job. */

/** Items of one job (chosen): as many as a search pages. */
export const maxBulkItems = 10_000

/** Items of one step, each with its reads and writes (chosen): a transaction of a few hundredths of a second. */
export const itemsOfStep = 25

/** Input of the job. */
interface BulkInput {
  readonly change: BulkChange
  /** Group whose categories change; undefined for those of the organization. */
  readonly groupId?: string
}

/** Begins the job. Each item is changed by the rules of its own operation, with the rights that the caller has then. */
export async function changeItems(
  stores: StoresOfHistory & { readonly jobs: JobStore },
  call: Call,
  input: {
    readonly jobId: string
    readonly itemIds: Parsed<readonly string[]>
    readonly change: Parsed<BulkChange>
    readonly groupId: string | undefined
  },
): Promise<{ readonly jobId: string; readonly total: number }> {
  const caller = requireCaller(call)
  const change = unwrapParsed(input.change)
  const itemIds = [...new Set(unwrapParsed(input.itemIds))]
  if (itemIds.length > maxBulkItems) {
    throw operationRefused(say('itemsTooMany', { count: itemIds.length, max: maxBulkItems }))
  }
  const isOfGroup = change.kind === 'categories' || change.kind === 'setCategories'
  const groupId = isOfGroup ? input.groupId : undefined
  if (groupId !== undefined) await requireCategorizer(stores, { ...call, caller }, groupId)
  if (change.kind === 'owner') {
    requirePrivilege(caller, caller.portalId, 'portal:admin:reassignItems')
    await requireNewOwner(stores, caller, change.username)
  }
  const { jobId } = input
  const { portalId } = caller
  const job = { jobId, portalId, kind: 'changeItems', total: itemIds.length } as const
  const inputOfJob = { change, ...(groupId !== undefined && { groupId }) }
  const rows = itemIds.map((itemId, at) => ({ row: at + 1, data: { itemId } }))
  await beginJob(stores, { ...call, caller }, { ...job, input: inputOfJob }, rows)
  return { jobId, total: itemIds.length }
}

async function requireNewOwner(stores: StoresOfHistory, caller: Caller, username: string) {
  const target = await findNamedUser(stores, username)
  if (target && target.portalId === caller.portalId && !target.disabled) return target
  throw operationRefused(`owner: ${say('notEnabledUser', { username })}`)
}

/** One step: the next items in their order. */
export async function changeSome(
  stores: StoresOfHistory & { readonly jobs: JobStore },
  call: Call & { readonly caller: Caller },
  job: BegunJob,
  maxItems: number,
): Promise<JobStep> {
  const { change, groupId } = job.input as BulkInput
  const isCategories = change.kind === 'categories' || change.kind === 'setCategories'
  const max = isCategories ? maxItems : Math.min(maxItems, itemsOfStep)
  const items = await stores.jobs.listJobItems(job.jobId, Number(job.position), max)
  const ids = items.map(({ data }) => (data as { readonly itemId: string }).itemId)
  const { outcomes, entries } = isCategories
    ? await categorize(stores, call, job, change, groupId, ids)
    : await changeEach(stores, call, job, change, ids)
  return { ...stepOf(items, max, outcomes), entries }
}

/** How far a step has come. */
export function stepOf(items: readonly JobItem[], max: number, outcomes: readonly ItemOutcome[]) {
  return {
    done: items.length,
    failures: outcomes.flatMap(({ itemId, failure }) => (failure ? [{ itemId, ...failure }] : [])),
    position: items.length < max ? undefined : String(items.at(-1)!.row),
  }
}

interface Done {
  readonly outcomes: readonly ItemOutcome[]
  readonly entries: readonly AuditDetails[]
}

type CategoryChange = Extract<BulkChange, { kind: 'categories' | 'setCategories' }>

/** Paths are added before others are removed, and decided together. */
async function categorize(
  stores: StoresOfHistory,
  call: Call & { readonly caller: Caller },
  { jobId }: Job,
  change: CategoryChange,
  groupId: string | undefined,
  ids: readonly string[],
): Promise<Done> {
  const owner = await requireCategorizer(stores, call, groupId)
  const given = (paths: readonly string[]) => ids.map((itemId) => ({ itemId, paths }))
  const rules = (mode: 'set' | 'add' | 'remove') => ({ mode, onUnknown: 'refuse' }) as const
  if (change.kind === 'setCategories') {
    const outcomes = await judgeItems(stores, call, owner, rules('set'), given(change.set))
    return { outcomes, entries: await assignJudged(stores, call, owner, outcomes, jobId) }
  }
  const added = await judgeItems(stores, call, owner, rules('add'), given(change.add))
  const removed = await judgeItems(stores, call, owner, rules('remove'), given(change.remove))
  const outcomes = added.map((one, at) => {
    const other = removed[at]!
    if (one.failure) return one
    if (other.failure) return other
    const gone = other.from.filter((path) => !other.to.includes(path))
    return { ...one, to: one.to.filter((path) => !gone.includes(path)) }
  })
  return { outcomes, entries: await assignJudged(stores, call, owner, outcomes, jobId) }
}

type OtherChange = Exclude<BulkChange, CategoryChange>

const operations = {
  tags: 'updateItem',
  sharing: 'shareItems',
  owner: 'reassignItem',
  delete: 'deleteItems',
} as const satisfies Readonly<Record<OtherChange['kind'], string>>

async function changeEach(
  stores: StoresOfHistory,
  call: Call & { readonly caller: Caller },
  { jobId }: Job,
  change: OtherChange,
  ids: readonly string[],
): Promise<Done> {
  const outcomes: ItemOutcome<WithItemChanges>[] = []
  for (const itemId of ids) {
    const outcome = await attempt(itemId, async () => {
      const found = await requireVisibleItem(stores, call, itemId)
      return changeOne(stores, call, found, change)
    })
    outcomes.push(outcome)
  }
  if (ids.length === 0) return { outcomes, entries: [] }
  const { audit } = await settle(stores, call.caller, outcomes)
  return {
    outcomes,
    entries: entriesOfRun(audit, { runId: jobId, changes: changesOf(outcomes), operation: operations[change.kind] }),
  }
}

async function changeOne(
  stores: StoresOfHistory,
  call: Call & { readonly caller: Caller },
  found: ItemOfMember,
  change: OtherChange,
): Promise<WithItemChanges> {
  const { item } = found
  const { caller } = call
  switch (change.kind) {
    case 'tags': {
      requirePermission(mayUpdateItem(caller, found))
      const tags = [...new Set([...item.tags, ...change.add])].filter((tag) => !change.remove.includes(tag))
      const given = { value: { properties: { tags }, text: undefined, categories: undefined } }
      const { audit } = await updateItem(stores, call, { username: item.ownerUsername, itemId: item.itemId, given })
      return { changes: (audit as AuditDetails).changes ?? [] }
    }
    case 'sharing':
      return shareOne(stores, call, found, change)
    case 'owner': {
      requirePrivilege(caller, item.portalId, 'portal:admin:reassignItems')
      const target = await requireNewOwner(stores, caller, change.username)
      return { changes: target.userId === item.ownerId ? [] : await reassignTo(stores, call, item, target) }
    }
    case 'delete':
      await deleteChecked(stores, call, found)
      return {}
  }
}

/** The level and the groups, or nothing where one of the groups is refused. */
async function shareOne(
  stores: StoresOfHistory,
  call: Call & { readonly caller: Caller },
  found: ItemOfMember,
  { level, add, remove, confirmItemControl }: Extract<BulkChange, { kind: 'sharing' }>,
): Promise<WithItemChanges> {
  requirePermission(await mayUnshare(stores, call.caller, found.item, remove))
  const flags = level && { everyone: level === 'public', org: level === 'org' }
  const changes = []
  if (level || add.length > 0) {
    const wish = {
      everyone: flags?.everyone,
      org: flags?.org,
      account: undefined,
      groups: add,
      confirmItemControl,
    }
    const form = { leavesGroups: false, lowers: true, isWhole: true }
    changes.push(...((await applySharing(stores, call, found, { value: wish }, form)).changes ?? []))
  }
  if (remove.length > 0) {
    changes.push(...((await endSharing(stores, call.caller, found, { value: remove })).changes ?? []))
  }
  return { changes }
}
