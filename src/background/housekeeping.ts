import { setImmediate } from 'node:timers/promises'
import { endOfRetention } from '../audit/operations.ts'
import { findEndingDrafts } from '../categories/drafts/end-operations.ts'
import { boundsAt, outdatedOf } from '../categories/retention-operations.ts'
import type { SchemaOwner } from '../categories/store.ts'
import type { Config } from '../config.ts'
import type { ItemTotals } from '../directory/store.ts'
import type { Limits } from '../limits.ts'
import type { Mail, Mailer, MailResult } from '../mail/mailer.ts'
import { draftsEndMail, secretsEndMail } from '../mail/texts.ts'
import { findReminders } from '../oauth/apps/reminders.ts'
import type { WriteCommand } from '../operations/command.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { write } from '../operations/execute.ts'
import type { CommandId, InputOf, OutputOf } from '../operations/registry.ts'
import type { Readers } from '../storage/storage.ts'
import { findUntended } from '../webhooks/housekeeping-operations.ts'
import { startLoop } from './loop.ts'

/** Parts of the program that housekeeping needs. */
export type HousekeepingNeeds = Pick<Dependencies, 'storage' | 'limits' | 'random' | 'now'> & {
  readonly settings: Pick<Config, 'signInLimit'>
  /** Undefined where no mail is sent. */
  readonly mailer?: Mailer | undefined
  readonly publicUrl?: () => string
}

/** Runs one read of the database. */
type Read = <Result>(work: (readers: Readers) => Promise<Result>) => Promise<Result>

/** Versions of groups and organizations above number and age, at least. Reads every owner that keeps versions. */
export async function findExcess(
  { categories }: Pick<Readers, 'categories'>,
  limits: Limits,
  now: number,
): Promise<{ readonly versions: number; readonly owners: number }> {
  const owners = await categories.listOutdated(boundsAt(limits, now), Number.MAX_SAFE_INTEGER)
  const excess = owners.map((kept) => outdatedOf(kept, limits, now)).filter((one) => one !== undefined)
  return { versions: excess.reduce((sum, one) => sum + Math.max(one.versions, 1), 0), owners: owners.length }
}

const usersOfSlice = 1_000

/**
 * Sums of organizations that have changed, from the counts of their users: in slices, each a read of its own, so that others run in
 * between. Zero where an organization has a count, and none of its users.
 */
async function countItems(read: Read) {
  const counted = await read(({ items }) => items.listLargestOwners('portal', Number.MAX_SAFE_INTEGER))
  const former = new Map<string, ItemTotals>(counted.map(({ ownerId, ...totals }) => [ownerId, totals]))
  const counts = new Map<string, ItemTotals>(counted.map(({ ownerId }) => [ownerId, { items: 0, bytes: 0 }]))
  let last = ''
  while (true) {
    const slice = await read(({ items }) => items.listItemCounts(last, usersOfSlice))
    for (const { portalId, items, bytes } of slice) {
      const sum = counts.get(portalId)
      counts.set(portalId, { items: (sum?.items ?? 0) + items, bytes: (sum?.bytes ?? 0) + bytes })
    }
    if (slice.length < usersOfSlice) {
      return [...counts]
        .filter(
          ([id, { items, bytes }]) => items !== (former.get(id)?.items ?? 0) || bytes !== (former.get(id)?.bytes ?? 0),
        )
        .map(([portalId, counted]) => ({ portalId, ...counted }))
    }
    last = slice.at(-1)!.userId
    await setImmediate()
  }
}

/** Rows that one round removed. */
export interface Removed {
  readonly versions: number
  readonly entries: number
  /** Whether no version above the limits is left to the next round. */
  readonly isComplete: boolean
}

/** Maximum number of removals in a round of a server (chosen), each one a write; the rest is left to the next round. */
const removalsOfRound = 100

interface Round {
  isEnding?(): boolean
  /** Whether an owner may have more versions than the limit, which assigns keep: reads every owner. By default, it may. */
  readonly mayExceedNumber?: boolean
  /** Receives the failure of each step. By default, the first is thrown at the end of the round. */
  onFailure?(error: unknown): void
}

