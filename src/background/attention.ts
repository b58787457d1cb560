import { readFileSync, writeFileSync } from 'node:fs'
import { isBelowFloor } from '../call/disk.ts'
import type { Mailer } from '../mail/mailer.ts'
import { attentionMail } from '../mail/texts.ts'
import { listEnding } from '../oauth/apps/reminders.ts'
import { type Attention, type Condition, conditions } from '../operations/attention.ts'
import type { BackupRecord } from '../operations/backup-record.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import type { HousekeepingNeeds } from './housekeeping.ts'
import { startLooks } from './loop.ts'

/** Parts of the program that the watch needs. */
export type WatchNeeds = Pick<HousekeepingNeeds, 'storage' | 'limits' | 'now'> & {
  readonly attention: Attention
  readonly backups: BackupRecord
  readonly mailer: Mailer | undefined
  /** Addresses of the operators who are notified by mail. */
  readonly operators: readonly string[]
  readonly publicUrl: () => string
  /** File that notes what holds, for the next start; undefined where there is no place for it. */
  readonly note?: string | undefined
  /** Whether this server makes backups: of others, no end of a failure would come. */
  readonly makesBackups: boolean
  /** Undefined where the certificate is valid for long enough, and where there is none. */
  findCertificateProblem(): string | undefined
  readonly log: Record<
    'info' | 'warn',
    (about: { readonly condition: Condition; readonly reason?: string }, message: string) => void
  >
  /** Receives what ended a look and is no silence of the database. */
  onFailure(error: unknown): void
}

/** Looks in a row without an answer of the database, after which it counts as unreachable (chosen): one may be a restart. */
const looksUntilUnreachable = 3

/** Milliseconds without a step after which a running job stands still. */
const maxStepMilliseconds = 600_000

/** Milliseconds between two looks (chosen). */
const lookInterval = 10_000

/**
 * Returns a function that looks once at what may need a person. What begins and what ends is a line of the log each, with the
 * name of the condition, so that an operator can wait for it, and a mail to the operators.
 */
export function openWatch(needs: WatchNeeds): () => Promise<void> {
  const { storage, limits, attention, backups, mailer, operators, publicUrl, log, onFailure } = needs
  let silent = 0
  for (const { condition, since } of readNote(needs.note)) {
    if (condition === 'backupFailed' && !needs.makesBackups) continue
    attention.record(condition, true, since)
    if (condition === 'backupFailed') backups.resumeFailure(since)
  }

  function record(condition: Condition, holds: boolean, reason?: string): void {
    if (!attention.record(condition, holds, needs.now())) return
    writeNote(needs.note, attention.list())
    if (holds) log.warn({ condition, ...(reason !== undefined && { reason }) }, 'attention needed')
    else log.info({ condition }, 'attention no longer needed')
    // No mail says that mail fails.
    if (condition === 'mailFailed') return
    for (const to of operators) mailer?.send(attentionMail(to, condition, holds, publicUrl()))
  }

  return async () => {
    record('backupFailed', backups.hasFailed())
    record('certificateEnds', needs.findCertificateProblem() !== undefined)
    record('mailFailed', mailer?.hasFailed() ?? false)
    const { failure = '' } = storage.figures().replica ?? {}
    record('replicaFailed', failure !== '', failure)
    try {
      const now = needs.now()
      const { space, ending, oldestStep } = await storage.read(async ({ disk, oauth, jobs }) => ({
        space: await disk.findSpace(true),
        ending: await listEnding(oauth, now, 1),
        oldestStep: (await jobs.countJobs()).oldestStep,
      }))
      silent = 0
      record('secretEnds', ending.length > 0)
      record('jobStalled', oldestStep !== undefined && now - oldestStep > maxStepMilliseconds)
      record('diskLow', space !== undefined && isBelowFloor(space, limits))
    } catch (error) {
      // The disk is as it was when it could last be looked at. Housekeeping reports why the database is silent.
      if (error instanceof StorageUnavailable) silent += 1
      else onFailure(error)
    }
    record('databaseUnreachable', silent >= looksUntilUnreachable)
  }
}

/** Conditions that held when the server ended: their end is said after the next start, and their beginning not again. */
function readNote(path: string | undefined): ReturnType<Attention['list']> {
  try {
    const held = path === undefined ? [] : (JSON.parse(readFileSync(path, 'utf8')) as ReturnType<Attention['list']>)
    return held.filter(({ condition }) => conditions.includes(condition))
  } catch {
    return []
  }
}

function writeNote(path: string | undefined, held: ReturnType<Attention['list']>): void {
  try {
    if (path !== undefined) writeFileSync(path, JSON.stringify(held), { mode: 0o600 })
  } catch {
    // On a full disk, the next start says once more what holds.
  }
}

/** Looks now and every ten seconds. Returns a function that ends it, and resolves when the last look is done. */
export function startWatch(needs: WatchNeeds): () => Promise<void> {
  const looks = startLooks(openWatch(needs), lookInterval)
  void looks.run()
  return looks.end
}
