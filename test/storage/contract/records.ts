import { type TestAPI, test } from 'vitest'
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
import { itemDefaults } from '../../../src/items/item.ts'
import type { NewItem } from '../../../src/items/store.ts'
import type { Job } from '../../../src/jobs/job.ts'
import type { AuthorizationCode, BrowserSession, Grant, RefreshToken } from '../../../src/oauth/grant.ts'
import type { Page, Slice } from '../../../src/paging.ts'
import type { StoredTemplate } from '../../../src/schema-files/templates/store.ts'
import type { Stores } from '../../../src/storage/storage.ts'
import type { SignInFailure } from '../../../src/tokens/sign-in-limit.ts'
import type { WorkStorage } from '../work-storage.ts'

/** Records of every kind, in which a test writes only what it is about. */

/** Opens an empty storage whose tables are up to date. The contract closes it. */
export type OpenStorage = () => Promise<WorkStorage>

const rooms = [
  'audit',
  'categories',
  'collaborations',
  'directory',
  'drafts',
  'identities',
  'items',
  'jobs',
  'oauth',
  'schemaHistory',
  'templates',
  'tokens',
  'webhooks',
] as const

type Fixtures = Pick<WorkStorage, (typeof rooms)[number]> & { readonly storage: WorkStorage }

/** Tests of a storage that has what `prepare` adds; its stores stand beside it. */
export function testOn(open: OpenStorage, prepare?: (storage: WorkStorage) => Promise<unknown>): TestAPI<Fixtures> {
  const opened = test.extend('storage', async () => {
    const storage = await open()
    await prepare?.(storage)
    return storage
  })
  const stores = rooms.map((room) => [room, ({ storage }: Fixtures, use: Use) => use(storage[room])])
  return opened.extend(Object.fromEntries(stores) as never) as unknown as TestAPI<Fixtures>
}

type Use = (store: unknown) => Promise<void>

/** The total of a list, and what is shown of its entries. */
export function totalAnd<Entry, Shown>({ total, entries }: Slice<Entry>, show: (entry: Entry) => Shown) {
  return [total, ...entries.map(show)]
}

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

/** Makes records of a kind, all alike but for what is given. */
export function builder<Made extends object>(usual: Made): (given?: Partial<Made>) => Made {
  return (given = {}) => ({ ...usual, ...given })
}

export const aKey: PortalKey = { publicKey: '{"kty":"OKP"}', sealedPrivateKey: 'sealed' }

export const aPortal = builder<NewPortal>({
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
})

export const otherPortal = aPortal({
  portalId: 'PortalOfSeas0002',
  name: 'Institute of Seas',
  urlKey: 'instituteofseas',
  createdAt: noon + 1,
})

export const anIdentity = builder<Identity>({
  issuer: 'https://login.example.com',
  subject: 'anna there',
  userId: anId(1),
  display: 'anna.alm',
  linkedAt: noon,
  lastUsedAt: noon,
})

export const aUser = builder<User>({
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
})

export const aRole = builder<Role>({
  roleId: 'RoleOfCurators01',
  portalId: 'PortalOfMaps0001',
  name: 'Curator',
  description: '',
  privileges: ['portal:admin:updateItemCategorySchema'],
  createdAt: noon,
  modifiedAt: noon,
})

export const aGroup = builder<NewGroup>({
  groupId: anId(100),
  portalId: 'PortalOfMaps0001',
  ownerId: anId(1),
  title: 'Land use',
  ...groupDefaults,
  isProtected: false,
  createdAt: noon,
  modifiedAt: noon,
})

export const anItem = builder<NewItem>({
  itemId: anId(500),
  portalId: 'PortalOfMaps0001',
  ownerId: anId(1),
  title: 'Lakes',
  type: 'Web Map',
  ...itemDefaults,
  level: 'private',
  isProtected: false,
  size: 0,
  bytes: 1_024,
  categories: [],
  createdAt: noon,
  modifiedAt: noon,
})

export const anInvitationToGroup = builder<GroupInvitation>({
  invitationId: anId(500),
  groupId: anId(100),
  userId: anId(1),
  inviterId: anId(2),
  memberType: 'member',
  createdAt: noon,
  expiresAt: noon + 1,
})

export const aNotification = builder<Notification>({
  notificationId: anId(600),
  userId: anId(1),
  type: 'user_invite',
  groupId: anId(100),
  groupTitle: 'Land use',
  createdAt: noon,
  draft: undefined,
  invitation: undefined,
  readAt: undefined,
})

