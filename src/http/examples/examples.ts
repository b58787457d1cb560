import { builtInRoles } from '../../call/privilege.ts'
import type { AccessMode } from '../../collaborations/collaboration.ts'
import { type Group, groupDefaults } from '../../directory/group.ts'
import type { MemberType } from '../../directory/membership.ts'
import type { WireCollaboration } from '../shapes/collaborations/collaboration.ts'
import type { WireWorkspace } from '../shapes/collaborations/workspace.ts'
import { groupToWire, type WireGroup } from '../shapes/directory/group.ts'
import { currentVersion, type WirePortal } from '../shapes/directory/portal.ts'
import type { WireRole } from '../shapes/directory/role.ts'
import type { WireUser, WireUserView } from '../shapes/directory/user.ts'
import { pageToWire, type WirePage } from '../shapes/page.ts'

/**
 * The small world of the documented examples: one organization, its people and what they made, and a guest on a server
 * of its own. Tests build it by the operations themselves, and run every example in it as it stands.
 */
/** Secret in the link to the first run. */
export const exampleFirstRunSecret = 'VGhlIGxpbmsgaXMgcHJpbnRlZCBvbmNlLCBmb3IgeW9'

export const exampleIds = {
  portalId: 'Qz3VpXw7Lk2MnB9t',
  adminId: '0c8e5d1b7f3a4e6295b4d8f0a2c6e913',
  userId: '7d2a9e4c6b1f48a3b5e0c7d9f1a3b264',
  username: 'anna',
  groupId: '5f2b8c4e9a7d4b1f8e3c6a0d2b9f7e11',
  /** A group that every user of the organization may join. */
  openGroupId: '93c1e7a5d2b84f60a8d3f5b7c9e1a042',
  /** A group by invitation only, which Anna has asked to join. */
  closedGroupId: 'a61f0c9d3e7b42d58f24b6e1c0d7935a',
  groupInvitationId: '3d9b7f15c2a04e68b1f6e8d0a4c72b95',
  notificationId: 'f4a8d2c6e0b14937a5c1e9d7b3f06284',
  secondNotificationId: '8c2e6a0f4d9b41738e5a7c1f3b6d9024',
  itemId: 'a3e7d1c9b5f24806936d0e8a4c2f7b15',
  /** A private item without groups. */
  secondItemId: 'f6c2a8e4d0b74159bd3f7e1a9c5d2048',
  jobId: '4b7e1d9a6c3f48e2a5d0b8f7c1e96324',
  runId: '9f3c6a1e8b5d42709c4e7b2d0a6f8135',
  /** Entry of the log that shared the item. */
  entryId: '15',
  roleId: 'Rk8sTq2WvN5xYc7z',
  /** A template that the organization keeps. */
  draftId: '6d0b5f3e8c2a4719b4e7d1a09c5f2836',
  groupDraftId: 'b82f4c6d1e7a4053a9d8e0c3f5172649',
  templateName: 'land-cover',
  /** An app that is registered for the second item. */
  clientId: 'Wm5cTd9QzK2rLx7B',
  collaborationId: 'b7d1e5a3c9f84e2d9a6b0c4f8e1d3a57',
  workspaceId: 'c4a9f2e8d1b74c6fa3e5d8b0f9c2a1e6',
  /** A workspace without groups, and not in the invitation. */
  secondWorkspaceId: 'd8b3e6f1a9c54d7e82b0f5c7a1e4d963',
  /** Another organization, on a server of its own: the guest. */
  participantId: 'Gs4WbXr8Kt6NcD2v',
  invitationId: 'e1f7c3b9a5d24f8c8b6e4a2d0c9f7b53',
  webhookId: '35f9c2a07be84d169e4c1f6b8a3d7052',
  /** A delivery that was not fetched yet, and its event. */
  deliveryId: 'msg_4f0c8b2d6e1a49f7a3c5d0e9b7f16284',
  eventId: '9b1e5d7c3f084a62b8d4c6e0f2a19735',
} as const

