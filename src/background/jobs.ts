import { isBelowFloor } from '../call/disk.ts'
import type { Publisher } from '../categories/drafts/store.ts'
import { type JobInTurn, maxFailedSteps } from '../jobs/job.ts'
import { StorageContended, StorageUnavailable } from '../storage/storage.ts'
import { execute, type HousekeepingNeeds } from './housekeeping.ts'
import { pause, startLoop } from './loop.ts'

/** Milliseconds until the next look for work, where there was none (chosen): it begins within this time. */
const lookInterval = 250
/** Milliseconds after the database did not answer (chosen). */
const afterFailure = 10_000

/** Items of the first step of a job on this server, and of any step (chosen). */
const firstItems = 5
const maxItems = 100
/** Milliseconds of a step above which the next one has fewer items (chosen). */
const longStep = 1_000

/** Work that is due: the next step of a job, or the first draft of a person whose time of publication has come. */
type Work = { readonly portalId: string; readonly person: string; readonly id: string; readonly since: number } & (
  | { readonly job: JobInTurn; readonly draft?: undefined }
  | { readonly draft: Publisher; readonly job?: undefined }
)

/** Turns that are remembered (chosen). */
const maxTurns = 10_000

/** Receivers of what the work reports. */
export interface WorkReports {
  onFailure(error: unknown, message: string, about?: Readonly<Record<string, unknown>>): void
  /** Whether work pauses, as the disk is nearly full. */
  onPause(pauses: boolean): void
}

const noReports: WorkReports = { onFailure: () => undefined, onPause: () => undefined }

/** A server's work behind requests. */
export interface Worker {
  /** Does what is due next; false where nothing is. Rejects where the database does not answer. */
  step(): Promise<boolean>
}

/**
 * Organizations take turns, in each of them its people, and then the jobs and drafts of each. What fails unexpectedly is tried
 * again in its turns, and given up after the third time: an item of a job, or a draft.
 */
