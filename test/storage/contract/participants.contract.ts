import { expect } from 'vitest'
import type { Participant } from '../../../src/collaborations/collaboration.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addCollaborations,
  aGroup,
  anId,
  aParticipant,
  aWorkspace,
  endOfTime,
  everything,
  noon,
  type OpenStorage,
  strangeTexts,
  testOn,
} from './records.ts'

const host = aParticipant()
const guest = aParticipant({
  portalId: 'AGuestPortal0003',
  portalName: strangeTexts[1],
  portalUrl: 'https://guest.example.org',
  role: 'Guest',
  contact: { firstName: strangeTexts[0], lastName: strangeTexts[11], email: strangeTexts[12] },
  createdAt: noon - 1,
  modifiedAt: endOfTime,
})

/** A collaboration of two workspaces; a group of the host is linked to the first. */
async function addParticipants(storage: WorkStorage): Promise<void> {
  await addCollaborations(storage)
  await storage.directory.addGroup(aGroup())
  await storage.collaborations.addWorkspace(aWorkspace({ workspaceId: anId(301) }))
  await storage.collaborations.addParticipant(guest, [
    { workspaceId: anId(300), accessMode: 'receive' },
    { workspaceId: anId(301), accessMode: 'sendAndReceive' },
  ])
  await storage.collaborations.addParticipant(host, [
    { workspaceId: anId(300), accessMode: 'send', groupId: anId(100) },
  ])
}

const link = (participant: Participant, workspace: number, accessMode: string, groupId?: string) => ({
  portalId: participant.portalId,
  workspaceId: anId(workspace),
  accessMode,
  groupId,
})

async function links({ collaborations }: WorkStorage, collaborationId = anId(200)) {
  return (await collaborations.listGroupLinks(collaborationId)).toSorted((one, other) =>
    `${one.portalId}${one.workspaceId}` < `${other.portalId}${other.workspaceId}` ? -1 : 1,
  )
}

function list(storage: WorkStorage, collaborationId = anId(200), page = everything) {
  return storage.collaborations.listParticipants(collaborationId, page)
}

function find(storage: WorkStorage, portalId: string, collaborationId = anId(200)) {
  return storage.collaborations.findParticipant(collaborationId, portalId)
}

/** Participants, and what they do in which workspace with which group. */
export function participantsContract(open: OpenStorage): void {
  const test = testOn(open, addParticipants)

  test('participants are given back as they were added, the host first, with what they do in each workspace', async ({
    storage,
  }) => {
    expect(await list(storage)).toStrictEqual({ total: 2, entries: [host, guest] })
    expect(await find(storage, host.portalId)).toStrictEqual(host)
    expect(await find(storage, guest.portalId)).toStrictEqual(guest)
    expect(await links(storage)).toStrictEqual([
      link(guest, 300, 'receive'),
      link(guest, 301, 'sendAndReceive'),
      link(host, 300, 'send', anId(100)),
    ])
    expect(await list(storage, anId(201))).toEqual({ total: 0, entries: [] })
    expect(await find(storage, host.portalId, anId(201))).toBeUndefined()
    expect(await links(storage, anId(201))).toEqual([])
  })

  test('guests are listed in the order in which they came, page by page', async ({ collaborations, storage }) => {
    const add = (portalId: string, createdAt: number) =>
      collaborations.addParticipant({ ...guest, portalId, createdAt }, [])
    await add('EGuestPortal0007', noon + 2)
    await add('DGuestPortal0006', noon + 2)
    await add('CGuestPortal0005', noon + 1)
    const page = async (start: number, num: number) => {
      const { total, entries } = await list(storage, anId(200), { start, num })
      return [total, entries.map(({ portalId }) => portalId[0]).join('')]
    }
    expect(await page(1, 10)).toEqual([5, 'PACDE'])
    expect(await page(2, 2)).toEqual([5, 'AC'])
    expect(await page(5, 2)).toEqual([5, 'E'])
    expect(await page(6, 2)).toEqual([5, ''])
  })

  test('a portal takes part once in a collaboration, and in several', async ({ collaborations, storage }) => {
    const add = (participant: Participant) => collaborations.addParticipant(participant, [])
    await expect(add(guest)).rejects.toThrow()
    await add({ ...guest, collaborationId: anId(201) })
    expect(await find(storage, guest.portalId, anId(201))).toStrictEqual({ ...guest, collaborationId: anId(201) })
  })

  test('access that is put replaces that of one participant in one workspace', async ({ collaborations, storage }) => {
    for (const access of [
      { workspaceId: anId(300), accessMode: 'receive' },
      { workspaceId: anId(301), accessMode: 'send', groupId: anId(100) },
    ] as const) {
      await collaborations.putWorkspaceAccess(anId(200), host.portalId, access)
    }
    expect(await links(storage)).toStrictEqual([
      link(guest, 300, 'receive'),
      link(guest, 301, 'sendAndReceive'),
      link(host, 300, 'receive'),
      link(host, 301, 'send', anId(100)),
    ])
  })

  test('access of an unknown participant, or to a workspace that does not exist, is refused', async ({
    collaborations,
    storage,
  }) => {
    const put = (portalId: string, workspaceId: string) =>
      collaborations.putWorkspaceAccess(anId(200), portalId, { workspaceId, accessMode: 'send' })
    await expect(put('AnotherPortal003', anId(300))).rejects.toThrow()
    await expect(put(host.portalId, anId(999))).rejects.toThrow()
    expect(await links(storage)).toHaveLength(3)
  })

  test('a participant goes with what it did, and no other does', async ({ collaborations, storage }) => {
    await collaborations.addParticipant({ ...guest, collaborationId: anId(201) }, [])
    await collaborations.removeParticipant(anId(200), guest.portalId)
    await collaborations.removeParticipant(anId(200), 'AnotherPortal003')
    expect(await list(storage)).toStrictEqual({ total: 1, entries: [host] })
    expect(await links(storage)).toStrictEqual([link(host, 300, 'send', anId(100))])
    expect(await find(storage, guest.portalId, anId(201))).toBeDefined()
  })

  test('a guest that comes back has nothing of what it did before', async ({ collaborations, storage }) => {
    await collaborations.removeParticipant(anId(200), guest.portalId)
    await collaborations.addParticipant(guest, [{ workspaceId: anId(300), accessMode: 'send' }])
    expect(await links(storage)).toStrictEqual([link(guest, 300, 'send'), link(host, 300, 'send', anId(100))])
  })

  test('when a group goes, its links are undefined and the access stays', async ({ directory, storage }) => {
    await directory.removeGroup(anId(100), noon)
    expect(await links(storage)).toContainEqual(link(host, 300, 'send'))
    expect(await links(storage)).toHaveLength(3)
  })
}
