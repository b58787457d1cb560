import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHousekeeping } from '../../../src/background/housekeeping.ts'
import { openRawDatabase, type RawDatabase } from '../../support/databases/raw-database.ts'
import { houseOf } from '../../support/portal/house.ts'
import type { Client } from '../../support/portal/portal.ts'

type Line = Readonly<Record<string, unknown>>

const lines: Line[] = []
let database: RawDatabase
let admin: Client
const ids = { group: '', other: '', lakes: '', rivers: '' }
const schemaOf = (title: string) => JSON.stringify({ categorySchema: [{ title, categories: [{ title: 'Inner' }] }] })

beforeAll(async () => {
  const logLines = { write: (line: string) => void lines.push(JSON.parse(line)) }
  database = await openRawDatabase({ environment: { LOG_LEVEL: 'info' }, logLines, isReused: false })
  admin = await database.portal.admin()
  ids.group = (await admin.createGroup('Maps')).id
  ids.other = (await admin.createGroup('Charts')).id
  const assign = (id: string, title: string) =>
    admin.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema: schemaOf(title) })
  await assign(ids.group, 'Lakes')
  await assign(ids.group, 'Rivers')
  await assign(ids.other, 'Mountains')
  const add = (title: string) =>
    admin.post('/content/users/admin/addItem', { title, type: 'Web Map', text: `{"a":"${title}"}` })
  ids.lakes = (await add('Lakes')).id
  ids.rivers = (await add('Rivers')).id
})
afterAll(() => database[Symbol.asyncDispose]())

/** Text that would reveal internals, or the content of the damaged row. */
const internals =
  /sqlite|kysely|select|checksum|damaged|category_schema|item_texts|audit|Mauntains|Lukes|Lokes|Revers|commxnity|\.ts\b|stack/i

/** Damage to a document, the paths by which it is not served then, and a path by which another one is. */
const harms = [
  [
    'a category schema',
    `update category_schema_versions set document = replace(document, 'Mountains', 'Mauntains')`,
    () => [`/community/groups/${ids.other}/categorySchema`],
    () => `/community/groups/${ids.group}/categorySchema`,
    /category_schema_versions \(owner_kind group, owner_id [0-9a-f]{32}, version 1\)/,
  ],
  [
    'an earlier version of a category schema, which is JSON no longer',
    `update category_schema_versions set document = '{{{{{"[' where document like '%Lakes%'`,
    () => [
      `/community/groups/${ids.group}/categorySchema/versions/1`,
      `/community/groups/${ids.group}/categorySchema/versions/2/diff?from=1`,
    ],
    () => `/community/groups/${ids.group}/categorySchema/versions/2`,
    /category_schema_versions \(owner_kind group, owner_id [0-9a-f]{32}, version 1\)/,
  ],
  [
    'the data of an item',
    `update item_texts set text = replace(text, 'Rivers', 'Revers')`,
    () => [`/content/items/${ids.rivers}/data`],
    () => `/content/items/${ids.lakes}/data`,
    /item_texts \(item_number \d+\)/,
  ],
  [
    'the title of an item',
    `update items set title = 'Lukes' where title = 'Lakes'`,
    () => [`/content/items/${ids.lakes}`, '/search?q=title:Lakes', '/content/users/admin'],
    () => '/search?q=title:Rivers',
    /items \(id \d+\)/,
  ],
  [
    'an entry of the log',
    `update audit set target = replace(target, 'community', 'commxnity') where operation = 'createGroup'`,
    () => ['/portals/self/history?all=true', '/portals/self/history?all=true&f=csv'],
    () => '/portals/self/history',
    /audit \(id \d+\)/,
  ],
] as const

test.each(harms)('%s that is not what was written is never served, and the log names it', async (...given) => {
  const [, statement, paths, other, place] = given
  await database.run(statement)
  for (const path of paths()) {
    lines.splice(0)
    const response = await admin.send(path)
    expect(response.statusCode, path).toBe(500)
    const { error } = response.json()
    expect(error).toMatchObject({ code: 500, message: 'An unexpected error occurred.' })
    expect(response.body).not.toMatch(internals)
    const reports = lines.filter(({ message }) => message === 'request failed')
    // Once a minute, however often it is asked for.
    expect(reports.length).toBeLessThanOrEqual(1)
    if (path === paths()[0]) expect(reports).toEqual([expect.objectContaining({ level: 'error' })])
    for (const { cause } of reports) {
      expect(cause).toMatch(place)
      expect(cause).toMatch(/is not what was written, as its checksum says: restore a backup\.$/)
    }
  }
  expect((await admin.send(other())).statusCode).toBe(200)
  expect((await admin.send(other())).json()).not.toHaveProperty('error')
})

test('a category schema is assigned over a damaged one', async () => {
  const path = `/community/groups/${ids.other}`
  expect((await admin.get(`${path}/categorySchema`)).error.code).toBe(500)
  const assigned = await admin.post(`${path}/assignCategorySchema`, { categorySchema: schemaOf('Hills') })
  expect(assigned).toEqual({ success: true })
  expect(await admin.get(`${path}/categorySchema`)).toHaveProperty('categorySchema.0.title', 'Hills')
})

test('housekeeping adds the checksums that earlier documents lack, and their damage is found from then on', async () => {
  const path = `/content/items/${ids.rivers}`
  await database.run(`update items set checksum = null, snippet = 'before' where title = 'Rivers'`)
  expect(await admin.get(path)).toHaveProperty('snippet', 'before')
  await runHousekeeping(houseOf(database.portal))
  expect(await database.rows('select id from items where checksum is null')).toEqual([])
  expect(await admin.get(path)).toHaveProperty('snippet', 'before')
  await database.run(`update items set snippet = 'after' where title = 'Rivers'`)
  expect((await admin.get(path)).error.code).toBe(500)
})
