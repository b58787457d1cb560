import type { WriteCommand } from '../../operations/command.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { write } from '../../operations/execute.ts'
import type { SendingUser } from './sender.ts'

export type RefusalCommand = WriteCommand<'recordRefusal'>

/** Writes an entry within the time of its request. */
type WriteRefusal = (command: RefusalCommand) => Promise<unknown>

/** The record of refusals, which is bounded: a caller who is refused thousands of times is counted. */
export interface Refusals {
  /** Writes the audit entry of a refusal, or counts it if its user had too many of its kind in this minute. */
  record(user: SendingUser | undefined, command: RefusalCommand, write: WriteRefusal): Promise<void>
  /** Whether the user had so many refusals of the operation in this minute that refused parts of a call are counted. */
  areCounted(user: SendingUser | undefined, operation: string, now: number): boolean
  /** A refused part of a call, which has written its entry with what it did, unless it `isCounted`. */
  addPart(user: SendingUser | undefined, command: RefusalCommand, isCounted: boolean): void
  /** Writes the audit entry of a refusal without a user, unless there was one of this bucket within the period. */
  recordOnce(bucket: string, period: number, command: RefusalCommand, write: WriteRefusal): Promise<void>
  /**
   * Writes one entry for all refusals of a caller that were counted, by operation and outcome. One that cannot be written is
   * reported, and the others are written.
   */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Refusals that were counted, with the last of them. */
interface Counted {
  readonly user: SendingUser
  readonly last: RefusalCommand
  readonly times: number
}

/** Kinds of refusals that are bounded each on its own: many of one hide none of another. */
const kinds = ['403', '409', 'other'] as const

function kindOf(outcome: number): (typeof kinds)[number] {
  return kinds.find((kind) => kind === String(outcome)) ?? 'other'
}

/** Milliseconds. */
export const flushInterval = 60_000
/** Buckets that are remembered. */
const maxBuckets = 10_000

export function openRefusals(
  { storage, limits, limitCounts }: Pick<Dependencies, 'storage' | 'limits' | 'limitCounts'>,
  report: (error: unknown) => void,
): Refusals {
  /** Entries of this minute, by user, operation and kind. */
  const written = new Map<string, number>()
  let minute = 0
  let counted = new Map<string, Counted>()
  /** When the last refusal of each bucket was written. */
  const recorded = new Map<string, number>()

  /** Forgets what was written in another minute. */
  function turnTo(now: number): void {
    const present = Math.floor(now / flushInterval)
    if (present === minute) return
    minute = present
    written.clear()
  }

  /** Whether as many were written in this minute as are; counts one more where not. */
  function isOneTooMany(user: SendingUser, { input: { operation, outcome }, now }: RefusalCommand): boolean {
    turnTo(now)
    const kind = `${user.userId} ${operation} ${kindOf(outcome)}`
    const times = written.get(kind) ?? 0
    if (times >= limits.refusalsRecorded) return true
    written.set(kind, times + 1)
    return false
  }

  async function record(user: SendingUser | undefined, command: RefusalCommand, put: WriteRefusal): Promise<void> {
    if (!user) return
    if (isOneTooMany(user, command)) count(user, command)
    else await put(command)
  }

  function areCounted(user: SendingUser | undefined, operation: string, now: number): boolean {
    if (user === undefined) return false
    turnTo(now)
    return kinds.some((kind) => (written.get(`${user.userId} ${operation} ${kind}`) ?? 0) >= limits.refusalsRecorded)
  }

  function addPart(user: SendingUser | undefined, command: RefusalCommand, isCounted: boolean): void {
    if (!user) return
    if (isCounted) count(user, command)
    else isOneTooMany(user, command)
  }

  function count(user: SendingUser, last: RefusalCommand): void {
    const key = `${user.userId} ${last.input.operation} ${last.input.outcome}`
    counted.set(key, { user, last, times: (counted.get(key)?.times ?? 0) + 1 })
    limitCounts.add('refusalsRecorded')
  }

  async function recordOnce(bucket: string, period: number, command: RefusalCommand, put: WriteRefusal): Promise<void> {
    const last = recorded.get(bucket)
    if (last !== undefined && Math.abs(command.now - last) < period) return
    if (recorded.size >= maxBuckets) recorded.clear()
    recorded.set(bucket, command.now)
    await put(command)
  }

  async function flush(): Promise<void> {
    const entries = [...counted.values()]
    counted = new Map()
    for (const entry of entries) await write(storage, summaryOf(entry)).catch(report)
  }

  const timer = setInterval(flush, flushInterval).unref()
  return {
    record,
    areCounted,
    addPart,
    recordOnce,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Without the token, which may have been revoked since. */
function summaryOf({ user: { username, portalId }, last, times }: Counted): RefusalCommand {
  const target = times === 1 ? last.origin.target : `${last.origin.target} and ${times - 1} more`
  const input = { ...last.input, username, portalId }
  return { ...last, tokenHash: undefined, input, origin: { ...last.origin, target } }
}
