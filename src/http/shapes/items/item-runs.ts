import type { Run } from '../../../items/changes/run-operations.ts'
import { type JobFailure, jobStates, maxJobFailures, runKinds } from '../../../jobs/job.ts'
import { begunRunShape, failuresShape, failuresToWire } from '../jobs.ts'
import {
  boolean,
  choice,
  component,
  constant,
  either,
  id,
  integer,
  nullable,
  object,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

export const runShape = component(
  'Run',
  'Changes of many items that were made together.',
  object({
    id: id('Also the id of its job.'),
    kind: choice(runKinds),
    actor: nullable(text('Username of who began it; null for a deleted user.')),
    created: time('When it began.'),
    ended: nullable(time('When it ended; null while it runs.')),
    state: choice(jobStates),
    done: integer('Items that were processed, with or without success.', 0),
    total: integer('Items there were when it began.', 0),
    failed: integer('Failures that the job lists.', 0),
    changes: integer('Items that it has changed, as far as the log still has them.', 0),
    isRevertible: boolean('Whether it has ended, and has changes that are not undone.'),
    reverts: nullable(id('Run that it undoes.')),
  }),
)

export const plannedUndoShape = object({
  dryRun: constant(true),
  total: integer('Changes of the run or of the entry.', 0),
  undone: integer('Those that would be undone.', 0),
  failures: failuresShape,
})

export const undoAnswerShape = either(
  [plannedUndoShape, begunRunShape],
  'What it would do, or the job that it has begun.',
)

export function plannedUndoToWire(total: number, failures: readonly JobFailure[]): ValueOf<typeof plannedUndoShape> {
  const undone = total - failures.length
  return { dryRun: true, total, undone, failures: failuresToWire(failures.slice(0, maxJobFailures)) }
}

export function runToWire({ job, actor, changes, revertible }: Run): ValueOf<typeof runShape> {
  const { jobId, kind, state, done, total, failures, startedAt, endedAt } = job
  return {
    id: jobId,
    kind: runKinds.find((known) => known === kind)!,
    actor: actor ?? null,
    created: startedAt,
    ended: endedAt ?? null,
    state,
    done,
    total,
    failed: failures.length,
    changes,
    isRevertible: endedAt !== undefined && revertible > 0,
    reverts: job.reverts ?? null,
  }
}
