import type { Migration } from 'kysely/migration'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { servingLock } from '../../../src/storage/postgres/serving-lock.ts'
import { applicationName, Connection, connectionSettings } from '../../../src/storage/postgres/session.ts'
import type { StartWait } from '../../../src/storage/storage.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import { foundationAlone, noteFormer } from '../../support/databases/former-migrations.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'
import { runWork } from '../work-storage.ts'

const addNote: Migration = { up: (db) => db.schema.alterTable('groups').addColumn('note', 'text').execute() }

/** Migrations of later versions of the program: one that this version is incompatible with, and one that it is not. */
const breaking = { ...migrations, '999-notes': addNote }
const compatible = { ...migrations, '999-notes-beside-older': addNote }

/** A server of this version. */
async function startServer(url: string, lines: string[] = []): Promise<TestPortal> {
  const environment = {
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: '2',
    SECRET_KEY: 'a secret of the tests, long enough for a key',
    LOG_LEVEL: 'info',
  }
  const portal = await startPortal({ environment, logLines: { write: (line: string) => lines.push(line) } })
  onTestFinished(() => portal[Symbol.asyncDispose]())
  return portal
}

/** The storage of a server of another version. */
async function openOther(url: string, others: typeof migrations, wait: StartWait = {}) {
  const storage = await openPostgres({ url, connections: 2, migrations: others, wait }, runWork)
  onTestFinished(() => storage.close())
  return storage
}

const hasNotes = async (url: string) =>
  (await queryAt(url, "select 1 from information_schema.columns where table_name = 'groups' and column_name = 'note'"))
    .length === 1

async function createGroup(portal: TestPortal, token: string | undefined) {
  const { statusCode, headers, body } = await portal.inject({
    method: 'POST',
    url: '/community/createGroup',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-esri-authorization': `Bearer ${token}` },
    payload: formEncode({ title: 'Maps' }),
  })
  return { status: statusCode, retryAfter: headers['retry-after'], answer: JSON.parse(body) }
}

test('a newer server names the older one that runs, ends, and has changed nothing', async () => {
  const url = await emptyDatabase()
  const older = await startServer(url)
  const { token } = await older.admin()
  const named = `${applicationName.replaceAll('.', '\\.')} from 127\\.0\\.0\\.1 \\(\\d connections? since 20[-\\d]+T[:\\d]+Z\\)`
  await expect(openOther(url, breaking)).rejects.toThrow(
    new RegExp(
      `^The tables have to be changed, and not beside others\\. Servers of another version run on the database: ${named}\\. Stop them first \\(MIGRATION_WAIT_SECONDS, 0, is how long a start waits for that\\)\\.$`,
    ),
  )
  expect(await hasNotes(url)).toBe(false)
  expect(await createGroup(older, token)).toMatchObject({ status: 200, answer: { success: true } })
})

test('a newer server waits for an older one to end, says so once, and then migrates', async () => {
  const url = await emptyDatabase()
  const older = await startServer(url)
  const { token } = await older.admin()
  const sentences: string[] = []
  const opening = openOther(url, breaking, {
    serversMilliseconds: 600_000,
    say: (sentence) => sentences.push(sentence),
  })
  await until('it says that it waits', () => sentences.length > 0)
  expect(sentences[0]).toContain(`as soon as no other server uses them. Servers of another version run on the database`)
  // Meanwhile the older one serves, over new connections, too.
  expect(await createGroup(older, token)).toMatchObject({ status: 200, answer: { success: true } })
  expect(await hasNotes(url)).toBe(false)
  await older.server.close()
  await opening
  expect(await hasNotes(url)).toBe(true)
  expect(sentences.slice(1)).toEqual([
    'The tables are changed for this version: 1 migration, 0 items. With many items, it takes minutes: do not kill this process. Asked to end, it ends between two steps, and the next start goes on there.',
    expect.stringMatching(/^The tables are those of this version, after \d+ s\.$/),
  ])
})

test('a newer server that is asked to end while it waits ends', async () => {
  const url = await emptyDatabase()
  await startServer(url)
  const asked = new AbortController()
  const wait = { serversMilliseconds: 600_000, say: () => asked.abort(), signal: asked.signal }
  await expect(openOther(url, breaking, wait)).rejects.toThrow(
    /^Ended while servers of another version were waited for/,
  )
})

