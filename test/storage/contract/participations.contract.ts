import { expect, test } from 'vitest'
import type { KnownKey } from '../../../src/collaborations/known-key.ts'
import type { Participation, ParticipationWorkspace } from '../../../src/collaborations/participation.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  aCollaboration,
  addCollaborations,
  addPeople,
  aGroup,
  aKnownAddress,
  aKnownKey,
  anId,
  aParticipation,
  endOfTime,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
} from './records.ts'

function aSide(number: number, given: Partial<ParticipationWorkspace> = {}): ParticipationWorkspace {
  return {
    workspaceId: anId(number),
    name: `Workspace ${number}`,
    description: '',
    accessMode: 'receive',
    groupId: undefined,
    ...given,
  }
}

async function openWith(open: OpenStorage, ...participations: readonly Participation[]): Promise<WorkStorage> {
  const storage = await open()
  await addPeople(storage)
  await storage.write(async ({ directory, collaborations }) => {
    await directory.addGroup(aGroup({ portalId: otherPortal.portalId }))
    for (const participation of participations) await collaborations.putParticipation(participation)
  })
  return storage
}

function find(storage: WorkStorage, portalId = otherPortal.portalId, collaborationId = anId(200)) {
  return storage.read(({ collaborations }) => collaborations.findParticipation(portalId, collaborationId))
}

