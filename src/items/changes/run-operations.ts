import { type Call, requireCaller } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { isDefaultAdministrator } from '../../directory/permissions.ts'
import { operationRefused, resourceNotFound } from '../../errors.ts'
import { type BegunJob, type Job, type JobFailure, type JobStep, runKinds } from '../../jobs/job.ts'
import { beginJob } from '../../jobs/operations.ts'
import type { JobReader, JobStore } from '../../jobs/store.ts'
import type { Page, Slice } from '../../paging.ts'
import { say } from '../../sentences/say.ts'
import { attempt, changesOf, type ItemOutcome, settle, type WithItemChanges } from '../attempt.ts'
import type { ChangePlace, ItemHistoryReader } from '../history-store.ts'
import type { ItemReaders } from '../store.ts'
import { entriesOfRun } from './categorize.ts'
import { itemsOfStep } from './change-operations.ts'
import { rehearseReverts } from './rehearsal.ts'
import { revertChange, type StoresOfHistory } from './revert.ts'

/** Runs: jobs whose changes of items can be undone together. */

export interface Run {
  readonly job: Job
  /** Username of who began it; undefined for a deleted user. */
  readonly actor: string | undefined
  /** Items that it has changed, as far as the log has them. */
  readonly changes: number
  /** Changes of these that are not undone. */
  readonly revertible: number
}

/** Runs of the caller; for administrators, those of the organization. The last one first. */
export async function listItemRuns(
  stores: ItemReaders & { readonly jobs: JobReader; readonly itemHistory: ItemHistoryReader },
  call: Call,
  input: { readonly page: Parsed<Page> },
): Promise<Slice<Run> & { readonly page: Page }> {
  const caller = requireCaller(call)
  const page = unwrapParsed(input.page)
  const starterId = isDefaultAdministrator(caller, caller.portalId) ? undefined : caller.userId
  const { total, entries } = await stores.jobs.listJobs(caller.portalId, starterId, page, runKinds)
  const runs: Run[] = []
  for (const job of entries) {
    runs.push({
      job,
      actor: (await stores.directory.findUserById(job.starterId))?.username,
      ...(await stores.itemHistory.countRunChanges(job.jobId)),
    })
  }
  return { total, entries: runs, page }
}

/** Begins a job that undoes the changes of a run, the last first, for who began the run and for administrators. */
export async function revertItemRun(
  stores: StoresOfHistory & { readonly jobs: JobStore },
  call: Call,
  input: { readonly runId: string; readonly jobId: string },
): Promise<{ readonly jobId: string; readonly total: number }> {
  const caller = requireCaller(call)
  const { jobId, runId } = input
  const { portalId } = caller
  await requireEndedRun(stores, caller, runId)
  const { changes: total } = await stores.itemHistory.countRunChanges(runId)
  const job = { jobId, portalId, kind: 'revertItemRun', input: {}, reverts: runId, total } as const
  await beginJob(stores, { ...call, caller }, job)
  return { jobId, total }
}

async function requireEndedRun({ jobs }: { readonly jobs: JobReader }, caller: Caller, runId: string): Promise<void> {
  const { portalId } = caller
  const run = await jobs.findJob(runId)
  const isTheirs = run?.starterId === caller.userId || isDefaultAdministrator(caller, portalId)
  const isRun = run?.portalId === portalId && runKinds.some((kind) => kind === run.kind)
  if (!isRun || !isTheirs) throw resourceNotFound()
  if (run.endedAt === undefined) throw operationRefused(say('runRunning'))
}

/** Plan of the undoing of a part of a run. */
export interface PlannedUndo {
  /** Changes of this part. */
  readonly total: number
  readonly failures: readonly JobFailure[]
  /** Place after which the rest begins; undefined at the end. */
  readonly place: ChangePlace | undefined
}

/** Changes of one part (chosen): a search of a few tenths of a second. */
const changesOfPlan = 1_000

/** Judges the next changes of a run by the rules by which they are undone, each for itself; writes nothing. */
export async function planItemRunRevert(
  stores: ItemReaders & { readonly jobs: JobReader; readonly itemHistory: ItemHistoryReader },
  call: Call,
  input: { readonly runId: string; readonly place: ChangePlace | undefined },
): Promise<PlannedUndo> {
  await requireEndedRun(stores, requireCaller(call), input.runId)
  const changes = await stores.itemHistory.listRunChanges(input.runId, input.place, changesOfPlan)
  const failures = await rehearseReverts(stores, call, changes)
  return { total: changes.length, failures, place: changes.length === changesOfPlan ? changes.at(-1) : undefined }
}

const positionOf = ({ entry, itemId }: ChangePlace) => `${entry} ${itemId}`

function placeOf({ position }: Job): ChangePlace | undefined {
  const [entry, itemId] = position.split(' ')
  return itemId === undefined ? undefined : { entry: Number(entry), itemId }
}

/** The change that is undone next. */
export async function nextOfRun({ itemHistory }: { readonly itemHistory: ItemHistoryReader }, job: BegunJob) {
  const next = await itemHistory.findRunPlace(job.reverts!, placeOf(job))
  return next && { itemId: next.itemId, position: positionOf(next) }
}

/** One step: the next changes, each by the rules by which it is undone alone. */
export async function revertSome(
  stores: StoresOfHistory,
  call: Call & { readonly caller: Caller },
  job: BegunJob,
  maxItems: number,
): Promise<JobStep> {
  const max = Math.min(maxItems, itemsOfStep)
  const changes = await stores.itemHistory.listRunChanges(job.reverts!, placeOf(job), max)
  const outcomes: ItemOutcome<WithItemChanges>[] = []
  for (const change of changes) {
    outcomes.push(await attempt(change.itemId, async () => ({ changes: await revertChange(stores, call, change) })))
  }
  const last = changes.at(-1)
  const { audit } = await settle(stores, call.caller, outcomes)
  return {
    done: changes.length,
    failures: outcomes.flatMap((one) => (one.failure ? [{ itemId: one.itemId, ...one.failure }] : [])),
    position: last && changes.length === max ? positionOf(last) : undefined,
    entries:
      changes.length === 0
        ? []
        : entriesOfRun(audit, { runId: job.jobId, changes: changesOf(outcomes), operation: 'revertHistoryEntry' }),
  }
}
