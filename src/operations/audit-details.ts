import type { AuditEntry } from '../audit/entry.ts'

/** Members of the audit entry that only the operation can fill in; they override those of the command. */
export type AuditDetails = Partial<Omit<AuditEntry, 'at' | 'address' | 'requestId'>>

/** In place of details: nothing was done, so no audit entry is written. */
export const nothingDone = 'nothing done'

/** The output of an operation that overrides members of its audit entry, or suppresses it. */
export interface WithAuditDetails {
  /** Several for an operation that writes an entry for each of its targets. */
  readonly audit: AuditDetails | readonly AuditDetails[] | typeof nothingDone
}

/** The audit details in an operation's output, for each of its entries; for an output without any, those of one entry, which are empty. */
export function detailsOf(output: unknown): readonly AuditDetails[] {
  const hasDetails = typeof output === 'object' && output !== null && 'audit' in output
  if (!hasDetails) return plainDetails
  const details = (output as WithAuditDetails).audit
  if (details === nothingDone) return []
  return isList(details) ? details : [details]
}

function isList(details: AuditDetails | readonly AuditDetails[]): details is readonly AuditDetails[] {
  return Array.isArray(details)
}

const plainDetails: readonly AuditDetails[] = [{}]

/** An output as it is sent back. */
export type WithoutAuditDetails<Output> = Output extends WithAuditDetails
  ? Omit<Output, 'audit'> & WithRefusedParts
  : Output

interface WithRefusedParts {
  /** Codes of the parts of a call that were refused, of an operation whose call was not; absent if none was. */
  readonly refusedParts?: readonly number[]
}

/** The details are for the log alone: they stay where it is written. */
export function withoutDetails(output: unknown, details: readonly AuditDetails[]): unknown {
  if (details === plainDetails) return output
  const { audit: _, ...answer } = output as WithAuditDetails
  const refusedParts = details.flatMap(({ outcome }) => (isRefused(outcome) ? outcome : []))
  return refusedParts.length > 0 ? { ...answer, refusedParts } : answer
}

export function refusedPartsOf(sentBack: unknown): readonly number[] {
  const { refusedParts = [] } = (sentBack ?? {}) as WithRefusedParts
  return refusedParts
}

export function isRefused(outcome: number | undefined): outcome is number {
  return outcome !== undefined && outcome !== 200
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
