import { defaultsOf, field, type Named, type PropertiesOf, pickFields, type RecordOf } from '../record.ts'

export const groupAccesses = ['private', 'org', 'public'] as const

/**
 * Organizations whose users may belong to the group: the organization's (`org`), also those of organizations that take part in a
 * collaboration with it (`collaboration`), or of any organization (`none`: no limit) (documented).
 */
export const membershipAccesses = ['org', 'collaboration', 'none'] as const

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

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

export const groupFields = {
  groupId: field.id(),
  portalId: field.text(),
  ownerId: field.id(),
  title: field.text(groupLimits.title).given(),
  description: field.text(groupLimits.description).or(''),
  snippet: field.text(groupLimits.snippet).or(''),
  tags: field.texts(groupLimits.tags, 128).or([]),
  access: field.choice(groupAccesses).or('private'),
  sortField: field.text(64).or('title'),
  sortOrder: field.choice(sortOrders).or('asc'),
  isViewOnly: field.flag().or(false),
  isInvitationOnly: field.flag().or(true),
  autoJoin: field.flag().or(false),
  /** Protected groups refuse deletion. */
  isProtected: field.flag(),
  /** Whether members may update the items that are shared with the group (documented: `updateitemcontrol`). */
  givesItemControl: field.flag().or(false),
  /** Whether members cannot leave: they are removed by the owner and the managers. */
  isLeavingDisallowed: field.flag().or(false),
  /** Whether only the owner, the managers and administrators see who belongs to the group. */
  hidesMembers: field.flag().or(false),
  membershipAccess: field.choice(membershipAccesses).or('org'),
  /** Type of the items that clients show first; empty for all. */
  shownItemTypes: field.text(groupLimits.shownItemTypes).or(''),
  /** Whom to ask about the group. */
  phone: field.text(groupLimits.phone).or(''),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A group of users and the content that they share, as stored in its row. */
export interface NewGroup extends RecordOf<typeof groupFields>, Named {}

/** With properties that are stored elsewhere. */
export interface Group extends NewGroup {
  readonly ownerUsername: string
  readonly hasCategorySchema: boolean
  /** Open requests to join. */
  readonly applications: number
}

export const outlineFields = pickFields(groupFields, [
  'groupId',
  'portalId',
  'ownerId',
  'title',
  'access',
  'isInvitationOnly',
  'isProtected',
  'isViewOnly',
  'givesItemControl',
  'isLeavingDisallowed',
  'hidesMembers',
  'membershipAccess',
])

/** The properties of a group that permissions depend on. */
export interface GroupOutline extends RecordOf<typeof outlineFields>, Named {}

/** Properties of a group that its owner may set. */
export interface GroupProperties extends PropertiesOf<typeof groupFields>, Named {}

/** Defaults of a new group (chosen); the title is required. */
export const groupDefaults = defaultsOf(groupFields)
