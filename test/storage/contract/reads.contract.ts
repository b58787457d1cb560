import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Readers, type Storage, StorageUnavailable, type Stores } from '../../../src/storage/storage.ts'
import { tableNames } from '../../../src/storage/tables/tables.ts'
import { muchLater } from '../much-later.ts'
import type { ReusedDatabase } from '../reused-database.ts'
import { callStore, runCalls, type StoreCall } from '../store-calls.ts'
import { anApp, anAppToken } from './app-records.ts'
import {
  aCode,
  aCollaboration,
  aDraft,
  aFailure,
  aGrant,
  aGroup,
  aJob,
  aKey,
  aKnownAddress,
  aKnownKey,
  aNotification,
  anAuditEntry,
  anId,
  anIdentity,
  anInvitation,
  anInvitationToGroup,
  anItem,
  aParticipant,
  aParticipation,
  aPortal,
  aRefreshToken,
  aRole,
  aSession,
  aStep,
  aTemplate,
  aUser,
  aWorkspace,
  endOfTime,
  noon,
  otherPortal,
} from './records.ts'
import { aDelivery, anAttempt, aWebhook } from './webhook-records.ts'

type CallStorage = Storage<readonly StoreCall[]>

/** Access to the reads of an engine, as far as engines differ. */
export interface ReadsOfEngine<Database extends ReusedDatabase> {
  makeDatabase(): Promise<Database>
  open(database: Database, execute: typeof runCalls): Promise<CallStorage>
  /** Why a write that is sent during a read waits for its end; undefined where it does not. */
  readonly writesWait?: string
  /** Whether callers are remembered between reads. */
  readonly remembersCallers: boolean
}

const tokenHash = 'a'.repeat(64)
const token = { tokenHash, userId: anId(1), createdAt: noon, expiresAt: noon }
const group = { kind: 'group', groupId: anId(100) } as const
const organization = { kind: 'portal', portalId: aPortal().portalId } as const
const place = (path: string) => ({ path, state: 'primary' }) as const
const member = { userId: anId(1), memberType: 'admin', joinedAt: noon } as const
const invited = anInvitation({ invitationId: anId(401) })

/** More items than leave a group with their owner in one write: links are left for housekeeping to end. */
const left = { groupId: anId(102), itemIds: Array.from({ length: 11 }, (_, index) => anId(601 + index)) }

