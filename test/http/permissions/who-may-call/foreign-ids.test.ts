import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Actors, type Fixture, openActors } from '../../../support/portal/actors.ts'
import type { Hosted } from '../../../support/portal/hosted.ts'
import { type Body, Client, type Parameters } from '../../../support/portal/portal.ts'
import { groupNotFound, notFound, type Refusal, unable } from './expectations/outcomes.ts'

/** Ids and files of other users, given as parameters by permitted callers: they open nothing. */

const wanted = { holder: ['portal:admin:manageCollaborations'], lacking: [] } as const

let actors: Actors
let fixture: Fixture

beforeAll(async () => {
  actors = await openActors('private', [wanted])
  fixture = actors.fixture
})

beforeEach(() => actors.database.rewind())

afterAll(() => actors[Symbol.asyncDispose]())

function client(caller: 'administrator' | 'holder' | 'everything' | 'outsider'): Client {
  const { token, username } = actors.find(caller, wanted)
  return new Client(actors.portal, token, username)
}

function below(collaborationId: string): string {
  return `/portals/self/collaborations/${collaborationId}`
}

function linkTo({ collaborationId, workspaceId }: Hosted): string {
  return `${below(collaborationId)}/workspaces/${workspaceId}/updatePortalGroupLink`
}

/** The answer is this refusal, and the audit's line of it is all that is new. */
async function expectRefusal(answer: Promise<Body>, refusal: Refusal): Promise<void> {
  expect(await answer).toEqual({ error: refusal })
  const { audit, ...others } = await actors.database.changes()
  expect(others).toEqual({})
  expect(audit?.added).toMatchObject([{ outcome: refusal.code }])
}

describe('groups', () => {
  const calls: readonly (readonly [string, (portalGroupId: string) => readonly [path: string, Parameters]])[] = [
    [
      'a new collaboration',
      (portalGroupId) => [
        '/portals/self/createCollaboration',
        { name: 'Seas', workspaceName: 'Depths', portalGroupId },
      ],
    ],
    [
      'a new workspace',
      (portalGroupId) => [
        `${below(fixture.ours.collaborationId)}/addWorkspace`,
        { collaborationWorkspaceName: 'Depths', portalGroupId },
      ],
    ],
    ['a workspace that the organization hosts', (portalGroupId) => [linkTo(fixture.ours), { portalGroupId }]],
    ['a workspace that the organization is a guest in', (portalGroupId) => [linkTo(fixture.theirs), { portalGroupId }]],
  ]

  describe.each(calls)('%s', (_, request) => {
    test('is not linked to a public group of another organization', async () => {
      const [path, parameters] = request(fixture.theirs.hostGroupId)
      for (const caller of ['administrator', 'everything', 'holder'] as const) {
        await actors.database.rewind()
        await expectRefusal(client(caller).post(path, parameters), groupNotFound)
      }
    })

    test('is not linked to a group that does not exist, and the answer is the same', async () => {
      const [path, parameters] = request('0'.repeat(32))
      await expectRefusal(client('administrator').post(path, parameters), groupNotFound)
    })

    test('is linked to a private group by those who see it only', async () => {
      const [path, parameters] = request(fixture.groups.private)
      await expectRefusal(client('holder').post(path, parameters), groupNotFound)
      await actors.database.rewind()
      expect(await client('administrator').post(path, parameters)).toMatchObject({ success: true })
    })
  })
})

describe('workspaces', () => {
  /** Workspaces that are not the shared collaboration's. */
  const foreign: readonly (readonly [string, () => string])[] = [
    ['another collaboration of the same host', () => fixture.ours.answeredWorkspaceId],
    ['a collaboration that the host is a guest in', () => fixture.theirs.workspaceId],
    ['nothing', () => '0'.repeat(32)],
  ]

  test.each(foreign)('of %s are offered to no guest', async (_, workspace) => {
    const refusal = `collaborationWorkspacesParticipantConfigJSON: the workspace ${workspace()} does not exist.`
    for (const access of lists(workspace())) {
      await actors.database.rewind()
      const answer = client('administrator').post(`${below(fixture.ours.collaborationId)}/inviteParticipant`, {
        guestPortalUrl: 'https://lakes.example.org/portal',
        collaborationWorkspacesParticipantConfigJSON: access,
      })
      await expectRefusal(answer, unable('invite participant', refusal))
    }
  })

  test.each(foreign)('of %s are opened to no participant', async (_, workspace) => {
    const { collaborationId, participantId } = fixture.ours
    const refusal = `collaborationWorkspacesAccessJSON: the workspace ${workspace()} does not exist.`
    const path = `${below(collaborationId)}/participants/${participantId}/updateParticipantAccessModes`
    for (const access of lists(workspace())) {
      await actors.database.rewind()
      const answer = client('administrator').post(path, { collaborationWorkspacesAccessJSON: access })
      await expectRefusal(answer, unable('update participant access modes', refusal))
    }
  })

  /** The foreign one alone, and behind one that is the collaboration's own. */
  function lists(workspaceId: string): readonly (readonly Readonly<Record<string, string>>[])[] {
    return [[{ [workspaceId]: 'send' }], [{ [fixture.ours.workspaceId]: 'receive' }, { [workspaceId]: 'send' }]]
  }

  test('of a collaboration that the organization hosts are not in one that it is a guest in', async () => {
    const path = `${below(fixture.theirs.collaborationId)}/workspaces/${fixture.ours.workspaceId}`
    expect(await client('administrator').get(path)).toEqual({ error: notFound })
    for (const operation of ['updatePortalGroupLink', 'removePortalGroupLink']) {
      await actors.database.rewind()
      const parameters = { portalGroupId: fixture.groups.public }
      await expectRefusal(client('administrator').post(`${path}/${operation}`, parameters), notFound)
    }
  })
})

