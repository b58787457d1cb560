import { expect, test } from 'vitest'
import type { Invitation } from '../../src/collaborations/invitation.ts'
import { type Expected, formatResponseName, judgeResponse } from '../../src/collaborations/response.ts'

const now = 1_768_478_400_000
const invitation: Invitation = {
  invitationId: '1'.repeat(32),
  collaborationId: '2'.repeat(32),
  hostPortalId: 'PortalOfMaps0001',
  guestPortalId: undefined,
  guestPortalUrl: 'https://guest.example.org',
  state: 'host_created',
  workspaces: [],
  file: '{}',
  digest: 'd'.repeat(64),
  fileName: 'collaboration-guest.example.org.invite',
  revision: 1,
  createdAt: now - 1,
  modifiedAt: now - 1,
  expiresAt: now + 1,
}
const response = {
  id: invitation.invitationId,
  collaborationId: invitation.collaborationId,
  hostPortalId: invitation.hostPortalId,
  guestPortalId: 'PortalOfSeas0002',
  guestPortalName: '',
  guestPortalUrl: invitation.guestPortalUrl,
  guestContactFirstname: '',
  guestContactLastname: '',
  guestContactEmailAddress: '',
  invitationDigest: invitation.digest,
  created: now,
}
const expected: Expected = {
  hostPortalId: invitation.hostPortalId,
  collaborationId: invitation.collaborationId,
  invitation,
  isParticipant: false,
  now,
}

test('a response that fits makes the guest the one that accepted, now, and changes nothing else', () => {
  const imported = { ...invitation, state: 'host_accepted', guestPortalId: response.guestPortalId, modifiedAt: now }
  expect(judgeResponse(response, expected)).toStrictEqual({ invitation, imported })
})

test.each<[string, Partial<typeof response>, Partial<Expected>]>([
  ['The response is for another portal.', { hostPortalId: 'PortalOfSeas0002' }, {}],
  ['The response is for another collaboration.', { collaborationId: '3'.repeat(32) }, {}],
  ['The response is for an invitation that does not exist.', {}, { invitation: undefined }],
  ['Invitation has expired.', {}, { now: now + 1 }],
  ['Invitation has been invalidated.', {}, { invitation: { ...invitation, state: 'host_invalidated' } }],
  ['Invitation has already been accepted.', {}, { invitation: { ...invitation, state: 'host_accepted' } }],
  [
    'The response is for another file than the one that the invitation has now.',
    { invitationDigest: 'e'.repeat(64) },
    {},
  ],
  [
    'The response is for another file than the one that the invitation has now.',
    {},
    { invitation: { ...invitation, revision: 2, digest: 'e'.repeat(64) } },
  ],
  [
    `The response is from https://guest.example.org/portal; the invitation is for ${invitation.guestPortalUrl}.`,
    { guestPortalUrl: 'https://guest.example.org/portal' },
    {},
  ],
  ['The response is from the host itself.', { guestPortalId: invitation.hostPortalId }, {}],
  ['The guest takes part in the collaboration already.', {}, { isParticipant: true }],
])('%s', (problem, changes, circumstances) => {
  expect(judgeResponse({ ...response, ...changes }, { ...expected, ...circumstances })).toEqual({ problem })
})

test('the file is named after the guest', () => {
  expect(formatResponseName('https://guest.example.org:7443/gis')).toBe('collaboration-guest.example.org.response')
})
