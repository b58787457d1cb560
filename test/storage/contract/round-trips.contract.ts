import { expect } from 'vitest'
import { draftStates } from '../../../src/categories/drafts/draft.ts'
import { invitationStates } from '../../../src/collaborations/invitation.ts'
import { defaultCategoryPolicy } from '../../../src/directory/category-policy.ts'
import { groupAccesses, membershipAccesses, sortOrders } from '../../../src/directory/group.ts'
import { notificationTypes } from '../../../src/directory/groups/request.ts'
import { categoryApprovals, portalAccesses } from '../../../src/directory/portal.ts'
import { unitChoices, userAccesses } from '../../../src/directory/user.ts'
import { itemLevels } from '../../../src/items/item.ts'
import { jobKinds, jobStates } from '../../../src/jobs/job.ts'
import { appTypes } from '../../../src/oauth/apps/app.ts'
import type { Slice } from '../../../src/paging.ts'
import type { WorkStorage } from '../work-storage.ts'
import { anApp } from './app-records.ts'
import {
  aCode,
  aCollaboration,
  aDraft,
  addAlpineMaps,
  addMorePeople,
  aGrant,
  aGroup,
  aJob,
  aKey,
  aKnownKey,
  aNotification,
  anAuditEntry,
  anId,
  anIdentity,
  anInvitation,
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
  everything,
  newestFirst,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
  testOn,
} from './records.ts'

/** A kind of record, and its way through the stores. */
interface Kind<Given extends object> {
  /** Its texts, numbers and flags take values of every sort, at any depth. */
  readonly record: Given
  /** Fields in which one record of the kind differs from the others, whatever happens to it. */
  key(number: number): Partial<NoInfer<Given>>
  /** Fields that stay as they are. */
  readonly fixed?: readonly (keyof NoInfer<Given>)[]
  /** Fields that have one of these values. */
  readonly choices?: { readonly [Field in keyof NoInfer<Given>]?: readonly NoInfer<Given>[Field][] }
  add(storage: WorkStorage, record: Given): Promise<unknown>
  find(storage: WorkStorage, record: Given): Promise<unknown>
  /** Fields that are found beside those that were added. */
  beside?(record: Given): object
  change?(storage: WorkStorage, record: Given): Promise<unknown>
  /** Fields that a change leaves as they are. */
  readonly left?: readonly (keyof NoInfer<Given>)[]
  remove?(storage: WorkStorage, record: Given): Promise<unknown>
}

/** The longest title, and none, are among them. */
const texts = [...strangeTexts, '🗺'.repeat(125), '']
const noneOrText = [undefined, strangeTexts[0]]
const noneOrTime = [undefined, endOfTime]
const portalIds = [aPortal().portalId, otherPortal.portalId]
const { groupId } = aGroup()
const owners = [{ kind: 'portal', portalId: aPortal().portalId } as const, { kind: 'group', groupId } as const]
const ofHost = (number: number) => ({ collaborationId: anId(number), hostCollaborationId: anId(number) })

/** A value like the given one: each text names its field, and of the flags of a record one is set. */
function vary(value: unknown, field: string, place: number, at: number): unknown {
  if (typeof value === 'string') return texts[at] && `${texts[at]}${field}${texts[at]}`
  if (typeof value === 'boolean') return at === place % texts.length
  if (typeof value === 'number') return at % 2 === 0 ? place : (value < noon ? 2 ** 31 - 1 : endOfTime) - place
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, vary(member, `${field}.${name}`, place, at)])
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** As many records of a kind as there are texts. */
function recordsOf<Given extends object>({ record, key, fixed = [], choices = {} }: Kind<Given>): Given[] {
  return texts.map((_, at) => {
    const fields = Object.entries(record).map(([name, value], place) => {
      const field = name as keyof Given
      const chosen = (choices as { readonly [Field in keyof Given]?: readonly unknown[] })[field]
      if (chosen) return [field, chosen[at % chosen.length]]
      return [field, fixed.includes(field) ? value : vary(value, name, place, at)]
    })
    return { ...Object.fromEntries(fields), ...key(at) }
  })
}

async function addParents(storage: WorkStorage): Promise<void> {
  await addMorePeople(storage)
  await addAlpineMaps(storage)
  await storage.directory.addGroup(aGroup())
  await storage.oauth.addGrant(aGrant(), aCode())
}

