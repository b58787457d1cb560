import { expect, test } from 'vitest'
import {
  aCollaboration,
  addCollaborations,
  addPeople,
  anId,
  aParticipant,
  aWorkspace,
  endOfTime,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
} from './records.ts'

/** Collaborations, workspaces and participants. Invitations have a contract of their own. */
export function collaborationsContract(open: OpenStorage): void {
  test('what is not there is undefined or empty', async () => {
    const storage = await open()
    await storage.read(async ({ collaborations }) => {
      expect(await collaborations.findCollaboration(anId(200))).toBeUndefined()
      expect(await collaborations.listCollaborations('nobody', everything)).toEqual({ total: 0, entries: [] })
      expect(await collaborations.listWorkspaces(anId(200))).toEqual([])
      expect(await collaborations.listGroupLinks(anId(200))).toEqual([])
      expect(await collaborations.listParticipants(anId(200))).toEqual([])
    })
  })

  test('a collaboration is given back as it was added', async () => {
    const storage = await open()
    await addPeople(storage)
    const collaboration = aCollaboration({ config: '{"a":[1,null]}', createdAt: endOfTime, modifiedAt: 0 })
    await storage.write(({ collaborations }) => collaborations.addCollaboration(collaboration))
    const found = await storage.read(({ collaborations }) => collaborations.findCollaboration(anId(200)))
    expect(found).toStrictEqual(collaboration)
  })

  test('texts stay as they were, byte for byte', async () => {
    const storage = await open()
    await addPeople(storage)
    for (const [index, text] of strangeTexts.entries()) {
      const collaboration = aCollaboration({
        collaborationId: anId(500 + index),
        name: text,
        description: text,
        hostContact: { firstName: text, lastName: text, email: text },
        config: JSON.stringify({ [text]: text }),
      })
      const workspace = aWorkspace({
        workspaceId: anId(600 + index),
        collaborationId: collaboration.collaborationId,
        name: text,
        description: text,
      })
      await storage.write(async ({ collaborations }) => {
        await collaborations.addCollaboration(collaboration)
        await collaborations.addWorkspace(workspace)
      })
      await storage.read(async ({ collaborations }) => {
        const { collaborationId } = collaboration
        expect(await collaborations.findCollaboration(collaborationId)).toStrictEqual(collaboration)
        expect(await collaborations.listWorkspaces(collaborationId)).toStrictEqual([workspace])
      })
    }
  })

  test('collaborations are listed by host, newest first, and by id where they are of one time', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ collaborations }) => {
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
    })
    const page = (portalId: string, start: number, num: number) =>
      storage.read(async ({ collaborations }) => {
        const { total, entries } = await collaborations.listCollaborations(portalId, { start, num })
        return [total, ...entries.map(({ collaborationId }) => Number.parseInt(collaborationId, 16))]
      })
    expect(await page('PortalOfMaps0001', 1, 3)).toEqual([4, 2, 3, 1])
    expect(await page('PortalOfMaps0001', 4, 3)).toEqual([4, 4])
    expect(await page('PortalOfMaps0001', 5, 3)).toEqual([4])
    expect(await page(otherPortal.portalId, 1, 3)).toEqual([1, 5])
  })

  test('workspaces are listed by collaboration, in the order in which they were made', async () => {
    const storage = await open()
    await addCollaborations(storage)
    await storage.write(async ({ collaborations }) => {
      await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(7), createdAt: noon + 2 }))
      await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(8), createdAt: noon + 1 }))
      await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(9), collaborationId: anId(201) }))
    })
    const ids = await storage.read(async ({ collaborations }) =>
      (await collaborations.listWorkspaces(anId(200))).map(({ workspaceId }) => workspaceId),
    )
    expect(ids).toEqual([anId(300), anId(8), anId(7)])
  })

  test('participants are given back as they were added, in that order, with what they do in each workspace', async () => {
    const storage = await open()
    await addCollaborations(storage)
    const host = aParticipant()
    const guest = aParticipant({
      portalId: 'AGuestPortal0003',
      portalName: strangeTexts[1],
      portalUrl: 'https://guest.example.org',
      role: 'Guest',
      createdAt: noon + 1,
      modifiedAt: endOfTime,
    })
    await storage.write(async ({ collaborations }) => {
      await collaborations.addWorkspace(aWorkspace({ workspaceId: anId(301) }))
      await collaborations.addParticipant(host, [{ workspaceId: anId(300), accessMode: 'send', groupId: anId(100) }])
      await collaborations.addParticipant(guest, [
        { workspaceId: anId(300), accessMode: 'receive' },
        { workspaceId: anId(301), accessMode: 'sendAndReceive' },
      ])
    })
    await storage.read(async ({ collaborations }) => {
      expect(await collaborations.listParticipants(anId(200))).toStrictEqual([host, guest])
      expect(await collaborations.listParticipants(anId(201))).toEqual([])
      const links = await collaborations.listGroupLinks(anId(200))
      expect(links.map(({ portalId }) => portalId)).toEqual([guest.portalId, guest.portalId, host.portalId])
      expect(links).toContainEqual({
        portalId: host.portalId,
        workspaceId: anId(300),
        accessMode: 'send',
        groupId: anId(100),
      })
      expect(links).toContainEqual({
        portalId: guest.portalId,
        workspaceId: anId(301),
        accessMode: 'sendAndReceive',
        groupId: undefined,
      })
      expect(await collaborations.listGroupLinks(anId(201))).toEqual([])
    })
  })

  test('a portal takes part once', async () => {
    const storage = await open()
    await addCollaborations(storage)
    const add = () => storage.write(({ collaborations }) => collaborations.addParticipant(aParticipant(), []))
    await add()
    await expect(add()).rejects.toThrow()
  })

  test('a workspace of a collaboration that does not exist is refused', async () => {
    const storage = await open()
    const orphan = aWorkspace({ collaborationId: anId(999) })
    await expect(storage.write(({ collaborations }) => collaborations.addWorkspace(orphan))).rejects.toThrow()
  })
}
