import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { putSchema } from '../../../src/categories/versions.ts'
import { defaultLimits } from '../../../src/limits.ts'
import { servingLock } from '../../../src/storage/postgres/serving-lock.ts'
import { applicationName, connect, openPool } from '../../../src/storage/postgres/session.ts'
import { type Readers, StorageContended, type Stores } from '../../../src/storage/storage.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { until } from '../../support/until.ts'
import { addPeople, aGroup, anId, aPortal, aUser, noon } from '../contract/records.ts'
import { openWorkPostgres, type WorkStorage } from '../work-storage.ts'

/** Servers that share one database. */
async function openSeveral(count: number): Promise<{ url: string; storages: readonly WorkStorage[] }> {
  const url = await emptyDatabase()
  const storages = await Promise.all(Array.from({ length: count }, () => openWorkPostgres(url)))
  for (const storage of storages) onTestFinished(() => storage.close())
  return { url, storages }
}

const twoServers = async () => {
  const { url, storages } = await openSeveral(2)
  return { url, one: storages[0]!, other: storages[1]! }
}

test('servers that start at the same moment make the tables once', async () => {
  const { url, storages } = await openSeveral(6)
  await Promise.all(storages.map((storage) => storage.ping()))
  expect(await queryAt(url, 'select name from kysely_migration order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  )
})

test('a write goes on with no caller who has changed unnoticed, whether it succeeds or refuses', async () => {
  const { url, one } = await twoServers()
  await addPeople(one)
  const tokenHash = 'a'.repeat(64)
  await one.tokens.addToken({ tokenHash, userId: anId(1), createdAt: 0, expiresAt: noon })
  const findRole = async ({ tokens }: Readers) => (await tokens.findTokenUser(tokenHash))?.role ?? ''
  const describe = (description: string) => aPortal({ description })
  for (const role of ['org_publisher', 'org_user']) {
    await one.read(findRole)
    // A change by hand: no server is notified.
    await queryAt(url, `update users set role = '${role}'`)
    await one.write(async (stores) => stores.directory.updatePortal(describe(await findRole(stores))))
    expect((await one.directory.findPortal(aPortal().portalId))?.description).toBe(role)
    await queryAt(url, "update users set role = 'org_admin'")
    const refusing = one.write(async (stores) => {
      throw new Error(await findRole(stores))
    })
    await expect(refusing).rejects.toThrow('org_admin')
  }
})

/** Resolves for all when `count` have come, and immediately for those that come later: when a write runs again. */
function gather(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = count
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}

test('of two servers that add one name, the slower one finds it taken and says so in its own words', async () => {
  const { one, other } = await twoServers()
  await addPeople(one)
  const haveLooked = gather(2)
  const add = (storage: WorkStorage, userId: string, username: string) =>
    storage.write(async ({ directory }) => {
      if (await directory.findUser(username)) return 'taken'
      await haveLooked()
      await directory.addUser(aUser({ userId, username }), 'hash')
      return 'added'
    })
  const answers = await Promise.all([add(one, anId(1000), 'bert'), add(other, anId(1001), 'BERT')])
  expect(answers.toSorted()).toEqual(['added', 'taken'])
  expect(one.figures().retries + other.figures().retries).toBe(1)
})

test('two servers that each take away one of the last two administrators leave one', async () => {
  const { one, other } = await twoServers()
  await addPeople(one)
  const ids = [anId(50), anId(51)]
  for (const userId of ids) {
    await one.directory.addUser(aUser({ userId, username: userId, role: 'org_admin' }), 'hash')
  }
  const haveCounted = gather(2)
  const demote = (storage: WorkStorage, userId: string) =>
    storage.write(async ({ directory }) => {
      if ((await directory.countAdministrators(aPortal().portalId)) < 2) return false
      const user = await directory.findUserById(userId)
      await haveCounted()
      await directory.updateUser({ ...user!, role: 'org_user' })
      return true
    })
  const answers = await Promise.all([demote(one, ids[0]!), demote(other, ids[1]!)])
  expect(answers.toSorted()).toEqual([false, true])
})

test('a schema that is assigned to a group while it is removed leaves nothing behind', async () => {
  const { url, one, other } = await twoServers()
  await addPeople(one)
  const { groupId } = aGroup()
  await one.directory.addGroup(aGroup())
  const haveLooked = gather(2)
  const isThere = async ({ directory }: Stores) => {
    const group = await directory.findGroup(groupId)
    await haveLooked()
    return group !== undefined
  }
  await Promise.all([
    one.write(async (stores) => {
      if (!(await isThere(stores))) return
      await stores.categories.putDocument({ kind: 'group', groupId }, '{}', 'anna', noon)
    }),
    other.write(async (stores) => {
      await isThere(stores)
      await stores.directory.removeGroup(groupId, noon)
    }),
  ])
  const orphans = `select owner_id from category_schemas where is_set = 1 and owner_kind = 'group'
    and not exists (select 1 from groups where group_id = owner_id)`
  expect(await queryAt(url, orphans)).toEqual([])
})

test.each(['refused', 'cut'])(
  'a write that loses until its deadline is named so, where its last try is %s',
  async (end) => {
    const { one, other } = await twoServers()
    await addPeople(one)
    const owner = { kind: 'portal', portalId: aPortal().portalId } as const
    let tries = 0
    const lost = one.write(async ({ categories }) => {
      await categories.findDocument(owner)
      tries += 1
      await other.categories.putDocument(owner, `{"n":${tries}}`, 'anna', noon)
      while (end === 'cut' && tries > 3) await categories.findDocument(owner)
      await categories.putDocument(owner, '{}', 'bert', noon)
    }, performance.now() + 1_500)
    await expect(lost).rejects.toBeInstanceOf(StorageContended)
    expect(tries).toBeGreaterThan(1)
  },
)

test('more writers of one place than there are connections all come through', async () => {
  const { one, other } = await twoServers()
  await addPeople(one)
  const owner = { kind: 'portal', portalId: aPortal().portalId } as const
  const works = Array.from({ length: 120 }, (_, index) =>
    [one, other][index % 2]!.write(({ categories }) => categories.putDocument(owner, `{"n":${index}}`, 'anna', noon)),
  )
  const versions = (await Promise.all(works)).map(({ version }) => version)
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
})

test('300 writers of the schemas of 300 groups do not conflict, although each counts for one organization', async () => {
  const { one, other } = await twoServers()
  await addPeople(one)
  const ids = Array.from({ length: 300 }, (_, index) => anId(1_000 + index))
  // However slow the machine is, none exceeds its deadline.
  const never = performance.now() + 3_600_000
  await one.write(async ({ directory }) => {
    for (const groupId of ids) await directory.addGroup(aGroup({ groupId }))
  }, never)
  const call = { caller: undefined, now: noon, limits: defaultLimits }
  const size = { trees: 1, categories: 1 }
  for (const document of ['"one"', '"two"']) {
    const assigns = ids.map((groupId, index) => {
      const schema = { owner: { kind: 'group', groupId } as const, document, size, author: 'anna' }
      return [one, other][index % 2]!.write((stores) => putSchema(stores, call, schema), never)
    })
    await Promise.all([...assigns, other.write(({ items }) => items.mergeItemCounts(), never)])
  }
  expect(one.figures().retries! + other.figures().retries!).toBeLessThan(60)
  expect(await one.categories.countVersions()).toBe(600)
})

test('connections are no more than the setting says, and one that listens', async () => {
  const { url, one } = await twoServers()
  await addPeople(one)
  const owned =
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const reads = Promise.all(Array.from({ length: 200 }, () => one.directory.listPortals()))
  const [during] = await queryAt<{ count: number }>(url, owned)
  await reads
  expect(during!.count).toBeLessThanOrEqual(2 * (4 + 1))
  expect(one.figures()).toMatchObject({ connections: { open: 4, idle: 4 }, waiting: 0 })
})

test('a time-out discards no connection that has answered meanwhile', async () => {
  const { url, one } = await twoServers()
  await addPeople(one)
  /** Each on a connection of its own: none ends before all have read. */
  const readAtOnce = (times: number) => {
    const haveRead = gather(times)
    const read = () =>
      one.read(async ({ directory }) => {
        await directory.listPortals()
        await haveRead()
      })
    return Promise.all(Array.from({ length: times }, read))
  }
  await readAtOnce(4)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table groups in access exclusive mode')
  const held = one.directory.findGroup(aGroup().groupId).catch((error: Error) => error)
  // On the three other connections, while the first one waits.
  await readAtOnce(3)
  let pidOfHeld = 0
  await until('it waits for the lock', async () => {
    const waiting = await queryAt<{ pid: number }>(
      url,
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    pidOfHeld = waiting[0]?.pid ?? 0
    return waiting.length === 1
  })
  // Without the one that waited: PostgreSQL may notice late that it has been discarded.
  const listOthersNow = () =>
    queryAt<{ pid: number }>(
      url,
      `select pid from pg_stat_activity where datname = current_database() and application_name = '${applicationName}'
        and pid <> ${pidOfHeld} order by pid`,
    )
  const before = await listOthersNow()
  expect(await held).toBeInstanceOf(Error)
  await readAtOnce(3)
  expect(await listOthersNow()).toEqual(before)
})

test('a connection that comes when it is too late is refused, and given back', async () => {
  const pool = openPool(await emptyDatabase(), 1)
  onTestFinished(() => pool.end())
  const first = await connect(pool, performance.now() + 60_000)
  const late = performance.now() + 20
  const connecting = connect(pool, late)
  // The pool does not end before.
  connecting.then((client) => client.release()).catch(() => undefined)
  first.release()
  while (performance.now() <= late);
  await expect(connecting).rejects.toThrow('Timed out waiting for a connection to the database.')
  expect(pool.idleCount).toBe(1)
})

test('a lock on the whole database keeps servers from starting', async () => {
  const url = await emptyDatabase()
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [servingLock])
  await expect(openWorkPostgres(url)).rejects.toThrow(
    'The database is being moved by cartulary migrate-data, or migrated by a newer version; start the server when that has finished.',
  )
  await holder.end()
  await (await openWorkPostgres(url)).close()
})
