import { describe, expect, onTestFinished, test } from 'vitest'
import { runHousekeeping } from '../../../src/background/housekeeping.ts'
import { readConfig } from '../../../src/config.ts'
import { write } from '../../../src/operations/execute.ts'
import { lastFormerCommit } from '../../../src/storage/tables/migrations/former.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import { doctor } from '../../cli/doctor/inspected.ts'
import { command } from '../../cli/run-command.ts'
import { queryFile, queryUrl, recordedIn } from '../../support/databases/recorded.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { type Body, type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { password } from './callers.ts'
import { contentOf, definitionsOf } from './definitions.ts'
import { type Engine, engines, type Kept, keptSettings, openKept, readKept } from './kept-database.ts'
import type { Assigned } from './world.ts'

describe.each(engines)('a database that all former migrations made, of %s,', (engine) => {
  test('answers as its own program did, and the doctor finds nothing wrong', async () => {
    const { portal, before, url } = await openPortal(engine)
    const clients = new Map<string, Client>()
    for (const { by, path, parameters, answer } of before.readings) {
      if (!clients.has(by)) clients.set(by, await portal.signIn(by, password))
      const expected = JSON.parse(JSON.stringify(answer), function (this: Body, key, value) {
        // Later versions give built-in roles further privileges.
        if (key === 'privileges') return expect.arrayContaining(value)
        // It depends on the sign-in of this test.
        return key === 'lastLogin' && this.username === by ? before.at : value
      })
      expect(await clients.get(by)!.get(path, parameters), `${path} for ${by}`).toMatchObject(expected)
    }
    await portal.server.close()
    const { code, problems } = await doctor(url, keptSettings)
    expect([code, problems]).toEqual([0, []])
  })

  test('has the tables of a new database from then on', async () => {
    const { portal, url } = await openPortal(engine)
    await portal.server.close()
    const query = queryOf(url)
    const fresh = engine === 'sqlite' ? `file:${temporaryFile()}` : await emptyDatabase()
    await (await startPortal({ environment: { ...keptSettings, DATABASE_URL: fresh } })).server.close()
    const noted = await query('select name from kysely_migration order by name')
    expect(noted).toEqual(Object.keys(migrations).map((name) => ({ name })))
    expect(await definitionsOf(engine, query)).toEqual(await definitionsOf(engine, queryOf(fresh)))
  })

  test('has every version of its category schemas, and those of a deleted group', async () => {
    const { portal, before, recorded } = await openPortal(engine)
    const clients = { portal: await portal.admin(), group: await portal.signIn('eva', password) }
    expect(before.versions).toHaveLength(before.world.assigned.flatMap(({ versions }) => versions).length)
    for (const { owner, versions } of before.world.assigned) {
      const ownerId = owner.kind === 'portal' ? owner.portalId : owner.groupId
      const times = before.versions
        .filter(({ owner_id }) => owner_id === ownerId)
        .map((row) => Number(row['assigned_at']))
      const expected = versions.map(({ author, schema }, index) => {
        return { version: index + 1, author, assignedAt: times[index], document: schema ?? undefined }
      })
      const found = await recorded.versions(owner)
      expect(
        found.toReversed().map(({ document, ...rest }) => ({ ...rest, document: document && JSON.parse(document) })),
      ).toEqual(expected)
      if (!isReadable(owner, before)) continue
      const path = `${pathOf(owner)}/categorySchema/versions`
      const { versions: listed } = await clients[owner.kind].get(path, { num: 100 })
      expect(listed.toReversed()).toMatchObject(
        expected.map(({ version, author, assignedAt }) => ({ version, modifiedBy: author, modified: assignedAt })),
      )
      for (const { version, document } of expected) {
        expect(await clients[owner.kind].get(`${path}/${version}`)).toMatchObject(document ?? { categorySchema: [] })
      }
    }
  })

  test('has every entry of its log, and finds them', async () => {
    const { portal, before } = await openPortal(engine)
    portal.clock.now += 1
    const settings = readConfig({ ...keptSettings, LOG_LEVEL: 'silent' })
    for (const username of ['admin', 'outsider']) {
      const client = await portal.signIn(username, password)
      const { id: portalId } = await client.get('/portals/self')
      const own = before.audit.filter(({ portal_id }) => portal_id === portalId)
      const expected = own.map((row) => ({
        actor: row['username'],
        created: Number(row['happened_at']),
        ip: row['address'],
        request: row['target'],
        reqId: row['request_id'],
        data: { operation: row['operation'], outcome: row['outcome'] === 200 ? 'success' : 'refused' },
      }))
      expect(own.length).toBeGreaterThan(5)
      const words = { all: true, sortOrder: 'asc', num: 100, toDate: before.at }
      expect((await client.get('/portals/self/history', words)).items).toMatchObject(expected)
      const searchAll = async () => {
        for (const [filter, isFound] of searchesOf(own)) {
          const found = expected.filter((_, index) => isFound(own[index]!))
          expect(found.length, JSON.stringify(filter)).toBeGreaterThan(0)
          const { items } = await client.get('/portals/self/history', { ...words, ...filter })
          expect(items, JSON.stringify(filter)).toMatchObject(found)
          expect(items, JSON.stringify(filter)).toHaveLength(found.length)
        }
      }
      await searchAll()
      await runHousekeeping({ ...portal.server.dependencies, settings })
      await searchAll()
      // Housekeeping leaves less than one step.
      while ((await indexTen(portal)) > 0);
      await searchAll()
    }
  })

  test('goes on: assigns, restores what is older, follows items, imports a response', async () => {
    const { portal, before } = await openPortal(engine)
    const { world } = before
    portal.clock.now += 1
    const [organization, maps] = world.assigned as [Assigned, Assigned]
    const admin = await portal.admin()
    await goOn(admin, organization)
    await goOn(await portal.signIn('anna', password), maps)
    const item = `/content/items/${world.itemIds[0]}`
    const [from] = (await admin.get(item)).categories
    const moves = [
      { from: from.slice(0, from.lastIndexOf('/')), to: '/Themes' },
      { from, to: '/Themes/Waters' },
    ]
    const themes = { categorySchema: [{ title: 'Themes', categories: [{ title: 'Waters' }] }] }
    await requireDone(admin, '/portals/self/assignCategorySchema', { categorySchema: themes, moves })
    expect(await admin.get(item)).toMatchObject({ categories: ['/Themes/Waters'] })
    expect((await admin.get('/search', { categories: '/Themes/Waters' })).total).toBe(2)
    const collaboration = `/portals/self/collaborations/${world.collaborationIds[1]}`
    const words = { invitationResponseJSON: world.response }
    await requireDone(admin, `${collaboration}/importInvitationResponse`, words)
    expect((await admin.get(`${collaboration}/participants`)).total).toBe(2)
  })
})

