import { expect, test } from 'vitest'
import { openRawDatabase } from '../support/databases/raw-database.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { startPortal } from '../support/portal/portal.ts'
import { reachPortal, startOnPostgres } from './stages.ts'
import { Witness } from './witness.ts'

const hour = 3_600_000
const second = 1_000

const engines = [
  { engine: 'SQLite', start: () => startPortal() },
  { engine: 'PostgreSQL', start: async () => startOnPostgres(await createDatabase()) },
] as const

test.for(engines)('a clock that jumps ends tokens by what it says, and nothing else ($engine)', async ({ start }) => {
  await using portal = await start()
  const witness = await Witness.open(await reachPortal(portal))
  const admin = await portal.admin()
  expect(await witness.assign()).toBe('done')

  portal.clock.now += 5 * hour
  expect((await admin.get('/community/self')).error.code).toBe(498)
  const later = await Witness.open(await reachPortal(portal))
  expect(await later.assign()).toBe('done')
  const signedInLater = await portal.admin()

  portal.clock.now -= 10 * hour
  expect((await signedInLater.get('/community/self')).username).toBe('admin')
  // It was over, and signing in has removed it.
  expect((await admin.get('/community/self')).error.code).toBe(498)
  const earlier = await reachPortal(portal)
  expect(await witness.assign(witness.owners[0], earlier)).toBe('done')
  expect(await witness.assign(later.owners[0], earlier)).toBe('done')
  for (const path of ['/health/live', '/health/ready']) expect((await earlier.get(path)).status).toBe(200)

  const [group] = witness.owners
  const versions = await portal.server.dependencies.storage.read(({ categories }) =>
    categories.listVersions({ kind: 'group', groupId: group!.id }),
  )
  expect(versions.map(({ version }) => version)).toEqual([2, 1])
  expect(versions[1]!.assignedAt - versions[0]!.assignedAt).toBe(5 * hour)
})

test('health asks the database again a second later, whatever the clock of the machine says', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  const reach = await reachPortal(portal)
  expect((await reach.get('/health/ready')).status).toBe(200)
  await database.corrupt('portals')
  portal.clock.now -= 10 * hour
  await expect
    .poll(async () => (await reach.get('/health/ready')).status, { timeout: 3 * second, interval: 50 })
    .toBe(503)
})
