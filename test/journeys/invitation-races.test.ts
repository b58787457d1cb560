import { expect, test } from 'vitest'
import { hostCollaboration, type IssuedInvitation } from '../support/portal/collaboration-host.ts'
import { type Body, isReplicated, startPortal } from '../support/portal/portal.ts'

/** Number of concurrent races; where servers share a database, conflicts take their time. */
const heatSize = isReplicated ? 4 : 12
const races = 12

interface Step {
  readonly event: string
  readonly from: string | null
  readonly to: string
}

interface Track {
  readonly invitation: IssuedInvitation
  /** Which race it is, from 0. */
  readonly number: number
  /** Sends an operation of the invitation. */
  post(operation: string): Promise<Body>
}

interface Finish<Outcome> {
  readonly invitation: IssuedInvitation
  readonly outcome: Outcome
  /** The invitation as it is read afterwards. */
  readonly record: Body
}

/** Races for fresh invitations, so many concurrently that who is first comes out differently. */
async function race<Outcome>(run: (track: Track) => Promise<Outcome>): Promise<readonly Finish<Outcome>[]> {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const finishes: Finish<Outcome>[] = []
  while (finishes.length < races) {
    const before = finishes.length
    const tracks = Array.from({ length: heatSize }, async (_, lane) => {
      const invitation = await host.invite()
      const post = (operation: string): Promise<Body> => host.client.post(`${invitation.path}/${operation}`)
      const outcome = await run({ invitation, number: before + lane, post })
      return { invitation, outcome, record: await host.read(invitation) }
    })
    finishes.push(...(await Promise.all(tracks)))
  }
  return finishes
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
  const finishes = await race(async ({ post, number }) => {
    if (number % 3 === 0) return Promise.all([post('invalidate'), post('refresh')])
    if (number % 3 === 1) return [await post('invalidate'), await post('refresh')]
    const refreshed = await post('refresh')
    return [await post('invalidate'), refreshed]
  })
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
  expect(Math.min(refreshes.length, races - refreshes.length)).toBeGreaterThanOrEqual(Math.floor(races / 3))
})

test('racing invalidations all succeed, and one of them is recorded', async () => {
  const finishes = await race(({ post }) => Promise.all([post('invalidate'), post('invalidate'), post('invalidate')]))
  for (const finish of finishes) {
    expect(finish.outcome).toEqual([{ success: true }, { success: true }, { success: true }])
    expect(eventsOf(finish)).toEqual(['create', 'invalidate'])
  }
})

test('racing refreshes are answered with a file that counted, and the last one counts', async () => {
  const finishes = await race(({ post }) => Promise.all([post('refresh'), post('refresh')]))
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
