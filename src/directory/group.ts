/** A group of users, and the content that it shares: its own record. */
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

/** What of a group decides who may do what. */
export type GroupOutline = Pick<
  GroupRecord,
  'groupId' | 'portalId' | 'ownerId' | 'title' | 'access' | 'isInvitationOnly' | 'isProtected'
>

/** With what is stored elsewhere. */
export interface Group extends GroupRecord {
  readonly hasCategorySchema: boolean
}

export const groupAccesses = ['private', 'org', 'public'] as const
export type GroupAccess = (typeof groupAccesses)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

/** What the owner writes about a group. */
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

export const groupLimits = { title: 250, snippet: 250, description: 10_000, tags: 128, namesInOneCall: 25 } as const

/** What a group is when its maker says nothing else (chosen, but for the title, which must be given). */
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
