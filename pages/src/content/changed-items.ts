import type { ReactiveControllerHost } from 'lit'
import type { plannedUndoShape } from '../../../src/http/shapes/items/item-runs.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { type BegunJob, followJob, type Job, throwFirst } from '../session/job.ts'
import { post } from '../session/session.ts'
import { Changes } from '../state/changes.ts'

/** Emits when items have been changed in another place than the shown screen, such as by Undo: screens read them again. */
export const changedItems = new Changes()

/** Calls back with each change while an element is on the page. */
export function watchItems(host: ReactiveControllerHost, listener: () => unknown): void {
  let stop = () => {}
  const hostConnected = () => {
    stop = changedItems.watch(listener)
  }
  host.addController({ hostConnected, hostDisconnected: () => stop() })
}

export type PlannedUndo = ValueOf<typeof plannedUndoShape>

/** Undoes what a run has changed; answers what is undone, and what is refused as it has changed since. */
export async function revertRun(runId: string): Promise<Job> {
  const { jobId } = await post<BegunJob>(pathOf(runId))
  const job = await followJob(jobId, () => {})
  changedItems.emit()
  return job
}

/** Answers what that would undo, and what it would refuse. */
export function planUndo(runId: string): Promise<PlannedUndo> {
  return post(pathOf(runId), { dryRun: true })
}

function pathOf(runId: string): string {
  return `/content/categories/runs/${encodeURIComponent(runId)}/revert`
}

/** Undoes what a run has changed; rejects with the first reason, if something has changed since. */
export async function undoRun(runId: string): Promise<void> {
  throwFirst((await revertRun(runId)).failures)
}