/** Random values of what the examples create. */
export const generatedIds = {
  id: '2e6b9d3f8c1a47e5b0d4f6a8c2e49b71',
  shortId: 'Hn4JdZ6pUe1GfA3s',
  token: 'YSB0b2tlbiBpcyBuZXZlciBzdG9yZWQsIG9ubHkgaGE',
  refreshToken: 'YSByZWZyZXNoIHRva2VuIGlzIG9ubHkgaGFzaGVkLCA',
} as const

/** Epoch milliseconds of everything that happens in the examples: 2026-01-15, 12:00 UTC. */
export const exampleTime = 1_768_478_400_000
const times = { created: exampleTime, modified: exampleTime }

export const exampleRoot = 'https://maps.example.com/portal'
export const guestRoot = 'https://guest.example.org/portal'
export const annasPassword = 'correct horse battery'
/** A built-in app, and the code by which Anna has just signed in to it. */
export const exampleApp = 'arcgisonline'
export const exampleCode = 'VGhpcyBjb2RlIGlzIHZhbGlkIG9uY2UsIDEwIG1pbi4'
/** The secret of the app that is registered, once. */
export const exampleSecret = 'VGhlIHNlY3JldCBvZiBhbiBhcHAgaXMgc2hvd24gb24'
/** The token with which Anna is signed in. */
export const annasToken = 'YW4gb3BhcXVlIHRva2VuLCAyNTYgcmFuZG9tIGJpdHM'
/** Id of Anna's session of the built-in app; the id of her token follows. */
export const annasSessionId = '6c1f9b3e7a5d42c8b0e4f2a6d8c3e715'
const annasTokenId = 'eaf0353562cf7b92dbb5e34f24196d00'
/** User agent of Anna's programs. */
export const annasAgent = 'Python-urllib/3.12'

export const exampleSchema = JSON.stringify({
  categorySchema: [
    {
      title: 'Region',
      description: 'Where the content lies',
      categories: [{ title: 'World' }, { title: 'Europe', categories: [{ title: 'Alps' }] }],
    },
  ],
})

/** A list that fits on one page. */
export function singlePage<const Name extends string, Entry>(
  name: Name,
  entries: readonly Entry[],
): WirePage<Name, Entry> {
  return pageToWire(name, { total: entries.length, entries, page: { start: 1, num: 10 } }, (entry) => entry)
}

type GroupOwn = Partial<Group> & Pick<Group, 'groupId' | 'title'>

/** A group that the administrator owns, as read by or for this user. */
export function groupAnswer(own: GroupOwn, username: string, memberType: MemberType | undefined): WireGroup {
  const group: Group = {
    ...groupDefaults,
    portalId: exampleIds.portalId,
    ownerId: exampleIds.adminId,
    ownerUsername: 'admin',
    access: 'org',
    isProtected: false,
    hasCategorySchema: false,
    applications: 0,
    createdAt: exampleTime,
    modifiedAt: exampleTime,
    ...own,
  }
  return groupToWire(group, username, memberType)
}

/** Land cover: Anna is a member, and it has a category schema. */
export const landCover = {
  groupId: exampleIds.groupId,
  title: 'Land cover',
  tags: ['land', 'forest'],
  hasCategorySchema: true,
}
export const fieldTrips = { groupId: exampleIds.openGroupId, title: 'Field trips', isInvitationOnly: false }
/** A group by invitation only; Anna has asked to join. */
export const seaLevels = { groupId: exampleIds.closedGroupId, title: 'Sea levels', applications: 1 }

interface Person {
  readonly username: string
  readonly id: string
  readonly fullName: string
  readonly email: string
  readonly role: keyof typeof builtInRoles
}

const admin: Person = { username: 'admin', id: exampleIds.adminId, fullName: 'admin', email: '', role: 'org_admin' }
const anna: Person = {
  username: 'anna',
  id: exampleIds.userId,
  fullName: 'Anna Atlas',
  email: 'anna@maps.example.com',
  role: 'org_user',
}

function userAnswer({ username, id, fullName, email, role }: Person): WireUser {
  return {
    username,
    id,
    fullName,
    firstName: '',
    lastName: '',
    description: '',
    email,
    tags: [],
    culture: null,
    region: null,
    units: null,
    orgId: exampleIds.portalId,
    role,
    access: 'org',
    disabled: false,
    ...times,
    provider: 'arcgis',
    lastLogin: exampleTime,
  }
}

