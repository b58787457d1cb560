import type { PortalKey } from '../../directory/portal.ts'
import type { Readers } from '../storage.ts'
import type { PersonReader } from './person.ts'

/** Result of one check: a sentence with the finding and the advice. */
export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly text: string
}

export const ok = (text: string): CheckResult => ({ level: 'ok', text })
export const warning = (text: string): CheckResult => ({ level: 'warning', text })
export const problem = (text: string): CheckResult => ({ level: 'problem', text })

/** Scope of an inspection. */
export interface Look {
  /** Runs only checks that take seconds, however many rows there are. */
  readonly isQuick: boolean
  /** Called before each check that may take long. */
  onStage(what: string): void
}

export const wholeLook: Look = { isQuick: false, onStage: () => undefined }

/** A database that is opened for checks and not changed. */
export interface Inspection {
  /** Runs the checks one after the other. */
  findings(now: () => number, look?: Look): AsyncIterable<CheckResult>
  listKeys(): Promise<readonly PortalKey[]>
  /** For a database whose tables are those of this version, which `requireTables` checks. */
  readonly readers: Readers
  /** Like the readers. */
  readonly persons: PersonReader
  requireTables(): Promise<void>
  close(): Promise<void>
}
