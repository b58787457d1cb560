import { expect, test } from 'vitest'
import { readPartnerFile } from '../../../pages/src/collaborations/partner-files/partner-file.ts'
import { findCause } from '../../../pages/src/collaborations/partner-files/refusal.ts'
import { splitSpan, stateOf, untilNextTick } from '../../../pages/src/collaborations/state.ts'
import { listEvents, listInvitationSteps } from '../../../pages/src/collaborations/timeline.ts'
import type { WireInvitationView } from '../../../src/http/shapes/collaborations/invitation.ts'

const hour = 3_600_000
const id = 'a'.repeat(32)
const invitation: WireInvitationView = {
  id,
  collaborationId: 'b'.repeat(32),
  hostPortalId: '0123456789ABCDEF',
  guestPortalId: '',
  guestPortalUrl: 'https://guest.example.org/portal',
  status: 'host_created',
  config: { invitationRequestFilename: 'collaboration-guest.example.org.invite' },
  invitationString: '{}',
  created: 1_000,
  modified: 1_000,
  expiration: 1_000 + 72 * hour,
  timeLeft: 72 * hour,
  history: [{ event: 'create', from: null, to: 'host_created', username: 'ada', at: 1_000 }],
}

test('an invitation is open until its last millisecond, and then expired, unless it was answered or taken back', () => {
  const { expiration } = invitation
  expect(stateOf(invitation, expiration - 1)).toBe('open')
  expect(stateOf(invitation, expiration)).toBe('expired')
  expect(stateOf({ status: 'host_accepted', expiration }, expiration + 1)).toBe('accepted')
  expect(stateOf({ status: 'host_invalidated', expiration }, expiration + 1)).toBe('takenBack')
})

test('a span is said in its two largest units', () => {
  expect(splitSpan(72 * hour)).toEqual([['day', 3]])
  expect(splitSpan(26 * hour)).toEqual([
    ['day', 1],
    ['hour', 2],
  ])
  expect(splitSpan(hour + 59_999)).toEqual([['hour', 1]])
  expect(splitSpan(61_000)).toEqual([
    ['minute', 1],
    ['second', 1],
  ])
  expect(splitSpan(999)).toEqual([['second', 0]])
})

test('the countdown says something else after each tick, and ticks no more often', () => {
  for (const left of [72 * hour, 26 * hour + 17, hour + 1, 59 * 60_000, 61_500, 1_001]) {
    const tick = untilNextTick(left)
    const step = left >= hour ? 60_000 : 1_000
    expect(Math.floor((left - tick) / step), `${left}`).toBe(Math.floor(left / step) - 1)
    expect(Math.floor((left - tick + 1) / step), `${left}`).toBe(Math.floor(left / step))
  }
})

test('a file says what it is; what names no invitation is none', () => {
  const document = { id, collaborationId: 'b'.repeat(32) }
  const claims = { invitationId: id, collaborationId: 'b'.repeat(32) }
  expect(readPartnerFile(JSON.stringify({ invitationRequest: document }))).toEqual({ kind: 'invitation', claims })
  expect(readPartnerFile(JSON.stringify({ invitationResponse: document }))).toEqual({ kind: 'response', claims })
  expect(readPartnerFile('<html>')).toEqual({ kind: 'none', problem: 'notJson' })
  for (const other of ['null', '7', '{}', '[]', JSON.stringify({ invitationResponse: { ...document, id: '../x' } })]) {
    expect(readPartnerFile(other), other).toEqual({ kind: 'none', problem: 'neither' })
  }
  expect(readPartnerFile('é'.repeat(32_769))).toEqual({ kind: 'none', problem: 'tooLong' })
})

test('the cause of a refusal is the last step that ended the invitation, with its author', () => {
  const takenBack: WireInvitationView = {
    ...invitation,
    status: 'host_invalidated',
    history: [
      ...invitation.history,
      { event: 'refresh', from: 'host_created', to: 'host_created', username: 'bo', at: 2_000 },
      { event: 'invalidate', from: 'host_created', to: 'host_invalidated', username: 'cy', at: 3_000 },
    ],
  }
  expect(findCause(takenBack, false, 4_000)).toEqual({ kind: 'takenBack', at: 3_000, username: 'cy' })
  expect(findCause({ ...takenBack, status: 'host_created' }, false, 4_000)).toEqual({
    kind: 'replaced',
    at: 2_000,
    username: 'bo',
  })
  expect(findCause(invitation, true, 4_000)).toBeUndefined()
  const { expiration } = invitation
  expect(findCause(invitation, true, expiration)).toEqual({ kind: 'expired', at: expiration })
})

test('the timeline begins with the latest, and has the end of an open invitation', () => {
  expect(listInvitationSteps(invitation, 2_000).map(({ kind }) => kind)).toEqual(['invitationEnds', 'invited'])
  expect(listInvitationSteps(invitation, invitation.expiration).map(({ kind }) => kind)).toEqual([
    'invitationEnded',
    'invited',
  ])
  const workspaces = [
    { name: 'Base maps', created: 500 },
    { name: 'Aerial images', created: 700 },
  ]
  const guest = { id: 'FEDCBA9876543210', url: '', name: 'Guest', description: '', portalType: 'onpremises' } as const
  const participants = [{ portalInfo: guest, collaborationRole: 'Guest', created: 5_000 } as const]
  const takenBack = { ...invitation, status: 'host_invalidated', modified: 9_000 } as const
  const events = listEvents({ created: 500 }, workspaces, participants, [takenBack], 10_000)
  expect(events.map(({ kind, name }) => [kind, name])).toEqual([
    ['takenBack', invitation.guestPortalUrl],
    ['joined', 'Guest'],
    ['invited', invitation.guestPortalUrl],
    ['workspaceAdded', 'Aerial images'],
    ['created', undefined],
  ])
})