/**
 * Counts how many items organizations have, and removes rows above the limits: versions of category schemas, audit entries, tokens,
 * failed sign-ins, invitations, requests, jobs and drafts. Ends remaining links to deleted groups, and adds checksums to documents that have
 * none. Each write removes a bounded number of rows. Several servers may do so concurrently.
 */
export async function runHousekeeping(
  needs: HousekeepingNeeds,
  { isEnding = () => false, mayExceedNumber = true, onFailure }: Round = {},
): Promise<Removed> {
  const { storage, settings, limits } = needs
  const read: Read = (work) => storage.read(work)
  let removals = 0
  const mayContinue = () => removals < removalsOfRound && !isEnding()
  let versions = 0
  let entries = 0
  let isComplete = true
  const removeAll = async (owner: SchemaOwner) => {
    while (mayContinue()) {
      removals += 1
      const some = await execute(needs, 'removeOldSchemaVersions', { owner })
      if (some.versions === 0) break
      versions += some.versions
    }
    isComplete = mayContinue()
  }
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      while (mayContinue() && !(await execute(needs, 'sumUpItemCounts', undefined)).isDone) removals += 1
      const counts = await countItems(read)
      if (counts.length > 0) await execute(needs, 'putItemCounts', { counts })
    },
    () => execute(needs, 'removeExpiredTokens', { failureMinutes: settings.signInLimit.minutes }),
    () => execute(needs, 'removeOldGroupRequests', undefined),
    () => execute(needs, 'removeOldJobs', undefined),
    () => remindOfSecrets(needs),
    () => endDrafts(needs),
    async () => {
      while (mayContinue() && !(await execute(needs, 'removeEndedLinks', undefined)).isDone) removals += 1
    },
    async () => {
      const bounds = boundsAt(limits, needs.now())
      const { moreVersionsThan, ...ages } = bounds
      const outdated = await read(({ categories }) =>
        categories.listOutdated(mayExceedNumber ? bounds : ages, removalsOfRound),
      )
      for (const { owner } of outdated) await removeAll(owner)
    },
    async () => {
      while (endOfRetention({ ...needs, now: needs.now() }) !== undefined && mayContinue()) {
        removals += 1
        const some = await execute(needs, 'removeOldEntries', undefined)
        if (some.entries === 0) break
        entries += some.entries
      }
    },
    async () => {
      const { unread, crowded, hasOld } = await read((readers) => findUntended(readers, needs.now()))
      const revision = needs.random.id()
      if (unread.length > 0) await execute(needs, 'deactivateUnread', { webhookIds: unread, revision })
      for (const webhookId of crowded) {
        while (mayContinue() && !(await execute(needs, 'overflowWebhook', { webhookId })).isDone) removals += 1
      }
      while (hasOld && mayContinue() && !(await execute(needs, 'removeOldDeliveries', undefined)).isDone) removals += 1
    },
    () => repeat(isEnding, async () => (await execute(needs, 'indexLog', { entries: entriesOfStep })).entries),
    () => repeat(isEnding, async () => (await execute(needs, 'putChecksums', undefined)).documents),
  ]
  // Each fails alone: one that always does keeps none of the others from being done.
  const failures: unknown[] = []
  for (const step of steps) {
    if (isEnding()) break
    removals = 0
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0 && !onFailure) throw failures[0]
  for (const failure of failures) onFailure?.(failure)
  return { versions, entries, isComplete: isComplete && failures.length === 0 && !isEnding() }
}

/** Entries of the log that are indexed together (chosen): fewer stay unindexed, and searches look at these one by one. */
const entriesOfStep = 1_000
/** Steps of a round, at most (chosen): more entries than servers write between two rounds. */
const stepsOfRound = 100

