import { expect } from 'vitest'
import type { ParticipationWorkspace } from '../../../src/collaborations/participation.ts'
import {
  aCollaboration,
  addAlpineMaps,
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
  testOn,
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

/** Records that guests keep of the collaborations of others. */
export function participationsContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('host and guest of one collaboration live in one database, each with a side of its own', async ({
    collaborations,
    storage,
  }) => {
    await addAlpineMaps(storage)
    await collaborations.putParticipation(aParticipation({ name: 'as the guest remembers it', createdAt: noon + 1 }))
    const names = async (portalId: string) =>
      (await collaborations.listCollaborations(portalId, everything)).entries.map(({ name }) => name)
    expect(await names('PortalOfMaps0001')).toEqual(['Alpine maps'])
    expect(await names(otherPortal.portalId)).toEqual(['as the guest remembers it', 'Alpine maps'])
    await collaborations.removeParticipation(otherPortal.portalId, anId(200))
    const hosted = await collaborations.findCollaboration(anId(200))
    expect(hosted).toStrictEqual(aCollaboration())
    expect(await names(otherPortal.portalId)).toEqual(['Alpine maps'])
  })

  test('collaborations of two hosts with one id are apart, each under an id of the guest', async ({
    collaborations,
  }) => {
    const first = aParticipation({ workspaces: [aSide(300)] })
    const other = { hostPortalId: 'PortalOfLakes003', hostCollaborationId: first.hostCollaborationId }
    const second = aParticipation({ ...other, collaborationId: anId(201), workspaces: [aSide(301)] })
    for (const one of [first, second]) await collaborations.putParticipation(one)
    const of = (hostPortalId: string, portalId = otherPortal.portalId) =>
      collaborations.findParticipationOf(portalId, hostPortalId, anId(200))
    expect(await of('PortalOfMaps0001')).toStrictEqual(first)
    expect(await of('PortalOfLakes003')).toStrictEqual(second)
    expect(await of('PortalOfLakes003', 'PortalOfMaps0001')).toBeUndefined()
    const twice = { ...second, collaborationId: anId(202) }
    await expect(collaborations.putParticipation(twice)).rejects.toThrow()
  })

  test('portals are known at addresses, the longest known first, for one organization, and outlive the participation', async ({
    collaborations,
  }) => {
    await collaborations.putParticipation(aParticipation())
    const lakes = { signerPortalId: 'PortalOfLakes003' }
    const keys = { maps: aKnownKey(), lakes: aKnownKey({ ...lakes, fingerprint: 'h'.repeat(43) }) }
    for (const key of Object.values(keys)) await collaborations.putKnownKey(key)
    await collaborations.addKnownAddress(aKnownAddress({ knownSince: noon + 1 }))
    await collaborations.addKnownAddress(aKnownAddress(lakes))
    await collaborations.addKnownAddress(aKnownAddress({ address: 'elsewhere.example.com' }))
    // Known since the first time.
    await collaborations.addKnownAddress(aKnownAddress({ ...lakes, knownSince: endOfTime }))
    await collaborations.removeParticipation(otherPortal.portalId, anId(200))
    const at = (address: string, portalId = otherPortal.portalId) => collaborations.listKnownKeysAt(portalId, address)
    expect(await at('maps.example.com')).toStrictEqual([keys.lakes, keys.maps])
    expect(await at('elsewhere.example.com')).toStrictEqual([keys.maps])
    expect(await at('maps.example.org')).toEqual([])
    expect(await at('maps.example.com', 'PortalOfMaps0001')).toEqual([])
    const unknown = aKnownAddress({ signerPortalId: 'NoSuchPortal0009' })
    await expect(collaborations.addKnownAddress(unknown)).rejects.toThrow()
  })

  test('when a group goes, its links are undefined and the participation stays', async ({
    collaborations,
    directory,
  }) => {
    await directory.addGroup(aGroup({ portalId: otherPortal.portalId }))
    const participation = aParticipation({ workspaces: [aSide(300, { groupId: anId(100) }), aSide(301)] })
    await collaborations.putParticipation(participation)
    await directory.removeGroup(anId(100), noon)
    const found = await collaborations.findParticipation(participation.portalId, anId(200))
    expect(found).toStrictEqual({ ...participation, workspaces: [aSide(300), aSide(301)] })
  })

  test('what a portal that does not exist takes part in, or knows, is refused', async ({ collaborations }) => {
    const orphan = aParticipation({ portalId: 'NoSuchPortal0009' })
    await expect(collaborations.putParticipation(orphan)).rejects.toThrow()
    await expect(collaborations.putKnownKey(aKnownKey({ portalId: orphan.portalId }))).rejects.toThrow()
  })
}
