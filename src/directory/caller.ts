import type { Privilege } from './privilege.ts'

/** Who calls: a signed-in, enabled user with what its role allows at this moment. */
export interface Caller {
  readonly userId: string
  readonly username: string
  readonly portalId: string
  /** A built-in role, or the id of a custom one. */
  readonly role: string
  readonly privileges: ReadonlySet<Privilege>
}
