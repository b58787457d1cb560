/**
 * The one description of all events: what may happen to each noun, in words, and the properties that an event has, in their order.
 * Matching, payloads, the document of events, the choice in the pages and the reference follow from it (chosen; nouns and words of
 * operations as far as documented).
 */

interface Described {
  readonly sentence: string
  readonly properties: readonly string[]
  /** Whether its path has no id, as nothing was there before. */
  readonly isOfAll?: true
  /** Whether only paths that name it cover it. */
  readonly isAskedFor?: true
}

const schemaProperties = [
  'version',
  'previousVersion',
  'action',
  'summary',
  'moves',
  'restoredFrom',
  'comment',
  'url',
  'draft',
]
const draftProperties = ['draft', 'draftId', 'reviewer', 'note']

/** Events of a schema, its owner being an organization or a group. */
const schemaEvents = {
  assignCategorySchema: { sentence: 'The category schema has another version.', properties: schemaProperties },
  deleteCategorySchema: { sentence: 'The category schema was deleted.', properties: schemaProperties },
  proposeSchemaDraft: { sentence: 'A draft of the schema was proposed.', properties: draftProperties },
  returnSchemaDraft: { sentence: 'A draft of the schema was sent back.', properties: draftProperties },
  publishSchemaDraft: {
    sentence: 'A draft of the schema has a time of publication, or could not be published at its time.',
    properties: ['draft', 'draftId', 'state', 'publishAt', 'note'],
  },
} as const

const ofItem = ['title', 'type', 'owner'] as const
const ofGroup = ['title', 'owner'] as const
const ofWorkspace = ['name', 'workspaceId', 'workspaceName', 'groupId'] as const
const ofInvitation = ['invitationId', 'status', 'guestPortalUrl', 'workspaces', 'name'] as const
const ofParticipant = ['participantId', 'workspaces', 'name'] as const
const ofRole = ['name', 'added', 'removed'] as const

