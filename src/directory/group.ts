/** A group of users and the content that they share, as stored in its row. */
export interface GroupRecord {
  /** 32 lower-case hex characters. Never reused. */
  readonly groupId: string
  readonly portalId: string
  readonly ownerId: string
  readonly ownerUsername: string
  readonly title: string
  readonly description: string
  readonly snippet: string
  readonly tags: readonly string[]
  readonly access: GroupAccess
  readonly sortField: string
  readonly sortOrder: SortOrder
  readonly isViewOnly: boolean
  readonly isInvitationOnly: boolean
  readonly autoJoin: boolean
  /** Protected groups refuse deletion. */
  readonly isProtected: boolean
  /** Whether members may update the items that are shared with the group (documented: `updateitemcontrol`). */
  readonly givesItemControl: boolean
  /** Whether members cannot leave: they are removed by the owner and the managers. */
  readonly isLeavingDisallowed: boolean
  /** Whether only the owner, the managers and administrators see who belongs to the group. */
  readonly hidesMembers: boolean
  readonly membershipAccess: MembershipAccess
  /** Type of the items that clients show first; empty for all. */
  readonly shownItemTypes: string
  /** Whom to ask about the group. */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

/** The properties of a group that permissions depend on. */
export type GroupOutline = Pick<
  GroupRecord,
  | 'groupId'
  | 'portalId'
  | 'ownerId'
  | 'title'
  | 'access'
  | 'isInvitationOnly'
  | 'isProtected'
  | 'isViewOnly'
  | 'givesItemControl'
  | 'isLeavingDisallowed'
  | 'hidesMembers'
  | 'membershipAccess'
>

/** Includes properties that are stored elsewhere. */
export interface Group extends GroupRecord {
  readonly hasCategorySchema: boolean
  /** Open requests to join. */
  readonly applications: number
}

export const groupAccesses = ['private', 'org', 'public'] as const
export type GroupAccess = (typeof groupAccesses)[number]

/**
 * Organizations whose users may belong to the group: the organization's (`org`), also those of organizations that take part in a
 * collaboration with it (`collaboration`), or of any organization (`none`: no limit) (documented).
 */
export const membershipAccesses = ['org', 'collaboration', 'none'] as const
export type MembershipAccess = (typeof membershipAccesses)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

/** Properties of a group that its owner may set. */
export interface GroupProperties
  extends Pick<
    GroupRecord,
    'givesItemControl' | 'isLeavingDisallowed' | 'hidesMembers' | 'membershipAccess' | 'shownItemTypes' | 'phone'
  > {
  readonly title: string
  readonly description: string
  readonly snippet: string
  readonly tags: readonly string[]
  readonly access: GroupAccess
  readonly sortField: string
  readonly sortOrder: SortOrder
  readonly isViewOnly: boolean
  readonly isInvitationOnly: boolean
  readonly autoJoin: boolean
}

export const groupLimits = {
  title: 250,
  snippet: 250,
  description: 10_000,
  phone: 250,
  shownItemTypes: 250,
  tags: 128,
  namesInOneCall: 25,
  /** Names of members in one answer: more than a megabyte of the longest (chosen). */
  listedMembers: 10_000,
} as const

/** Defaults of a new group (chosen); the title is required. */
export const groupDefaults = {
  description: '',
  snippet: '',
  tags: [],
  access: 'private',
  sortField: 'title',
  sortOrder: 'asc',
  isViewOnly: false,
  isInvitationOnly: true,
  autoJoin: false,
  givesItemControl: false,
  isLeavingDisallowed: false,
  hidesMembers: false,
  membershipAccess: 'org',
  shownItemTypes: '',
  phone: '',
} as const satisfies Omit<GroupProperties, 'title'>
