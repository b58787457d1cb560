import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { openRawDatabase } from '../support/databases/raw-database.ts'
import { recordedIn } from '../support/databases/recorded.ts'
import { startPortal } from '../support/portal/portal.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { engines, reachPortal, startOnPostgres } from './servers.ts'

const hour = 3_600_000

test.for(engines)(
  'a clock that jumps ends tokens by what it says, and nothing else ($engine)',
  async ({ engine, open }) => {
    const { url, query } = await open(dirname(temporaryFile()))
    const onFile = () => startPortal({ isReused: false, environment: { DATABASE_URL: url } })
    await using portal = await (engine === 'SQLite' ? onFile() : startOnPostgres(url))
    const observer = await Observer.open(await reachPortal(portal))
    const admin = await portal.admin()
    expect(await observer.assign()).toBe('done')

    portal.clock.now += 5 * hour
    expect((await admin.get('/community/self')).error.code).toBe(498)
    const later = await Observer.open(await reachPortal(portal))
    expect(await later.assign()).toBe('done')
    const signedInLater = await portal.admin()

    portal.clock.now -= 10 * hour
    // It begins in the future: it would outlive its time by as much.
    expect((await signedInLater.get('/community/self')).error.code).toBe(498)
    // It was over, and signing in has removed it.
    expect((await admin.get('/community/self')).error.code).toBe(498)
    const earlier = await reachPortal(portal)
    expect(await observer.assign(observer.owners[0], earlier)).toBe('done')
    expect(await observer.assign(later.owners[0], earlier)).toBe('done')
    for (const path of ['/health/live', '/health/ready']) expect((await earlier.get(path)).status).toBe(200)

    const [group] = observer.owners
    const versions = await recordedIn(query).versions({ kind: 'group', groupId: group!.id })
    expect(versions.map(({ version }) => version)).toEqual([2, 1])
    expect(versions[1]!.assignedAt - versions[0]!.assignedAt).toBe(5 * hour)
  },
)

test('health asks the database again a second later, whatever the clock of the machine says', async () => {
  await using database = await openRawDatabase({ isReused: false })
  const { portal } = database
  const reach = await reachPortal(portal)
  const isReady = async () => (await reach.get('/health/ready')).status === 200
  expect(await isReady()).toBe(true)
  await database.corrupt('portals')
  portal.clock.now -= 10 * hour
  await until('it is not ready', async () => !(await isReady()))
})
