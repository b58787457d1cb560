import { setImmediate } from 'node:timers/promises'
import { endOfRetention } from '../audit/retention-operations.ts'
import { hasAge, outdatedOf } from '../categories/retention-operations.ts'
import type { Kept, KeptOfOwner } from '../categories/store.ts'
import type { Config } from '../config.ts'
import type { WriteCommand } from '../operations/command.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { write } from '../operations/execute.ts'
import type { CommandId, InputOf, OutputOf } from '../operations/registry.ts'
import type { Readers } from '../storage/storage.ts'

/** What housekeeping needs of the program. */
export type HousekeepingNeeds = Pick<Dependencies, 'storage' | 'limits' | 'random' | 'now'> & {
  readonly settings: Pick<Config, 'signInLimit'>
}

/** What is beyond the limits. */
export interface Outdated {
  readonly owners: readonly KeptOfOwner[]
  /** What all versions of these owners have that has to be removed, at least. */
  readonly excess: Kept
}

const ownersOfSlice = 1_000

/** Runs one read of the database. */
export type Read = <Result>(work: (readers: Readers) => Promise<Result>) => Promise<Result>

/** Every owner that keeps versions, in slices: each is a read of its own, so that others run in between. */
async function* sliceKept(read: Read, needsAge: boolean): AsyncGenerator<readonly KeptOfOwner[]> {
  let last: KeptOfOwner | undefined
  while (true) {
    const after = last?.owner
    const slice = await read(({ categories }) => categories.listKept(after, ownersOfSlice, needsAge))
    yield slice
    if (slice.length < ownersOfSlice) return
    last = slice.at(-1)
    await setImmediate()
  }
}

/** Counts what each organization keeps, and finds the owners, and the users with deleted groups, that keep more than the limits allow. */
export async function countKept(read: Read, { limits, now }: Pick<HousekeepingNeeds, 'limits' | 'now'>) {
  const usage = new Map<string, Kept>()
  const former = new Map<string, number>()
  const owners: KeptOfOwner[] = []
  let excess = noneKept
  for (const portalId of await read(({ categories }) => categories.listCounted())) usage.set(portalId, noneKept)
  for await (const slice of sliceKept(read, hasAge(limits))) {
    for (const kept of slice) {
      const { portalId } = kept
      if (portalId !== undefined) usage.set(portalId, add(usage.get(portalId) ?? noneKept, kept))
      const { formerOwnerId } = kept
      if (formerOwnerId !== undefined) former.set(formerOwnerId, (former.get(formerOwnerId) ?? 0) + kept.bytes)
      const outdated = outdatedOf(kept, limits, now())
      if (!outdated) continue
      owners.push(kept)
      excess = add(excess, { ...outdated, versions: Math.max(outdated.versions, 1) })
    }
  }
  const formerOwners = [...former].flatMap(([userId, bytes]) => (bytes > limits.schemaBytesOfUser ? [userId] : []))
  return { usage, formerOwners, outdated: { owners, excess } satisfies Outdated }
}

const noneKept: Kept = { versions: 0, bytes: 0 }

function add(one: Kept, other: Kept): Kept {
  return { versions: one.versions + other.versions, bytes: one.bytes + other.bytes }
}

/** How many items each organization has, from what is counted of its users: in slices, as above. */
async function countItems(read: Read) {
  const counts = new Map<string, number>()
  let last = ''
  while (true) {
    const slice = await read(({ items }) => items.listItemCounts(last, ownersOfSlice))
    for (const { portalId, items } of slice) counts.set(portalId, (counts.get(portalId) ?? 0) + items)
    if (slice.length < ownersOfSlice) return [...counts].map(([portalId, items]) => ({ portalId, items }))
    last = slice.at(-1)!.userId
    await setImmediate()
  }
}

/** What one round removed. */
export interface Removed extends Kept {
  readonly entries: number
}

/** Most removals in a round of a server (chosen), each one a write; the rest is left to the next round. */
const removalsOfRound = 100