describe('files', () => {
  const responses: readonly (readonly [string, () => readonly [collaborationId: string, text: string], string])[] = [
    [
      'a response for another collaboration of the same host',
      () => [fixture.ours.collaborationId, fixture.ours.response],
      'The response is for another collaboration.',
    ],
    [
      "the host's own response to another host",
      () => [fixture.ours.answeredCollaborationId, fixture.theirs.response],
      'The response is for another portal.',
    ],
    [
      'an invitation',
      () => [fixture.ours.answeredCollaborationId, fixture.ours.invitation],
      'The file has no invitationResponse.',
    ],
  ]

  test.each(responses)('%s does not import', async (_, given, reason) => {
    const [collaborationId, invitationResponseJSON] = given()
    for (const [verb, task] of [
      ['validate', 'validate invitation response'],
      ['import', 'import invitation response'],
    ]) {
      await actors.database.rewind()
      const path = `${below(collaborationId)}/${verb}InvitationResponse`
      const answer = client('administrator').post(path, { invitationResponseJSON })
      await expectRefusal(answer, unable(task!, reason))
    }
  })

  const invitations: readonly (readonly [string, () => string, string])[] = [
    [
      'an invitation of the organization itself',
      () => fixture.ours.invitation,
      'The invitation is from this portal itself.',
    ],
    ['a response', () => fixture.theirs.response, 'The file has no invitationRequest.'],
  ]

  test.each(invitations)('%s is not accepted', async (_, text, reason) => {
    for (const verb of ['validate', 'accept']) {
      await actors.database.rewind()
      const path = `/portals/self/${verb}CollaborationInvitation`
      const answer = client('administrator').post(path, { invitationJSON: text() })
      await expectRefusal(answer, unable(`${verb} collaboration invitation`, reason))
    }
  })
})

describe('two portals in one database', () => {
  const ofGuest = ['audit', 'participation_workspaces', 'participations']

  test.each([
    [
      'accepts',
      (): string => '/portals/self/acceptCollaborationInvitation',
      (): Parameters => ({ invitationJSON: fixture.theirs.invitation }),
    ],
    ['links a group', (): string => linkTo(fixture.theirs), (): Parameters => ({ portalGroupId: fixture.groups.org })],
    ['leaves', (): string => `${below(fixture.theirs.collaborationId)}/removeParticipation`, (): Parameters => ({})],
  ] as const)('what the host has stays when the guest %s', async (_, path, parameters) => {
    expect(await client('administrator').post(path(), parameters())).toMatchObject({ success: true })
    const changes = await actors.database.changes()
    expect(Object.keys(changes).toSorted()).toEqual(ofGuest)
    const owners = [changes['participations']!, changes['participation_workspaces']!]
      .flatMap(({ added, removed }) => [...added, ...removed])
      .map((row) => row['portal_id'])
    expect(new Set(owners)).toEqual(new Set([fixture.portalId]))
  })

  test.each([
    ['deletes the collaboration', (): string => `${below(fixture.ours.collaborationId)}/delete`],
    [
      'removes the guest',
      (): string => `${below(fixture.ours.collaborationId)}/participants/${fixture.ours.participantId}/remove`,
    ],
  ] as const)('what the guest has stays when the host %s', async (_, path) => {
    expect(await client('administrator').post(path())).toEqual({ success: true })
    expect(Object.keys(await actors.database.changes())).not.toContain('participations')
    const { collaborationId } = fixture.ours
    expect(await client('outsider').get(below(collaborationId))).toMatchObject({ id: collaborationId })
    expect(await client('outsider').get(`${below(collaborationId)}/participants`)).toMatchObject({ total: 2 })
  })

  test('each lists what it hosts and what it has accepted, and nothing else', async () => {
    const list = async (caller: 'administrator' | 'outsider') => {
      const { total, collaborations } = await client(caller).get('/portals/self/collaborations', { num: 100 })
      const ids: readonly string[] = collaborations.map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(total)
      return ids.toSorted()
    }
    const hosted = (of: Hosted) => [of.collaborationId, of.answeredCollaborationId, of.pendingCollaborationId]
    const joined = (of: Hosted) => [of.collaborationId, of.answeredCollaborationId]
    const { ours, theirs } = fixture
    expect(await list('administrator')).toEqual([...hosted(ours), ...joined(theirs)].toSorted())
    expect(await list('outsider')).toEqual([...hosted(theirs), ...joined(ours)].toSorted())
  })

  test("a guest sees no group of the host's, and nothing that the host keeps for itself", async () => {
    const path = below(fixture.theirs.collaborationId)
    const workspace = await client('administrator').get(`${path}/workspaces/${fixture.theirs.workspaceId}`)
    expect(workspace.participantGroupLinks).toEqual([
      { portalId: fixture.portalId, portalGroupId: fixture.theirs.guestGroupId, accessMode: 'send' },
    ])
    expect(workspace.participantsWithoutGroupLinks).toEqual([])
    expect(await client('administrator').get(`${path}/workspaces`)).toMatchObject({ total: 1 })
    expect(await client('administrator').get(`${path}/invitations`)).toEqual({ error: notFound })
  })
})
