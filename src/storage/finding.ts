import type { PortalKey } from '../directory/portal.ts'

/** What a look at something found, as one sentence with what to do. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string): Finding => ({ level: 'warning', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

/** A database that is looked at, and not changed. */
export interface Inspection {
  /** One after the other, as they are found. */
  findings(now: () => number): AsyncIterable<Finding>
  listKeys(): Promise<readonly PortalKey[]>
  close(): Promise<void>
}