test.each(engines)(
  'a database that some former migrations made, of %s, is refused, and left as it is',
  async (engine) => {
    const url = await openKept('some-former-migrations', engine)
    const before = await contentOf(engine, queryOf(url))
    const settings = { ...keptSettings, DATABASE_URL: url }
    const refusal = `has tables of a checkout of before ${lastFormerCommit}: start that one on it once, as docs/upgrade.md says, and then this version.`
    await expect(startPortal({ environment: settings })).rejects.toThrow(`The database ${refusal}`)
    expect((await doctor(url, keptSettings)).problems).toContain(`The database ${refusal}`)
    const copy = temporaryFile()
    for (const words of [['organization', 'list'], ['prune'], ['backup', copy], ['index', 'rebuild']]) {
      expect(await command(words, settings), words.join(' ')).toMatchObject({
        code: 1,
        complaint: expect.stringContaining(refusal),
      })
    }
    const moved = await command(['migrate-data', '--from', url], { ...keptSettings, DATABASE_URL: `file:${copy}` })
    expect(moved).toMatchObject({ code: 1, complaint: expect.stringContaining(refusal) })
    expect(await contentOf(engine, queryOf(url))).toEqual(before)
  },
)

type AuditRow = Kept['audit'][number]

/** Each filter of the log, with the entries that it finds. */
function searchesOf(own: Kept['audit']): readonly (readonly [Body, (row: AuditRow) => boolean])[] {
  const middle = own[own.length >> 1]!
  const time = Number(middle['happened_at'])
  const isMade = (row: AuditRow) => row['operation'] === 'createGroup'
  const isOfMiddle = (row: AuditRow) => row['operation'] === middle['operation']
  const isDone = (row: AuditRow) => row['outcome'] === 200
  const [first] = own.filter(isMade)
  return [
    [{ q: 'createGroup' }, isMade],
    [{ q: `createGroup ${first!['username']}` }, (row) => isMade(row) && row['username'] === first!['username']],
    [{ actions: middle['operation'] }, isOfMiddle],
    [{ without: middle['operation'] }, (row) => !(isOfMiddle(row) && isDone(row))],
    [{ actors: first!['username'] }, (row) => row['username'] === first!['username']],
    [{ outcome: 'success' }, isDone],
    [{ ips: '127.0.0.1' }, (row) => row['address'] === '127.0.0.1'],
    [{ fromDate: time }, (row) => Number(row['happened_at']) >= time],
    [{ toDate: time }, (row) => Number(row['happened_at']) <= time],
    [
      { actors: first!['username'], actions: 'createGroup', toDate: time },
      (row) => isMade(row) && row['username'] === first!['username'] && Number(row['happened_at']) <= time,
    ],
    // Each of several targets is found.
    ...own.flatMap((row) => idsIn(row).map((id) => [{ id }, (other: AuditRow) => idsIn(other).includes(id)] as const)),
  ]
}

