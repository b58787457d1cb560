import { expect } from 'vitest'
import {
  aCollaboration,
  addAlpineMaps,
  addPeople,
  aNotification,
  anId,
  anInvitation,
  aParticipant,
  aParticipation,
  aStep,
  aWorkspace,
  endOfTime,
  everything,
  newestFirst,
  noon,
  type OpenStorage,
  otherPortal,
  testOn,
  totalAnd,
} from './records.ts'

/** Collaborations and their workspaces. Participants and invitations have contracts of their own. */
export function collaborationsContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('collaborations are listed by host, newest first, and by id where they are of one time', async ({
    collaborations,
  }) => {
    for (const [number, createdAt] of [
      [1, noon],
      [3, noon + 1],
      [2, noon + 1],
      [4, noon - 1],
    ] as const) {
      await collaborations.addCollaboration(aCollaboration({ collaborationId: anId(number), createdAt }))
    }
    await collaborations.addCollaboration(
      aCollaboration({ collaborationId: anId(5), hostPortalId: otherPortal.portalId }),
    )
    const page = async (portalId: string, start: number, num: number) =>
      totalAnd(await collaborations.listCollaborations(portalId, { start, num }), ({ collaborationId }) =>
        Number.parseInt(collaborationId, 16),
      )
    expect(await page('PortalOfMaps0001', 1, 3)).toEqual([4, 2, 3, 1])
    expect(await page('PortalOfMaps0001', 4, 3)).toEqual([4, 4])
    expect(await page('PortalOfMaps0001', 5, 3)).toEqual([4])
    expect(await page(otherPortal.portalId, 1, 3)).toEqual([1, 5])
  })

  test('workspaces are listed by collaboration, in the order in which they were made', async ({
    collaborations,
    storage,
  }) => {
    await addAlpineMaps(storage)
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(7), createdAt: noon + 2 }))
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(8), createdAt: noon + 1 }))
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(9), collaborationId: anId(201) }))
    const ids = (await collaborations.listWorkspaces(anId(200))).map(({ workspaceId }) => workspaceId)
    expect(ids).toEqual([anId(300), anId(8), anId(7)])
  })

  test('the collaborations that a portal has joined stand among its own, as far as it knows them', async ({
    collaborations,
  }) => {
    for (const [number, createdAt] of [
      [1, noon],
      [3, noon + 2],
    ] as const) {
      await collaborations.addCollaboration(
        aCollaboration({ collaborationId: anId(number), hostPortalId: otherPortal.portalId, createdAt }),
      )
    }
    await collaborations.putParticipation(aParticipation({ collaborationId: anId(2), createdAt: noon + 1 }))
    await collaborations.putParticipation(
      aParticipation({ collaborationId: anId(4), createdAt: noon + 3, modifiedAt: endOfTime, description: 'joined' }),
    )
    await collaborations.putParticipation(
      aParticipation({ collaborationId: anId(5), portalId: 'PortalOfMaps0001', hostPortalId: 'AnotherPortal003' }),
    )
    const page = (start: number, num: number, portalId = otherPortal.portalId) =>
      collaborations.listCollaborations(portalId, { start, num })
    const numbers = async (start: number, num: number) =>
      totalAnd(await page(start, num), ({ collaborationId }) => Number.parseInt(collaborationId, 16))
    expect(await numbers(1, 10)).toEqual([4, 4, 3, 2, 1])
    expect(await numbers(2, 2)).toEqual([4, 3, 2])
    expect(await numbers(4, 2)).toEqual([4, 1])
    expect(await numbers(5, 2)).toEqual([4])
    expect((await page(1, 1)).entries).toStrictEqual([
      aCollaboration({
        collaborationId: anId(4),
        description: 'joined',
        createdAt: noon + 3,
        modifiedAt: endOfTime,
      }),
    ])
    const { total, entries } = await page(1, 10, 'PortalOfMaps0001')
    expect([total, entries[0]?.hostPortalId]).toEqual([1, 'AnotherPortal003'])
  })

  test('a collaboration goes with all that belongs to it, and nothing else does', async ({
    collaborations,
    directory,
    storage,
  }) => {
    await addAlpineMaps(storage)
    const elsewhere = { collaborationId: anId(201) }
    await collaborations.addParticipant(aParticipant(), [{ workspaceId: anId(300), accessMode: 'send' }])
    await collaborations.addInvitation(anInvitation(), aStep())
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(301), ...elsewhere }))
    await collaborations.addParticipant(aParticipant(elsewhere), [{ workspaceId: anId(301), accessMode: 'send' }])
    await collaborations.addInvitation(anInvitation({ invitationId: anId(401), ...elsewhere }), aStep())
    await collaborations.putParticipation(aParticipation())
    for (const notificationId of [anId(400), anId(401)]) {
      await directory.addNotification(aNotification({ notificationId }), 10)
    }
    await collaborations.removeCollaboration(anId(200))
    /** How much there is of a collaboration with this invitation. */
    const sizes = async (collaborationId: string, invitationId: string) => [
      (await collaborations.findCollaboration(collaborationId)) ? 1 : 0,
      (await collaborations.listWorkspaces(collaborationId)).length,
      (await collaborations.listParticipants(collaborationId, everything)).total,
      (await collaborations.listGroupLinks(collaborationId)).length,
      (await collaborations.listInvitations(collaborationId, newestFirst, everything)).total,
      (await collaborations.findInvitation(invitationId)) ? 1 : 0,
      (await collaborations.listSteps(invitationId)).length,
      (await directory.findNotification(invitationId)) ? 1 : 0,
    ]
    expect(await sizes(anId(200), anId(400))).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(await sizes(anId(201), anId(401))).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    // The guest's record of its participation is its own.
    const joined = await collaborations.findParticipation(otherPortal.portalId, anId(200))
    expect(joined).toStrictEqual(aParticipation())
  })

  test('a workspace goes with what the participants did in it; they stay, and so do invitations to it', async ({
    collaborations,
    storage,
  }) => {
    await addAlpineMaps(storage)
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(301) }))
    await collaborations.addParticipant(aParticipant(), [
      { workspaceId: anId(300), accessMode: 'send' },
      { workspaceId: anId(301), accessMode: 'receive' },
    ])
    await collaborations.addInvitation(anInvitation(), aStep())
    await collaborations.removeWorkspace(anId(300))
    const workspaces = await collaborations.listWorkspaces(anId(200))
    expect(workspaces.map(({ workspaceId }) => workspaceId)).toEqual([anId(301)])
    expect(await collaborations.listGroupLinks(anId(200))).toMatchObject([{ workspaceId: anId(301) }])
    expect((await collaborations.listParticipants(anId(200), everything)).total).toBe(1)
    expect(await collaborations.findInvitation(anId(400))).toStrictEqual(anInvitation())
  })

  test('a workspace of a collaboration that does not exist is refused', async ({ collaborations }) => {
    const orphan = aWorkspace({ collaborationId: anId(999) })
    await expect(collaborations.addWorkspace(orphan)).rejects.toThrow()
  })
}
