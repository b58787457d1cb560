import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { callerOf } from '../directory/groups/admission.ts'
import { permissionDenied } from '../errors.ts'
import { importSome } from '../item-sheets/operations.ts'
import { attempt } from '../items/attempt.ts'
import { changeSome } from '../items/bulk/change-operations.ts'
import { revertSome } from '../items/bulk/run-operations.ts'
import { transferSome } from '../items/transfer-operations.ts'
import { type Job, type JobFailure, type JobKind, type JobStep, maxJobFailures } from '../jobs/job.ts'
import type { Stores } from '../storage/storage.ts'

/** Does one step as the starter of the job, with present rights. Throws a PortalError where the job cannot go on at all. */
type TakeStep = (stores: Stores, call: Call & { readonly caller: Caller }, job: Job) => Promise<JobStep>

const steps: Readonly<Record<JobKind, TakeStep>> = {
  transferItems: transferSome,
  changeItems: changeSome,
  importItemCategories: importSome,
  revertItemRun: revertSome,
}

/** Takes the next step of the job that has waited longest. Several servers may do so concurrently: only one of them succeeds. */
export async function stepJob(stores: Stores, call: Call): Promise<WithAuditDetails & { readonly isIdle: boolean }> {
  const job = await stores.jobs.findNextJob()
  if (!job) return { isIdle: true, audit: nothingDone }
  const { done, failures, position, entries } = await takeStep(stores, call, job)
  const all = [...job.failures, ...failures].slice(0, maxJobFailures)
  const hasEnded = position === undefined
  const ended = failures.some(({ itemId }) => itemId === undefined) ? 'failed' : endOf(all)
  await stores.jobs.putJob({
    ...job,
    state: hasEnded ? ended : job.state,
    done: job.done + done,
    failures: all,
    position: position ?? job.position,
    steppedAt: call.now,
    endedAt: hasEnded ? call.now : undefined,
  })
  return { isIdle: false, audit: entries.length === 0 ? nothingDone : entries }
}

const endOf = (failures: readonly JobFailure[]) => (failures.length > 0 ? 'completed_with_failures' : 'completed')

/** Takes a step. A refusal of the whole step ends the job: its starter or the new owner of the items is no longer permitted. */
async function takeStep(stores: Stores, call: Call, job: Job): Promise<JobStep> {
  const starter = await stores.directory.findUserById(job.starterId)
  const outcome = await attempt(job.jobId, async () => {
    if (!starter || starter.disabled || starter.portalId !== job.portalId) throw permissionDenied()
    return steps[job.kind](stores, { ...call, caller: await callerOf(stores, starter) }, job)
  })
  if (outcome.failure) return { done: 0, failures: [outcome.failure], position: undefined, entries: [] }
  const { username, portalId } = starter!
  return { ...outcome, entries: outcome.entries.map((entry) => ({ username, portalId, ...entry })) }
}