export function openWorker(needs: HousekeepingNeeds, { onFailure, onPause }: WorkReports = noReports): Worker {
  const { storage, limits, now, random } = needs
  const holder = random.id()
  /** Numbers of the last turns, of organizations, people and work. */
  const turns = new Map<string, number>()
  let turn = 0
  /** Items of the next step of a job. */
  const sizes = new Map<string, number>()
  /** Unexpected failures of drafts, in a row. */
  const failedDrafts = new Map<string, number>()
  let pauses = false

  const keysOf = ({ portalId, person, id }: Work) => [portalId, `${portalId} ${person}`, id]
  const turnsOf = (work: Work) => [...keysOf(work).map((key) => turns.get(key) ?? 0), work.since]

  function takeTurn(work: Work): void {
    turn += 1
    if (turns.size > maxTurns) turns.clear()
    for (const key of keysOf(work)) turns.set(key, turn)
  }

  async function findWork(): Promise<Work | undefined> {
    const found = await storage.read(async ({ drafts, jobs, disk }) => {
      const [due, running] = [await drafts.listDuePublishers(now()), await jobs.listRunningJobs()]
      const space = due.length + running.length > 0 ? await disk.findSpace(true) : undefined
      return { due, running, isFull: space !== undefined && isBelowFloor(space, limits) }
    })
    if (found.isFull !== pauses) onPause(found.isFull)
    pauses = found.isFull
    if (pauses) return undefined
    const running = new Set(found.running.map(({ jobId }) => jobId))
    for (const jobId of sizes.keys()) if (!running.has(jobId)) sizes.delete(jobId)
    const all: readonly Work[] = [
      ...found.due.map(({ publishAt: since, ...draft }) => {
        const { portalId, username: person } = draft
        return { draft, portalId, person, id: `draft ${portalId} ${person}`, since }
      }),
      ...found.running.filter(isFree).map((job) => {
        const { portalId, starterId: person, jobId: id, steppedAt: since } = job
        return { job, portalId, person, id, since }
      }),
    ]
    return all.toSorted((one, other) => compare(turnsOf(one), turnsOf(other)))[0]
  }

  function isFree({ leasedBy, leasedUntil = 0 }: JobInTurn): boolean {
    return leasedBy === undefined || leasedBy === holder || leasedUntil <= now()
  }

  /** The outcome; with the sentence for a person after an unexpected error. Rejects where the database does not answer. */
  async function attempt(
    message: string,
    work: (requestId: string) => Promise<unknown>,
  ): Promise<{ readonly outcome: 'done' | 'contended' } | { readonly outcome: 'failed'; readonly sentence: string }> {
    const requestId = random.id()
    try {
      await work(requestId)
      return { outcome: 'done' }
    } catch (error) {
      if (error instanceof StorageUnavailable && !(error instanceof StorageContended)) throw error
      onFailure(error, message, { requestId })
      if (error instanceof StorageContended) return { outcome: 'contended' }
      return { outcome: 'failed', sentence: `An unexpected error occurred. For the operator: request ${requestId}.` }
    }
  }

  async function publish(draft: Publisher, id: string): Promise<void> {
    const tried = await attempt('A draft that is due was not published, and will be tried again.', (requestId) =>
      execute(needs, 'publishDueDraft', draft, requestId),
    )
    const failures = tried.outcome === 'failed' ? (failedDrafts.get(id) ?? 0) + 1 : 0
    failedDrafts.delete(id)
    if (tried.outcome !== 'failed') return
    if (failures < maxFailedSteps) failedDrafts.set(id, failures)
    else await execute(needs, 'publishDueDraft', { ...draft, failure: tried.sentence })
  }

  async function stepJob({ jobId, failedSteps }: JobInTurn): Promise<void> {
    const { isLeased } = await execute(needs, 'leaseJob', { jobId, holder })
    if (!isLeased) return
    const items = failedSteps > 0 ? 1 : (sizes.get(jobId) ?? firstItems)
    const begun = performance.now()
    const { retries } = storage.figures()
    const take = (input: { readonly items: number; readonly failure?: string }) =>
      attempt('A step of a job failed, and will be tried again.', (requestId) =>
        execute(needs, 'stepJob', { jobId, ...input }, requestId),
      )
    const tried = await take({ items })
    // Short steps win against writers with which longer ones conflict.
    const isLong = storage.figures().retries > retries || performance.now() - begun > longStep
    sizes.set(jobId, isLong ? Math.ceil(items / 4) : Math.min(items * 2, maxItems))
    if (tried.outcome !== 'failed') return
    const { failures } = await execute(needs, 'recordFailedStep', { jobId, message: tried.sentence })
    if (failures < maxFailedSteps || failures >= 2 * maxFailedSteps) return
    const givenUp = await take({ items: 1, failure: tried.sentence })
    if (givenUp.outcome === 'failed') await execute(needs, 'recordFailedStep', { jobId, message: tried.sentence })
  }

  return {
    async step() {
      const work = await findWork()
      if (!work) return false
      takeTurn(work)
      await (work.job ? stepJob(work.job) : publish(work.draft, work.id))
      return true
    },
  }
}

function compare(some: readonly number[], others: readonly number[]): number {
  const at = some.findIndex((one, index) => one !== others[index])
  return at < 0 ? 0 : some[at]! - others[at]!
}

/** Pause after a step, as a part of the time that it took (chosen): writes of others keep more than half of their rate. */
const pauseOfStep = 1.5

/** Does what is due until nothing is left: after each step, a pause for what others ask. */
export async function runJobs(
  needs: HousekeepingNeeds,
  signal = new AbortController().signal,
  worker = openWorker(needs),
): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now()
    if (!(await worker.step())) return
    await pause((performance.now() - begun) * pauseOfStep, signal)
  }
}

/** Does the work that there is, and that comes. Returns a function that ends it, and resolves when the last step is done. */
export function startJobs(needs: HousekeepingNeeds, reports = noReports): () => Promise<void> {
  const worker = openWorker(needs, reports)
  return startLoop(async (signal) => {
    try {
      await runJobs(needs, signal, worker)
      return lookInterval
    } catch (error) {
      if (!signal.aborted) reports.onFailure(error, 'Jobs could not go on, and will be tried again.')
      return afterFailure
    }
  })
}
