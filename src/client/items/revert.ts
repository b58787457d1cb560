import type { Answered, Call } from '../command-line/run.ts'
import { refused } from '../failure.ts'
import { PortalRefused } from '../network/connection.ts'
import { textOf } from '../network/facts.ts'
import { changedMeanwhile, hasSamePaths, ItemWriter } from '../portals/item-writer.ts'
import type { OpenPortal } from '../portals/open.ts'
import type { Portal } from '../portals/portal.ts'
import { confirm } from '../schemas/apply.ts'
import { Sources } from '../schemas/source.ts'
import { doBatches, type Task } from './batches.ts'
import { hasRuns, sumUp } from './categorize.ts'
import { listRuns, waitForRun } from './imports.ts'
import { findJournal, type JobLine, lockJob, withJob } from './job.ts'

/** Takes back what a run has changed, where no one has changed it since: a run too. */
export async function revert(call: Call): Promise<Answered> {
  const [id] = call.positionals as [string]
  const opened = await new Sources(call).portal()
  const { portal, facts } = opened
  const kept = findJournal(call, portal, id)
  if (!kept && !hasRuns(facts)) throw refused(`This machine has no run ${id} of ${portal.url}.`)
  await confirm(call, `Take back what the run ${id} has changed?`)
  if (!kept) return revertRuns(portal, [id])
  return lockJob(call, portal, id.replace(/-\d+$/, ''), async () => {
    const runs: string[] = []
    for (const { run } of kept.lines()) if (run !== undefined) runs.push(run)
    return runs.length > 0
      ? revertRuns(portal, runs)
      : revertHere(call, opened, textOf(kept.head['place']), id, kept.lines)
  })
}

async function revertHere(
  call: Call,
  { portal, find }: OpenPortal,
  key: string,
  id: string,
  lines: () => Iterable<JobLine>,
): Promise<Answered> {
  const place = await find(key)
  let total = 0
  for (const { batch } of lines()) total += batch?.changes.length ?? 0
  return withJob(call, portal, { command: call.name, place: key, digest: id }, async (job) => {
    const writer = new ItemWriter(portal.connection, portal.items, place)
    await job.run(total, () => doBatches(job, listBatches(lines()), { search: portal.items, writer, place }))
    return sumUp(call, job)
  })
}

/** The changes of a run, backwards: an item that is as before needs none. */
function* listBatches(lines: Iterable<JobLine>): Generator<readonly Task[]> {
  for (const { batch } of lines) {
    if (!batch) continue
    yield batch.changes.map(([row, id, from, to]): Task => {
      const decide = (carried: readonly string[]) =>
        hasSamePaths(carried, to) || hasSamePaths(carried, from) ? from : changedMeanwhile
      return { row, id, decide }
    })
  }
}

/** Has the portal undo its runs, the last one first; one that it undoes, or has undone, is not begun again. */
async function revertRuns(portal: Portal, runs: readonly string[]): Promise<Answered> {
  const [failures, undone]: [{ itemId: string; message: string }[], string[]] = [[], []]
  let total = 0
  for (const id of runs.toReversed()) {
    const known = (await listRuns(portal, 100)).find(({ reverts, state }) => reverts === id && state !== 'cancelled')
    const begun = known ?? (await beginRevert(portal, id))
    const run = textOf(known?.['id'] ?? begun['jobId'])
    failures.push(...(await waitForRun(portal, run)))
    total += Number(begun['total'])
    undone.push(run)
  }
  const rows = failures.map(({ itemId, message }) => ({ row: 0, itemId, problem: message }))
  const summary = { changed: total - rows.length, unchanged: 0, refused: rows.length }
  const lines = [
    `${summary.changed} changed, ${rows.length} refused.`,
    ...rows.map((one) => `${one.itemId}: ${one.problem}`),
  ]
  const exit = rows.length > 0 ? 1 : 0
  return { json: { summary, runId: undone.at(-1) ?? null, refused: rows }, text: lines.join('\n'), exit }
}

async function beginRevert({ connection, url }: Portal, id: string) {
  const path = `/content/categories/runs/${encodeURIComponent(id)}/revert`
  try {
    return await connection.call(path, {}, { isWrite: true })
  } catch (error) {
    if (!(error instanceof PortalRefused) || error.portalCode !== 404) throw error
    throw refused(`There is no run ${id} of yours at ${url}.`)
  }
}