/** An organization with a record of every kind, and a caller with a custom role. */
const records: readonly StoreCall[] = [
  ['directory', 'addPortal', aPortal(), aKey],
  ['directory', 'addPortal', otherPortal, aKey],
  ['directory', 'addRole', aRole()],
  ['directory', 'addUser', aUser({ role: aRole().roleId }), 'hash'],
  ['directory', 'addUser', aUser({ userId: anId(2), username: 'bert' }), 'hash'],
  ['directory', 'addGroup', aGroup({ ownerId: anId(2) })],
  ['directory', 'putMember', group.groupId, member],
  ['directory', 'putGroupInvitation', anInvitationToGroup()],
  ['directory', 'putGroupApplication', { groupId: anId(100), userId: anId(1), createdAt: noon }],
  ['directory', 'addNotification', aNotification(), 10],
  ['categories', 'putDocument', group, '{}', 'anna', noon],
  ['categories', 'putDocument', group, '[]', 'anna', noon],
  ['items', 'addItem', anItem({ categories: ['/A'] }), 'data'],
  ['items', 'putItemLink', anItem().itemId, { groupId: group.groupId, givesControl: false }],
  ['items', 'putGroupCategories', group.groupId, [{ itemId: anItem().itemId, paths: ['/B'] }]],
  ['items', 'putCoverage', organization, '2026-11-28', [{ path: '', items: 1 }]],
  ['directory', 'addGroup', aGroup({ groupId: left.groupId, ownerId: anId(2) })],
  ...left.itemIds.flatMap((itemId): readonly StoreCall[] => [
    ['items', 'addItem', anItem({ itemId, ownerId: anId(2) }), 'data'],
    ['items', 'putItemLink', itemId, { groupId: left.groupId, givesControl: false }],
  ]),
  ['items', 'removeItemLinksOf', anId(2), left.groupId],
  ['collaborations', 'addCollaboration', aCollaboration()],
  ['collaborations', 'addWorkspace', aWorkspace()],
  ['collaborations', 'addParticipant', aParticipant(), []],
  ['collaborations', 'addInvitation', anInvitation(), aStep()],
  ['collaborations', 'putParticipation', aParticipation()],
  ['tokens', 'addToken', token],
  ['oauth', 'addApp', anApp()],
  ['oauth', 'addAppToken', anAppToken(), 10],
  ['oauth', 'addGrant', aGrant(), aCode()],
  ['oauth', 'addRefreshToken', aRefreshToken()],
  ['oauth', 'addSession', aSession()],
  ['identities', 'addIdentity', anIdentity()],
  ['oauth', 'addSession', aSession({ sessionHash: '3'.repeat(64), issuer: anIdentity().issuer })],
  ['tokens', 'addToken', { ...token, tokenHash: 'b'.repeat(64), grantId: aGrant().grantId }],
  ['tokens', 'addFailure', aFailure()],
  ['tokens', 'putSignIn', anId(1), '192.0.2.7', noon, 1],
  ['jobs', 'addJob', aJob(), { ownerId: anId(2) }],
  ['templates', 'addTemplate', aTemplate()],
  ['drafts', 'addDraft', aDraft()],
  ['jobs', 'addJob', aJob({ jobId: anId(502), state: 'completed', endedAt: noon }), {}],
  ['webhooks', 'addWebhook', aWebhook()],
  ['webhooks', 'putSettings', aPortal().portalId, { sends: true }],
  ['webhooks', 'addDeliveries', [aDelivery()]],
  ['audit', 'add', anAuditEntry(), [{ itemId: anItem().itemId, portalId: aPortal().portalId, change: {} }]],
]

type Writing<Store, Reader> = {
  readonly [Verb in Exclude<keyof Store, keyof Reader>]: Store[Verb] extends (...parameters: infer Given) => unknown
    ? Given
    : never
}

