import type { TaskConfig } from '@lit/task'
import type { ReactiveControllerHost } from 'lit'
import { Reading } from '../elements/page.ts'
import type { UndoQuestion } from '../elements/undo-message.ts'
import { type BegunJob, followJob, type Job, throwFirst } from '../session/job.ts'
import { post } from '../session/session.ts'
import { Changes } from '../state/changes.ts'
import { type PlannedUndo, renderPlan } from './bulk/item-undo.ts'

/** Emits when items have been changed in another place than the shown screen, such as by Undo: screens read them again. */
export const changedItems = new Changes()

/** A reading of items, repeated when they are changed while its element is on the page. */
export class ItemReading<const Args extends readonly unknown[], Value> extends Reading<Args, Value> {
  constructor(host: ReactiveControllerHost, config: TaskConfig<Args, Value>) {
    super(host, config)
    let stop = () => {}
    const hostConnected = () => {
      stop = changedItems.watch(() => void this.run())
    }
    host.addController({ hostConnected, hostDisconnected: () => stop() })
  }
}

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

/** Undoes what a run has changed; where something has changed since, the person sees it and decides. */
export async function undoRun(runId: string, then = () => {}): Promise<UndoQuestion | undefined> {
  const plan = await planUndo(runId)
  const undo = async () => {
    const { failures } = await revertRun(runId)
    if (plan.failures.length === 0) throwFirst(failures)
    then()
  }
  if (plan.failures.length > 0) return { text: renderPlan(plan), undo: plan.undone > 0 ? undo : undefined }
  return void (await undo())
}
