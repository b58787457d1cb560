import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Example, kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { RewindableDatabase } from '../../support/databases/rewindable-database.ts'
import { callExample, clientOf, pathOf } from '../../support/portal/example-call.ts'
import { type ExampleWorld, openExampleWorld } from '../../support/portal/example-world.ts'

const rows = endpointTable.map((row) => [row.id, row] as const)
const moments: readonly Example['moment'][] = [undefined, 'accepted', 'imported', 'registered', 'renewed', 'untouched']

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
})

test('every example succeeds, unless it is always refused, and says something', () => {
  const others = endpointTable.filter(({ example, isAlwaysRefused = false }) => {
    const answer = example.answer as object
    return Object.keys(answer).length === 0 || Object.hasOwn(answer, 'error') !== isAlwaysRefused
  })
  expect(others.map(({ id }) => id)).toEqual([])
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
