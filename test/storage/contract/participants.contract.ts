import { expect, test } from 'vitest'
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
async function openWithParticipants(open: OpenStorage): Promise<WorkStorage> {
  const storage = await open()
  await addCollaborations(storage)
  await storage.write(async ({ directory, collaborations }) => {
    await directory.addGroup(aGroup())
    await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(301) }))
    await collaborations.addParticipant(guest, [
      { workspaceId: anId(300), accessMode: 'receive' },
      { workspaceId: anId(301), accessMode: 'sendAndReceive' },
    ])
    await collaborations.addParticipant(host, [{ workspaceId: anId(300), accessMode: 'send', groupId: anId(100) }])
  })
  return storage
}

const link = (participant: Participant, workspace: number, accessMode: string, groupId?: string) => ({
  portalId: participant.portalId,
  workspaceId: anId(workspace),
  accessMode,
  groupId,
})

function links(storage: WorkStorage, collaborationId = anId(200)) {
  return storage.read(async ({ collaborations }) =>
    (await collaborations.listGroupLinks(collaborationId)).toSorted((one, other) =>
      `${one.portalId}${one.workspaceId}` < `${other.portalId}${other.workspaceId}` ? -1 : 1,
    ),
  )
}

function list(storage: WorkStorage, collaborationId = anId(200), page = everything) {
  return storage.read(({ collaborations }) => collaborations.listParticipants(collaborationId, page))
}

function find(storage: WorkStorage, portalId: string, collaborationId = anId(200)) {
  return storage.read(({ collaborations }) => collaborations.findParticipant(collaborationId, portalId))
}

/** Participants, and what they do in which workspace with which group. */
export function participantsContract(open: OpenStorage): void {
  test('what is not there is undefined or empty', async () => {
    const storage = await open()
    expect(await find(storage, host.portalId)).toBeUndefined()
    expect(await list(storage)).toEqual({ total: 0, entries: [] })
    expect(await links(storage)).toEqual([])
  })

  test('participants are given back as they were added, the host first, with what they do in each workspace', async () => {
    const storage = await openWithParticipants(open)
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

  test('guests are listed in the order in which they came, page by page', async () => {
    const storage = await openWithParticipants(open)
    const add = (portalId: string, createdAt: number) =>
      storage.write(({ collaborations }) => collaborations.addParticipant({ ...guest, portalId, createdAt }, []))
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

  test('a portal takes part once in a collaboration, and in several', async () => {
    const storage = await openWithParticipants(open)
    const add = (participant: Participant) =>
      storage.write(({ collaborations }) => collaborations.addParticipant(participant, []))
    await expect(add(guest)).rejects.toThrow()
    await add({ ...guest, collaborationId: anId(201) })
    expect(await find(storage, guest.portalId, anId(201))).toStrictEqual({ ...guest, collaborationId: anId(201) })
  })

  test('access that is put replaces that of one participant in one workspace', async () => {
    const storage = await openWithParticipants(open)
    await storage.write(async ({ collaborations }) => {
      await collaborations.putWorkspaceAccess(anId(200), host.portalId, {
        workspaceId: anId(300),
        accessMode: 'receive',
      })
      await collaborations.putWorkspaceAccess(anId(200), host.portalId, {
        workspaceId: anId(301),
        accessMode: 'send',
        groupId: anId(100),
      })
    })
    expect(await links(storage)).toStrictEqual([
      link(guest, 300, 'receive'),
      link(guest, 301, 'sendAndReceive'),
      link(host, 300, 'receive'),
      link(host, 301, 'send', anId(100)),
    ])
  })

  test('access of an unknown participant, or to a workspace that does not exist, is refused', async () => {
    const storage = await openWithParticipants(open)
    const put = (portalId: string, workspaceId: string) =>
      storage.write(({ collaborations }) =>
        collaborations.putWorkspaceAccess(anId(200), portalId, { workspaceId, accessMode: 'send' }),
      )
    await expect(put('AnotherPortal003', anId(300))).rejects.toThrow()
    await expect(put(host.portalId, anId(999))).rejects.toThrow()
    expect(await links(storage)).toHaveLength(3)
  })

  test('a participant goes with what it did, and no other does', async () => {
    const storage = await openWithParticipants(open)
    await storage.write(async ({ collaborations }) => {
      await collaborations.addParticipant({ ...guest, collaborationId: anId(201) }, [])
      await collaborations.removeParticipant(anId(200), guest.portalId)
      await collaborations.removeParticipant(anId(200), 'AnotherPortal003')
    })
    expect(await list(storage)).toStrictEqual({ total: 1, entries: [host] })
    expect(await links(storage)).toStrictEqual([link(host, 300, 'send', anId(100))])
    expect(await find(storage, guest.portalId, anId(201))).toBeDefined()
  })

  test('a guest that comes back has nothing of what it did before', async () => {
    const storage = await openWithParticipants(open)
    await storage.write(async ({ collaborations }) => {
      await collaborations.removeParticipant(anId(200), guest.portalId)
      await collaborations.addParticipant(guest, [{ workspaceId: anId(300), accessMode: 'send' }])
    })
    expect(await links(storage)).toStrictEqual([link(guest, 300, 'send'), link(host, 300, 'send', anId(100))])
  })

  test('when a group goes, its links are undefined and the access stays', async () => {
    const storage = await openWithParticipants(open)
    await storage.write(({ directory }) => directory.removeGroup(anId(100), noon))
    expect(await links(storage)).toContainEqual(link(host, 300, 'send'))
    expect(await links(storage)).toHaveLength(3)
  })
}
