import { expect } from 'vitest'
import type { Audited, Claim } from './claim.ts'
import { type Exchange, isDone, nameOf } from './ledger.ts'

interface Invitation {
  readonly invitation_id: string
  readonly state: string
  readonly file: string
  readonly revision: number
  readonly created_at: number | string
  readonly modified_at: number | string
}

interface Step {
  readonly invitation_id: string
  readonly step: number
  readonly event: string
  readonly from_state: string | null
  readonly to_state: string
  readonly happened_at: number | string
}

/** Holds invitations, their steps and their audit against what was sent and answered. */
export async function requireInvitations({ query, ledger, place }: Claim, audit: readonly Audited[]): Promise<void> {
  const invitations = await query<Invitation>(
    'SELECT invitation_id, state, file, revision, created_at, modified_at FROM invitations',
  )
  const steps = Map.groupBy(
    await query<Step>(
      'SELECT invitation_id, step, event, from_state, to_state, happened_at FROM invitation_steps ORDER BY step',
    ),
    ({ invitation_id }) => invitation_id,
  )
  const takings = Map.groupBy(
    audit.filter(({ operation }) => operation === 'invalidateInvitation'),
    ({ target }) => target.split('/').at(-2)!,
  )
  const invites = audit.filter(({ operation }) => operation === 'inviteParticipant')
  for (const invitation of invitations) {
    const id = invitation.invitation_id
    requireSteps(`${place}, invitation ${id}`, invitation, steps.get(id) ?? [], takings.get(id) ?? [])
  }
  const ids = new Set(invitations.map(({ invitation_id }) => invitation_id))
  expect(
    [...steps.keys(), ...takings.keys()].filter((id) => !ids.has(id)),
    `${place}: of no invitation`,
  ).toEqual([])
  expect(timesOf(invites), `${place}: the audit is that of the invitations`).toEqual(
    invitations.map(({ created_at }) => Number(created_at)).sort(byTime),
  )

  const sent = ledger.exchanges('invite')
  const files = new Set(invitations.map(({ file }) => file))
  const lost = sent.filter(
    (exchange) => isDone(exchange) && !(files.has(exchange.answer!.text) && isAudited(exchange, invites)),
  )
  expect(lost.map(nameOf), `${place}: invitations acknowledged and lost`).toEqual([])
  expect(invitations.length, `${place}: invitations that were not sent`).toBeLessThanOrEqual(sent.length)

  const taken = ledger.exchanges('invalidate')
  // Only the first of an invitation has to be recorded.
  const forgotten = taken.filter((exchange) => isDone(exchange) && !takings.has(exchange.request.invitationId))
  expect(forgotten.map(nameOf), `${place}: invalidations acknowledged and lost`).toEqual([])
  for (const [id, entries] of takings) {
    const asked = taken.filter(({ request }) => request.invitationId === id)
    expect(entries.length, `${place}, invitation ${id}: taken back unasked`).toBeLessThanOrEqual(asked.length)
  }
}

/** The state is where the steps lead; it was taken back exactly where the audit says so. */
function requireSteps(at: string, invitation: Invitation, steps: readonly Step[], takings: readonly Audited[]): void {
  const { state, revision, created_at, modified_at } = invitation
  const isTaken = takings.length > 0
  const first = { step: 1, event: 'create', from_state: null, to_state: 'host_created', at: Number(created_at) }
  const second = { step: 2, event: 'invalidate', from_state: 'host_created', to_state: 'host_invalidated' }
  expect(
    steps.map(({ step, event, from_state, to_state, happened_at }) => {
      return { step, event, from_state, to_state, at: Number(happened_at) }
    }),
    `${at}: steps`,
  ).toEqual(isTaken ? [first, { ...second, at: Number(modified_at) }] : [first])
  expect({ state, revision }, `${at}: the state is that of the steps`).toEqual(
    isTaken ? { state: 'host_invalidated', revision: 2 } : { state: 'host_created', revision: 1 },
  )
  if (isTaken) expect(timesOf(takings), `${at}: when it was taken back`).toContain(Number(modified_at))
}

function isAudited({ answer }: Exchange, entries: readonly Audited[]): boolean {
  return entries.some(({ request_id }) => request_id === answer?.requestId)
}

function timesOf(entries: readonly Audited[]): readonly number[] {
  return entries.map(({ happened_at }) => Number(happened_at)).sort(byTime)
}

function byTime(one: number, other: number): number {
  return one - other
}
