import { formatCsvRow, guardFormula } from '../../csv-text.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { refused } from '../failure.ts'
import { requireWritable, writeWholeBy } from '../files/file.ts'
import { resumable } from '../items/job.ts'
import { confirm } from '../schemas/apply.ts'
import { openPlanned } from './both-portals.ts'
import { GroupTaker } from './take-groups.ts'
import { findJob, type Outcome, type TakeoverJob, withTakeover } from './takeover-job.ts'
import { readTakeover, type TakeoverPlan } from './takeover-plan.ts'

/** Refusals of an answer that are shown. */
const maxShown = 10

/** Makes what a plan says, once; interrupted, the same command resumes. */
export async function apply(call: Call): Promise<Answered> {
  const plan = await readTakeover(call)
  requireWritable(call.text('report'))
  const both = await openPlanned(call, plan)
  await confirm(call, `Take over ${plan.total} items and ${plan.groups.length} groups into ${plan.to.url}?`)
  return withTakeover(call, plan, async (job) => {
    if (job.state === 'undone') throw refused('This takeover was taken back; a new plan can be applied.')
    await resumable(
      call,
      () => `${job.known.size} of ${plan.total}`,
      () => new GroupTaker(both, plan, job).takeAll(),
    )
    await writeReport(call, job)
    return sumUp(plan, job)
  })
}

/** How far the takeover of a plan is, as this machine knows it. */
export async function status(call: Call): Promise<Answered> {
  const plan = await readTakeover(call)
  const job = findJob(call, plan)
  if (!job) return { json: { state: 'planned' }, text: 'It has not begun.' }
  requireWritable(call.text('report'))
  await writeReport(call, job)
  const { known, endedPlaces, groups, state } = job
  const done = [...endedPlaces].filter((place) => place !== 'org').length
  const { json, text } = sumUp(plan, job)
  const progress = `${state}: ${known.size} of ${plan.total} items, ${groups.size} of ${plan.groups.length} groups, of which ${done} are done.`
  const counted = { items: known.size, total: plan.total, groups: groups.size, groupsDone: done }
  return { json: { state, ...counted, ...json }, text: `${progress}\n${text}` }
}

function sumUp({ digest }: TakeoverPlan, { made, present, refused: rows }: TakeoverJob): Answered {
  const json = {
    summary: { made, present, refused: rows.length },
    refused: rows.map(([kind, sourceId, targetId, , reason]) => ({ kind, sourceId, targetId, reason })),
    runId: digest.slice('sha256:'.length).slice(0, 16),
  }
  const further = rows.length - maxShown
  const lines = [
    `${made} made, ${present} there before, ${rows.length} refused.`,
    ...rows.slice(0, maxShown).map(([kind, sourceId, , , reason]) => `${kind} ${sourceId}: ${reason}`),
    ...(further > 0 ? [`${further} further ones; --json and --report have all of them.`] : []),
  ]
  return { json, text: lines.join('\n'), exit: rows.length > 0 ? 1 : 0 }
}

async function writeReport(call: Call, job: TakeoverJob): Promise<void> {
  const path = call.text('report')
  if (path === undefined) return
  await writeWholeBy(path, async (take) => {
    const row = (...cells: readonly string[]) => take(formatCsvRow(cells.map(guardFormula)))
    row('kind', 'sourceId', 'targetId', 'result', 'reason')
    const isDone = ([, , , result]: Outcome) => result !== 'refused'
    for (const { items = [], outcomes = [] } of job.lines()) {
      for (const [sourceId, targetId, result] of items) row('item', sourceId, targetId, result, '')
      for (const outcome of outcomes.filter(isDone)) row(...outcome)
    }
    for (const outcome of job.refused) row(...outcome)
  })
}
