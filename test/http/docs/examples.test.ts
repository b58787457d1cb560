import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Endpoint, type Example, kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { RewindableDatabase } from '../../support/databases/rewindable-database.ts'
import { callExample, clientOf, pathOf } from '../../support/portal/example-call.ts'
import { type ExampleWorld, openExampleWorld } from '../../support/portal/example-world.ts'
import type { Body } from '../../support/portal/portal.ts'

const rows = endpointTable.map((row) => [row.id, row] as const)
const moments: readonly Example['moment'][] = [undefined, 'accepted', 'imported', 'registered', 'renewed', 'untouched']

/** Parameters that are not the caller's to say. */
const notTheirs: Readonly<Record<string, string>> = {
  ...{ id: 'x', groupId: 'x', itemId: 'x', userId: 'x', roleId: 'org_admin', ownerId: 'x', portalId: 'x', orgId: 'x' },
  ...{ owner: 'anna', username: 'anna', username_key: 'anna', role: 'org_admin', isAdmin: 'true', lastLogin: '1' },
  ...{ privileges: '["portal:admin:updateUsers"]', password: 'another long password', password_hash: 'x' },
  ...{ disabled: 'true', protected: 'true', isProtected: 'true', hasCategorySchema: 'true', isPortal: 'false' },
  ...{ created: '1', createdAt: '1', modified: '1', urlKey: 'stolen', public_key: 'x', ['__proto__']: 'x' },
}

/** Lists that are always empty, or answer no total. */
const withoutPages = ['exportItemCategories', 'listItemResources', 'listPortalHistory']

/** Building the world for each example would take long: its databases go back to how they were. */
describe.each(moments)('where the handshake is: %s', (moment) => {
  let world: ExampleWorld
  let databases: readonly RewindableDatabase[]

  beforeAll(async () => {
    world = await openExampleWorld(moment)
    databases = [...new Set([world.portal, world.guest.portal])].map((portal) => new RewindableDatabase(portal))
    for (const database of databases) await database.keep()
  })

  async function beginAgain(): Promise<void> {
    for (const database of databases) await database.rewind()
    world.drawAgain()
  }

  beforeEach(beginAgain)

  afterAll(async () => {
    for (const database of databases) await database[Symbol.asyncDispose]()
  })

  const present = rows.filter(([, { example }]) => example.moment === moment)

  test.each(present)('the documented example of %s is what the server answers', async (_id, row) => {
    const [answer, documented] = [await callExample(row, world), row.example.answer]
    if (row.example.varies) expect(membersOf(answer)).toEqual(membersOf(documented))
    else expect(answer).toStrictEqual(documented)
  })

  // Where two rows have one path, POST calls the other.
  test.each(present.filter(([, row]) => kindOf(row) === 'resource' && !row.sharesPath))(
    '%s answers POST as it answers GET',
    async (_id, row) => {
      if (row.example.varies) return
      const answer = await callExample(row, world)
      await beginAgain()
      expect(await clientOf(row, world).post(pathOf(row), row.example.parameters)).toStrictEqual(answer)
    },
  )

  /** Rows that the example changes, but for the log; what is drawn, hashed or numbered for it is another each time. */
  async function changesBy(row: Endpoint): Promise<readonly string[]> {
    await callExample(row, world)
    const changes = await Promise.all(databases.map((database) => database.rewind()))
    world.drawAgain()
    const rows = changes.flatMap(({ audit: _, ...others }) =>
      Object.entries(others).flatMap(([table, { added, removed }]) => [
        ...added.map((one) => `${table} + ${JSON.stringify(one)}`),
        ...removed.map((one) => `${table} - ${JSON.stringify(one)}`),
      ]),
    )
    return rows
      .map((one) =>
        one
          .replace(/[\w$+/=-]{32,}/g, '…')
          .replace(/"(\w*id|\w*number|entry)":"?\d+"?|"(\w+_secret)":"[^"]+"/g, '"$1$2":0'),
      )
      .toSorted()
  }

  test.each(present.filter(([, { effect }]) => effect !== 'none'))(
    '%s changes nothing else for parameters that it does not have',
    async (_id, row) => {
      const known = new Set(Object.keys(row.parameters).map((name) => name.toLowerCase()))
      const others = Object.entries(notTheirs).filter(([name]) => !known.has(name.toLowerCase()))
      const parameters = { ...Object.fromEntries(others), ...row.example.parameters }
      const changes = await changesBy(row)
      expect(await changesBy({ ...row, example: { ...row.example, parameters } })).toEqual(changes)
    },
  )

  const lists = present.filter(([id, { parameters }]) => 'num' in parameters && !withoutPages.includes(id))
  test.each(lists)('%s answers page by page', async (_id, row) => {
    const read = (start: number, num: number) =>
      clientOf(row, world).get(pathOf(row), { ...row.example.parameters, start, num })
    const { total, ...whole } = await read(1, 100)
    const [name, entries] = Object.entries<Body>(whole).find(
      ([, value]) => Array.isArray(value) && value.length === total,
    )!
    for (let start = 1; start <= total + 1; start += 1) {
      for (const num of [0, 1, 100]) {
        const nextStart = num === 1 && start < total ? start + 1 : -1
        const page = { total, start, num, nextStart, [name]: entries.slice(start - 1, start - 1 + num) }
        expect(await read(start, num)).toMatchObject(page)
      }
    }
  })
})

test('every example succeeds, unless it is always refused, and says something', () => {
  const others = endpointTable.filter(({ example, isAlwaysRefused = false }) => {
    const answer = example.answer as object
    return Object.keys(answer).length === 0 || Object.hasOwn(answer, 'error') !== isAlwaysRefused
  })
  expect(others.map(({ id }) => id)).toEqual([])
})

test('no success has what clients take for a failure', () => {
  const answers = endpointTable.map(({ id, example }) => [id, example.answer as Body] as const)
  const failed = answers.filter(([, { status, code = 200 }]) => status === 'failed' || code >= 400)
  expect(failed.map(([id]) => id)).toEqual([])
})

test('every example gives parameters that are described', () => {
  const others = endpointTable.flatMap(({ id, example, parameters }) =>
    Object.keys(example.parameters ?? {}).flatMap((name) => (name in parameters ? [] : [`${id} ${name}`])),
  )
  expect(others).toEqual([])
})

/** Names of all members, at whatever depth, each once; lists may have no entries now. */
function membersOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return path === '.limitsReached' || path === '.attention' ? [] : membersOf(value[0], `${path}[]`)
  return Object.entries(value).flatMap(([name, one]) => [`${path}.${name}`, ...membersOf(one, `${path}.${name}`)])
}
