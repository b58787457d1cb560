import { expect, test } from 'vitest'
import {
  type CollaborationHost,
  hostCollaboration,
  type IssuedInvitation,
} from '../support/portal/collaboration-host.ts'
import { type Body, startPortal, type TestPortal } from '../support/portal/portal.ts'

const races = 200
const heatSize = 20

interface Step {
  readonly event: string
  readonly from: string | null
  readonly to: string
}

/** What a race is run with: the invitation, and how long the slower side waits. */
interface Track {
  readonly portal: TestPortal
  readonly invitation: IssuedInvitation
  /** Sends an operation of the invitation. */
  post(operation: string): Promise<Body>
  /** Keeps one side back, in every race by another number of requests: none, one or two. */
  handicap(): Promise<void>
}

interface Finish<Outcome> {
  readonly invitation: IssuedInvitation
  readonly outcome: Outcome
  /** The invitation as it is read afterwards. */
  readonly record: Body
}

/** Fresh invitations, raced for by so many at once that who is first comes out differently. */
async function race<Outcome>(run: (track: Track) => Promise<Outcome>): Promise<readonly Finish<Outcome>[]> {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const finishes: Finish<Outcome>[] = []
  for (let heat = 0; heat < races / heatSize; heat += 1) {
    const tracks = Array.from({ length: heatSize }, async (_, lane) => {
      const invitation = await host.invite()
      const outcome = await run({ portal, invitation, ...sides(host, invitation, (heat + lane) % 3) })
      return { invitation, outcome, record: await host.read(invitation) }
    })
    finishes.push(...(await Promise.all(tracks)))
  }
  return finishes
}

function sides(host: CollaborationHost, invitation: IssuedInvitation, requests: number) {
  return {
    post: (operation: string): Promise<Body> => host.client.post(`${invitation.path}/${operation}`),
    async handicap() {
      for (let request = 0; request < requests; request += 1) await host.client.post(invitation.path)
    },
  }
}

/** Every step begins where the one before it ended. */
function expectUnbroken(history: readonly Step[]): void {
  expect(history[0]).toMatchObject({ event: 'create', from: null, to: 'host_created' })
  for (const [index, { to }] of history.slice(0, -1).entries()) expect(history[index + 1]!.from).toBe(to)
}

function eventsOf({ record }: Finish<unknown>): readonly string[] {
  return record.history.map(({ event }: Step) => event)
}

test('invalidate against refresh: it always ends invalidated, and a file is given only before that', async () => {
  const finishes = await race(({ post, handicap }) =>
    Promise.all([handicap().then(() => post('invalidate')), post('refresh')]),
  )
  for (const finish of finishes) {
    const { outcome, record, invitation } = finish
    const [invalidated, refreshed] = outcome
    expect(invalidated).toEqual({ success: true })
    expect(record.status).toBe('host_invalidated')
    expectUnbroken(record.history)
    if ('signature' in refreshed) {
      expect(eventsOf(finish)).toEqual(['create', 'refresh', 'invalidate'])
      expect(record.invitationString).toBe(JSON.stringify(refreshed))
    } else {
      expect(refreshed.error).toMatchObject({ code: 400, details: ['Invitation has been invalidated.'] })
      expect(eventsOf(finish)).toEqual(['create', 'invalidate'])
      expect(record.invitationString).toBe(invitation.text)
    }
  }
  const refreshes = finishes.filter((finish) => eventsOf(finish).includes('refresh'))
  expect(refreshes.length).toBeGreaterThan(0)
  expect(refreshes.length).toBeLessThan(races)
})

test('racing invalidations all succeed, and one of them is recorded', async () => {
  const finishes = await race(({ post }) => Promise.all([post('invalidate'), post('invalidate'), post('invalidate')]))
  for (const finish of finishes) {
    expect(finish.outcome).toEqual([{ success: true }, { success: true }, { success: true }])
    expect(eventsOf(finish)).toEqual(['create', 'invalidate'])
  }
})

test('racing refreshes end in one step, and each is answered with the file that counts', async () => {
  const finishes = await race(({ post }) => Promise.all([post('refresh'), post('refresh')]))
  for (const finish of finishes) {
    const { outcome, record } = finish
    expect(record.status).toBe('host_created')
    expect(eventsOf(finish)).toEqual(['create', 'refresh'])
    for (const file of outcome) expect(JSON.stringify(file)).toBe(record.invitationString)
  }
})
