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
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

/** The properties of a group that permissions depend on. */
export type GroupOutline = Pick<
  GroupRecord,
  'groupId' | 'portalId' | 'ownerId' | 'title' | 'access' | 'isInvitationOnly' | 'isProtected'
>

/** With properties that are stored elsewhere. */
export interface Group extends GroupRecord {
  readonly hasCategorySchema: boolean
}

export const groupAccesses = ['private', 'org', 'public'] as const
export type GroupAccess = (typeof groupAccesses)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

/** Properties of a group that its owner may set. */
export interface GroupProperties {
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
} as const satisfies Omit<GroupProperties, 'title'>
