import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { WriteCommand } from '../../src/operations/command.ts'
import { openServer, type Server } from '../../src/server.ts'
import type { PostgresStorage } from '../../src/storage/postgres/postgres.ts'
import { servingLock } from '../../src/storage/postgres/serving-lock.ts'
import { listenerName } from '../../src/storage/postgres/session.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { adminPassword, type Body, Client, cheapPasswords, TestPortal } from '../support/portal/portal.ts'

interface Site extends AsyncDisposable {
  readonly url: string
  /** Portals, one server each. */
  readonly portals: readonly TestPortal[]
  /** Resolves when every server has received what was written before. */
  catchUp(): Promise<void>
}

/** Three servers that share a database and nothing else. */
async function openSite(): Promise<Site> {
  const url = await createDatabase()
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: 'one secret for all the servers of a test',
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
  })
  const clock = { now: Date.now() }
  const overrides = { now: () => clock.now, passwords: cheapPasswords }
  const servers: Server[] = await Promise.all(Array.from({ length: 3 }, () => openServer(config, overrides)))
  return {
    url,
    portals: servers.map((server) => new TestPortal(server, clock)),
    async catchUp() {
      const storages = servers.map(({ dependencies }) => dependencies.storage as PostgresStorage<WriteCommand>)
      await Promise.all(storages.map((storage) => storage.catchUp()))
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

/** One caller's client at each server. */
function at(portals: readonly TestPortal[], { token, username }: Client): Client[] {
  return portals.map((portal) => new Client(portal, token, username))
}

/** However long a machine takes for it. */
const eventually = { interval: 5 }

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
  {
    what: 'a role whose privileges are taken away',
    async end(admin, user) {
      const { role } = await user.get('/community/self')
      return admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges: { privileges: [] } })
    },
    isEnded: ({ privileges }) => privileges.length === 0,
  },
]

describe('what every server remembers of callers', () => {
  let site: Site
  let admin: Client

  beforeAll(async () => {
    site = await openSite()
    admin = await site.portals[0]!.admin()
  })

  afterAll(() => site[Symbol.asyncDispose]())

  const lookUps = () => site.portals[0]!.server.dependencies.storage.figures().callerCache

  test.each(endings)(
    '$what is known as such immediately where it changed, and elsewhere when that was received',
    async (ending) => {
      const number = endings.indexOf(ending)
      const role = await admin.createRole(`Curators ${number}`, ['portal:user:createGroup'])
      const user = await admin.invite(`user${number}`, role)
      const everywhere = at(site.portals, user)
      // Twice, so that each server remembers who this is.
      for (const client of [...everywhere, ...everywhere])
        expect(await client.get('/community/self')).toMatchObject({ role })
      expect(await ending.end(admin, user)).toMatchObject({ success: true })
      expect(ending.isEnded(await everywhere[0]!.get('/community/self'))).toBe(true)
      await site.catchUp()
      for (const client of everywhere) expect(ending.isEnded(await client.get('/community/self'))).toBe(true)
    },
  )

  test('a second request looks up no caller', async () => {
    // A machine that is very busy may come too late to its listening.
    await expect
      .poll(async () => {
        const { hits, misses } = lookUps()
        await admin.get('/community/self')
        return [lookUps().hits - hits, lookUps().misses - misses]
      }, eventually)
      .toEqual([1, 0])
  })

  test.each(['hello {', 'null', '1', '{}', '[1]', '[null]', '"user"', '["user"]', '', '[["user x"]]'])(
    '%j on the channel, which is not understood, ends what is remembered, and nothing else',
    async (words) => {
      await admin.get('/community/self')
      const { misses } = lookUps()
      await queryAt(site.url, "select pg_notify('cartulary_callers', $1)", [words])
      await expect
        .poll(async () => {
          expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
          return lookUps().misses
        }, eventually)
        .toBeGreaterThan(misses)
    },
  )
})

/** Ends the connections on which servers listen. */
function endListening(url: string): Promise<unknown> {
  const terminate =
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()'
  return queryAt(url, terminate, [listenerName])
}

test('while a server does not listen, it remembers no caller; then it listens again', async () => {
  await using site = await openSite()
  const [first, second] = site.portals
  const [, there] = at(site.portals, await first!.admin())
  const cache = () => second!.server.dependencies.storage.figures().callerCache
  /** Hits of two requests of one caller: the second is a hit where the first is remembered. */
  const hitsOfTwo = async () => {
    const { hits } = cache()
    await there!.get('/community/self')
    await there!.get('/community/self')
    return cache().hits - hits
  }
  // It tries again a quarter of a second after it has noticed: a slow machine may need more than one try.
  await expect
    .poll(async () => {
      await endListening(site.url)
      return hitsOfTwo()
    }, eventually)
    .toBe(0)
  await expect.poll(hitsOfTwo, eventually).toBeGreaterThan(0)
})

test('a server that has lost its listening connection still keeps away a command that would move the database', async () => {
  await using site = await openSite()
  const [first] = site.portals
  const admin = await first!.admin()
  const mover = new pg.Client({ connectionString: site.url })
  await mover.connect()
  let isHeld = false
  const holding = mover.query('select pg_advisory_lock($1)', [servingLock]).then(() => {
    isHeld = true
  })
  await endListening(site.url)
  for (let count = 0; count < 20; count += 1) {
    expect(await admin.post('/community/createGroup', { title: `Group ${count}` })).toMatchObject({ success: true })
  }
  const waiting = await queryAt(
    site.url,
    `select granted from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
    [servingLock],
  )
  expect([isHeld, waiting]).toEqual([false, [{ granted: false }]])
  await mover.end()
  await holding.catch(() => undefined)
})
