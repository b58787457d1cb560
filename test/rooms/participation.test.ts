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
  isHost: false,
  now,
}
const contact = { firstName: '', lastName: '', email: '' }
const present = acceptedParticipation(request, file, guest, contact)

test('what fits has no problem, and neither has a second file to the same collaboration', () => {
  expect(findInvitationProblem(request, file, guest)).toBeUndefined()
  const second = { ...file, digest: 'e'.repeat(64) }
  expect(findInvitationProblem(request, second, { ...guest, present })).toBeUndefined()
})

test.each<[string, Partial<InvitationRequest>, Partial<GuestSide>, Partial<typeof file>]>([
  ['The invitation is from this portal itself.', { hostPortalId: guest.portalId }, {}, {}],
  ['The collaboration is one that this portal hosts.', {}, { isHost: true }, {}],
  ['The invitation is for another portal.', { guestPortalUrl: 'https://seas.example.org/gis' }, {}, {}],
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
  ['The collaboration is known from another host.', { hostPortalId: 'PortalOfLake0003' }, { present }, {}],
  [
    "The invitation is signed by another key than the collaboration's first one.",
    {},
    { present },
    { fingerprint: 'g'.repeat(43) },
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
