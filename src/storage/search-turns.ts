import { UsedTime } from '../used-time.ts'
import { maxSearchMilliseconds, type SearchOptions, StorageUnavailable } from './storage.ts'

/** Maximum waiting searches of all callers (chosen): each of them holds a request. */
const maxWaiting = 1_000

/** Schedules the searches of a storage: next is the caller whose searches have taken least time lately. */
export interface SearchTurns {
  /**
   * Runs the task when it is the caller's turn, with its deadline, which counts from then. Rejects if it has not begun at
   * `until` or when `signal` aborts, and at its deadline. Where too many wait, it rejects the newest of the caller with most.
   */
  run<Result>(
    caller: string,
    until: number,
    task: (until: number) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** Searches that have not begun. */
  waiting(): number
}

interface Waiting {
  readonly caller: string
  begin(): void
  refuse(error: Error): void
}

/**
 * Runs at most `atOnce` searches at a time, each for at most so many milliseconds. At most half of them are of one organization,
 * so that others find a slot.
 */
export function openSearchTurns(atOnce: number, milliseconds = maxSearchMilliseconds): SearchTurns {
  const used = new UsedTime()
  /** Waiting searches in the order of their arrival. */
  const waiting = new Set<Waiting>()
  /** Organizations of the running searches, one element for each search. */
  const running: string[] = []
  const maxPerOrganization = Math.ceil(atOnce / 2)

  function mayBegin(caller: string): boolean {
    const organization = organizationOf(caller)
    return running.length < atOnce && running.filter((one) => one === organization).length < maxPerOrganization
  }

  function useOf(caller: string): number {
    return caller.split(' ').reduce((sum, part) => sum + used.of(part), 0)
  }

  async function wait(caller: string, until: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw searchTooLate()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { caller, begin: resolve, refuse: (error) => waiting.delete(entry) && reject(error) }
    const giveUp = () => entry.refuse(searchTooLate())
    const timer = setTimeout(giveUp, Math.max(0, until - performance.now()))
    signal?.addEventListener('abort', giveUp)
    waiting.add(entry)
    if (waiting.size > maxWaiting) newestOfMost(waiting).refuse(new StorageUnavailable('The search queue is full.'))
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  function beginNext(): void {
    const uses = new Map<string, number>()
    let next: Waiting | undefined
    for (const entry of waiting) {
      if (!mayBegin(entry.caller)) continue
      if (!uses.has(entry.caller)) uses.set(entry.caller, useOf(entry.caller))
      if (!next || uses.get(entry.caller)! < uses.get(next.caller)!) next = entry
    }
    if (!next) return
    waiting.delete(next)
    running.push(organizationOf(next.caller))
    next.begin()
  }

  async function runNow<Result>(caller: string, until: number, task: (until: number) => Promise<Result>) {
    const begun = performance.now()
    try {
      if (begun > until || milliseconds === 0) throw searchTooLate()
      return await task(begun + milliseconds)
    } finally {
      for (const part of caller.split(' ')) used.add(part, performance.now() - begun)
      running.splice(running.indexOf(organizationOf(caller)), 1)
      beginNext()
    }
  }

  return {
    waiting: () => waiting.size,
    async run(caller, until, task, signal) {
      if (mayBegin(caller)) running.push(organizationOf(caller))
      else await wait(caller, until, signal)
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(searchTooLate()), milliseconds)
      try {
        return await Promise.race([runNow(caller, until, task), late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Newest search of the caller with most waiting searches, in the organization with most waiting searches. */
function newestOfMost(waiting: Iterable<Waiting>): Waiting {
  const ofOrganization = largest(Map.groupBy(waiting, ({ caller }) => organizationOf(caller)))
  return largest(Map.groupBy(ofOrganization, ({ caller }) => caller)).at(-1)!
}

function organizationOf(caller: string): string {
  return caller.split(' ', 1)[0]!
}

function largest(groups: ReadonlyMap<unknown, readonly Waiting[]>): readonly Waiting[] {
  return [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one))
}

/** Options of a storage that is never searched, as in tests and commands. */
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
