import type { PortalKey } from '../../directory/portal.ts'

/** What a look at something found, as one sentence with what to do. */
export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly text: string
}

export const ok = (text: string): CheckResult => ({ level: 'ok', text })
export const warning = (text: string): CheckResult => ({ level: 'warning', text })
export const problem = (text: string): CheckResult => ({ level: 'problem', text })

/** A database that is looked at, and not changed. */
export interface Inspection {
  /** One after the other, as they are found. */
  findings(now: () => number): AsyncIterable<CheckResult>
  listKeys(): Promise<readonly PortalKey[]>
  close(): Promise<void>
}
