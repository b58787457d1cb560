import { field, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'

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
  notFound: say('leftOutUnseen'),
  disabled: say('leftOutDisabled'),
  isMember: say('leftOutMember'),
  inManyGroups: say('leftOutFull'),
  isElsewhere: say('leftOutElsewhere'),
  mayNotComeIn: say('leftOutMayNot'),
  isNotTaken: say('leftOutNotTaken'),
  isInvitedOften: say('leftOutInvitedOften'),
} as const