/** Makes steps until one does nothing. */
async function repeat(isEnding: () => boolean, step: () => Promise<number>): Promise<void> {
  for (let steps = 0; steps < stepsOfRound && !isEnding(); steps += 1) {
    if ((await step()) === 0) return
    await setImmediate()
  }
}

/** Reminders that a mailer is sending: they are not marked yet, and due still. */
const reminding = new WeakMap<Mailer, Set<'secrets' | 'drafts'>>()

/** Sends mails about what is due, and marks it as reminded of when the mail server has one of them. */
function remind(
  mailer: Mailer,
  kind: 'secrets' | 'drafts',
  mails: readonly Mail[],
  mark: () => Promise<unknown>,
): void {
  const sending = reminding.get(mailer) ?? new Set()
  reminding.set(mailer, sending.add(kind))
  void Promise.all(mails.map((mail) => new Promise<MailResult>((resolve) => mailer.send(mail, resolve))))
    .then(async (results) => {
      const isLost = results.length > 0 && results.every((result) => result === 'failed')
      if (!isLost) await mark()
    })
    // It is due still, and sent again.
    .catch(() => undefined)
    .finally(() => sending.delete(kind))
}

/** Sends a mail for each secret of an app that ends soon. */
async function remindOfSecrets(needs: HousekeepingNeeds): Promise<void> {
  const { mailer, publicUrl, storage } = needs
  if (!mailer || !publicUrl || reminding.get(mailer)?.has('secrets')) return
  const { due, reminders } = await storage.read((readers) => findReminders(readers, needs.now()))
  if (due.length === 0) return
  const mails = reminders.map((reminder) => secretsEndMail(reminder, publicUrl()))
  remind(mailer, 'secrets', mails, () => execute(needs, 'markReminded', { due }))
}

/** Ends drafts, and sends mails about those that end soon. Writes nothing where there are none. */
async function endDrafts(needs: HousekeepingNeeds): Promise<void> {
  const { mailer, publicUrl, storage } = needs
  const { ended, due, reminders } = await storage.read((readers) => findEndingDrafts(readers, needs.now()))
  if (ended > 0) await execute(needs, 'endOldDrafts', { reminded: [] })
  if (due.length === 0 || !mailer || !publicUrl || reminding.get(mailer)?.has('drafts')) return
  const mails = reminders.map((reminder) => draftsEndMail(reminder, publicUrl()))
  remind(mailer, 'drafts', mails, () => execute(needs, 'endOldDrafts', { reminded: due }))
}

/** Executes a command of the server itself. */
export function execute<Id extends CommandId>(
  { storage, random, now }: Pick<HousekeepingNeeds, 'storage' | 'random' | 'now'>,
  operation: Id,
  input: InputOf<Id>,
  requestId = random.id(),
): Promise<OutputOf<Id>> {
  const origin = { address: 'localhost', target: '/', requestId }
  const command = { operation, input, now: now(), tokenHash: undefined, problems: [], origin }
  return write<Id>(storage, command as unknown as WriteCommand<Id>)
}

/** Between the end of a round and the beginning of the next one (chosen): for that long may an organization be above its quota. */
const roundInterval = 10_000

/** For the log of the server. */
interface Reports {
  /** Called only after a round that removed versions or entries. */
  onRemoved(removed: Removed): void
  onFailure(error: unknown): void
}

/** Runs housekeeping now and every ten seconds. Returns a function that ends it, and resolves when the last write is done. */
export function startHousekeeping(needs: HousekeepingNeeds, { onRemoved, onFailure }: Reports): () => Promise<void> {
  // An assign, which would remove versions where the limit is less than before, may never come.
  let mayExceedNumber = true
  return startLoop(async (signal) => {
    const report = (error: unknown) => !signal.aborted && onFailure(error)
    try {
      const isEnding = () => signal.aborted
      const removed = await runHousekeeping(needs, { isEnding, mayExceedNumber, onFailure: report })
      if (removed.isComplete) mayExceedNumber = false
      if (removed.versions + removed.entries > 0) onRemoved(removed)
    } catch (error) {
      report(error)
    }
    return roundInterval
  })
}