/** Records that guests keep of the collaborations of others. */
export function participationsContract(open: OpenStorage): void {
  test('a portal that takes part nowhere remembers nothing', async () => {
    const storage = await openWith(open)
    expect(await find(storage)).toBeUndefined()
    await storage.write(({ collaborations }) => collaborations.removeParticipation(otherPortal.portalId, anId(200)))
    expect(await find(storage)).toBeUndefined()
  })

  test('a participation is given back as it was put, its workspaces in their order', async () => {
    const participation = aParticipation({
      workspaces: [
        aSide(302, { accessMode: 'sendAndReceive', groupId: anId(100) }),
        aSide(300, { accessMode: 'send' }),
        aSide(301),
      ],
      createdAt: 0,
      modifiedAt: endOfTime,
    })
    expect(await find(await openWith(open, participation))).toStrictEqual(participation)
  })

  test('one without workspaces is given back too', async () => {
    const participation = aParticipation({ workspaces: [] })
    expect(await find(await openWith(open, participation))).toStrictEqual(participation)
  })

  test('texts stay as they were, byte for byte', async () => {
    const participations = strangeTexts.map((text, index) => {
      const contact = { firstName: text, lastName: text, email: text }
      return aParticipation({
        collaborationId: anId(500 + index),
        name: text,
        description: text,
        hostPortalName: text,
        hostPortalUrl: text,
        hostContact: contact,
        guestContact: contact,
        workspaces: [aSide(300, { name: text, description: text })],
      })
    })
    const storage = await openWith(open, ...participations)
    for (const participation of participations) {
      expect(await find(storage, participation.portalId, participation.collaborationId)).toStrictEqual(participation)
    }
  })

  test('another one replaces it, and nothing of the first is left', async () => {
    const first = aParticipation({ workspaces: [aSide(300, { groupId: anId(100) }), aSide(301), aSide(302)] })
    const second: Participation = {
      ...first,
      name: 'Renamed',
      description: 'changed',
      hostPortalName: 'Ministry of More Maps',
      hostPortalUrl: 'https://more.example.com',
      hostContact: { firstName: 'Bert', lastName: 'Berg', email: 'bert@example.com' },
      hostFingerprint: 'g'.repeat(43),
      guestContact: { firstName: 'Nora', lastName: 'Nord', email: 'nora@example.org' },
      guestPortalUrl: 'https://other.example.org',
      invitationId: anId(401),
      invitationDigest: 'e'.repeat(64),
      workspaces: [aSide(303), aSide(300)],
      modifiedAt: noon + 1,
    }
    expect(await find(await openWith(open, first, second))).toStrictEqual(second)
  })

  test('guests of one collaboration do not see each other, even in one database', async () => {
    const mine = aParticipation({ workspaces: [aSide(300)] })
    const theirs = aParticipation({
      portalId: 'PortalOfMaps0001',
      name: 'theirs',
      workspaces: [aSide(300), aSide(301)],
    })
    const storage = await openWith(open, mine, theirs)
    expect(await find(storage)).toStrictEqual(mine)
    expect(await find(storage, 'PortalOfMaps0001')).toStrictEqual(theirs)
    await storage.write(({ collaborations }) => collaborations.removeParticipation(mine.portalId, anId(200)))
    expect(await find(storage)).toBeUndefined()
    expect(await find(storage, 'PortalOfMaps0001')).toStrictEqual(theirs)
  })

  test('collaborations of one guest are apart', async () => {
    const one = aParticipation()
    const other = aParticipation({ collaborationId: anId(201), workspaces: [aSide(300, { name: 'elsewhere' })] })
    const storage = await openWith(open, one, other)
    await storage.write(({ collaborations }) => collaborations.removeParticipation(one.portalId, anId(200)))
    expect(await find(storage)).toBeUndefined()
    expect(await find(storage, one.portalId, anId(201))).toStrictEqual(other)
  })

  test('host and guest of one collaboration live in one database, each with a side of its own', async () => {
    const storage = await open()
    await addCollaborations(storage)
    await storage.write(({ collaborations }) =>
      collaborations.putParticipation(aParticipation({ name: 'as the guest remembers it', createdAt: noon + 1 })),
    )
    const names = (portalId: string) =>
      storage.read(async ({ collaborations }) =>
        (await collaborations.listCollaborations(portalId, everything)).entries.map(({ name }) => name),
      )
    expect(await names('PortalOfMaps0001')).toEqual(['Alpine maps'])
    expect(await names(otherPortal.portalId)).toEqual(['as the guest remembers it', 'Alpine maps'])
    await storage.write(({ collaborations }) => collaborations.removeParticipation(otherPortal.portalId, anId(200)))
    const hosted = await storage.read(({ collaborations }) => collaborations.findCollaboration(anId(200)))
    expect(hosted).toStrictEqual(aCollaboration())
    expect(await names(otherPortal.portalId)).toEqual(['Alpine maps'])
  })

  test('collaborations of two hosts with one id are apart, each under an id of the guest', async () => {
    const first = aParticipation({ workspaces: [aSide(300)] })
    const other = { hostPortalId: 'PortalOfLakes003', hostCollaborationId: first.hostCollaborationId }
    const second = aParticipation({ ...other, collaborationId: anId(201), workspaces: [aSide(301)] })
    const storage = await openWith(open, first, second)
    const of = (hostPortalId: string, portalId = otherPortal.portalId) =>
      storage.read(({ collaborations }) => collaborations.findParticipationOf(portalId, hostPortalId, anId(200)))
    expect(await of('PortalOfMaps0001')).toStrictEqual(first)
    expect(await of('PortalOfLakes003')).toStrictEqual(second)
    expect(await of('PortalOfLakes003', 'PortalOfMaps0001')).toBeUndefined()
    const twice = { ...second, collaborationId: anId(202) }
    await expect(storage.write(({ collaborations }) => collaborations.putParticipation(twice))).rejects.toThrow()
  })

  test('a known key is of one organization and one signer, is replaced, and outlives the participation', async () => {
    const storage = await openWith(open, aParticipation())
    const known = (portalId: string, signerPortalId: string) =>
      storage.read(({ collaborations }) => collaborations.findKnownKey(portalId, signerPortalId))
    const put = (key: KnownKey) => storage.write(({ collaborations }) => collaborations.putKnownKey(key))
    expect(await known(otherPortal.portalId, 'PortalOfMaps0001')).toBeUndefined()
    const theirs = aKnownKey({ portalId: 'PortalOfMaps0001', signerPortalId: otherPortal.portalId })
    await put(aKnownKey())
    await put(theirs)
    const replaced = aKnownKey({ fingerprint: 'g'.repeat(43), knownSince: endOfTime })
    await put(replaced)
    await storage.write(({ collaborations }) => collaborations.removeParticipation(otherPortal.portalId, anId(200)))
    expect(await known(otherPortal.portalId, 'PortalOfMaps0001')).toStrictEqual(replaced)
    expect(await known('PortalOfMaps0001', otherPortal.portalId)).toStrictEqual(theirs)
    await expect(put(aKnownKey({ portalId: 'NoSuchPortal0009' }))).rejects.toThrow()
  })

  test('portals are known at addresses, the longest known first, for one organization, and outlive the participation', async () => {
    const storage = await openWith(open, aParticipation())
    const lakes = { signerPortalId: 'PortalOfLakes003' }
    const keys = { maps: aKnownKey(), lakes: aKnownKey({ ...lakes, fingerprint: 'h'.repeat(43) }) }
    await storage.write(async ({ collaborations }) => {
      for (const key of Object.values(keys)) await collaborations.putKnownKey(key)
      await collaborations.addKnownAddress(aKnownAddress({ knownSince: noon + 1 }))
      await collaborations.addKnownAddress(aKnownAddress(lakes))
      await collaborations.addKnownAddress(aKnownAddress({ address: 'elsewhere.example.com' }))
      // Known since the first time.
      await collaborations.addKnownAddress(aKnownAddress({ ...lakes, knownSince: endOfTime }))
      await collaborations.removeParticipation(otherPortal.portalId, anId(200))
    })
    const at = (address: string, portalId = otherPortal.portalId) =>
      storage.read(({ collaborations }) => collaborations.listKnownKeysAt(portalId, address))
    expect(await at('maps.example.com')).toStrictEqual([keys.lakes, keys.maps])
    expect(await at('elsewhere.example.com')).toStrictEqual([keys.maps])
    expect(await at('maps.example.org')).toEqual([])
    expect(await at('maps.example.com', 'PortalOfMaps0001')).toEqual([])
    const unknown = aKnownAddress({ signerPortalId: 'NoSuchPortal0009' })
    await expect(storage.write(({ collaborations }) => collaborations.addKnownAddress(unknown))).rejects.toThrow()
  })

  test('when a group goes, its links are undefined and the participation stays', async () => {
    const participation = aParticipation({ workspaces: [aSide(300, { groupId: anId(100) }), aSide(301)] })
    const storage = await openWith(open, participation)
    await storage.write(({ directory }) => directory.removeGroup(anId(100), noon))
    expect(await find(storage)).toStrictEqual({ ...participation, workspaces: [aSide(300), aSide(301)] })
  })

  test('a participation of a portal that does not exist is refused', async () => {
    const storage = await openWith(open)
    const orphan = aParticipation({ portalId: 'NoSuchPortal0009' })
    await expect(storage.write(({ collaborations }) => collaborations.putParticipation(orphan))).rejects.toThrow()
  })
}