/** Every verb that writes, each with parameters by which it would change something. */
const writing: {
  readonly [Room in keyof Stores]: Writing<Stores[Room], Room extends keyof Readers ? Readers[Room] : unknown>
} = {
  directory: {
    addPortal: [aPortal({ portalId: 'PortalOfLakes003', urlKey: 'lakes' }), aKey],
    updatePortal: [aPortal({ name: 'Renamed' })],
    putNotificationsRead: [aNotification().userId, noon, noon],
    replaceSealedKey: [aPortal().portalId, aKey.sealedPrivateKey, 'sealed anew'],
    replaceKey: [aPortal().portalId, aKey.sealedPrivateKey, { ...aKey, publicKey: '{}' }],
    addUser: [aUser({ userId: anId(3), username: 'carl' }), 'hash'],
    updateUser: [aUser({ disabled: true })],
    removeUser: [anId(1)],
    putPasswordHash: [anId(1), 'another hash'],
    putPasswordEnd: [anId(1), noon],
    addRole: [aRole({ roleId: 'RoleOfEditors002' })],
    updateRole: [aRole({ name: 'Renamed' })],
    removeRole: [aRole().roleId],
    addGroup: [aGroup({ groupId: anId(101) })],
    updateGroup: [aGroup({ title: 'Renamed' })],
    removeGroup: [group.groupId, noon],
    putMember: [group.groupId, { ...member, memberType: 'member' }],
    removeMember: [group.groupId, anId(1)],
    putGroupInvitation: [anInvitationToGroup({ invitationId: anId(501), userId: anId(2), inviterId: anId(1) })],
    putGroupApplication: [{ groupId: anId(100), userId: anId(2), createdAt: noon }],
    removeGroupInvitation: [anInvitationToGroup().invitationId],
    removeGroupApplication: [anId(100), anId(1)],
    removeOldGroupRequests: [{ expiry: endOfTime, application: endOfTime }, 10],
    addNotification: [aNotification({ notificationId: anId(601) }), 10],
    removeNotification: [aNotification().notificationId],
  },
  categories: {
    putDocument: [group, '{"categorySchema":[]}', 'anna', noon],
    removeDocument: [group, 'anna', noon],
    removeOldVersions: [group, { versions: 1 }],
  },
  drafts: {
    addDraft: [aDraft({ draftId: anId(701) })],
    putDraft: [aDraft({ name: 'Rivers' })],
    putProgress: [aDraft().draftId, aDraft({ state: 'proposed' })],
    removeDraft: [aDraft().draftId],
    noteReminder: [aDraft().draftId, noon],
    removeUntouchedDrafts: [noon + 1_000_000, 10],
  },
  templates: {
    addTemplate: [aTemplate({ name: 'rivers' })],
    removeTemplate: [aTemplate().portalId, aTemplate().name],
  },
  schemaHistory: {
    noteVersion: [group, 2, { action: 'assign', comment: 'A note' }],
  },
  items: {
    addItem: [anItem({ itemId: anId(501) }), 'data'],
    updateItem: [anItem({ title: 'Renamed' }), 'other data'],
    removeItem: [anItem().itemId],
    giveItem: [anItem().itemId, anId(2)],
    putCategories: [[{ itemId: anItem().itemId, paths: ['/C'] }], noon],
    putGroupCategories: [group.groupId, [{ itemId: anItem().itemId, paths: ['/C'] }]],
    putItemLink: [anItem().itemId, { groupId: group.groupId, givesControl: true }],
    removeItemLink: [anItem().itemId, group.groupId],
    removeItemLinksOf: [anId(1), group.groupId],
    endLinks: [],
    putItemCount: [aPortal().portalId, { items: 3, bytes: 3_072 }],
    mergeItemCounts: [],
    putCoverage: [group, '2026-11-29', [{ path: '', items: 3 }]],
    removeCoverageBefore: ['2026-11-29', 10],
    movePaths: [organization, [{ from: '/A', to: '/C' }], new Set()],
    undoMoves: [
      organization,
      [{ rows: [{ id: 1, from: place('/C'), to: place('/A') }], lastId: 1, forward: [], back: [] }],
    ],
    clearPaths: [organization, ['/A']],
  },
  collaborations: {
    addCollaboration: [aCollaboration({ collaborationId: anId(201) })],
    updateCollaboration: [aCollaboration({ name: 'Renamed' })],
    removeCollaboration: [anId(200)],
    addWorkspace: [aWorkspace({ workspaceId: anId(301) })],
    updateWorkspace: [aWorkspace({ name: 'Renamed' })],
    removeWorkspace: [anId(300)],
    addParticipant: [aParticipant({ portalId: 'AGuestPortal0003' }), []],
    removeParticipant: [anId(200), aPortal().portalId],
    putWorkspaceAccess: [anId(200), aPortal().portalId, { workspaceId: anId(300), accessMode: 'send' }],
    putParticipation: [aParticipation({ name: 'Renamed' })],
    removeParticipation: [otherPortal.portalId, anId(200)],
    putKnownKey: [aKnownKey({ fingerprint: 'g'.repeat(43) })],
    addKnownAddress: [aKnownAddress({ address: 'other.example.com' })],
    addInvitation: [invited, aStep()],
    changeInvitation: [{ from: anInvitation(), to: anInvitation({ file: 'another' }), step: aStep() }],
  },
  oauth: {
    addGrant: [aGrant({ grantId: anId(952) }), aCode({ codeHash: 'd'.repeat(64), grantId: anId(952) })],
    useCode: [aCode().codeHash, noon + 1, { grantId: aGrant().grantId, expiresAt: noon + 2, needsSecret: true }],
    touchGrant: [aGrant().grantId, noon + 1],
    renewGrant: [{ grantId: aGrant().grantId, lastUsedAt: noon + 1, expiresAt: noon + 2 }],
    removeGrant: [aGrant()],
    removeTokensOfGrant: [aGrant()],
    addRefreshToken: [aRefreshToken({ tokenHash: 'e'.repeat(64) })],
    exchangeRefreshToken: [aRefreshToken().tokenHash, noon],
    addSession: [aSession({ sessionHash: '1'.repeat(64) })],
    touchSession: [aSession().sessionHash, noon + 1],
    removeSession: [aSession().sessionHash],
    putConsent: [anId(1), 'an app', 'what it asked', noon],
    addLink: [{ linkHash: 'f'.repeat(64), userId: anId(1), expiresAt: noon + 1 }],
    removeLinks: [anId(1)],
    putLink: [{ linkHash: '1'.repeat(64), userId: anId(1), expiresAt: noon }],
    removeEnded: [endOfTime],
    addApp: [anApp({ clientId: 'AnotherApp000002', itemId: undefined })],
    updateApp: [anApp({ title: 'Renamed' })],
    removeApp: [anApp().clientId],
    putSwitch: [aPortal().portalId, 'arcgisonline', true],
    removeGrantsOfApp: [aGrant().clientId, aPortal().portalId],
    removeGrantsWithSecret: [aGrant().clientId],
    disownApp: [anApp().clientId, noon + 2],
    addAppToken: [anAppToken({ tokenHash: 'c'.repeat(64) }), 10],
    removeAppToken: [anAppToken().tokenHash],
    removeAppTokens: [anApp().clientId],
  },
  identities: {
    addIdentity: [anIdentity({ subject: 'another' })],
    touchIdentity: [{ ...anIdentity(), lastUsedAt: noon + 1 }],
    removeIdentitiesOf: [anId(1)],
    removeSessionsOf: ['https://login.example.com', { userId: anId(1) }],
    useLogoutToken: ['2'.repeat(64), noon],
  },
  tokens: {
    addToken: [{ ...token, tokenHash: 'b'.repeat(64) }],
    removeToken: [tokenHash],
    removeTokensOf: [anId(1)],
    removeOtherTokensOf: [anId(1), { tokenHash }],
    removeExpired: [noon + 1],
    addFailure: [aFailure({ accountKey: 'bert' })],
    removeFailures: [noon + 1],
    removeFailuresOf: ['anna'],
    putSignIn: [anId(1), '192.0.2.8', noon, 2],
  },
  audit: {
    add: [anAuditEntry()],
    indexEntries: [1],
    removeEntries: [noon + 1],
  },
  itemHistory: { putReverted: [{ entry: 1, itemId: anItem().itemId }, noon] },
  jobs: {
    addJob: [aJob({ jobId: anId(501) }), {}],
    startJob: [aJob().jobId, noon + 1],
    leaseJob: [aJob().jobId, 'a server', noon, noon + 1],
    addFailedStep: [aJob().jobId],
    failJob: [aJob().jobId, { code: 500, message: 'No.' }, noon],
    removeExcessJobs: [aJob().starterId, 0],
    putJob: [aJob({ state: 'cancelled' })],
    addJobItems: [aJob().jobId, [{ row: 1, data: { itemId: anItem().itemId } }]],
    removeJobs: [noon + 1, noon],
  },
  webhooks: {
    addWebhook: [aWebhook({ webhookId: anId(801), nameKey: 'another' })],
    updateWebhook: [aWebhook({ name: 'Renamed' })],
    removeWebhook: [aWebhook().webhookId],
    putSettings: [aPortal().portalId, { sends: false }],
    putRevision: ['another'],
    addDeliveries: [[aDelivery({ deliveryId: 'msg_2' })]],
    updateDelivery: [{ ...aDelivery(), number: 1, state: 'failed', attempts: 1, tries: 1 }],
    lendDeliveries: [[1], noon + 1],
    acknowledgeDeliveries: [[aDelivery().deliveryId], noon],
    hastenPending: [aWebhook().webhookId, noon + 1],
    failOldest: [aWebhook().webhookId, 1, 'queue full', noon],
    endOldDeliveries: [{ pending: noon + 1, sent: noon, failed: noon }, 1, noon],
    addAttempts: [[anAttempt()]],
    recoverDeliveries: [aWebhook().webhookId, noon, noon + 1],
  },
  checksums: { putChecksums: [] },
  erasure: {
    replaceNames: ['audit', [{ id: 1 }], { names: ['anna'], alias: 'former-member-1' }],
    putErasureEnd: [1, true],
  },
  disk: {},
}

