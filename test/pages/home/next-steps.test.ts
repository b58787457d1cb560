import { expect, test } from 'vitest'
import {
  byEnd,
  listDraftSteps,
  listInvitationSteps,
  listNextSteps,
  type PendingDraft,
  type Situation,
} from '../../../pages/src/home/next-steps.ts'

const nothing: Situation = { groupInvitations: 0, groups: [], draftOwners: [], needsSchema: false }
const group = (id: string, applications = 0) => ({ id, title: `Group ${id}`, userMembership: { applications } })

test('nothing waits where there is nothing', () => {
  expect(listNextSteps({ ...nothing, groups: [group('a')] })).toEqual([])
})

test('invitations, requests and drafts wait, each with its number or its group', () => {
  const steps = listNextSteps({
    groupInvitations: 2,
    groups: [group('a', 1), group('b', 3)],
    draftOwners: ['group:b', 'group:gone', 'organization'],
    needsSchema: true,
  })
  expect(steps).toEqual([
    { kind: 'groupInvitations', count: 2 },
    { kind: 'applications', count: 4 },
    { kind: 'organizationDraft' },
    { kind: 'groupDraft', groupId: 'b', group: 'Group b' },
  ])
})

test('an organization without categories waits for its first ones, unless there is a draft of them', () => {
  expect(listNextSteps({ ...nothing, needsSchema: true })).toEqual([{ kind: 'noSchema' }])
})

test('invitations of a collaboration wait for their guest, or for another end; answered ones do not', () => {
  const about = { collaborationId: 'c', collaboration: 'Alps' }
  const now = 10
  const tomorrow = now + 86_400_000
  const invitation = (status: 'host_created' | 'host_accepted' | 'host_invalidated', expiration: number) => ({
    status,
    expiration,
  })
  const steps = listInvitationSteps(
    { id: 'c', name: 'Alps' },
    [
      invitation('host_created', tomorrow),
      invitation('host_created', tomorrow + 1),
      invitation('host_created', tomorrow - 1),
      invitation('host_created', now),
      invitation('host_accepted', tomorrow),
      invitation('host_invalidated', tomorrow),
    ],
    now,
  )
  expect(steps).toEqual([
    { kind: 'expiredInvitations', count: 1, ...about },
    { kind: 'expiringInvitations', count: 1, ends: tomorrow - 1, ...about },
    { kind: 'openInvitations', count: 2, ends: tomorrow, ...about },
  ])
  expect(listInvitationSteps({ id: 'c', name: 'Alps' }, [], now)).toEqual([])
})

test('drafts on the server wait for those to whom they are proposed, and for those who have to go on with them', () => {
  const draft = { id: 'd1', name: 'Lakes', modifiedBy: 'anna', stateBy: 'anna', reviewer: null } as PendingDraft
  const stepsOf = (change: Partial<PendingDraft>, username = 'mira') =>
    listDraftSteps([{ ...draft, ...change }], username).map(({ kind }) => kind)
  expect(listDraftSteps([{ ...draft, state: 'proposed', groupId: 'g1' }], 'mira')).toEqual([
    { kind: 'proposedDraft', draftId: 'd1', name: 'Lakes', person: 'anna', groupId: 'g1' },
  ])
  expect(stepsOf({ state: 'proposed' }, 'anna')).toEqual([])
  expect(stepsOf({ state: 'proposed', reviewer: 'mira' })).toEqual(['proposedDraft'])
  expect(stepsOf({ state: 'proposed', reviewer: 'bert' })).toEqual([])
  expect(stepsOf({ state: 'returned', stateBy: 'mira' })).toEqual([])
  expect(stepsOf({ state: 'returned', stateBy: 'mira' }, 'anna')).toEqual(['returnedDraft'])
  expect(stepsOf({ state: 'failed', stateBy: 'mira' })).toEqual(['failedDraft'])
  expect(stepsOf({ state: 'scheduled', stateBy: 'mira', publishAt: 7 }, 'bert')).toEqual([])
  expect(listDraftSteps([{ ...draft, state: 'scheduled', publishAt: 7 }], 'anna')).toEqual([
    { kind: 'scheduledDraft', draftId: 'd1', name: 'Lakes', person: 'anna', groupId: '', ends: 7 },
  ])
})

test('what ends first stands before what ends later, and behind what has no end', () => {
  const ending = (count: number, ends: number) =>
    ({ kind: 'openInvitations', count, collaborationId: 'c', collaboration: 'Alps', ends }) as const
  const steps = [ending(1, 9), { kind: 'applications', count: 2 } as const, ending(3, 8), { kind: 'noSchema' } as const]
  expect(byEnd(steps)).toEqual([steps[1], steps[3], steps[2], steps[0]])
})
