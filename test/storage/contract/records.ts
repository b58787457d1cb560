import type { AuditEntry } from '../../../src/call/audit-entry.ts'
import { openProgress, type StoredDraft } from '../../../src/categories/drafts/draft.ts'
import type { Collaboration, Participant, Workspace } from '../../../src/collaborations/collaboration.ts'
import type { Invitation } from '../../../src/collaborations/invitation.ts'
import type { KnownAddress } from '../../../src/collaborations/known-address.ts'
import type { KnownKey } from '../../../src/collaborations/known-key.ts'
import type { Participation } from '../../../src/collaborations/participation.ts'
import type { InvitationQuery, InvitationStep } from '../../../src/collaborations/store.ts'
import { defaultCategoryPolicy } from '../../../src/directory/category-policy.ts'
import { groupDefaults, type NewGroup } from '../../../src/directory/group.ts'
import type { GroupInvitation, Notification } from '../../../src/directory/groups/request.ts'
import type { NewPortal, PortalKey } from '../../../src/directory/portal.ts'
import type { Role } from '../../../src/directory/role.ts'
import type { User } from '../../../src/directory/user.ts'
import type { Identity } from '../../../src/identities/store.ts'
import type { NewItem } from '../../../src/items/store.ts'
import type { Job } from '../../../src/jobs/job.ts'
import type { AuthorizationCode, BrowserSession, Grant, RefreshToken } from '../../../src/oauth/grant.ts'
import type { Page } from '../../../src/paging.ts'
import type { StoredTemplate } from '../../../src/schema-files/templates/store.ts'
import type { SignInFailure } from '../../../src/tokens/sign-in-limit.ts'
import type { WorkStorage } from '../work-storage.ts'

/** Records of every kind, in which a test writes only what it is about. */

/** Opens an empty storage whose tables are up to date. The contract closes it. */
export type OpenStorage = () => Promise<WorkStorage>

/** 2026-01-15, 12:00 UTC: more than 32 bits hold. */
export const noon = 1_768_478_400_000

/** The latest time that a number of JavaScript holds exactly. */
export const endOfTime = Number.MAX_SAFE_INTEGER

export const everything: Page = { start: 1, num: 1000 }

export const newestFirst: InvitationQuery = { status: undefined, sortField: 'created', sortOrder: 'desc' }

/** Texts that a careless engine, driver or LIKE would not give back as they were. */
export const strangeTexts = [
  'Ålesund, Łódź, İstanbul, straße',
  '日本語の地図',
  '👩‍🚀 🗺️ 🏔',
  '\u{10ffff}\u{1f5fa}',
  'e\u0301 is not é',
  'quotes \' " ` ´ “”',
  'back\\slash \\\\ \\n',
  '50% off_season %_%',
  'tab\tline\nreturn\r\nend ',
  '\u00a0\u200b\ufeff\u2028',
  "Robert'); drop table users;--",
  '$1 ? :name @p #x {} [] null',
  'עברית ‮ العربية',
] as const

/** 32 lower-case hex characters. */
export function anId(number: number): string {
  return number.toString(16).padStart(32, '0')
}

export const aKey: PortalKey = { publicKey: '{"kty":"OKP"}', sealedPrivateKey: 'sealed' }

