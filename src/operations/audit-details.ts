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
  return [details].flat()
}

const plainDetails: readonly AuditDetails[] = [{}]

/** The outcomes of the parts of a call that were refused, of an operation whose call was not. */
export function refusedPartsOf(output: unknown): readonly number[] {
  return detailsOf(output).flatMap(({ outcome = 200 }) => (outcome === 200 ? [] : outcome))
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
