import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { callerOf } from '../directory/groups/admission.ts'
import { permissionDenied } from '../errors.ts'
import { importSome } from '../item-sheets/operations.ts'
import { attempt } from '../items/attempt.ts'
import { changeSome } from '../items/changes/change-operations.ts'
import { nextOfRun, revertSome } from '../items/changes/run-operations.ts'
import { nextOfOwner, transferSome } from '../items/transfer-operations.ts'
import {
  type BegunJob,
  type Job,
  type JobFailure,
  type JobKind,
  type JobStep,
  maxFailureLength,
  maxJobFailures,
  maxUnexpectedFailures,
} from '../jobs/job.ts'
import { endJob } from '../jobs/operations.ts'
import type { Stores } from '../storage/storage.ts'

/** Does a step of so many items as the starter of the job, with present rights. Throws a PortalError where the job cannot go on at all. */
type TakeStep = (
  stores: Stores,
  call: Call & { readonly caller: Caller },
  job: BegunJob,
  max: number,
) => Promise<JobStep>

/** The item that the next step begins with, and the position after it. */
type FindNext = (
  stores: Stores,
  job: BegunJob,
) => Promise<{ readonly itemId: string; readonly position: string } | undefined>

const nextRow: FindNext = async ({ jobs }, { jobId, position }) => {
  const found = await jobs.findJobRow(jobId, Number(position))
  return found && { itemId: found.itemId, position: String(found.row) }
}

const kinds: Readonly<Record<JobKind, readonly [TakeStep, FindNext]>> = {
  transferItems: [transferSome, nextOfOwner],
  changeItems: [changeSome, nextRow],
  importItemCategories: [importSome, nextRow],
  revertItemRun: [revertSome, nextOfRun],
}

/** Takes the next step of a job, of so many items at most. With `failure`, the next item is given up for this reason. */
export async function stepJob(
  stores: Stores,
  call: Call,
  { jobId, items, failure }: { readonly jobId: string; readonly items: number; readonly failure?: string },
): Promise<WithAuditDetails> {
  const job = await stores.jobs.findJob(jobId)
  if (job?.state !== 'running') return { audit: nothingDone }
  const begun = { ...job, input: (await stores.jobs.findJobInput(jobId)) ?? {} }
  const step = failure === undefined ? await takeStep(stores, call, begun, items) : await giveUp(stores, begun, failure)
  const failures = step.failures.map((one) => ({
    ...one,
    message: one.message.slice(0, maxFailureLength).toWellFormed(),
  }))
  const all = [...job.failures, ...failures].slice(0, maxJobFailures)
  const stepped = {
    ...job,
    done: job.done + step.done,
    failures: all,
    position: step.position ?? job.position,
    steppedAt: call.now,
  }
  if (step.position !== undefined) await stores.jobs.putJob(stepped)
  else {
    const state = failures.some(({ itemId }) => itemId === undefined) ? 'failed' : endOf(all)
    await endJob(stores, call, { ...stepped, state })
  }
  return { audit: step.entries.length === 0 ? nothingDone : step.entries }
}

const endOf = (failures: readonly JobFailure[]) => (failures.length > 0 ? 'completed_with_failures' : 'completed')

/** Takes a step. A refusal of the whole step ends the job: its starter or the new owner of the items is no longer permitted. */
async function takeStep(stores: Stores, call: Call, job: BegunJob, items: number): Promise<JobStep> {
  const starter = await stores.directory.findUserById(job.starterId)
  const outcome = await attempt(job.jobId, async () => {
    if (!starter || starter.disabled || starter.portalId !== job.portalId) throw permissionDenied()
    const [take] = kinds[job.kind]
    return take(stores, { ...call, caller: await callerOf(stores, starter) }, job, items)
  })
  if (outcome.failure) return ended(outcome.failure)
  const { username, portalId } = starter!
  return { ...outcome, entries: outcome.entries.map((entry) => ({ username, portalId, ...entry })) }
}

/** Passes the next item, without reading more of it than its id. */
async function giveUp(stores: Stores, job: BegunJob, message: string): Promise<JobStep> {
  const failure = { code: 500, message }
  if (job.failures.filter(({ code }: Job['failures'][number]) => code === 500).length >= maxUnexpectedFailures)
    return ended(failure)
  const [, findNext] = kinds[job.kind]
  const next = await findNext(stores, job)
  if (!next) return ended(failure)
  return { done: 1, failures: [{ itemId: next.itemId, ...failure }], position: next.position, entries: [] }
}

function ended(failure: JobFailure): JobStep {
  return { done: 0, failures: [failure], position: undefined, entries: [] }
}