export function aPortal(given: Partial<NewPortal> = {}): NewPortal {
  return {
    portalId: 'PortalOfMaps0001',
    name: 'Ministry of Maps',
    description: '',
    urlKey: 'ministryofmaps',
    access: 'private',
    culture: '',
    categoryPolicy: defaultCategoryPolicy,
    categoryApproval: 'none',
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export const otherPortal = aPortal({
  portalId: 'PortalOfSeas0002',
  name: 'Institute of Seas',
  urlKey: 'instituteofseas',
  createdAt: noon + 1,
})

export function anIdentity(given: Partial<Identity> = {}): Identity {
  return {
    issuer: 'https://login.example.com',
    subject: 'anna there',
    userId: anId(1),
    display: 'anna.alm',
    linkedAt: noon,
    lastUsedAt: noon,
    ...given,
  }
}

export function aUser(given: Partial<User> = {}): User {
  return {
    userId: anId(1),
    username: 'anna',
    portalId: 'PortalOfMaps0001',
    fullName: 'Anna Alm',
    tags: ['maps', 'field, work'],
    culture: 'pt-BR',
    region: 'BR',
    units: 'metric',
    firstName: 'Anna',
    lastName: 'Alm',
    email: 'anna@example.com',
    description: '',
    access: 'org',
    role: 'org_user',
    disabled: false,
    createdAt: noon,
    modifiedAt: noon,
    lastSignInAt: undefined,
    providerUsername: undefined,
    ...given,
  }
}

export function aRole(given: Partial<Role> = {}): Role {
  return {
    roleId: 'RoleOfCurators01',
    portalId: 'PortalOfMaps0001',
    name: 'Curator',
    description: '',
    privileges: ['portal:admin:updateItemCategorySchema'],
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export function aGroup(given: Partial<NewGroup> = {}): NewGroup {
  return {
    groupId: anId(100),
    portalId: 'PortalOfMaps0001',
    ownerId: anId(1),
    title: 'Land use',
    ...groupDefaults,
    isProtected: false,
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export function anItem(given: Partial<NewItem> = {}): NewItem {
  return {
    itemId: anId(500),
    portalId: 'PortalOfMaps0001',
    ownerId: anId(1),
    title: 'Lakes',
    type: 'Web Map',
    typeKeywords: [],
    tags: [],
    snippet: '',
    description: '',
    documentation: '',
    accessInformation: '',
    licenseInfo: '',
    culture: '',
    spatialReference: '',
    url: '',
    extent: undefined,
    properties: undefined,
    level: 'private',
    isProtected: false,
    size: 0,
    bytes: 1_024,
    categories: [],
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export function anInvitationToGroup(given: Partial<GroupInvitation> = {}): GroupInvitation {
  return {
    invitationId: anId(500),
    groupId: anId(100),
    userId: anId(1),
    inviterId: anId(2),
    memberType: 'member',
    createdAt: noon,
    expiresAt: noon + 1,
    ...given,
  }
}

export function aNotification(given: Partial<Notification> = {}): Notification {
  return {
    notificationId: anId(600),
    userId: anId(1),
    type: 'user_invite',
    groupId: anId(100),
    groupTitle: 'Land use',
    createdAt: noon,
    ...given,
  }
}

export function aCollaboration(given: Partial<Collaboration> = {}): Collaboration {
  return {
    collaborationId: anId(200),
    hostPortalId: 'PortalOfMaps0001',
    name: 'Alpine maps',
    description: '',
    hostContact: { firstName: 'Anna', lastName: 'Alm', email: 'anna@example.com' },
    config: '{}',
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export function aWorkspace(given: Partial<Workspace> = {}): Workspace {
  return {
    workspaceId: anId(300),
    collaborationId: anId(200),
    name: 'Base maps',
    description: '',
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

export function aParticipant(given: Partial<Participant> = {}): Participant {
  return {
    collaborationId: anId(200),
    portalId: 'PortalOfMaps0001',
    portalName: 'Ministry of Maps',
    portalUrl: 'https://maps.example.com/portal',
    role: 'Host',
    contact: { firstName: 'Anna', lastName: 'Alm', email: 'anna@example.com' },
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

/** The second organization's record of the first one's collaboration. */
export function aParticipation(given: Partial<Participation> = {}): Participation {
  return {
    portalId: otherPortal.portalId,
    collaborationId: anId(200),
    hostCollaborationId: given.collaborationId ?? anId(200),
    name: 'Alpine maps',
    description: '',
    hostPortalId: 'PortalOfMaps0001',
    hostPortalName: 'Ministry of Maps',
    hostPortalUrl: 'https://maps.example.com/portal',
    hostContact: { firstName: 'Anna', lastName: 'Alm', email: 'anna@example.com' },
    hostFingerprint: 'f'.repeat(43),
    guestContact: { firstName: 'Mare', lastName: 'Meer', email: 'mare@example.org' },
    guestPortalUrl: 'https://guest.example.org/portal',
    invitationId: anId(400),
    invitationDigest: 'd'.repeat(64),
    workspaces: [
      { workspaceId: anId(300), name: 'Base maps', description: '', accessMode: 'send', groupId: undefined },
    ],
    createdAt: noon,
    modifiedAt: noon,
    ...given,
  }
}

/** The first organization's key, as the second one knows it. */
export function aKnownAddress(given: Partial<KnownAddress> = {}): KnownAddress {
  const { portalId, signerPortalId, knownSince } = aKnownKey()
  return { portalId, signerPortalId, address: 'maps.example.com', knownSince, ...given }
}

export function aKnownKey(given: Partial<KnownKey> = {}): KnownKey {
  return {
    portalId: otherPortal.portalId,
    signerPortalId: 'PortalOfMaps0001',
    fingerprint: 'f'.repeat(43),
    knownSince: noon,
    ...given,
  }
}

export function anInvitation(given: Partial<Invitation> = {}): Invitation {
  return {
    invitationId: anId(400),
    collaborationId: anId(200),
    hostPortalId: 'PortalOfMaps0001',
    guestPortalId: undefined,
    guestPortalUrl: 'https://guest.example.org/portal',
    state: 'host_created',
    workspaces: [{ workspaceId: anId(300), accessMode: 'send' }],
    file: '{"invitationRequest":{}}',
    digest: 'd'.repeat(64),
    fileName: 'collaboration-guest.example.org.invite',
    revision: 1,
    createdAt: noon,
    modifiedAt: noon,
    expiresAt: noon + 72 * 3_600_000,
    ...given,
  }
}

export function aStep(given: Partial<InvitationStep> = {}): InvitationStep {
  return { event: 'create', from: undefined, to: 'host_created', username: 'anna', at: noon, ...given }
}

export function anAuditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: noon,
    username: 'anna',
    portalId: 'PortalOfMaps0001',
    address: '192.0.2.7',
    operation: 'assignGroupCategorySchema',
    target: '/sharing/rest/community/groups/1/assignCategorySchema',
    outcome: 200,
    requestId: anId(900),
    ...given,
  }
}

/** Two organizations, and anna in the first one. */
export async function addPeople(storage: WorkStorage): Promise<void> {
  await storage.write(async ({ directory }) => {
    await directory.addPortal(aPortal(), aKey)
    await directory.addPortal(otherPortal, aKey)
    await directory.addUser(aUser(), 'hash')
  })
}

/** Adds people, a collaboration of each organization, and one workspace in the first one's. */
export async function addCollaborations(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await storage.write(async ({ collaborations }) => {
    await collaborations.addCollaboration(aCollaboration())
    await collaborations.addWorkspace(aWorkspace())
    await collaborations.addCollaboration(
      aCollaboration({ collaborationId: anId(201), hostPortalId: otherPortal.portalId }),
    )
  })
}

/** A failed sign-in of anna. */
export function aFailure(given: Partial<SignInFailure> = {}): SignInFailure {
  return { accountKey: 'anna', address: '192.0.2.7', crossSiteOrigin: undefined, failedAt: noon, ...given }
}

export async function addGroups(storage: WorkStorage, groups: readonly Parameters<typeof aGroup>[0][]): Promise<void> {
  await storage.write(async ({ directory }) => {
    for (const [index, group] of groups.entries()) {
      await directory.addGroup(aGroup({ groupId: anId(100 + index), ...group }))
    }
  })
}

/** Anna and Bert of one organization, and an outsider. */
export async function openWithPeople(open: OpenStorage): Promise<WorkStorage> {
  const storage = await open()
  await addPeople(storage)
  await storage.write(async ({ directory }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'Bert' }), 'hash')
    await directory.addUser(aUser({ userId: anId(3), username: 'outsider', portalId: otherPortal.portalId }), 'hash')
  })
  return storage
}

export function aGrant(given: Partial<Grant> = {}): Grant {
  return {
    grantId: anId(951),
    userId: anId(1),
    clientId: 'arcgisonline',
    way: 'password',
    address: '192.0.2.7',
    agent: 'Browser/1.0',
    createdAt: noon,
    lastUsedAt: noon,
    expiresAt: noon + 60_000,
    idleMinutes: 60,
    needsSecret: false,
    issuer: undefined,
    providerSession: undefined,
    ...given,
  }
}

export function aCode(given: Partial<AuthorizationCode> = {}): AuthorizationCode {
  return {
    codeHash: 'c'.repeat(64),
    grantId: anId(951),
    clientId: 'arcgisonline',
    redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
    challenge: undefined,
    challengeMethod: undefined,
    refreshMinutes: 1_440,
    expiresAt: noon + 60_000,
    usedAt: undefined,
    ...given,
  }
}

export function aRefreshToken(given: Partial<RefreshToken> = {}): RefreshToken {
  return {
    tokenHash: 'f'.repeat(64),
    grantId: anId(951),
    createdAt: noon,
    expiresAt: noon + 60_000,
    lifetimeMinutes: 1_440,
    exchangedAt: undefined,
    ...given,
  }
}

export function aSession(given: Partial<BrowserSession> = {}): BrowserSession {
  return {
    sessionHash: '0'.repeat(64),
    userId: anId(1),
    way: 'password',
    address: '192.0.2.7',
    agent: 'Browser/1.0',
    createdAt: noon,
    lastUsedAt: noon,
    expiresAt: noon + 60_000,
    issuer: undefined,
    providerSession: undefined,
    sealedIdToken: undefined,
    ...given,
  }
}

export function aJob(given: Partial<Job> = {}): Job {
  return {
    jobId: anId(500),
    portalId: aPortal().portalId,
    kind: 'transferItems',
    starterId: anId(1),
    byAdministrator: false,
    reverts: undefined,
    state: 'running',
    done: 0,
    total: 3,
    failures: [],
    position: '',
    startedAt: noon,
    steppedAt: noon,
    endedAt: undefined,
    ...given,
  }
}

export function aTemplate(given: Partial<StoredTemplate> = {}): StoredTemplate {
  return {
    portalId: aPortal().portalId,
    name: 'lakes',
    title: 'Lakes',
    document: '{"categorySchema":[{"title":"Lakes"}]}',
    categories: 1,
    source: 'org@1',
    createdBy: 'anna',
    createdAt: noon,
    ...given,
  }
}

export function aDraft(given: Partial<StoredDraft> = {}): StoredDraft {
  return {
    draftId: anId(700),
    portalId: aPortal().portalId,
    owner: { kind: 'portal', portalId: aPortal().portalId },
    name: 'Lakes',
    revision: 1,
    savedRevision: 1,
    people: { savers: [{ userId: anId(1), username: 'anna' }] },
    action: 'assign',
    restoredFrom: undefined,
    items: undefined,
    document: '{"categorySchema":[{"title":"Lakes"}]}',
    categories: 1,
    baseVersion: 0,
    moves: [],
    comment: undefined,
    vanishing: undefined,
    createdBy: 'anna',
    createdAt: noon,
    savedBy: 'anna',
    savedAt: noon,
    ...openProgress,
    ...given,
  }
}
