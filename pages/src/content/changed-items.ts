import type { ReactiveControllerHost } from 'lit'
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

/** Undoes what a run has changed; answers what is undone, and what is refused as it has changed since. */
export async function revertRun(runId: string): Promise<Job> {
  const { jobId } = await post<BegunJob>(`/content/categories/runs/${encodeURIComponent(runId)}/revert`)
  const job = await followJob(jobId, () => {})
  changedItems.emit()
  return job
}

/** Undoes what a run has changed; rejects with the first reason, if something has changed since. */
export async function undoRun(runId: string): Promise<void> {
  throwFirst((await revertRun(runId)).failures)
}
