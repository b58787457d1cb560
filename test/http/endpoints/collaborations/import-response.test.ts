import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerHost, aResponse, writeResponse } from '../../../support/inputs/signed-files.ts'
import { hostCollaboration, type IssuedInvitation } from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { type Body, type Parameters, startOfTests } from '../../../support/portal/portal.ts'
import { openInvited } from './invited-guest.ts'

const guestPortalUrl = 'https://guest.example.org/portal'
const notAResponse = 'The members of the document are not those of an invitation response.'

async function invited() {
  const opened = await openInvited()
  const { database, host } = opened
  return {
    ...opened,
    /** Expects that importing and validating both refuse the response, and change nothing. */
    async refuse(response: string, why: string, what = why): Promise<void> {
      await database.keep()
      expect(await answerHost(host, response, 'validate'), what).toEqual(refused('validate invitation response', why))
      expect(await answerHost(host, response), what).toEqual(refused('import invitation response', why))
      expect(await database.changedTables(), what).toEqual([])
    },
  }
}

test('a response that another program wrote from the description makes its guest a participant', async () => {
  await using world = await invited()
  const { host, invitation, portal } = world
  portal.clock.now += 5
  const answer = await answerHost(host, writeResponse(invitation))
  expect(answer).toEqual({
    success: true,
    guestKeyFingerprint: expect.stringMatching(/^[\w-]{43}$/),
    guestKeyFingerprintHex: expect.stringMatching(/^[0-9a-f]{4}( [0-9a-f]{4}){15}$/),
    guestKey: { state: 'new' },
    invitationResponse: aResponse(invitation),
  })
  const { participants } = await host.client.get(`${host.path}/participants`)
  expect(participants.map((one: Body) => [one.collaborationRole, one.portalInfo.id])).toEqual([
    ['Host', JSON.parse(invitation.text).invitationRequest.hostPortalId],
    ['Guest', 'InstituteOfSeas1'],
  ])
  expect(participants[1]).toMatchObject({
    portalInfo: { url: guestPortalUrl, name: 'Institute of Seas' },
    config: { contactFirstname: 'Ören', contactLastname: 'Sjö', contactEmailAddress: 'oren@guest.example.org' },
    created: startOfTests + 5,
  })
  const { participantGroupLinks: _, participantsWithoutGroupLinks } = (await host.client.get(`${host.path}/workspaces`))
    .workspaces[0]
  expect(JSON.stringify(participantsWithoutGroupLinks)).toContain('InstituteOfSeas1')
})

test('validating shows what importing answers, and changes nothing', async () => {
  await using world = await invited()
  const { host, invitation } = world
  const before = await host.read(invitation)
  const validated = await answerHost(host, writeResponse(invitation), 'validate')
  expect(await host.read(invitation)).toEqual(before)
  expect((await host.client.get(`${host.path}/participants`)).total).toBe(1)
  expect(validated).toMatchObject({ success: true })
  expect(await answerHost(host, writeResponse(invitation))).toEqual(validated)
})

describe('a response changes nothing that', () => {
  let world: Awaited<ReturnType<typeof invited>>

  beforeAll(async () => {
    world = await invited()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  // Each reason has its row in the test of the judgement.
  test.each<[string, Parameters, string]>([
    ['no invitation', { id: 'd'.repeat(32) }, 'The response is for an invitation that does not exist.'],
    [
      'another guest by a slash',
      { guestPortalUrl: `${guestPortalUrl}/` },
      `The response is from ${guestPortalUrl}/; the invitation is for ${guestPortalUrl}.`,
    ],
    ['a member that is administrator', { role: 'Host' }, notAResponse],
  ])('names %s, and is refused', async (_, changes, why) => {
    await world.refuse(writeResponse(world.invitation, changes), why)
  })

  test('is from the host itself, and is refused', async () => {
    const { hostPortalId } = JSON.parse(world.invitation.text).invitationRequest
    const response = writeResponse(world.invitation, { guestPortalId: hostPortalId })
    await world.refuse(response, 'The response is from the host itself.')
  })
})

test('a guest takes part once, whatever it is invited to again', async () => {
  await using world = await invited()
  await answerHost(world.host, writeResponse(world.invitation))
  const second = await world.host.invite()
  await world.refuse(writeResponse(second), 'The guest takes part in the collaboration already.')
  const invitationResponseJSON = writeResponse(second, { guestPortalId: 'InstituteOfSeas2' })
  const other = { invitationResponseJSON, acceptNewKey: true }
  expect(await world.host.client.post(`${world.host.path}/importInvitationResponse`, other)).toMatchObject({
    success: true,
  })
})

test('a response to another invitation of the same guest does not pass for this one', async () => {
  await using world = await invited()
  const other: IssuedInvitation = await world.host.invite({ expiration: 5 })
  const mixed = writeResponse(world.invitation, { invitationDigest: aResponse(other)['invitationDigest'] })
  await world.refuse(mixed, 'The response is for another file than the one that the invitation has now.')
})

test('a response to another collaboration of the same host is refused there', async () => {
  await using world = await invited()
  const other = await hostCollaboration(world.portal, world.host.client)
  const response = writeResponse(await other.invite())
  await world.refuse(response, 'The response is for another collaboration.')
  const { id } = await other.invite()
  await world.refuse(writeResponse(world.invitation, { id }), 'The response is for an invitation that does not exist.')
})

test('a response to a collaboration of another organization is refused', async () => {
  await using world = await invited()
  const outsider = await hostCollaboration(world.portal, await world.portal.otherOrganization())
  await world.refuse(writeResponse(await outsider.invite()), 'The response is for another portal.')
})
