import {
  type CollaborationHost,
  hostCollaboration,
  type IssuedInvitation,
} from '../support/portal/collaboration-host.ts'
import { refused } from '../support/portal/envelopes.ts'
import { Guest } from '../support/portal/handshake.ts'
import { adminPassword, type Body, type Client, isReplicated, type TestPortal } from '../support/portal/portal.ts'
import { expect, test } from '../support/portal/test.ts'

/** Number of concurrent races; where servers share a database, conflicts take their time. */
const heatSize = isReplicated ? 4 : 12
const races = 12

/** A fresh invitation that its guest has answered: all that is left is the import, or something else first. */
interface Track {
  readonly host: CollaborationHost
  readonly invitation: IssuedInvitation
  readonly response: string
  /** Which race it is, from 0. */
  readonly number: number
}

/** Two organizations on one server; a guest answers once in a collaboration, so each race has one of its own. */
async function openTrack(admin: Client, guest: Guest, number: number): Promise<Track> {
  const host = await hostCollaboration(admin.portal, admin)
  const invitation = await host.invite({ guestPortalUrl: admin.portal.server.publicUrl() })
  return { host, invitation, response: await guest.answer(invitation.text), number }
}

interface Finish<Outcome> {
  readonly outcome: Outcome
  readonly track: Track
  /** The invitation as it is read afterwards. */
  readonly record: Body
  /** Portals that take part afterwards. */
  readonly participants: readonly string[]
}

/** Runs so many races concurrently that who is first comes out differently. */
async function race<Outcome>(
  portal: TestPortal,
  races: number,
  run: (track: Track) => Promise<Outcome>,
): Promise<readonly Finish<Outcome>[]> {
  const admin = await portal.admin()
  const guest = new Guest(await portal.otherOrganization())
  const finishes: Finish<Outcome>[] = []
  while (finishes.length < races) {
    const tracks = Array.from({ length: Math.min(heatSize, races - finishes.length) }, (_, lane) =>
      openTrack(admin, guest, finishes.length + lane),
    )
    // Everybody is ready before anybody runs, and a refresh gives another time than the first one.
    const ready = await Promise.all(tracks)
    portal.clock.now += 1
    const heat = ready.map(async (track) => {
      const outcome = await run(track)
      const { host, invitation } = track
      const list = await host.client.get(`${host.path}/participants`)
      const participants: string[] = list.participants.map(({ portalInfo }: Body) => portalInfo.id)
      return { outcome, track, record: await host.read(invitation), participants }
    })
    finishes.push(...(await Promise.all(heat)))
  }
  return finishes
}

const change = ({ host, invitation }: Track, operation: string) => host.client.post(`${invitation.path}/${operation}`)

/**
 * The first and the second in this order, in the other, and concurrently: in a third of the races each. Where one waits for
 * the other it is known who wins.
 */
async function inTurns<First, Second>(
  { number }: Track,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  if (number % 3 === 0) return Promise.all([first(), second()])
  if (number % 3 === 1) return [await first(), await second()]
  const outcome = await second()
  return [await first(), outcome]
}

function eventsOf({ record }: Finish<unknown>): readonly string[] {
  return record.history.map(({ event }: Body) => event)
}

/** Every step begins where the one before it ended, and the last one is where the invitation is. */
function expectUnbroken({ record }: Finish<unknown>): void {
  let state = null
  for (const { from, to } of record.history) {
    expect(from).toBe(state)
    state = to
  }
  expect(state).toBe(record.status)
}

/** A guest takes part if its response was imported, and only then; the invitation says the same. */
function expectAgreement({ record, participants, track }: Finish<unknown>): void {
  const { guestPortalId } = JSON.parse(track.response).invitationResponse
  const isIn = record.status === 'host_accepted'
  expect(participants.slice(1)).toEqual(isIn ? [guestPortalId] : [])
  expect(record.guestPortalId).toBe(isIn ? guestPortalId : 'unknown')
}

const tooLateToInvalidate = refused('invalidate invitation', 'Invitation has already been accepted.')
const importRefused = (reason: string) => refused('import invitation response', reason)

test('invalidate against import: one of them wins, and the other learns it', async ({ portal }) => {
  const finishes = await race(portal, races, (track) =>
    inTurns(
      track,
      () => change(track, 'invalidate'),
      () => track.host.importResponse(track.response),
    ),
  )
  for (const finish of finishes) {
    const [invalidated, imported] = finish.outcome
    expectUnbroken(finish)
    expectAgreement(finish)
    if (imported.success) {
      expect(invalidated).toEqual(tooLateToInvalidate)
      expect(eventsOf(finish)).toEqual(['create', 'import'])
    } else {
      expect(invalidated).toEqual({ success: true })
      expect(imported).toEqual(importRefused('Invitation has been invalidated.'))
      expect(eventsOf(finish)).toEqual(['create', 'invalidate'])
    }
  }
  const imports = finishes.filter(({ record }) => record.status === 'host_accepted').length
  expect(Math.min(imports, races - imports)).toBeGreaterThanOrEqual(Math.floor(races / 3))
})

