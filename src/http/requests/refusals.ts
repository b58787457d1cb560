import { type RefusalKind, refusalKindOf, refusalKinds } from '../../audit/operations.ts'
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
  /** Kinds of which the user had so many refusals of the operation in this minute that refused parts of a call are counted. */
  listCounted(user: SendingUser | undefined, operation: string, now: number): readonly RefusalKind[]
  /** A refused part of a call, which has written its entry with what it did, unless its kind is among the `counted`. */
  addPart(user: SendingUser | undefined, command: RefusalCommand, counted: readonly RefusalKind[]): void
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
  let flushing = Promise.resolve()
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
  function exceedsLimit(user: SendingUser, { input: { operation, outcome }, now }: RefusalCommand): boolean {
    turnTo(now)
    const kind = `${user.userId} ${operation} ${refusalKindOf(outcome)}`
    const times = written.get(kind) ?? 0
    if (times >= limits.refusalsRecorded) return true
    written.set(kind, times + 1)
    return false
  }

  async function record(user: SendingUser | undefined, command: RefusalCommand, put: WriteRefusal): Promise<void> {
    if (user && exceedsLimit(user, command)) count(user, command)
    // No user is known where the storage did not answer whose token it is: the operation has found that out.
    else if (user || command.tokenHash !== undefined) await put(command)
  }

  function listCounted(user: SendingUser | undefined, operation: string, now: number): readonly RefusalKind[] {
    if (user === undefined) return []
    turnTo(now)
    const timesOf = (kind: RefusalKind) => written.get(`${user.userId} ${operation} ${kind}`) ?? 0
    return refusalKinds.filter((kind) => timesOf(kind) >= limits.refusalsRecorded)
  }

  function addPart(user: SendingUser | undefined, command: RefusalCommand, counted: readonly RefusalKind[]): void {
    if (!user) return
    if (counted.includes(refusalKindOf(command.input.outcome))) count(user, command)
    else exceedsLimit(user, command)
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
    try {
      await put(command)
    } catch (error) {
      recorded.delete(bucket)
      throw error
    }
  }

  async function writeCounted(): Promise<void> {
    const entries = [...counted.values()]
    counted = new Map()
    for (const entry of entries) await write(storage, summaryOf(entry)).catch(report)
  }

  /** One after the other, so that the last one ends when all are written. */
  function flush(): Promise<void> {
    flushing = flushing.then(writeCounted)
    return flushing
  }

  const timer = setInterval(flush, flushInterval).unref()
  return {
    record,
    listCounted,
    addPart,
    recordOnce,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Leaves out the token, which may have been revoked since. */
function summaryOf({ user: { username, portalId }, last, times }: Counted): RefusalCommand {
  const target = times === 1 ? last.origin.target : `${last.origin.target} and ${times - 1} more`
  const input = { ...last.input, username, portalId }
  return { ...last, tokenHash: undefined, input, origin: { ...last.origin, target } }
}
