import type { AuditEntry } from './audit-entry.ts'

/** Change of one item that an entry of the log has beside it: what it was before, and what it became. */
export interface RecordedChange {
  readonly itemId: string
  readonly portalId: string
  /** Run of many items that it is a part of. */
  readonly runId?: string
  /** JSON object; its members are those of the room that records it. */
  readonly change: object
}

/**
 * Members of the audit entry that only the operation can fill in, which override those of the command; and the changes of items
 * that are recorded beside the entry.
 */
export interface AuditDetails extends Partial<Omit<AuditEntry, 'at' | 'address' | 'requestId'>> {
  readonly changes?: readonly RecordedChange[]
}

/** Value in place of details: nothing was done, so no audit entry is written. */
export const nothingDone = 'nothing done'

/** The output of an operation that overrides members of its audit entry, or suppresses it. */
export interface WithAuditDetails {
  /** Several for an operation that writes an entry for each of its targets. */
  readonly audit: AuditDetails | readonly AuditDetails[] | typeof nothingDone
}

/** An output without its audit details. */
export type WithoutAuditDetails<Output> = Output extends WithAuditDetails ? Omit<Output, 'audit'> : Output

interface Separated {
  /** Details of each entry to write; empty details of one entry where the operation has none. */
  readonly entries: readonly AuditDetails[]
  /** The output without details, with `refusedParts` if parts of the call were refused, but not the call. */
  readonly result: unknown
}

/** Separates the audit details of an output from the part that is sent to the client. */
export function splitAuditDetails(output: unknown): Separated {
  if (!hasDetails(output)) return { entries: plainDetails, result: output }
  const { audit, ...result } = output
  const entries = audit === nothingDone ? [] : isList(audit) ? audit : [audit]
  const refusedParts = entries.flatMap(({ outcome }) => (isRefusal(outcome) ? outcome : []))
  return { entries, result: refusedParts.length > 0 ? { ...result, refusedParts } : result }
}

const plainDetails: readonly AuditDetails[] = [{}]

function hasDetails(output: unknown): output is WithAuditDetails {
  return typeof output === 'object' && output !== null && 'audit' in output
}

function isList(details: AuditDetails | readonly AuditDetails[]): details is readonly AuditDetails[] {
  return Array.isArray(details)
}

/** Whether the outcome of an entry is a refusal; an undefined outcome is that of the call, which succeeded. */
export function isRefusal(outcome: number | undefined): outcome is number {
  return outcome !== undefined && outcome !== 200
}

/** The codes of refused parts, in an output that was sent back. */
export function refusedPartsOf(result: unknown): readonly number[] {
  const { refusedParts = [] } = (result ?? {}) as { readonly refusedParts?: readonly number[] }
  return refusedParts
}

/** The entries, of which the one of what was done has these changes. */
export function withChanges(
  entries: readonly AuditDetails[],
  changes: readonly RecordedChange[],
): readonly AuditDetails[] {
  return changes.length === 0
    ? entries
    : entries.map((entry) => (isRefusal(entry.outcome) ? entry : { ...entry, changes }))
}

/** Outcome for one of several targets: the code of a refusal, undefined on success. */
interface TargetOutcome {
  /** Undefined for a target that does not exist: its text may be anything. */
  readonly target: string | undefined
  readonly code: number | undefined
}

/**
 * Entries of a call that refuses only some of its targets: one entry for the successes, and one for each code of a refusal, as
 * the log has refusals too (chosen). Targets that do not exist are in none of them.
 */
export function settledEntries(
  outcomes: readonly TargetOutcome[],
  describe: (targets: readonly string[]) => AuditDetails,
): readonly AuditDetails[] {
  const named = outcomes.filter(({ target, code }) => code === undefined || target !== undefined)
  const byOutcome = Map.groupBy(named, ({ code = 200 }) => code)
  if (byOutcome.size === 0) return [describe([])]
  return [...byOutcome]
    .toSorted(([one], [other]) => one - other)
    .map(([outcome, of]) => ({ ...describe([...new Set(of.flatMap(({ target }) => target ?? []))]), outcome }))
}