/**
 * Counts what organizations keep and how many items they have, and removes what is beyond the limits: versions of category schemas, audit entries, tokens,
 * failed sign-ins, invitations and requests. Ends what is left of links to groups. Each write removes a bounded number of rows. Several servers may do so at once.
 */
export async function keepHouse(needs: HousekeepingNeeds, isEnding = () => false): Promise<Removed> {
  const { storage, settings } = needs
  const read: Read = (work) => storage.read(work)
  const { usage, formerOwners, outdated } = await countKept(read, needs)
  const counted = [...usage].map(([portalId, kept]) => ({ portalId, ...kept }))
  if (counted.length > 0) await execute(needs, 'putSchemaUsage', { usage: counted })
  await execute(needs, 'sumUpItemCounts', undefined)
  const counts = await countItems(read)
  if (counts.length > 0) await execute(needs, 'putItemCounts', { counts })
  await execute(needs, 'removeExpiredTokens', { failureMinutes: settings.signInLimit.minutes })
  await execute(needs, 'removeOldGroupRequests', undefined)
  let removals = 0
  const goesOn = () => removals < removalsOfRound && !isEnding()
  while (goesOn() && !(await execute(needs, 'removeEndedLinks', undefined)).isDone) removals += 1
  let removed = noneKept
  const removeAll = async (removeSome: () => Promise<Kept>) => {
    while (goesOn()) {
      removals += 1
      const some = await removeSome()
      if (some.versions === 0) break
      removed = add(removed, some)
    }
  }
  for (const { owner } of outdated.owners) await removeAll(() => execute(needs, 'removeOldSchemaVersions', { owner }))
  for (const userId of formerOwners) await removeAll(() => execute(needs, 'removeFormerSchemaVersions', { userId }))
  let entries = 0
  while (endOfRetention({ ...needs, now: needs.now() }) !== undefined && goesOn()) {
    removals += 1
    const some = await execute(needs, 'removeOldEntries', undefined)
    if (some.entries === 0) break
    entries += some.entries
  }
  await indexLog(needs, isEnding)
  return { ...removed, entries }
}

/** Entries of the log that are indexed together (chosen): fewer stay unindexed, and searches look at these one by one. */
const entriesOfStep = 1_000
/** Steps of a round, at most (chosen): more entries than servers write between two rounds. */
const maxIndexSteps = 100

/** Adds what has been written to the index of the log, until less than a step is left. */
async function indexLog(needs: HousekeepingNeeds, isEnding: () => boolean): Promise<void> {
  for (let steps = 0; steps < maxIndexSteps && !isEnding(); steps += 1) {
    if ((await execute(needs, 'indexLog', { entries: entriesOfStep })).entries === 0) return
    await setImmediate()
  }
}

function execute<Id extends CommandId>(
  { storage, random, now }: HousekeepingNeeds,
  operation: Id,
  input: InputOf<Id>,
): Promise<OutputOf<Id>> {
  const origin = { address: 'localhost', target: '/', requestId: random.id() }
  const command = { operation, input, now: now(), tokenHash: undefined, problems: [], origin }
  return write<Id>(storage, command as unknown as WriteCommand<Id>)
}

/** Between the end of a round and the beginning of the next one (chosen): that old may the count of an assign be. */
const betweenRounds = 10_000

/** For the log of the server. */
interface Reports {
  /** Only after a round that removed versions or entries. */
  onRemoved(removed: Removed): void
  onFailure(error: unknown): void
}

/** Keeps house now and every ten seconds. Returns a function that ends it, and resolves when the last write is done. */
export function startHousekeeping(needs: HousekeepingNeeds, { onRemoved, onFailure }: Reports): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  let round = run()

  async function run(): Promise<void> {
    try {
      const removed = await keepHouse(needs, () => hasEnded)
      if (removed.versions + removed.entries > 0) onRemoved(removed)
    } catch (error) {
      if (!hasEnded) onFailure(error)
    }
    if (hasEnded) return
    timer = setTimeout(() => {
      round = run()
    }, betweenRounds).unref()
  }

  return () => {
    hasEnded = true
    clearTimeout(timer)
    return round
  }
}
