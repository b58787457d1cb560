import { field, type RecordOf } from '../record.ts'

/** How a user belongs to a group. The documents' "manager" is `admin` on the wire and here. */
export const memberTypes = ['owner', 'admin', 'member'] as const
export type MemberType = (typeof memberTypes)[number]

export const memberFields = { userId: field.id(), memberType: field.choice(memberTypes), joinedAt: field.time() }

export interface Member extends RecordOf<typeof memberFields> {
  readonly username: string
}

/** Owners and managers govern a group's categories (description §4.1). */
export function isOwnerOrManager(memberType: MemberType | undefined): boolean {
  return memberType === 'owner' || memberType === 'admin'
}

/** A user who is named and left out, and why. */
export interface LeftOut {
  /** Text as it was given. */
  readonly username: string
  /** A sentence without its subject. */
  readonly reason: string
}

/** Reasons for leaving a user out. One is for users who do not exist, and for those whom the caller does not see. */
export const leavingOut = {
  notFound: 'is not a user whom you can see.',
  disabled: 'is disabled.',
  isMember: 'belongs to the group already.',
  inManyGroups: 'belongs to as many groups as is allowed.',
  isElsewhere: 'belongs to another organization.',
  mayNotComeIn: 'belongs to another organization; inviting from there takes portal:user:addExternalMembersToGroup.',
  isNotTaken: 'belongs to another organization, of which membershipAccess of the group takes no users.',
  isInvitedOften: 'has as many open invitations, or belongs to as many groups, as is allowed.',
} as const