/** Records of every kind are found as they were written. */
export function roundTripsContract(open: OpenStorage): void {
  const test = testOn(open, addParents)

  function goThrough<Given extends object>(name: string, kind: Kind<Given>): void {
    test(`${name} is found as it was added and as it was changed, until it is removed, and others stay`, async ({
      storage,
    }) => {
      const kept: (Given | undefined)[] = recordsOf(kind)
      const records = [...kept] as Given[]
      async function expectKept() {
        for (const [at, record] of kept.entries()) {
          const expected = record && { ...record, ...kind.beside?.(record) }
          expect(await kind.find(storage, records[at]!), `${name} ${at}`).toStrictEqual(expected)
        }
      }
      for (const record of records) {
        expect(await kind.find(storage, record)).toBeUndefined()
        await kind.add(storage, record)
      }
      await expectKept()
      for (const half of kind.change ? [0, 1] : []) {
        for (let at = half; at < kept.length; at += 2) {
          const left = (kind.left ?? []).map((field) => [field, records[at]![field]])
          kept[at] = { ...records[(at + 1) % records.length]!, ...Object.fromEntries(left), ...kind.key(at) }
          await kind.change!(storage, kept[at]!)
        }
        await expectKept()
      }
      for (let at = 0; kind.remove && at < kept.length; at += 2) {
        kept[at] = undefined
        // A record that is not there is removed without complaint.
        for (let times = 0; times < 2; times += 1) await kind.remove(storage, records[at]!)
      }
      await expectKept()
    })
  }

  testOn(open)('what is not there is undefined, empty or 0', async ({ collaborations, directory, items, tokens }) => {
    const [userId, itemId] = [anId(1), anItem().itemId]
    const ofPortal = { kind: 'portal', portalId: aPortal().portalId } as const
    const undefineds = [
      directory.findDefaultPortal(),
      directory.findUser('unknown'),
      directory.findGroupFor(groupId, userId),
      directory.findMember(groupId, userId),
      items.findItemText(itemId),
      tokens.findTokenUser('unknown'),
    ]
    expect(new Set(await Promise.all(undefineds))).toEqual(new Set([undefined]))
    const slices: readonly Promise<Slice<object>>[] = [
      directory.listUsers('unknown', everything),
      directory.listRoles('unknown', everything),
      directory.listMembers(groupId, 10),
      directory.listGroupsOf(userId, { entries: 1_000, bytes: 1_000_000 }),
      collaborations.listCollaborations('unknown', everything),
      collaborations.listParticipants(anId(200), everything),
      collaborations.listInvitations(anId(200), newestFirst, everything),
    ]
    for (const found of slices) expect(await found).toEqual({ total: 0, entries: [] })
    const lists: readonly Promise<readonly object[]>[] = [
      collaborations.listWorkspaces(anId(200)),
      collaborations.listGroupLinks(anId(200)),
      collaborations.listSteps(anId(400)),
      items.listItemsFor([itemId], userId),
      items.listItemsFor([], userId),
      items.listItemLinks(itemId),
      items.listCarried(ofPortal),
    ]
    for (const found of lists) expect(await found).toEqual([])
    const numbers = [
      directory.countAdministrators('unknown'),
      directory.countUsersWithRole('unknown'),
      directory.countGroupsOwnedBy(userId),
      directory.countMemberships(userId),
    ]
    expect(await Promise.all(numbers)).toEqual([0, 0, 0, 0])
    expect(await items.listGroupCategories(groupId, [itemId])).toEqual(new Map())
    expect(await items.countItemsOwnedBy(userId)).toEqual({ items: 0, bytes: 0 })
  })

  goThrough('an organization with its key', {
    record: { ...aPortal(), pair: aKey },
    key: (at) => ({ portalId: `Portal${at}`, urlKey: `portal${at}` }),
    choices: {
      access: portalAccesses,
      categoryPolicy: [
        defaultCategoryPolicy,
        { require: 'enforce', below: ['/Ä "x"', '/B'], types: ['Web Map'], when: 'any' },
      ],
      categoryApproval: categoryApprovals,
    },
    add: ({ directory }, { pair, ...portal }) => directory.addPortal(portal, pair),
    find: async ({ directory }, { portalId }) => {
      const found = await directory.findPortal(portalId)
      return found && { ...found, pair: await directory.findPortalKey(portalId) }
    },
    beside: () => ({ hasCategorySchema: false }),
    change: ({ directory }, { pair: _, ...portal }) => directory.updatePortal(portal),
    left: ['pair'],
  })
  goThrough('a user with a password', {
    record: { ...aUser(), hash: 'hash' },
    key: (at) => ({ userId: anId(20 + at), username: `User.${at}` }),
    fixed: ['portalId'],
    choices: {
      access: userAccesses,
      units: [...unitChoices, ''],
      role: ['org_user', aRole().roleId],
      lastSignInAt: noneOrTime,
      providerUsername: noneOrText,
    },
    add: ({ directory }, { hash, ...user }) => directory.addUser(user, hash || undefined),
    find: async ({ directory }, { userId }) => {
      const found = await directory.findUserById(userId)
      return found && { ...found, hash: (await directory.findPasswordHash(userId)) ?? '' }
    },
    change: ({ directory }, { hash: _, ...user }) => directory.updateUser(user),
    left: ['hash'],
    remove: ({ directory }, { userId }) => directory.removeUser(userId),
  })
  goThrough('a role', {
    record: aRole(),
    key: (at) => ({ roleId: `Role${at}` }),
    fixed: ['portalId'],
    choices: { privileges: [aRole().privileges, []] },
    add: ({ directory }, role) => directory.addRole(role),
    find: ({ directory }, { roleId }) => directory.findRole(roleId),
    change: ({ directory }, role) => directory.updateRole(role),
    remove: ({ directory }, { roleId }) => directory.removeRole(roleId),
  })
  goThrough('a group', {
    record: aGroup({ tags: ['a', 'b'] }),
    key: (at) => ({ groupId: anId(110 + at) }),
    fixed: ['portalId'],
    choices: {
      ownerId: [anId(1), anId(2), anId(2)],
      access: groupAccesses,
      sortOrder: sortOrders,
      membershipAccess: membershipAccesses,
    },
    add: ({ directory }, group) => directory.addGroup(group),
    find: ({ directory }, { groupId }) => directory.findGroup(groupId),
    beside: ({ ownerId }) => ({
      ownerUsername: ownerId === anId(1) ? 'anna' : 'Bert',
      applications: 0,
      hasCategorySchema: false,
    }),
    change: ({ directory }, group) => directory.updateGroup(group),
    remove: ({ directory }, { groupId }) => directory.removeGroup(groupId, noon),
  })
  goThrough('a notification', {
    record: aNotification(),
    key: (at) => ({ notificationId: anId(610 + at) }),
    fixed: ['userId'],
    choices: { type: notificationTypes },
    add: ({ directory }, notification) => directory.addNotification(notification, 100),
    find: ({ directory }, { notificationId }) => directory.findNotification(notificationId),
    remove: ({ directory }, { notificationId }) => directory.removeNotification(notificationId),
  })
  goThrough('an item with its data', {
    record: { ...anItem({ tags: ['a', 'b'], typeKeywords: ['a', 'b'] }), text: 'data' },
    key: (at) => ({ itemId: anId(510 + at) }),
    fixed: ['portalId', 'ownerId', 'bytes'],
    choices: {
      extent: [undefined, [-180, -89.999999999999, 5.1e-7, 90]],
      properties: [undefined, '{"ä":[null,"🗺"]}'],
      level: itemLevels,
      size: [endOfTime, 0],
      categories: [...strangeTexts.map((text) => [`/${text.replaceAll('/', '')}`]), ['/B/C', '/A', '/B', '/B/C/D'], []],
    },
    add: ({ items }, { text, ...item }) => items.addItem(item, text),
    find: async ({ items }, { itemId }) => {
      const found = await items.findItemFor(itemId, undefined)
      return found && { ...found.item, text: await items.findItemText(itemId) }
    },
    beside: ({ level }) => ({ ownerUsername: 'anna', access: level }),
    change: ({ items }, { text, ...item }) => items.updateItem(item, text),
    left: ['createdAt'],
    remove: ({ items }, { itemId }) => items.removeItem(itemId),
  })
  goThrough('a collaboration', {
    record: aCollaboration(),
    key: (at) => ({ collaborationId: anId(210 + at) }),
    fixed: ['hostPortalId'],
    add: ({ collaborations }, collaboration) => collaborations.addCollaboration(collaboration),
    find: ({ collaborations }, { collaborationId }) => collaborations.findCollaboration(collaborationId),
    change: ({ collaborations }, collaboration) => collaborations.updateCollaboration(collaboration),
    remove: ({ collaborations }, { collaborationId }) => collaborations.removeCollaboration(collaborationId),
  })
  goThrough('a workspace', {
    record: aWorkspace(),
    key: (at) => ({ workspaceId: anId(310 + at) }),
    fixed: ['collaborationId'],
    add: ({ collaborations }, workspace) => collaborations.addWorkspace(workspace),
    find: async ({ collaborations }, { collaborationId, workspaceId }) =>
      (await collaborations.listWorkspaces(collaborationId)).find((one) => one.workspaceId === workspaceId),
    change: ({ collaborations }, workspace) => collaborations.updateWorkspace(workspace),
    remove: ({ collaborations }, { workspaceId }) => collaborations.removeWorkspace(workspaceId),
  })
  goThrough('a participant', {
    record: aParticipant(),
    key: (at) => ({ portalId: `AGuestPortal${at}` }),
    fixed: ['collaborationId'],
    choices: { role: ['Guest', 'Host'] },
    add: ({ collaborations }, participant) => collaborations.addParticipant(participant, []),
    find: ({ collaborations }, { collaborationId, portalId }) =>
      collaborations.findParticipant(collaborationId, portalId),
    remove: ({ collaborations }, { collaborationId, portalId }) =>
      collaborations.removeParticipant(collaborationId, portalId),
  })
  goThrough('a participation', {
    record: aParticipation(),
    key: (at) => ({ portalId: portalIds[at % 2]!, ...ofHost(210 + (at >> 1)) }),
    fixed: ['hostPortalId'],
    choices: {
      workspaces: [
        [],
        [anId(303), anId(301), anId(302)].map((workspaceId, at) => ({
          workspaceId,
          name: strangeTexts[at]!,
          description: strangeTexts[at + 3]!,
          accessMode: (['receive', 'send', 'sendAndReceive'] as const)[at]!,
          groupId: [undefined, groupId, undefined][at],
        })),
        strangeTexts.map((name, at) => ({
          workspaceId: anId(350 - at),
          name,
          description: name,
          accessMode: 'send' as const,
          groupId: undefined,
        })),
      ],
    },
    add: ({ collaborations }, participation) => collaborations.putParticipation(participation),
    find: ({ collaborations }, { portalId, collaborationId }) =>
      collaborations.findParticipation(portalId, collaborationId),
    change: ({ collaborations }, participation) => collaborations.putParticipation(participation),
    remove: ({ collaborations }, { portalId, collaborationId }) =>
      collaborations.removeParticipation(portalId, collaborationId),
  })
  goThrough('the key of a portal', {
    record: aKnownKey(),
    key: (at) => ({ portalId: portalIds[at % 2]!, signerPortalId: `Signer${at >> 1}` }),
    add: ({ collaborations }, known) => collaborations.putKnownKey(known),
    find: ({ collaborations }, { portalId, signerPortalId }) => collaborations.findKnownKey(portalId, signerPortalId),
    change: ({ collaborations }, known) => collaborations.putKnownKey(known),
  })
  goThrough('an invitation', {
    record: anInvitation(),
    key: (at) => ({ invitationId: anId(410 + at) }),
    fixed: ['collaborationId', 'hostPortalId'],
    choices: {
      state: invitationStates,
      guestPortalId: [undefined, 'AGuestPortal0003'],
      workspaces: [anInvitation().workspaces, [{ workspaceId: anId(300), accessMode: 'receive', groupId: anId(100) }]],
    },
    add: ({ collaborations }, invitation) => collaborations.addInvitation(invitation, aStep()),
    find: ({ collaborations }, { invitationId }) => collaborations.findInvitation(invitationId),
  })
  goThrough('a job', {
    record: aJob(),
    key: (at) => ({ jobId: anId(510 + at) }),
    fixed: ['portalId', 'starterId'],
    choices: {
      kind: jobKinds,
      state: jobStates,
      reverts: noneOrText,
      failures: [
        [],
        [
          { itemId: anId(7), code: 400, message: strangeTexts[0] },
          { code: 403, message: 'No.' },
        ],
      ],
      endedAt: noneOrTime,
    },
    add: ({ jobs }, job) => jobs.addJob(job, {}),
    find: ({ jobs }, { jobId }) => jobs.findJob(jobId),
    change: ({ jobs }, job) => jobs.putJob(job),
    left: ['kind', 'byAdministrator', 'reverts', 'total', 'startedAt'],
  })
  goThrough('a template', {
    record: aTemplate(),
    key: (at) => ({ portalId: portalIds[at % 2]!, name: `template-${at >> 1}` }),
    choices: { source: noneOrText },
    add: ({ templates }, template) => templates.addTemplate(template),
    find: ({ templates }, { portalId, name }) => templates.findTemplate(portalId, name),
    remove: ({ templates }, { portalId, name }) => templates.removeTemplate(portalId, name),
  })
  goThrough('a draft', {
    record: aDraft(),
    key: (at) => ({ draftId: anId(710 + at), owner: owners[at % 2]! }),
    fixed: ['portalId'],
    choices: {
      action: ['assign', 'delete', 'restore'],
      restoredFrom: [undefined, 7],
      items: [undefined, 'stay'],
      people: [
        { savers: [] },
        { savers: [{ userId: anId(1), username: 'anna' }], proposer: { userId: anId(2), username: 'Łódź' } },
      ],
      moves: [[], [{ from: '/A "x"', to: '/Ä' }]],
      comment: noneOrText,
      vanishing: [undefined, 'clear'],
      state: draftStates,
      stateBy: noneOrText,
      stateAt: noneOrTime,
      note: noneOrText,
      reviewer: noneOrText,
      publishAt: noneOrTime,
    },
    add: ({ drafts }, draft) => drafts.addDraft(draft),
    find: ({ drafts }, { owner, draftId }) => drafts.findDraft(owner, draftId),
    change: ({ drafts }, draft) => drafts.putDraft(draft),
    remove: ({ drafts }, { draftId }) => drafts.removeDraft(draftId),
  })
  const signedIn = {
    way: ['password', 'session', 'provider'],
    issuer: noneOrText,
    providerSession: noneOrText,
  } as const
  goThrough('what a user allowed an app', {
    record: aGrant(),
    key: (at) => ({ grantId: anId(960 + at) }),
    fixed: ['userId'],
    choices: signedIn,
    add: ({ oauth }, grant) => oauth.addGrant(grant, aCode({ codeHash: grant.grantId, grantId: grant.grantId })),
    find: ({ oauth }, { grantId }) => oauth.findGrant(grantId),
    remove: ({ oauth }, grant) => oauth.removeGrant(grant),
  })
  goThrough('a code of an app', {
    record: aCode(),
    key: (at) => ({ codeHash: `code ${at}`, grantId: anId(960 + at) }),
    fixed: ['usedAt'],
    choices: { challenge: noneOrText, challengeMethod: [undefined, 'S256', 'plain'] },
    add: ({ oauth }, code) => oauth.addGrant(aGrant({ grantId: code.grantId }), code),
    find: ({ oauth }, { codeHash }) => oauth.findCode(codeHash),
  })
  goThrough('a refresh token', {
    record: aRefreshToken(),
    key: (at) => ({ tokenHash: `refresh ${at}` }),
    fixed: ['grantId', 'exchangedAt'],
    add: ({ oauth }, token) => oauth.addRefreshToken(token),
    find: ({ oauth }, { tokenHash }) => oauth.findRefreshToken(tokenHash),
  })
  goThrough('a session of a browser', {
    record: aSession(),
    key: (at) => ({ sessionHash: `session ${at}` }),
    fixed: ['userId'],
    choices: { ...signedIn, sealedIdToken: noneOrText },
    add: ({ oauth }, session) => oauth.addSession(session),
    find: ({ oauth }, { sessionHash }) => oauth.findSession(sessionHash),
    remove: ({ oauth }, { sessionHash }) => oauth.removeSession(sessionHash),
  })
  goThrough('an app without an item', {
    record: anApp({ itemId: undefined, owner: undefined }),
    key: (at) => ({ clientId: `AppOfTheCoast${at}` }),
    fixed: ['portalId'],
    choices: {
      appType: appTypes,
      secretHash: noneOrText,
      formerSecretHash: noneOrText,
      secretMadeAt: noneOrTime,
      secretExpiresAt: noneOrTime,
      formerSecretExpiresAt: noneOrTime,
    },
    add: ({ oauth }, app) => oauth.addApp(app),
    find: ({ oauth }, { clientId }) => oauth.findApp(clientId),
    change: ({ oauth }, app) => oauth.updateApp(app),
    remove: ({ oauth }, { clientId }) => oauth.removeApp(clientId),
  })
  goThrough('an account of an identity provider', {
    record: anIdentity(),
    key: (at) => ({ subject: `${texts[at]} ${at}` }),
    fixed: ['userId', 'issuer'],
    add: ({ identities }, identity) => identities.addIdentity(identity),
    find: ({ identities }, { issuer, subject }) => identities.findIdentity(issuer, subject),
    change: ({ identities }, identity) => identities.touchIdentity(identity),
    left: ['linkedAt'],
  })
  for (const [name, record] of [
    ['an entry of the log', anAuditEntry()],
    [
      'an entry of the log with an owner and data',
      anAuditEntry({ ownerId: anId(7), data: { version: 8, moves: [{ from: '/A', to: '/Ä/\u0000' }] } }),
    ],
  ] as const) {
    goThrough(name, {
      record,
      key: (at) => ({ requestId: anId(910 + at) }),
      fixed: ['data'],
      choices: { username: noneOrText, portalId: [aPortal().portalId, undefined] },
      add: ({ audit }, entry) => audit.add(entry),
      find: async ({ recorded }, { requestId }) =>
        (await recorded.entries()).find((entry) => entry.requestId === requestId),
    })
  }
}
