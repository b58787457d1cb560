import { afterAll, beforeAll, expect, test } from 'vitest'
import { forbidden, withReasons } from '../../../support/portal/envelopes.ts'
import { startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const path = '/portals/self/serverFigures'
let portal: TestPortal

beforeAll(async () => {
  portal = await startPortal({ isReused: false })
})
afterAll(() => portal[Symbol.asyncDispose]())

test('the figures are those of the server that answers, and of its database', async () => {
  const admin = await portal.admin()
  const before = await admin.get(path)
  expect(before).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    servers: 1,
    database: {
      engine: 'sqlite',
      organizations: 1,
      bytes: expect.any(Number),
      lastMigration: expect.stringMatching(/^\d{3}-/),
    },
  })
  expect(before.database.bytes).toBeGreaterThan(0)
  expect(before.uptime).toBeGreaterThan(0)

  await admin.get('/community/self')
  await admin.get('/community/groups/00000000000000000000000000000000')
  await admin.get('/community/groups')
  await admin.createGroup('Maps')
  const after = await admin.get(path)
  const grown = (kind: string, what: string) => {
    const [one, other] = [before, after].map(
      ({ lastHour }) => lastHour.kinds.find((entry: { readonly kind: string }) => entry.kind === kind)[what],
    )
    return other - one
  }
  // The first call for figures is a read, too.
  expect([grown('read', 'requests'), grown('read', 'refused'), grown('read', 'failed')]).toEqual([3, 1, 0])
  expect([grown('search', 'requests'), grown('write', 'requests')]).toEqual([1, 1])
  expect(after.lastHour.minutes).toHaveLength(60)
  expect(after.lastHour.minutes.at(-1).requests - before.lastHour.minutes.at(-1).requests).toBe(5)
  expect(after.database.auditEntries).toBe(before.database.auditEntries + 1)

  portal.clock.now += 60 * 60_000
  const later = await (await portal.admin()).get(path)
  // But for the sign-in that has just been.
  expect(later.lastHour.minutes.at(-1).requests).toBe(1)
  expect(
    later.lastHour.minutes.slice(0, -1).every(({ requests }: { readonly requests: number }) => requests === 0),
  ).toBe(true)
})

test('limits that were reached are counted since the start', async () => {
  const admin = await portal.admin()
  const failures = async () => {
    const { limitsReached } = await admin.get(path)
    return limitsReached.filter(({ limit }: { readonly limit: string }) => limit === 'signInFailures')
  }
  expect(await failures()).toEqual([])
  const wrong = { username: 'anna', password: 'wrong' }
  for (let count = 0; count < 12; count += 1) await portal.anonymous.post('/generateToken', wrong)
  expect(await failures()).toEqual([{ limit: 'signInFailures', times: 2 }])
})

test('administrators of other organizations have no figures', async () => {
  portal.clock.now += 1
  const outsider = await portal.otherOrganization()
  expect(await outsider.get(path)).toEqual(withReasons(forbidden))
})
