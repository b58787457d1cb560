import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openServer, type Server } from '../../src/server.ts'
import { listenerName } from '../../src/storage/postgres/listener.ts'
import { servingLock } from '../../src/storage/postgres/session.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { adminPassword, type Body, type Client, cheapPasswords, TestPortal } from '../support/portal/portal.ts'

/** How long a change of who may do what may stay unheard on another server (in milliseconds). */
const promised = 1_000

interface Site extends AsyncDisposable {
  readonly url: string
  /** One server each. */
  readonly portals: readonly TestPortal[]
}

/** Three servers that share a database and nothing else. */
async function openSite(): Promise<Site> {
  const url = await emptyDatabase()
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: 'one secret for all the servers of a test',
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
  })
  const clock = { now: Date.now() }
  const outside = { now: () => clock.now, passwords: cheapPasswords }
  const servers: Server[] = await Promise.all(Array.from({ length: 3 }, () => openServer(config, outside)))
  return {
    url,
    portals: servers.map((server) => new TestPortal(server, clock)),
    [Symbol.asyncDispose]: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

/** The same caller at each server. */
function at(portals: readonly TestPortal[], { token, username }: Client): Client[] {
  return portals.map((portal) => new (Object.getPrototypeOf(portal.anonymous).constructor)(portal, token, username))
}

/** Milliseconds until every server answers so. */
async function untilAll(clients: readonly Client[], path: string, isNew: (answer: Body) => boolean): Promise<number> {
  const begun = performance.now()
  const times = clients.map(async (client) => {
    while (!isNew(await client.get(path))) {
      if (performance.now() - begun > 5 * promised) break
    }
    return performance.now() - begun
  })
  return Math.max(...(await Promise.all(times)))
}

interface Ending {
  readonly what: string
  end(admin: Client, user: Client): Promise<Body>
  isEnded(answer: Body): boolean
}

const isInvalid = ({ error }: Body) => error?.code === 498

const endings: readonly Ending[] = [
  {
    what: 'a token that is revoked',
    end: (_admin, user) => user.post('/oauth2/revokeToken', { auth_token: user.token }),
    isEnded: isInvalid,
  },
  {
    what: 'a user who is disabled',
    end: (admin, { username }) => admin.post(`/community/users/${username}/disable`),
    isEnded: isInvalid,
  },
  {
    what: 'a user who is deleted',
    end: (admin, { username }) => admin.post(`/community/users/${username}/delete`),
    isEnded: isInvalid,
  },
  {
    what: 'a user whose role changes',
    end: (admin, { username }) => admin.post('/portals/self/updateUserRole', { user: username, role: 'org_viewer' }),
    isEnded: ({ role }) => role === 'org_viewer',
  },
]

test.each(endings)('$what is known as such on every server within a second', async ({ end, isEnded }) => {
  await using site = await openSite()
  const [first] = site.portals
  const admin = await first!.admin()
  const times: number[] = []
  for (let round = 0; round < 10; round += 1) {
    const user = await admin.invite(`user${round}`, 'org_publisher')
    const everywhere = at(site.portals, user)
    // Twice, so that each server remembers who this is.
    for (const client of [...everywhere, ...everywhere]) {
      expect(await client.get('/community/self')).toMatchObject({ role: 'org_publisher' })
    }
    expect(await end(admin, user)).toMatchObject({ success: true })
    expect(isEnded(await everywhere[0]!.get('/community/self')), 'the server that changed it').toBe(true)
    times.push(await untilAll(everywhere, '/community/self', isEnded))
  }
  expect(Math.max(...times)).toBeLessThan(promised)
})

test('privileges that are taken from a role are gone on every server within a second', async () => {
  await using site = await openSite()
  const admin = await site.portals[0]!.admin()
  const role = await admin.createRole('Curators', ['portal:user:createGroup'])
  const user = await admin.invite('curator', role)
  const everywhere = at(site.portals, user)
  for (const client of [...everywhere, ...everywhere]) {
    expect((await client.get('/community/self')).privileges).toEqual(['portal:user:createGroup'])
  }
  await admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges: { privileges: [] } })
  const time = await untilAll(everywhere, '/community/self', ({ privileges }) => privileges.length === 0)
  expect(time).toBeLessThan(promised)
})

test('callers are remembered: a second request looks nobody up', async () => {
  await using site = await openSite()
  const [first] = site.portals
  const admin = await first!.admin()
  const cache = () => first!.server.dependencies.storage.figures().callerCache
  // A machine that is very busy may come too late to its listening.
  await expect
    .poll(async () => {
      const { hits, misses } = cache()
      await admin.get('/community/self')
      return [cache().hits - hits, cache().misses - misses]
    })
    .toEqual([1, 0])
})

test('while a server does not listen, it remembers nobody; it listens again within a second', async () => {
  await using site = await openSite()
  const [first, second] = site.portals
  const admin = await first!.admin()
  const [, there] = at(site.portals, admin)
  await there!.get('/community/self')
  const cache = () => second!.server.dependencies.storage.figures().callerCache
  const terminate =
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()'
  await queryAt(site.url, terminate, [listenerName])
  await there!.get('/community/self')
  const { hits } = cache()
  // It tries again a quarter of a second after it has noticed.
  for (let count = 0; count < 5; count += 1) await there!.get('/community/self')
  expect(cache().hits).toBe(hits)
  await expect
    .poll(
      async () => {
        await there!.get('/community/self')
        return cache().hits
      },
      { timeout: 2_000, interval: 20 },
    )
    .toBeGreaterThan(hits)
})

test.each(['hello {', 'null', '1', '{}', '[1]', '[null]', '"user"', '["user"]', '', '[["user x"]]'])(
  '%j on the channel, which nobody understands, ends what is remembered, and nothing else',
  async (words) => {
    await using site = await openSite()
    const [first] = site.portals
    const admin = await first!.admin()
    await admin.get('/community/self')
    const { misses } = first!.server.dependencies.storage.figures().callerCache
    await queryAt(site.url, "select pg_notify('cartulary_callers', $1)", [words])
    await expect
      .poll(async () => {
        await delay(5)
        await admin.get('/community/self')
        return first!.server.dependencies.storage.figures().callerCache.misses
      })
      .toBeGreaterThan(misses)
  },
)

test('a server that has lost its listening connection still keeps away whoever would move the database', async () => {
  await using site = await openSite()
  const [first] = site.portals
  const admin = await first!.admin()
  const mover = new pg.Client({ connectionString: site.url })
  await mover.connect()
  let isHeld = false
  const holding = mover.query('select pg_advisory_lock($1)', [servingLock]).then(() => {
    isHeld = true
  })
  const terminate =
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()'
  await queryAt(site.url, terminate, [listenerName])
  for (let count = 0; count < 20; count += 1) {
    expect(await admin.post('/community/createGroup', { title: `Group ${count}` })).toMatchObject({ success: true })
    await delay(20)
  }
  expect(isHeld).toBe(false)
  await mover.end()
  await holding.catch(() => undefined)
})