const everyWrite = Object.entries(writing).flatMap(([room, verbs]) =>
  Object.entries(verbs).map(([verb, parameters]) => [room, verb, ...parameters] as unknown as StoreCall),
)

/** Contract of reads on every engine. Each test finds a record of every kind, and nothing else. */
export function describeReads<Database extends ReusedDatabase>(name: string, engine: ReadsOfEngine<Database>): void {
  describe(name, () => readsContract(engine))
}

function readsContract<Database extends ReusedDatabase>({
  makeDatabase,
  open,
  writesWait,
  remembersCallers,
}: ReadsOfEngine<Database>): void {
  let database: Database
  let storage: CallStorage
  beforeAll(async () => {
    database = await makeDatabase()
    storage = await open(database, runCalls)
  })
  afterAll(async () => {
    await storage.close()
    await database.remove()
  })
  beforeEach(async () => {
    await database.empty()
    // Removing any app clears the cache of callers.
    await write(['oauth', 'removeApp', 'an app'], ...records)
  })

  const write = (...calls: readonly StoreCall[]) => storage.write(calls, muchLater())
  const read = <Result>(work: (stores: Readers) => Promise<Result>) => storage.read(work, muchLater())
  const describePortal = async ({ directory }: Readers) => (await directory.findPortal(aPortal().portalId))?.description
  const findCaller = () => read(({ tokens }) => tokens.findTokenUser(tokenHash))
  const caller = { userId: anId(1), role: aRole().roleId, customPrivileges: aRole().privileges, disabled: false }

  /** Sends a write amid a read, and goes on when it is acknowledged, or immediately where it waits for the read. */
  async function amidRead<Result>(calls: readonly StoreCall[], ask: (stores: Readers) => Promise<Result>) {
    let written: Promise<unknown> | undefined
    const seen = await read(async (stores) => {
      const first = await describePortal(stores)
      written = write(...calls)
      if (!writesWait) await written
      return [first, await describePortal(stores), await ask(stores)]
    })
    await written
    return seen
  }

  describe('a read', () => {
    test('cannot write: every verb that is forced on it is refused, and nothing is stored', async () => {
      await database.query('update items set checksum = null returning id')
      const before = await tablesOf(database)
      for (const call of everyWrite) {
        const forced = read((stores) => callStore(stores as unknown as Stores, call))
        await expect(forced, call.slice(0, 2).join('.')).rejects.toBeInstanceOf(StorageUnavailable)
      }
      expect(await tablesOf(database)).toEqual(before)
      for (const call of everyWrite.slice(0, 2)) await write(call)
      expect(await tablesOf(database)).not.toEqual(before)
    })

    test('is one snapshot: a write in the middle of it is seen by the next read, and not by this one', async () => {
      const calls: readonly StoreCall[] = [
        ['directory', 'updatePortal', aPortal({ description: 'new' })],
        ['collaborations', 'removeCollaboration', anId(200)],
      ]
      const ask = async ({ collaborations }: Readers) => (await collaborations.findCollaboration(anId(200)))?.name
      expect(await amidRead(calls, ask)).toEqual(['', '', aCollaboration().name])
      expect(await read(describePortal)).toBe('new')
      expect(await read(ask)).toBeUndefined()
    })

    test('is one snapshot, too, where it begins with a look-up that is mostly all', async () => {
      const versionOf = async ({ categories }: Readers) =>
        (await categories.findGroupSchema(group.groupId, anId(1)))?.present?.version
      const before = (await read(versionOf))!
      const written: Promise<unknown>[] = []
      // It may run twice.
      const seen = await read(async (stores) => {
        const first = await versionOf(stores)
        written.push(write(['categories', 'putDocument', group, `${written.length}`, 'anna', noon]))
        if (!writesWait) await Promise.all(written)
        return [first, await versionOf(stores), await versionOf(stores)]
      })
      await Promise.all(written)
      expect(new Set(seen).size).toBe(1)
      expect(seen[0]).toBeLessThan(before + written.length)
      expect(await read(versionOf)).toBe(before + written.length)
    })

    test('that fails leaves no snapshot behind', async () => {
      for (let times = 1; times <= 10; times += 1) {
        const failing = read(async (stores) => {
          await describePortal(stores)
          throw new Error('refused')
        })
        await expect(failing).rejects.toThrow('refused')
        await write(['directory', 'updatePortal', aPortal({ description: `${times}` })])
        expect(await read(describePortal)).toBe(`${times}`)
      }
    })
  })

  describe('a caller', () => {
    test.each<readonly [what: string, call: StoreCall, found: object | undefined]>([
      ['whose token was removed', ['tokens', 'removeToken', tokenHash], undefined],
      ['whose tokens were removed', ['tokens', 'removeTokensOf', anId(1)], undefined],
      [
        'who was disabled',
        ['directory', 'updateUser', aUser({ role: aRole().roleId, disabled: true })],
        { ...caller, disabled: true },
      ],
      [
        'who was given another role',
        ['directory', 'updateUser', aUser()],
        { ...caller, role: 'org_user', customPrivileges: undefined },
      ],
      ['who was removed', ['directory', 'removeUser', anId(1)], undefined],
      [
        'whose role was changed',
        ['directory', 'updateRole', aRole({ privileges: [] })],
        { ...caller, customPrivileges: [] },
      ],
      [
        'whose role was removed',
        ['directory', 'removeRole', aRole().roleId],
        { ...caller, customPrivileges: undefined },
      ],
    ])('%s is not answered from memory', async (_, call, found) => {
      // A user who owns items cannot be removed.
      await write(['items', 'removeItem', anItem().itemId])
      await rememberCaller()
      await write(call)
      const present = await findCaller()
      if (found) expect(present).toMatchObject(found)
      else expect(present).toBeUndefined()
    })

    test('who was looked up in a snapshot from before the change is not remembered', async () => {
      const remove: StoreCall = ['tokens', 'removeToken', tokenHash]
      const [, , seen] = await amidRead([remove], ({ tokens }) => tokens.findTokenUser(tokenHash))
      expect(seen).toMatchObject(caller)
      expect(await findCaller()).toBeUndefined()
    })

    /** Looks the caller up until it is answered from memory, where there is one. */
    async function rememberCaller(): Promise<void> {
      const { hits } = storage.figures().callerCache
      do expect(await findCaller()).toMatchObject(caller)
      while (remembersCallers && storage.figures().callerCache.hits === hits)
    }
  })
}

async function tablesOf({ query }: ReusedDatabase): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables: Record<string, readonly unknown[]> = {}
  for (const name of tableNames) tables[name] = await query(`select * from ${name}`)
  return tables
}