export const aCollaboration = builder<Collaboration>({
  collaborationId: anId(200),
  hostPortalId: 'PortalOfMaps0001',
  name: 'Alpine maps',
  description: '',
  hostContact: { firstName: 'Anna', lastName: 'Alm', email: 'anna@example.com' },
  config: '{}',
  createdAt: noon,
  modifiedAt: noon,
})

export const aWorkspace = builder<Workspace>({
  workspaceId: anId(300),
  collaborationId: anId(200),
  name: 'Base maps',
  description: '',
  createdAt: noon,
  modifiedAt: noon,
})

export const aParticipant = builder<Participant>({
  collaborationId: anId(200),
  portalId: 'PortalOfMaps0001',
  portalName: 'Ministry of Maps',
  portalUrl: 'https://maps.example.com/portal',
  role: 'Host',
  contact: { firstName: 'Anna', lastName: 'Alm', email: 'anna@example.com' },
  createdAt: noon,
  modifiedAt: noon,
})

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
export const aKnownKey = builder<KnownKey>({
  portalId: otherPortal.portalId,
  signerPortalId: 'PortalOfMaps0001',
  fingerprint: 'f'.repeat(43),
  knownSince: noon,
})

export const aKnownAddress = builder<KnownAddress>({
  portalId: otherPortal.portalId,
  signerPortalId: 'PortalOfMaps0001',
  address: 'maps.example.com',
  knownSince: noon,
})

export const anInvitation = builder<Invitation>({
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
})

export const aStep = builder<InvitationStep>({
  event: 'create',
  from: undefined,
  to: 'host_created',
  username: 'anna',
  at: noon,
})

export const anAuditEntry = builder<AuditEntry>({
  at: noon,
  username: 'anna',
  portalId: 'PortalOfMaps0001',
  address: '192.0.2.7',
  operation: 'assignGroupCategorySchema',
  target: '/sharing/rest/community/groups/1/assignCategorySchema',
  outcome: 200,
  requestId: anId(900),
})

/** Two organizations, and anna in the first one. */
export async function addPeople({ directory }: Pick<Stores, 'directory'>): Promise<void> {
  await directory.addPortal(aPortal(), aKey)
  await directory.addPortal(otherPortal, aKey)
  await directory.addUser(aUser(), 'hash')
}

/** Anna and Bert of one organization, and an outsider. */
export async function addMorePeople(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await storage.directory.addUser(aUser({ userId: anId(2), username: 'Bert' }), 'hash')
  const outsider = aUser({ userId: anId(3), username: 'outsider', portalId: otherPortal.portalId })
  await storage.directory.addUser(outsider, 'hash')
}

/** People, a collaboration of each organization, and one workspace in the first one's. */
export async function addCollaborations(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await addAlpineMaps(storage)
}

/** A collaboration of each organization, and one workspace in the first one's. */
export async function addAlpineMaps({ collaborations }: WorkStorage): Promise<void> {
  await collaborations.addCollaboration(aCollaboration())
  await collaborations.addWorkspace(aWorkspace())
  await collaborations.addCollaboration(
    aCollaboration({ collaborationId: anId(201), hostPortalId: otherPortal.portalId }),
  )
}

export async function addGroups({ directory }: WorkStorage, groups: readonly Partial<NewGroup>[]): Promise<void> {
  for (const [index, group] of groups.entries()) {
    await directory.addGroup(aGroup({ groupId: anId(100 + index), ...group }))
  }
}

/** A failed sign-in of anna. */
export const aFailure = builder<SignInFailure>({
  accountKey: 'anna',
  address: '192.0.2.7',
  crossSiteOrigin: undefined,
  failedAt: noon,
})

export const aGrant = builder<Grant>({
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
})

export const aCode = builder<AuthorizationCode>({
  codeHash: 'c'.repeat(64),
  grantId: anId(951),
  clientId: 'arcgisonline',
  redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
  challenge: undefined,
  challengeMethod: undefined,
  refreshMinutes: 1_440,
  expiresAt: noon + 60_000,
  usedAt: undefined,
})

export const aRefreshToken = builder<RefreshToken>({
  tokenHash: 'f'.repeat(64),
  grantId: anId(951),
  createdAt: noon,
  expiresAt: noon + 60_000,
  lifetimeMinutes: 1_440,
  exchangedAt: undefined,
})

export const aSession = builder<BrowserSession>({
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
})

export const aJob = builder<Job>({
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
})

export const aTemplate = builder<StoredTemplate>({
  portalId: aPortal().portalId,
  name: 'lakes',
  title: 'Lakes',
  document: '{"categorySchema":[{"title":"Lakes"}]}',
  categories: 1,
  source: 'org@1',
  createdBy: 'anna',
  createdAt: noon,
})

export const aDraft = builder<StoredDraft>({
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
})
