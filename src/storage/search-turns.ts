import { tooManyRequests } from '../errors.ts'
import { fairQueue } from '../queue.ts'
import { longestSearchMilliseconds, type SearchOptions, StorageUnavailable } from './storage.ts'

/** Most searches of all callers that wait (chosen): more would only exceed their deadlines. */
const mostWaitingOfAll = 1_000

/** Runs the searches of a storage, so that callers take turns. */
export interface SearchTurns {
  /**
   * Runs the task when it is the caller's turn, with its deadline; rejects when `until` is exceeded, whether the task has
   * begun or not.
   */
  run<Result>(caller: string, until: number, task: (until: number) => Promise<Result>): Promise<Result>
  /** Searches that have not begun. */
  waiting(): number
}

/** Runs at most `atOnce` searches at a time. One caller has at most `mostWaiting` that wait. */
export function openSearchTurns(
  atOnce: number,
  { mostWaiting, milliseconds = longestSearchMilliseconds }: Omit<SearchOptions<never>, 'execute'>,
): SearchTurns {
  const full = () => tooManyRequests('searchesWaiting', Math.max(1, Math.ceil(milliseconds / 1_000)))
  const queue = fairQueue({ atOnce, mostPerKey: mostWaiting, full })

  return {
    waiting: queue.waiting,
    async run(caller, until, task) {
      if (queue.waiting() >= mostWaitingOfAll) throw new StorageUnavailable('The search queue is full.')
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(searchTooLate()), Math.max(0, until - performance.now()))
      const running = queue.run(caller, async () => {
        const begun = performance.now()
        if (begun > until || milliseconds === 0) throw searchTooLate()
        return task(Math.min(until, begun + milliseconds))
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
  const execute = async () => {
    throw new Error('No searches are registered.')
  }
  return { execute, mostWaiting: 0 }
}

export function searchTooLate(): StorageUnavailable {
  return new StorageUnavailable('The search took too long.')
}