test('a server of an earlier version, which has no version in its name, is waited for as well', async () => {
  const url = await emptyDatabase()
  await (await openOther(url, migrations)).close()
  const earlier = new Connection({ ...connectionSettings(url), application_name: 'cartulary' })
  await earlier.connect()
  await earlier.query('select pg_advisory_lock_shared($1)', [servingLock])
  await expect(openOther(url, breaking)).rejects.toThrow(
    /run on the database: cartulary from 127\.0\.0\.1 \(1 connection since /,
  )
  await earlier.end()
  await until('it has ended', async () => {
    const held = await queryAt(
      url,
      `select 1 from pg_locks where locktype = 'advisory' and objid = $1
        and database = (select oid from pg_database where datname = current_database())`,
      [servingLock],
    )
    return held.length === 0
  })
  await openOther(url, breaking)
})

test('newer servers that start concurrently on an older database migrate it once, and all serve', async () => {
  const url = await emptyDatabase()
  await (await openOther(url, migrations)).close()
  await Promise.all(Array.from({ length: 4 }, () => openOther(url, breaking, { serversMilliseconds: 600_000 })))
  expect(await queryAt(url, "select name from kysely_migration where name = '999-notes'")).toHaveLength(1)
})

test('servers that start concurrently on a database of all former migrations put the foundation in their place, and all serve', async () => {
  const url = await emptyDatabase()
  await (await openOther(url, foundationAlone)).close()
  await queryAt(url, noteFormer().join(';'))
  await Promise.all(Array.from({ length: 4 }, () => openOther(url, migrations, { serversMilliseconds: 600_000 })))
  const noted = await queryAt(url, 'select name from kysely_migration order by name')
  expect(noted).toEqual(Object.keys(migrations).map((name) => ({ name })))
})

test('a start on tables of its version sends few statements, as each may be a round trip', async () => {
  const url = await emptyDatabase()
  await (await openOther(url, migrations)).close()
  const statements = vi.spyOn(Connection.prototype, 'query')
  onTestFinished(() => statements.mockRestore())
  await openOther(url, migrations)
  const texts = statements.mock.calls.map(([given]) =>
    typeof given === 'object' ? (given as { text: string }).text : given,
  )
  // The listener looks at that for as long as it lives.
  expect(texts.filter((text) => !String(text).includes('where name <> all')).length).toBeLessThanOrEqual(7)
})

test('an older server under which a newer version has migrated takes no writes and is not ready, in one line', async () => {
  const url = await emptyDatabase()
  const lines: string[] = []
  const older = await startServer(url, lines)
  const { token } = await older.admin()
  expect((await older.server.app.inject('/health/ready')).statusCode).toBe(200)
  await queryAt(url, "insert into kysely_migration (name, timestamp) values ('999-notes', now()::text)")
  await until('it is refused', async () => (await createGroup(older, token)).status === 503)
  expect(await createGroup(older, token)).toEqual({
    status: 503,
    retryAfter: '5',
    answer: {
      error: {
        code: 503,
        message: 'The service is temporarily unavailable.',
        details: [],
        reasons: [
          'A newer version has changed the database. This server only reads, and has to be replaced by that version.',
        ],
      },
    },
  })
  await until('it is not ready', async () => (await older.server.app.inject('/health/ready')).statusCode === 503)
  expect((await older.server.app.inject('/health/ready')).json()).toEqual({
    status: 'unavailable',
    reason: 'A newer version of Cartulary has migrated the database.',
  })
  // Reads go on.
  expect((await older.inject({ method: 'GET', url: '/community/groups?q=Maps' })).statusCode).toBe(200)
  const about = lines.filter((line) => line.includes('999-notes')).map((line) => JSON.parse(line))
  expect(about).toHaveLength(1)
  expect(about[0]).toMatchObject({
    message: 'This server takes no writes any more.',
    cause: 'The database was migrated by a newer version of Cartulary (migration 999-notes); install that version.',
  })
  // A restored database is its own again.
  await queryAt(url, "delete from kysely_migration where name = '999-notes'")
  await until('it writes again', async () => (await createGroup(older, token)).status === 200)
})

test('an older server does not start on a database that a newer one has migrated, whether that runs or not', async () => {
  const url = await emptyDatabase()
  const newer = await openOther(url, breaking)
  const refusal =
    'The database was migrated by a newer version of Cartulary (migration 999-notes); install that version.'
  await expect(openOther(url, migrations)).rejects.toThrow(refusal)
  await newer.close()
  await expect(openOther(url, migrations)).rejects.toThrow(refusal)
})

test('a change that older servers can live with is made beside them: they go on, and start again', async () => {
  const url = await emptyDatabase()
  const older = await startServer(url)
  const { token } = await older.admin()
  const newer = await openOther(url, compatible)
  expect(await hasNotes(url)).toBe(true)
  await newer.catchUp()
  const { catchUp } = older.server.dependencies.storage as unknown as typeof newer
  await catchUp()
  expect(await createGroup(older, token)).toMatchObject({ status: 200, answer: { success: true } })
  expect((await older.server.app.inject('/health/ready')).statusCode).toBe(200)
  await older.server.close()
  const again = await startServer(url)
  expect(await createGroup(again, (await again.admin()).token)).toMatchObject({ status: 200 })
})
