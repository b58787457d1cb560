import { expect, test } from 'vitest'
import type { InvitationRequest } from '../../src/collaborations/invitation.ts'
import {
  acceptedParticipation,
  findInvitationProblem,
  type GuestSide,
  listKnownParticipants,
} from '../../src/collaborations/participation.ts'

const now = 1_768_478_400_000
const file = { document: {}, publicKey: '{}', fingerprint: 'f'.repeat(43), digest: 'd'.repeat(64) }
const workspace = { id: '3'.repeat(32), name: 'Depths', description: '', accessMode: 'send' }
const request: InvitationRequest = {
  id: '1'.repeat(32),
  collaborationId: '2'.repeat(32),
  collaborationName: 'Soundings',
  collaborationDescription: '',
  hostPortalId: 'PortalOfMaps0001',
  hostPortalName: 'Maps',
  hostPortalUrl: 'https://maps.example.org',
  hostContactFirstname: '',
  hostContactLastname: '',
  hostContactEmailAddress: '',
  guestPortalUrl: 'https://seas.example.org',
  collaborationWorkspaces: [workspace],
  created: now - 1,
  expiration: now + 1,
}
const guest: GuestSide = {
  portalId: 'PortalOfSeas0002',
  portalUrl: 'https://seas.example.org',
  present: undefined,
  collaborationId: '2'.repeat(32),
  isHost: false,
  now,
}
/** 72 hours, and 5 minutes for clocks. */
const longest = 72 * 3_600_000 + 5 * 60_000
const contact = { firstName: '', lastName: '', email: '' }
const present = acceptedParticipation(request, file, guest, contact)

test('what fits has no problem, and neither has a second file to the same collaboration', () => {
  expect(findInvitationProblem(request, file, guest)).toBeUndefined()
  const second = { ...file, digest: 'e'.repeat(64) }
  expect(findInvitationProblem(request, second, { ...guest, present })).toBeUndefined()
})

test('an invitation that was refreshed late, or whose host is minutes ahead, still fits', () => {
  const refreshed = { ...request, created: now - 30 * 86_400_000, expiration: now + longest }
  expect(findInvitationProblem(refreshed, file, guest)).toBeUndefined()
})

test('a participation has the id of the host, or another one where that is taken', () => {
  expect(present).toMatchObject({
    collaborationId: request.collaborationId,
    hostCollaborationId: request.collaborationId,
  })
  const elsewhere = { ...guest, collaborationId: '7'.repeat(32) }
  const other = acceptedParticipation(request, file, elsewhere, contact)
  expect(other).toMatchObject({ collaborationId: '7'.repeat(32), hostCollaborationId: request.collaborationId })
  const again = acceptedParticipation(request, file, { ...guest, present: other }, contact)
  expect(again.collaborationId).toBe('7'.repeat(32))
})

test.each<[string, Partial<InvitationRequest>, Partial<GuestSide>, Partial<typeof file>]>([
  ['The invitation is from this portal itself.', { hostPortalId: guest.portalId }, {}, {}],
  ['The collaboration is one that this portal hosts.', {}, { isHost: true }, {}],
  [
    `The invitation is for https://seas.example.org/gis; this portal is ${guest.portalUrl}.`,
    { guestPortalUrl: 'https://seas.example.org/gis' },
    {},
    {},
  ],
  ['Invitation has expired.', { expiration: now }, {}, {}],
  [
    'The invitation has an access mode that is not known.',
    { collaborationWorkspaces: [{ ...workspace, accessMode: 'Send' }] },
    {},
    {},
  ],
  ['The invitation names a workspace twice.', { collaborationWorkspaces: [workspace, workspace] }, {}, {}],
  [
    "The invitation does not have the host's root as an http or https URL.",
    { hostPortalUrl: 'maps.example.org' },
    {},
    {},
  ],
  [
    'The invitation expires more than 72 hours from now, which is the longest time that is allowed.',
    { expiration: now + longest + 1 },
    {},
    {},
  ],
  ['Invitation has already been accepted.', {}, { present }, {}],
])('%s', (problem, changes, side, difference) => {
  const wrong = findInvitationProblem({ ...request, ...changes }, { ...file, ...difference }, { ...guest, ...side })
  expect(wrong).toBe(problem)
})

test('a second acceptance keeps the groups that are linked, and when it began', () => {
  const linked = { ...present, workspaces: present.workspaces.map((one) => ({ ...one, groupId: '9'.repeat(32) })) }
  const added = { ...request, collaborationWorkspaces: [{ ...workspace, id: '4'.repeat(32) }, workspace] }
  const again = acceptedParticipation(added, file, { ...guest, present: linked, now: now + 5 }, contact)
  expect(again.workspaces.map(({ groupId }) => groupId)).toEqual([undefined, '9'.repeat(32)])
  expect([again.createdAt, again.modifiedAt]).toEqual([now, now + 5])
})

test('a guest knows the host and itself', () => {
  const known = listKnownParticipants(present, 'Seas')
  expect(known.map(({ role, portalId, portalName }) => [role, portalId, portalName])).toEqual([
    ['Host', 'PortalOfMaps0001', 'Maps'],
    ['Guest', 'PortalOfSeas0002', 'Seas'],
  ])
})
