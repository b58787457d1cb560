import { answerHost, writeResponse } from '../../../support/inputs/signed-files.ts'
import {
  CollaborationHost,
  hostCollaboration,
  type IssuedInvitation,
} from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import type { Body } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const hour = 3_600_000
const accepted = 'Invitation has already been accepted.'
const invalidated = 'Invitation has been invalidated.'
const expired = 'Invitation has expired.'

type State = 'created' | 'invalidated' | 'accepted'
type Event = 'invalidate' | 'import' | 'validate' | 'refresh'
/** `same`: success that changes nothing; a sentence: refused with it. */
type Outcome = State | 'same' | typeof accepted | typeof invalidated | typeof expired

/** State table of an invitation: its state, the hours that have passed of its 72, an event, and the outcome. */
const cells: readonly [State, number, Event, Outcome][] = [
  ['created', 0, 'invalidate', 'invalidated'],
  ['created', 0, 'import', 'accepted'],
  ['created', 0, 'validate', 'same'],
  ['created', 0, 'refresh', 'created'],
  ['created', 72, 'invalidate', 'invalidated'],
  ['created', 72, 'import', expired],
  ['created', 72, 'validate', expired],
  ['created', 72, 'refresh', 'created'],
  ['invalidated', 0, 'invalidate', 'same'],
  ['invalidated', 0, 'import', invalidated],
  ['invalidated', 0, 'validate', invalidated],
  ['invalidated', 0, 'refresh', invalidated],
  ['accepted', 0, 'invalidate', accepted],
  ['accepted', 0, 'import', accepted],
  ['accepted', 0, 'refresh', accepted],
  ['accepted', 72, 'invalidate', accepted],
  ['accepted', 72, 'validate', accepted],
]

const tasks: { readonly [event in Event]: string } = {
  invalidate: 'invalidate invitation',
  import: 'import invitation response',
  validate: 'validate invitation response',
  refresh: 'refresh invitation',
}

/** Sends the event. One guest's response brings the invitation to its state; another's, equally valid, is tried here. */
function send(host: CollaborationHost, invitation: IssuedInvitation, event: Event, guestPortalId: string) {
  if (event === 'invalidate' || event === 'refresh') return host.client.post(`${invitation.path}/${event}`)
  return answerHost(host, writeResponse(invitation, { guestPortalId }), event)
}

async function look(host: CollaborationHost, invitation: IssuedInvitation): Promise<Body> {
  const { participants } = await host.client.get(`${host.path}/participants`)
  return {
    record: await host.read(invitation),
    participants: participants.map(({ portalInfo }: Body) => portalInfo.id).slice(1),
  }
}

test.for(cells)('%s, %i hours old: %s gives %s', async ([state, hours, event, outcome], { portal }) => {
  const first = await hostCollaboration(portal)
  const invitation = await first.invite()
  if (state === 'invalidated') await send(first, invitation, 'invalidate', '')
  if (state === 'accepted') await send(first, invitation, 'import', 'InstituteOfSeas1')
  portal.clock.now += hours * hour + 1
  const host = new CollaborationHost(await portal.admin(), first.collaborationId, first.workspaceId)
  const before = await look(host, invitation)
  expect(before.record.status).toBe(`host_${state}`)

  const answer = await send(host, invitation, event, 'InstituteOfLake1')
  const after = await look(host, invitation)

  if (outcome === 'same') {
    expect(answer).toMatchObject({ success: true })
    expect(after).toEqual(before)
  } else if (outcome === 'created' || outcome === 'invalidated' || outcome === 'accepted') {
    if (event === 'refresh') {
      const { invitationString, modified, expiration, timeLeft, history, ...others } = after.record
      expect(before.record).toMatchObject(others)
      expect([invitationString, timeLeft]).toEqual([JSON.stringify(answer), 72 * hour])
    } else expect(answer).toMatchObject({ success: true })
    expect(after.record).toMatchObject({
      status: `host_${outcome}`,
      modified: portal.clock.now,
      guestPortalId: outcome === 'accepted' ? 'InstituteOfLake1' : 'unknown',
      expiration: event === 'refresh' ? portal.clock.now + 72 * hour : before.record.expiration,
    })
    expect(after.record.history).toEqual([
      ...before.record.history,
      { event, from: `host_${state}`, to: `host_${outcome}`, username: 'admin', at: portal.clock.now },
    ])
    expect(after.participants).toEqual(outcome === 'accepted' ? ['InstituteOfLake1'] : [])
  } else {
    expect(answer).toEqual(refused(tasks[event], outcome))
    expect(after).toEqual(before)
  }
})
