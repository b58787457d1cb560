import { type Job, jobKinds, jobStates, maxJobFailures } from '../../jobs/job.ts'
import { causeMember, causeToWire } from './cause.ts'
import { changedBy } from './items/item-results.ts'
import { choice, component, id, integer, list, nullable, object, text, time, type ValueOf } from './shape.ts'

/** Shape of what a job could not do, or could not if it began. */
export const failuresShape = list(
  object(
    { code: integer('Comparable to an HTTP status.'), message: text() },
    { itemId: id(), ...causeMember, ...changedBy },
  ),
  `What could not be done: the first ${maxJobFailures}. Without itemId, why the job could not go on.`,
)

export const jobShape = component(
  'Job',
  'Work that goes on behind the request that began it.',
  object({
    id: id(),
    kind: choice(jobKinds),
    state: choice(
      jobStates,
      'waiting: for a place; completed_with_failures: all but the failures; failed: it could not go on.',
    ),
    done: integer('How many were processed, with or without success.', 0),
    total: integer('How many there were when it began.', 0),
    failures: failuresShape,
    started: time('When it began.'),
    ended: nullable(time('When it ended; null while it waits or runs.')),
  }),
)

export type WireJob = ValueOf<typeof jobShape>

export function jobToWire({ jobId, kind, state, done, total, failures, startedAt, endedAt }: Job): WireJob {
  const common = { id: jobId, kind, state, done, total, failures: failuresToWire(failures) }
  return { ...common, started: startedAt, ended: endedAt ?? null }
}

export function failuresToWire(failures: Job['failures']) {
  return failures.map((failure) => ({ ...failure, ...causeToWire(failure.message) }))
}

/** Answer of an operation that begins a run. */
export const begunRunShape = object({
  jobId: id('Its state is at /portals/<portal>/jobs/<jobId>.'),
  total: integer('Items to be processed.', 0),
})

/** Answer of an operation that begins a job. */
export const begunJobShape = object({ jobId: id('Its state is at /portals/<portal>/jobs/<jobId>.') })
