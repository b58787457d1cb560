import type { SchemaOwner } from '../categories/store.ts'
import { dayOf } from '../items/categories/coverage.ts'
import type { CategoryCount } from '../items/store.ts'
import { maxSearchMilliseconds } from '../storage/storage.ts'
import { execute, type HousekeepingNeeds } from './housekeeping.ts'
import { pause, startLoop } from './loop.ts'

/** Owners of one look (chosen): the others are counted by the next ones. */
const ownersOfLook = 1_000
/** Counts that one write stores (chosen): a few milliseconds. */
const countsOfWrite = 500
/** Time after which a count that has not begun is left to the next look (chosen). */
const waitMilliseconds = 60_000
/** Milliseconds between two looks (chosen): counts of a day are stored this long after its beginning, at most. */
const lookInterval = 60_000

/**
 * Stores how many items each category has today, for every owner of a category schema without counts of today, and removes counts
 * of days that are no longer kept. A search counts, so that no write waits for it; after each, a pause as long as it took.
 * Several servers may do so concurrently. Rejects after the last owner if one of them could not be counted.
 */
export async function keepCoverage(
  needs: HousekeepingNeeds,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const day = dayOf(needs.now())
  const owners = await needs.storage.read(({ items }) => items.listUncounted(day, ownersOfLook))
  let failure: { readonly error: unknown } | undefined
  for (const owner of owners) {
    if (signal.aborted) return
    const begun = performance.now()
    const counts = await countOf(needs, owner, signal).catch((error: unknown) => {
      failure ??= { error }
    })
    if (counts) await putCounts(needs, owner, day, counts)
    await pause(performance.now() - begun, signal)
  }
  while (!signal.aborted && !(await execute(needs, 'removeOldCoverage', undefined)).isDone);
  if (failure) throw failure.error
}

async function countOf(
  { storage, now }: HousekeepingNeeds,
  owner: SchemaOwner,
  signal: AbortSignal,
): Promise<readonly CategoryCount[]> {
  const search = {
    operation: 'countCoverage',
    input: { owner },
    now: now(),
    tokenHash: undefined,
    problems: [],
  } as const
  const until = performance.now() + waitMilliseconds + maxSearchMilliseconds
  return (await storage.search(search, 'housekeeping coverage', until, signal)) as readonly CategoryCount[]
}

/** Stores the sum last: without it, the owner is counted again. */
async function putCounts(
  needs: HousekeepingNeeds,
  owner: SchemaOwner,
  day: string,
  counts: readonly CategoryCount[],
): Promise<void> {
  const inOrder = counts.toReversed()
  for (let begin = 0; begin < inOrder.length; begin += countsOfWrite) {
    await execute(needs, 'putCoverage', { owner, day, counts: inOrder.slice(begin, begin + countsOfWrite) })
  }
}

/**
 * Keeps the counts now and every minute. Reports a failure if the look before failed, too: the first one may come before a search
 * has items in memory. Returns a function that ends it, and resolves when the last write is done.
 */
export function startCoverage(needs: HousekeepingNeeds, onFailure: (error: unknown) => void): () => Promise<void> {
  let failures = 0
  return startLoop(async (signal) => {
    try {
      await keepCoverage(needs, signal)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures > 1 && !signal.aborted) onFailure(error)
    }
    return lookInterval
  })
}