test('invalidate, concurrent import and refresh: what was done is done one after the other', async ({ portal }) => {
  const finishes = await race(portal, races, async (track) => {
    const [refreshed, [invalidated, imported]] = await Promise.all([
      change(track, 'refresh'),
      inTurns(
        track,
        () => change(track, 'invalidate'),
        () => track.host.importResponse(track.response),
      ),
    ])
    return [invalidated, imported, refreshed]
  })
  for (const finish of finishes) {
    const [invalidated, imported, refreshed] = finish.outcome
    const story = eventsOf(finish).join()
    expectUnbroken(finish)
    expectAgreement(finish)
    const file = 'signature' in refreshed ? JSON.stringify(refreshed) : finish.track.invitation.text
    expect(finish.record.invitationString).toBe(file)
    expect([invalidated.success === true, imported.success === true, 'signature' in refreshed]).toEqual(
      ['invalidate', 'import', 'refresh'].map((event) => story.includes(event)),
    )
    // A response to the file before the refresh does not count, and nothing comes after an end.
    expect(['create,import', 'create,invalidate', 'create,refresh,invalidate']).toContain(story)
    if (story === 'create,import') {
      expect(invalidated).toEqual(tooLateToInvalidate)
      expect(refreshed).toEqual(refused('refresh invitation', 'Invitation has already been accepted.'))
    } else {
      if (story === 'create,invalidate') {
        expect(refreshed).toEqual(refused('refresh invitation', 'Invitation has been invalidated.'))
      }
      expect([
        importRefused('Invitation has been invalidated.'),
        importRefused('The response is for another file than the one that the invitation has now.'),
      ]).toContainEqual(imported)
    }
  }
})

test('one response imported twice concurrently makes one participant', async ({ portal }) => {
  const finishes = await race(portal, races, ({ host, response }) =>
    Promise.all([host.importResponse(response), host.importResponse(response)]),
  )
  for (const finish of finishes) {
    expectAgreement(finish)
    expect(eventsOf(finish)).toEqual(['create', 'import'])
    expect(finish.outcome.filter(({ success }) => success)).toHaveLength(1)
    expect(finish.outcome).toContainEqual(importRefused('Invitation has already been accepted.'))
  }
})

test('responses to two invitations of one guest imported concurrently make one participant', async ({ portal }) => {
  const guestPortalUrl = portal.server.publicUrl()
  const finishes = await race(portal, races, async ({ host, response, number }) => {
    const other = await host.invite({ guestPortalUrl })
    const guest = new Guest(await portal.signIn('outsider', adminPassword))
    const responses = [response, await guest.answer(other.text)]
    const ordered = number % 2 === 0 ? responses : responses.toReversed()
    const answers = await Promise.all(ordered.map((text) => host.importResponse(text)))
    return { answers, other: await host.read(other) }
  })
  for (const { outcome, record, participants } of finishes) {
    expect(participants).toHaveLength(2)
    expect(outcome.answers.filter(({ success }) => success)).toHaveLength(1)
    expect(outcome.answers).toContainEqual(importRefused('The guest takes part in the collaboration already.'))
    expect([record.status, outcome.other.status].toSorted()).toEqual(['host_accepted', 'host_created'])
  }
})

test('racing invalidations all succeed, and one of them is recorded', async ({ portal }) => {
  const finishes = await race(portal, races, (track) =>
    Promise.all(Array.from({ length: 3 }, () => change(track, 'invalidate'))),
  )
  for (const finish of finishes) {
    expect(finish.outcome).toEqual([{ success: true }, { success: true }, { success: true }])
    expect(eventsOf(finish)).toEqual(['create', 'invalidate'])
  }
})

test('racing refreshes are answered with a file that counted, and the last one counts', async ({ portal }) => {
  const finishes = await race(portal, races, (track) =>
    Promise.all([change(track, 'refresh'), change(track, 'refresh')]),
  )
  for (const finish of finishes) {
    const { outcome, record } = finish
    expect(record.status).toBe('host_created')
    const files = outcome.map((file) => JSON.stringify(file))
    expect(files).toContain(record.invitationString)
    // Where both began before one had ended, the second finds its work done; one that began later does it again.
    if (eventsOf(finish).length === 2) expect(new Set(files)).toEqual(new Set([record.invitationString]))
    else expect(eventsOf(finish)).toEqual(['create', 'refresh', 'refresh'])
  }
})
