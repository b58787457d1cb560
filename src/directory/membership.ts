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
