import type { AuditEntry } from './audit-entry.ts'

/** Members of the audit entry that only the operation can fill in; they override those of the command. */
export type AuditDetails = Partial<Omit<AuditEntry, 'at' | 'address' | 'requestId'>>

/** In place of details: nothing was done, so no audit entry is written. */
export const nothingDone = 'nothing done'

/** The output of an operation that overrides members of its audit entry, or suppresses it. */
export interface WithAuditDetails {
  /** Several for an operation that writes an entry for each of its targets. */
  readonly audit: AuditDetails | readonly AuditDetails[] | typeof nothingDone
}

/** An output without what is for the log alone. */
export type WithoutAuditDetails<Output> = Output extends WithAuditDetails ? Omit<Output, 'audit'> : Output

interface Separated {
  /** Of each entry that is written; of an operation that has no details, those of one entry, which are empty. */
  readonly entries: readonly AuditDetails[]
  /** The output without details, with `refusedParts` if parts of the call were refused, but not the call. */
  readonly sentBack: unknown
}

/** Separates what an operation has put out: details stay where the log is written. */
export function separateDetails(output: unknown): Separated {
  if (!hasDetails(output)) return { entries: plainDetails, sentBack: output }
  const { audit, ...sentBack } = output
  const entries = audit === nothingDone ? [] : isList(audit) ? audit : [audit]
  const refusedParts = entries.flatMap(({ outcome }) => (isRefusal(outcome) ? outcome : []))
  return { entries, sentBack: refusedParts.length > 0 ? { ...sentBack, refusedParts } : sentBack }
}

const plainDetails: readonly AuditDetails[] = [{}]

function hasDetails(output: unknown): output is WithAuditDetails {
  return typeof output === 'object' && output !== null && 'audit' in output
}

function isList(details: AuditDetails | readonly AuditDetails[]): details is readonly AuditDetails[] {
  return Array.isArray(details)
}

/** Whether the outcome of an entry is that of a refusal; without one, it is that of the call, which was not refused. */
export function isRefusal(outcome: number | undefined): outcome is number {
  return outcome !== undefined && outcome !== 200
}

/** The codes of refused parts, in an output that was sent back. */
export function refusedPartsOf(sentBack: unknown): readonly number[] {
  const { refusedParts = [] } = (sentBack ?? {}) as { readonly refusedParts?: readonly number[] }
  return refusedParts
}

/** What came of one of several targets: the code of a refusal, undefined without one. */
interface TargetOutcome {
  /** Undefined for one that does not exist: it may be anything that was typed. */
  readonly target: string | undefined
  readonly code: number | undefined
}

/**
 * Entries of a call that refuses some of its targets, and does the others: one for those that it was done to, and one for each
 * code of a refusal, as the log has refusals too (chosen). What does not exist is in none of them.
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
