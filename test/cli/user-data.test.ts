import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { execute } from '../../src/background/housekeeping.ts'
import { readConfig } from '../../src/config.ts'
import { findUsernameProblem } from '../../src/directory/user.ts'
import { tableNames } from '../../src/storage/tables/tables.ts'
import { Folder } from '../support/portal/process.ts'
import { aSchemaOfCategories } from '../support/portal/schema-builder.ts'
import { query } from './beside.ts'
import { before, openRotatable, openWith, settingsFor } from './rotated-database.ts'
import { command } from './run-command.ts'

/** A server on whose database a person has worked, with the commands beside it. */
async function openWithPerson() {
  const url = await openRotatable()
  const portal = await openWith(url, before)
  const admin = await portal.admin()
  const quinta = await admin.invite('quinta', 'org_admin')
  await quinta.post('/community/users/quinta/update', { fullname: 'Anna Lind', email: 'lind@example.com' })
  const { id: groupId } = await admin.createGroup('Lakes')
  await admin.post(`/community/groups/${groupId}/addUsers`, { admins: 'quinta' })
  const schema = { categorySchema: aSchemaOfCategories(2), comment: 'As Anna Lind wished' }
  await quinta.post(`/community/groups/${groupId}/assignCategorySchema`, schema)
  await quinta.post('/portals/self/categorySchema/drafts', { name: 'Next', categorySchema: schema.categorySchema })
  const { id: itemId } = await quinta.post('/content/users/quinta/addItem', {
    title: 'Map by Anna Lind',
    type: 'Web Map',
  })
  const user = (...words: readonly string[]) => command(['user', ...words], settingsFor(url, before))
  const leave = async () => {
    expect(await admin.post('/community/users/quinta/transferItems', { targetUsername: 'admin' })).toHaveProperty(
      'jobId',
    )
    await admin.post(`/content/users/quinta/items/${itemId}/reassign`, { targetUsername: 'admin' })
    expect(await admin.post('/community/users/quinta/delete')).toMatchObject({ success: true })
  }
  return { url, portal, admin, user, leave, itemId, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('user export writes what is kept of a person into a new file, without secrets', async () => {
  await using world = await openWithPerson()
  using folder = new Folder()
  const file = join(folder.path, 'lind.json')
  expect(await world.user('export', 'Quinta', '-o', file)).toMatchObject({ code: 0, complaint: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  const { users, items, categorySchemaVersions, schemaDrafts, tokens, members, audit } = JSON.parse(text)
  expect(users).toEqual([
    expect.objectContaining({ username: 'quinta', fullName: 'Anna Lind', email: 'lind@example.com' }),
  ])
  expect(items).toEqual([expect.objectContaining({ title: 'Map by Anna Lind', tags: [] })])
  expect(categorySchemaVersions).toEqual([
    expect.objectContaining({ author: 'quinta', comment: 'As Anna Lind wished' }),
  ])
  expect(schemaDrafts).toEqual([expect.objectContaining({ name: 'Next', savedBy: 'quinta' })])
  expect([tokens.length, members.length]).toEqual([1, 1])
  expect(audit).toContainEqual(expect.objectContaining({ operation: 'addGroupUsers', data: { users: ['quinta'] } }))
  expect(new Set(audit.map((entry: object) => Reflect.get(entry, 'username')))).toEqual(new Set(['quinta', undefined]))
  expect(text).not.toMatch(/[hH]ash|checksum/)
  expect(await world.user('export', 'quinta', '-o', file)).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^There is a file/),
  })
  expect(JSON.parse((await world.user('export', 'quinta')).printed)).toEqual(JSON.parse(text))
  expect(await world.user('export', 'anders')).toMatchObject({
    code: 1,
    printed: '',
    complaint: expect.stringContaining('nothing is kept'),
  })
})

/** Columns of the database, of all tables, that have one of the texts. */
async function columnsWith(url: string, text: RegExp): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const table of tableNames) {
    for (const row of await query(url, `select * from ${table}`)) {
      for (const [column, value] of Object.entries(row)) if (text.test(String(value))) found.add(`${table}.${column}`)
    }
  }
  return [...found].sort()
}