export const eventTable = {
  organization: {
    update: { sentence: 'Settings of the organization have changed.', properties: ['changed'] },
    ...schemaEvents,
  },
  items: {
    add: { sentence: 'An item was added.', properties: ofItem, isOfAll: true },
    update: { sentence: 'An item has changed.', properties: [...ofItem, 'changed', 'categories'] },
    delete: { sentence: 'An item was deleted.', properties: ofItem },
    share: { sentence: 'An item is shared otherwise.', properties: [...ofItem, 'access', 'groups'] },
    unshare: { sentence: 'An item is no longer shared with groups.', properties: [...ofItem, 'access', 'groups'] },
    reassign: { sentence: 'An item has another owner.', properties: [...ofItem, 'previousOwner'] },
    protect: { sentence: 'An item cannot be deleted any more.', properties: ofItem },
    unprotect: { sentence: 'An item can be deleted again.', properties: ofItem },
  },
  groups: {
    add: { sentence: 'A group was created.', properties: ofGroup, isOfAll: true },
    update: { sentence: 'A group has changed.', properties: [...ofGroup, 'changed'] },
    delete: { sentence: 'A group was deleted.', properties: ofGroup },
    protect: { sentence: 'A group cannot be deleted any more.', properties: ofGroup },
    unprotect: { sentence: 'A group can be deleted again.', properties: ofGroup },
    reassign: { sentence: 'A group has another owner.', properties: [...ofGroup, 'previousOwner'] },
    invite: { sentence: 'People were invited to a group.', properties: [...ofGroup, 'usernames'] },
    addUsers: { sentence: 'A group has more members.', properties: [...ofGroup, 'usernames', 'reason'] },
    removeUsers: { sentence: 'A group has fewer members.', properties: [...ofGroup, 'usernames', 'reason'] },
    updateUsers: {
      sentence: 'Members of a group became managers, or no managers.',
      properties: [...ofGroup, 'usernames'],
    },
    updateCategories: {
      sentence: 'An item has other categories of a group.',
      properties: ['groupId', 'categories'],
    },
    ...schemaEvents,
  },
  users: {
    add: { sentence: 'A user was created.', properties: ['username', 'role'], isOfAll: true },
    update: { sentence: 'A profile has changed.', properties: ['username', 'changed'] },
    delete: { sentence: 'A user was deleted.', properties: ['username'] },
    disable: { sentence: 'A user was disabled.', properties: ['username'] },
    enable: { sentence: 'A user was enabled.', properties: ['username'] },
    updateRole: { sentence: 'A user has another role.', properties: ['username', 'role', 'previousRole'] },
    reassign: {
      sentence: 'Items and groups of a user were given to another.',
      properties: ['username', 'targetUsername'],
    },
    signIn: { sentence: 'A user signed in.', properties: ['username', 'via'], isAskedFor: true },
  },
  roles: {
    add: { sentence: 'A role was created.', properties: ofRole, isOfAll: true },
    update: { sentence: 'A role has changed.', properties: ofRole },
    delete: { sentence: 'A role was deleted.', properties: ofRole },
    setPrivileges: { sentence: 'A role has other privileges.', properties: ofRole },
  },
  collaborations: {
    add: { sentence: 'A collaboration was created.', properties: ['name'], isOfAll: true },
    update: { sentence: 'A collaboration has changed.', properties: ['name'] },
    delete: { sentence: 'A collaboration was deleted.', properties: ['name'] },
    addWorkspace: { sentence: 'A collaboration has one more workspace.', properties: ofWorkspace },
    updateWorkspace: { sentence: 'A workspace has changed.', properties: ofWorkspace },
    deleteWorkspace: { sentence: 'A workspace was deleted.', properties: ofWorkspace },
    updatePortalGroupLink: { sentence: 'A group is linked to a workspace.', properties: ofWorkspace },
    removePortalGroupLink: { sentence: 'A group is no longer linked to a workspace.', properties: ofWorkspace },
    inviteParticipant: { sentence: 'A partner was invited.', properties: ofInvitation },
    refreshInvitation: { sentence: 'An invitation was sent again.', properties: ofInvitation },
    invalidateInvitation: { sentence: 'An invitation was invalidated.', properties: ofInvitation },
    importInvitationResponse: { sentence: 'A partner has accepted an invitation.', properties: ofInvitation },
    acceptInvitation: {
      sentence: 'The organization has accepted an invitation.',
      properties: ['invitationId', 'status', 'hostPortalUrl', 'workspaces', 'name'],
    },
    removeParticipant: { sentence: 'A partner was removed.', properties: ofParticipant },
    updateParticipantAccessModes: {
      sentence: 'A partner may send or receive other things.',
      properties: ofParticipant,
    },
    removeParticipation: { sentence: 'The organization has left a collaboration.', properties: ofParticipant },
    invitationExpiring: {
      sentence: 'An invitation ends within 24 hours.',
      properties: [...ofInvitation, 'expiration'],
    },
    invitationExpired: { sentence: 'An invitation has ended.', properties: [...ofInvitation, 'expiration'] },
  },
  webhooks: {
    deactivated: { sentence: 'The server has switched a webhook off.', properties: ['name', 'reason', 'sentence'] },
    overflowed: { sentence: 'A webhook has lost its oldest deliveries.', properties: ['name', 'reason', 'dropped'] },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Described>>>>

export type Noun = keyof typeof eventTable

/** Name of an event: its noun and its operation, as in `items/add`. */
export type EventName = {
  [Name in Noun]: `${Name}/${keyof (typeof eventTable)[Name] & string}`
}[Noun]

/** Word for the object of an event in its payload. */
export const sourceWords = {
  organization: 'organization',
  items: 'item',
  groups: 'group',
  users: 'user',
  roles: 'role',
  collaborations: 'collaboration',
  webhooks: 'webhook',
} as const satisfies Readonly<Record<Noun, string>>

export const nouns = Object.keys(eventTable) as readonly Noun[]

/** Noun and operation of a name. */
export function partsOfName(name: EventName): readonly [noun: Noun, operation: string] {
  const [noun, operation] = name.split('/')
  return [noun as Noun, operation!]
}

/** The description of an operation of a noun; undefined if it has none. */
export function describeEvent(noun: Noun, operation: string): Described | undefined {
  const operations: Readonly<Record<string, Described>> = eventTable[noun]
  return Object.hasOwn(operations, operation) ? operations[operation] : undefined
}

/** Operations of a noun, in the order of the table. */
export function operationsOf(noun: Noun): readonly string[] {
  return Object.keys(eventTable[noun])
}

/** An event before it is given to any hook. */
export interface ChangeEvent {
  readonly name: EventName
  /** Id of the object, as payloads have it. */
  readonly id: string
  /** Organization of the object; undefined for that of the caller. */
  readonly portalId?: string
  /** Segment of the path in place of the id: the name of a user, or the group of an event about its items. */
  readonly segment?: string
  /** Word for the object, where it is not that of the noun. */
  readonly source?: string
  /** Members in the order of the table; those that are undefined are left out. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** Path of an event with the id of its object, as deliveries name it. */
export function pathOf({ name, id, segment = id }: Pick<ChangeEvent, 'name' | 'id' | 'segment'>): string {
  const [noun, operation] = partsOfName(name)
  const isOfAll = noun === 'organization' || describeEvent(noun, operation)?.isOfAll
  return isOfAll ? `/${noun}/${operation}` : `/${noun}/${segment}/${operation}`
}