/** The users of the organization. */
const signedIn = {
  way: 'password',
  created: exampleTime,
  address: '127.0.0.1',
  userAgent: annasAgent,
  current: false,
} as const
export const sessionsAnswer = singlePage('sessions', [
  {
    id: annasSessionId,
    kind: 'app',
    clientId: exampleApp,
    appTitle: 'ArcGIS client for Python',
    lastUsed: exampleTime,
    expires: exampleTime + 600_000,
    ...signedIn,
  },
  { id: annasTokenId, kind: 'token', expires: exampleTime + 3_600_000, ...signedIn },
] as const)

export const userAnswers = [admin, anna].map((person) => ({ ...userAnswer(person), roleId: person.role }))

export const adminAnswer: WireUserView = {
  ...userAnswer(admin),
  privileges: builtInRoles[admin.role],
  groups: [fieldTrips, landCover, seaLevels].map((group) => groupAnswer(group, 'admin', 'owner')),
}

export const annaAnswer: WireUserView = {
  ...userAnswer(anna),
  privileges: builtInRoles[anna.role],
  groups: [groupAnswer(landCover, 'anna', 'member')],
}

export const portalAnswer: WirePortal = {
  id: exampleIds.portalId,
  name: 'Ministry of Maps',
  description: '',
  portalName: 'Ministry of Maps',
  portalHostname: 'maps.example.com/portal',
  isPortal: true,
  portalMode: 'singletenant',
  currentVersion,
  access: 'private',
  allSSL: true,
  supportsOAuth: true,
  canSignInArcGIS: true,
  canSignInIDP: false,
  hasCategorySchema: true,
  helperServices: {},
  authorizedCrossOriginDomains: [],
  allowedOrigins: [],
  maxTokenExpirationMinutes: 21_600,
  urlKey: 'ministryofmaps',
  ...times,
  user: adminAnswer,
  categoryPolicy: { require: 'off', below: [], types: [], when: 'public' },
  categoryApproval: 'none',
}

export const roleAnswer: WireRole = {
  id: exampleIds.roleId,
  name: 'Cataloguer',
  description: 'Looks after the categories',
  ...times,
}

export const hostContact = {
  hostContactFirstname: 'Anna',
  hostContactLastname: 'Atlas',
  hostContactEmailAddress: 'anna@maps.example.com',
}

interface CollaborationOwn {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly config: WireCollaboration['config']
}

/** A collaboration that the organization hosts. */
export function collaborationOf({ id, name, description, config }: CollaborationOwn): WireCollaboration {
  return { id, name, description, collaborationHostPortalId: exampleIds.portalId, config, ...times }
}

export const alpineData = {
  id: exampleIds.collaborationId,
  name: 'Alpine data',
  description: 'Maps of the Alps, shared by those who make them',
  config: hostContact,
}
export const alpineWorkspace = { id: exampleIds.workspaceId, name: 'Land cover of the Alps', description: '' }

export const collaborationAnswer = collaborationOf(alpineData)

interface WorkspaceOwn {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly accessMode: AccessMode
}

/** A workspace in which only the host participates, without a group. */
export function workspaceOf({ accessMode, ...own }: WorkspaceOwn): WireWorkspace {
  return {
    ...own,
    collaborationId: exampleIds.collaborationId,
    config: {},
    ...times,
    participantGroupLinks: [],
    participantsWithoutGroupLinks: [{ portalId: exampleIds.portalId, accessMode }],
  }
}

export const workspaceAnswer: WireWorkspace = {
  ...alpineWorkspace,
  collaborationId: exampleIds.collaborationId,
  config: {},
  ...times,
  participantGroupLinks: [
    { portalId: exampleIds.portalId, portalGroupId: exampleIds.groupId, accessMode: 'sendAndReceive' },
  ],
  participantsWithoutGroupLinks: [],
}

/** A workspace without a linked group. */
export const secondWorkspaceAnswer = workspaceOf({
  id: exampleIds.secondWorkspaceId,
  name: 'Trails of the Alps',
  description: '',
  accessMode: 'send',
})
