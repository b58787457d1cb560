/** How a user belongs to a group. The documents' "manager" is `admin` on the wire and here. */
export const memberTypes = ['owner', 'admin', 'member'] as const
export type MemberType = (typeof memberTypes)[number]

export interface Member {
  readonly userId: string
  readonly username: string
  readonly memberType: MemberType
  /** Epoch milliseconds. */
  readonly joinedAt: number
}

/** Owners and managers govern a group's categories (description §4.1). */
export function isOwnerOrManager(memberType: MemberType | undefined): boolean {
  return memberType === 'owner' || memberType === 'admin'
}

/** A user who is named and left out, and why. */
export interface LeftOut {
  /** As given. */
  readonly username: string
  /** A sentence without its subject. */
  readonly reason: string
}

/** One reason for users who do not exist, and for those whom the caller does not see. */
export const notFound = 'is not a user whom you can see.'
