import { setTimeout as wait } from 'node:timers/promises'
import { execute, type HousekeepingNeeds } from './housekeeping.ts'

/** Milliseconds until the next look for a job, where there was none (chosen): a job begins within this time. */
const lookInterval = 250
/** Milliseconds after a step that failed, of a database that is away, say (chosen). */
const afterFailure = 10_000

/** Takes steps until no job is left: after each, as long a pause as it took, for what others ask. */
export async function runJobs(needs: HousekeepingNeeds, signal = new AbortController().signal): Promise<void> {
  while (!signal.aborted && (await needs.storage.read(({ jobs }) => jobs.findNextJob()))) {
    const begun = performance.now()
    await execute(needs, 'stepJob', undefined)
    await pause(performance.now() - begun, signal)
  }
}

/** Does the jobs that there are, and those that come. Returns a function that ends it, and resolves when the last step is done. */
export function startJobs(needs: HousekeepingNeeds, onFailure: (error: unknown) => void): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await runJobs(needs, signal)
        await pause(lookInterval, signal)
      } catch (error) {
        if (!signal.aborted) onFailure(error)
        await pause(afterFailure, signal)
      }
    }
  }

  const running = run()
  return () => {
    ended.abort()
    return running
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
