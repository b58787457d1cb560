import type { WriteCommand } from '../operations/command.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { write } from '../operations/execute.ts'
import type { FindTokenOwner, TokenOwner } from './writes-in-flight.ts'

export type RefusalCommand = WriteCommand<'recordRefusal'>

/** The record of refusals, which is bounded: a caller who is refused thousands of times is counted. */
export interface Refusals {
  /** Writes the audit entry of a refusal, or counts it if its caller had too many in this minute. */
  record(command: RefusalCommand, until: number): Promise<void>
  /** Whether the caller had so many in this minute that further ones are counted. */
  areCounted(owner: TokenOwner | undefined): boolean
  /** A refused part of a call, which has written its entry with what it did, unless it `isCounted`. */
  addPart(command: RefusalCommand, isCounted: boolean): Promise<void>
  /** Writes the audit entry of a refusal without a caller, unless there was one of this bucket within the period. */
  recordOnce(bucket: string, period: number, command: RefusalCommand, until: number): Promise<void>
  /**
   * Writes one entry for all refusals of a caller that were counted, by operation and outcome. One that cannot be written is
   * reported, and the others are written.
   */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Refusals that were counted, with the last of them. */
interface Counted {
  readonly owner: TokenOwner
  readonly last: RefusalCommand
  readonly times: number
}

export const betweenFlushes = 60_000
/** Most buckets that are remembered. */
const mostBuckets = 10_000

export function openRefusals(
  { storage, limits, limitCounts }: Pick<Dependencies, 'storage' | 'limits' | 'limitCounts'>,
  findOwner: FindTokenOwner,
  report: (error: unknown) => void,
): Refusals {
  /** Entries of each user since the last flush. */
  let written = new Map<string, number>()
  let counted = new Map<string, Counted>()
  /** When the last refusal of each bucket was written. */
  const recorded = new Map<string, number>()

  async function ownerOf(tokenHash: string | undefined): Promise<TokenOwner | undefined> {
    return tokenHash === undefined ? undefined : findOwner(tokenHash)
  }

  function writtenOf({ userId }: TokenOwner): number {
    return written.get(userId) ?? 0
  }

  async function record(command: RefusalCommand, until: number): Promise<void> {
    const owner = await ownerOf(command.tokenHash)
    if (!owner) return
    if (areCounted(owner)) return count(owner, command)
    written.set(owner.userId, writtenOf(owner) + 1)
    await write(storage, command, until)
  }

  function areCounted(owner: TokenOwner | undefined): boolean {
    return owner !== undefined && writtenOf(owner) >= limits.refusalsRecorded
  }

  async function addPart(command: RefusalCommand, isCounted: boolean): Promise<void> {
    const owner = await ownerOf(command.tokenHash)
    if (!owner) return
    if (isCounted) count(owner, command)
    else written.set(owner.userId, writtenOf(owner) + 1)
  }

  function count(owner: TokenOwner, last: RefusalCommand): void {
    const key = `${owner.userId} ${last.input.operation} ${last.input.outcome}`
    counted.set(key, { owner, last, times: (counted.get(key)?.times ?? 0) + 1 })
    limitCounts.add('refusalsRecorded')
  }

  async function recordOnce(bucket: string, period: number, command: RefusalCommand, until: number): Promise<void> {
    const last = recorded.get(bucket)
    if (last !== undefined && Math.abs(command.now - last) < period) return
    if (recorded.size >= mostBuckets) recorded.clear()
    recorded.set(bucket, command.now)
    await write(storage, command, until)
  }

  async function flush(): Promise<void> {
    const entries = [...counted.values()]
    written = new Map()
    counted = new Map()
    for (const entry of entries) await write(storage, summaryOf(entry)).catch(report)
  }

  const timer = setInterval(flush, betweenFlushes).unref()
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
function summaryOf({ owner: { username, portalId }, last, times }: Counted): RefusalCommand {
  const target = times === 1 ? last.origin.target : `${last.origin.target} and ${times - 1} more`
  const input = { ...last.input, username, portalId }
  return { ...last, tokenHash: undefined, input, origin: { ...last.origin, target } }
}
