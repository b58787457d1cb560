import { execute, type HousekeepingNeeds } from './housekeeping.ts'
import { pause, startLoop } from './loop.ts'

/** Milliseconds until the next look for work, where there was none (chosen): it begins within this time. */
const lookInterval = 250
/** Milliseconds after a step that failed, of a database that is away, say (chosen). */
const afterFailure = 10_000

/** The command that does what is due: a draft whose time of publication has come, or the next step of a job. */
function findWork({ storage, now }: HousekeepingNeeds): Promise<'publishDueDraft' | 'stepJob' | undefined> {
  return storage.read(async ({ drafts, jobs }) => {
    if (await drafts.findDueDraft(now())) return 'publishDueDraft'
    return (await jobs.findNextJob()) ? 'stepJob' : undefined
  })
}

/** Does what is due until nothing is left: after each step, as long a pause as it took, for what others ask. */
export async function runJobs(needs: HousekeepingNeeds, signal = new AbortController().signal): Promise<void> {
  while (!signal.aborted) {
    const work = await findWork(needs)
    if (!work) return
    const begun = performance.now()
    await execute(needs, work, undefined)
    await pause(performance.now() - begun, signal)
  }
}

/** Does the work that there is, and that comes. Returns a function that ends it, and resolves when the last step is done. */
export function startJobs(needs: HousekeepingNeeds, onFailure: (error: unknown) => void): () => Promise<void> {
  return startLoop(async (signal) => {
    try {
      await runJobs(needs, signal)
      return lookInterval
    } catch (error) {
      if (!signal.aborted) onFailure(error)
      return afterFailure
    }
  })
}
