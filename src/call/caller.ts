import type { Privilege } from './privilege.ts'

/** A signed-in, enabled user with the present privileges of its role; or an app that acts as itself, with its own. */
export interface Caller {
  readonly userId: string
  readonly username: string
  readonly portalId: string
  /** A built-in role, the id of a custom one, or `roleOfApps`. */
  readonly role: string
  readonly privileges: ReadonlySet<Privilege>
  /** Revision of the webhooks of the server; undefined if none collects. */
  readonly hookRevision?: string | undefined
  /** Whether it is an app; its id is the client id. */
  readonly isApp?: true
}

/** Pseudo role of an app that acts as itself; no role of an organization has this id. */
export const roleOfApps = 'app'

/** Name of an app in the log, in the audit and of what it saves; no username has a colon. */
export function nameOfApp(clientId: string): string {
  return `app:${clientId}`
}
