import { fairQueue } from '../queue.ts'
import { UsedTime } from '../used-time.ts'
import { longestSearchMilliseconds, type SearchOptions, StorageUnavailable } from './storage.ts'

/** Most searches of all callers that wait (chosen): each of them holds a request. */
const mostWaiting = 1_000

/** Runs the searches of a storage, so that callers take turns by the time that their searches have taken. */
export interface SearchTurns {
  /**
   * Runs the task when it is the caller's turn, with its deadline, which counts from then. Rejects if it has not begun at
   * `until`, and at its deadline.
   */
  run<Result>(caller: string, until: number, task: (until: number) => Promise<Result>): Promise<Result>
  /** Searches that have not begun. */
  waiting(): number
}

/** Runs at most `atOnce` searches at a time, each for at most so many milliseconds. */
export function openSearchTurns(atOnce: number, milliseconds = longestSearchMilliseconds): SearchTurns {
  const full = () => new StorageUnavailable('The search queue is full.')
  const used = new UsedTime()
  const queue = fairQueue({ atOnce, mostPerKey: mostWaiting, full, useOf })

  function useOf(caller: string): number {
    return caller.split(' ').reduce((sum, part) => sum + used.of(part), 0)
  }

  return {
    waiting: queue.waiting,
    async run(caller, until, task) {
      if (queue.waiting() >= mostWaiting) throw full()
      const { promise: late, reject } = Promise.withResolvers<never>()
      const rejectAt = (time: number) =>
        setTimeout(() => reject(searchTooLate()), Math.max(0, time - performance.now()))
      let timer = rejectAt(until)
      const running = queue.run(caller, async () => {
        const begun = performance.now()
        if (begun > until || milliseconds === 0) throw searchTooLate()
        clearTimeout(timer)
        timer = rejectAt(begun + milliseconds)
        try {
          return await task(begun + milliseconds)
        } finally {
          for (const part of caller.split(' ')) used.add(part, performance.now() - begun)
        }
      })
      try {
        return await Promise.race([running, late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Of a storage that is never searched, as in tests and commands. */
export function noSearches<Search>(): SearchOptions<Search> {
  return {
    async execute() {
      throw new Error('No searches are registered.')
    },
  }
}

export function searchTooLate(): StorageUnavailable {
  return new StorageUnavailable('The search took too long.')
}