/** Usernames of the targets of operations on users. */
function idsIn({ operation, target, username }: AuditRow): readonly string[] {
  if (operation === 'generateToken') return [String(username)]
  if (!['inviteUsers', 'updateUser', 'disableUser'].includes(String(operation))) return []
  return /\/users\/([^/]+)/.exec(String(target))![1]!.split(',')
}

/** Indexes entries as housekeeping does, but fewer per step. */
async function indexTen({ server }: TestPortal): Promise<number> {
  const { storage, random, now } = server.dependencies
  const origin = { address: 'localhost', target: '/', requestId: random.id() }
  const asked = { input: { entries: 10 }, now: now(), tokenHash: undefined, problems: [], origin }
  const { entries } = await write<'indexLog'>(storage, { operation: 'indexLog', ...asked })
  return entries
}

async function openPortal(engine: Engine) {
  const before = readKept('all-former-migrations', engine)
  const url = await openKept('all-former-migrations', engine)
  const portal: TestPortal = await startPortal({ environment: { ...keptSettings, DATABASE_URL: url } })
  onTestFinished(() => portal[Symbol.asyncDispose]())
  portal.clock.now = before.at
  return { portal, before, recorded: recordedIn(queryOf(url)), url }
}

const queryOf = (url: string) => (url.startsWith('file:') ? queryFile(url.slice('file:'.length)) : queryUrl(url))

function pathOf(owner: Assigned['owner']): string {
  return owner.kind === 'portal' ? '/portals/self' : `/community/groups/${owner.groupId}`
}

/** Whether the schema is readable: the organization's, or that of a group that `eva` manages. */
function isReadable(owner: Assigned['owner'], { world }: Kept): boolean {
  return owner.kind === 'portal' || owner.groupId === world.groupIds[0]
}

/** A new version, the first one as the next, and the one before it as the last. */
async function goOn(client: Client, { owner, versions }: Assigned): Promise<void> {
  const path = pathOf(owner)
  const latest = versions.length
  const next = { categorySchema: [{ title: 'Next', categories: [{ title: 'One' }] }] }
  await requireDone(client, `${path}/assignCategorySchema`, { categorySchema: next, ifVersion: latest, comment: 'New' })
  for (const [restored, schema] of [
    [1, versions[0]!.schema],
    [latest, versions.at(-1)!.schema],
  ] as const) {
    await requireDone(client, `${path}/categorySchema/versions/${restored}/restore`, { comment: `As ${restored}` })
    expect(await client.get(`${path}/categorySchema`)).toEqual(schema)
  }
  const { total, versions: listed } = await client.get(`${path}/categorySchema/versions`, { num: 3 })
  expect([total, listed.map(({ comment }: Body) => comment)]).toEqual([latest + 3, [`As ${latest}`, 'As 1', 'New']])
}

async function requireDone(client: Client, path: string, parameters: Readonly<Record<string, unknown>>): Promise<void> {
  expect(await client.post(path, parameters), path).toMatchObject({ success: true })
}