/** A hundred rows. */
const many = (url: string) =>
  url.startsWith('file:') ? 'json_each(json_array(' + '1,'.repeat(99) + '1))' : 'generate_series(1, 100)'

/** Blocks of the index of the log in SQLite that have words with the name; prefixes are shared between words. */
async function blocksWithName(url: string): Promise<number> {
  const blocks = await query(url, 'select block from audit_words_data')
  return blocks.filter(({ block }) => Buffer.from(block as Uint8Array).includes('inta')).length
}

test('user erase replaces a deleted user everywhere, in the index of the log too, and lists what people wrote', async () => {
  await using world = await openWithPerson()
  const { user, url, admin, itemId } = world
  expect(await user('erase', 'quinta', '--yes')).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('delete the account first'),
  })
  await world.leave()
  const { printed: preview } = await user('erase', 'quinta')
  expect(preview).toMatch(
    /^job_items: 1 rows\ncategory_schema_versions: 1 rows\nschema_drafts: 1 rows\naudit: \d+ rows\nNothing was changed\./,
  )
  await query(
    url,
    `insert into audit (happened_at, username, address, operation, target, outcome, request_id, data)
     values (1, 'quinta', '', 'linkIdentity', '/', 200, '', '{"issuer":"https://id.example.com","subject":"lind@example.org"}')`,
  )
  // Many others' entries: where few words are removed, SQLite keeps them until segments are merged.
  await query(
    url,
    `insert into audit (happened_at, username, portal_id, address, operation, target, outcome, request_id)
     select happened_at, 'admin', portal_id, address, operation, '/', outcome, request_id from audit, ${many(url)} where audit.id < 3`,
  )
  const needs = { ...world.portal.server.dependencies, settings: readConfig(settingsFor(url, before)) }
  await execute(needs, 'indexLog', { entries: 100 })
  if (url.startsWith('file:')) expect(await blocksWithName(url)).toBeGreaterThan(0)
  const { code, printed, complaint } = await user(
    'erase',
    'quinta',
    '--also',
    'Anna Lind',
    '--also',
    'lind@example.com',
    '--yes',
  )
  expect([code, complaint]).toEqual([0, ''])
  const alias = /^quinta is (former-member-\d+) now, in \d+ rows\.$/m.exec(printed)![1]!
  expect(printed).toContain(`  items (item_id ${itemId}): title`)
  expect(printed).toContain('): comment')
  expect(await columnsWith(url, /quinta|lind@example/i)).toEqual([])
  const written = ['audit.data', 'category_schema_versions.comment', 'items.title', 'items.title_key']
  expect(await columnsWith(url, /anna lind/i)).toEqual(written)
  if (url.startsWith('file:')) expect(await blocksWithName(url)).toBe(0)
  const log = async (parameters: object) =>
    (await admin.get('/portals/self/history', { all: 'true', ...parameters })).items as {
      actor: string
      id: string
      ip: string
    }[]
  expect(await log({ actors: 'quinta' })).toEqual([])
  const acts = await log({ actors: alias })
  expect(acts.length).toBeGreaterThan(3)
  expect(new Set(acts.map(({ ip }) => ip))).toEqual(new Set(['']))
  expect(await log({ actions: 'erase' })).toEqual([
    expect.objectContaining({ id: alias, actor: expect.stringMatching(/^operator:/) }),
  ])
  expect(await query(url, "select data from audit where operation = 'eraseUser'")).toEqual([{ data: null }])
  // Nothing is left to be named.
  expect((await user('erase', 'quinta')).printed).toMatch(/^Nothing was changed/)
  expect(findUsernameProblem(alias)).toBe('A username cannot begin with former-member-.')
  expect(await command(['doctor'], settingsFor(url, before))).toMatchObject({ code: 0 })
})
