import type { ItemSearch } from '../portals/item-search.ts'
import { absentFrom, hasSamePaths, type ItemWriter } from '../portals/item-writer.ts'
import type { Place } from '../portals/place.ts'
import type { Refusal } from './item-table.ts'
import type { Batch, Entry, Job } from './job.ts'

/** An item of a job, and what it gets by what it carries: its categories, or why it is refused. */
export interface Task {
  readonly row: number
  readonly id: string
  decide(carried: readonly string[]): readonly string[] | string
}

type At = Readonly<{ search: ItemSearch; writer: ItemWriter; place: Place }>

/**
 * Does the tasks in batches, of which the first ones were done by a former command: what items carry is read, journalled and written,
 * and read back. The batch under way is looked at first, and only what is as it was before is written.
 */
export async function doBatches(job: Job, batches: Iterable<readonly Task[]>, at: At): Promise<void> {
  let passed = job.items
  for (const tasks of batches) {
    if (passed > 0) {
      passed -= tasks.length
      continue
    }
    const begun = job.underWay.batch
    const batch = begun ?? (await decide(tasks, at))
    if (!begun && batch.changes.length > 0) job.note({ batch })
    const changes = batch.changes.map(([, id, from, to]) => ({ id, from, to }))
    const problems = await (begun ? at.writer.resume(changes) : at.writer.write(changes))
    const failed = batch.changes.flatMap(([row, itemId]) => {
      const problem = problems.get(itemId)
      return problem === undefined ? [] : [{ row, itemId, problem }]
    })
    const sums = { items: tasks.length, changed: changes.length - failed.length, unchanged: batch.unchanged }
    job.note({ done: { ...sums, refused: [...batch.refused, ...failed] } })
  }
}

async function decide(tasks: readonly Task[], { search, place }: At): Promise<Batch> {
  const ids = tasks.map(({ id }) => id)
  const found = await search.findEach(place, ids)
  const [changes, refused]: [Entry[], Refusal[]] = [[], []]
  let unchanged = 0
  for (const { row, id, decide: decideOne } of tasks) {
    const item = found.get(id)
    const decided = item ? decideOne(item.categories) : absentFrom(place)
    if (typeof decided === 'string') refused.push({ row, itemId: id, problem: decided })
    else if (hasSamePaths(item!.categories, decided)) unchanged += 1
    else changes.push([row, id, item!.categories, decided])
  }
  return { changes, refused, unchanged }
}
