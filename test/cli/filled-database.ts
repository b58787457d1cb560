import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { runHousekeeping } from '../../src/background/housekeeping.ts'
import { readConfig } from '../../src/config.ts'
import { tableNames } from '../../src/storage/tables/tables.ts'
import { strangeTexts } from '../storage/contract/records.ts'
import { noSessions } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { HookReader } from '../support/portal/hook-reader.ts'
import { type Hosted, hostForGuest } from '../support/portal/hosted.ts'
import { outOfBand, signInToApp } from '../support/portal/oauth.ts'
import { adminPassword, type Client, type TestPortal } from '../support/portal/portal.ts'
import { aSchemaOfCategories } from '../support/portal/schema-builder.ts'
import { copyOf, type Engine, originalFile, ownEngine } from './copied-database.ts'
import { command, openHere } from './run-command.ts'

export const secretKey = 'a secret of the tests, long enough for a key'

/** Settings of a server on that database. */
export function settingsFor(url: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    ADMIN_PASSWORD: adminPassword,
    PUBLIC_URL: 'https://maps.example.com/portal',
    TRUST_PROXY: 'false',
    LOG_LEVEL: 'silent',
  }
}

/** A server in this process. */
export function openOn(url: string): Promise<TestPortal> {
  return openHere(settingsFor(url))
}

/** Facts that a user remembers of the database. */
export interface Memory {
  readonly groupId: string
  /** The very bytes of that group's schema. */
  readonly schema: string
  /** Token of an administrator, issued before. */
  readonly token: string
  readonly hosted: Hosted
}

/** How many rows of each are made. */
const few = { groups: 16, people: 30, membersOfGroup: 15, invitations: 6 }
/** Enough that tables with keys of each kind are moved in several batches. */
const many = { groups: 50, people: 80, membersOfGroup: 25, invitations: 30 }

interface Filled {
  readonly file: string
  readonly memory: Memory
}

const filled = new Map<typeof few, Promise<Filled>>()

/** A filled SQLite file, made once for all tests of a process; each copies it. */
export function filledFile({ isLarge = false } = {}): Promise<Filled> {
  const counts = isLarge ? many : few
  const made = filled.get(counts) ?? fillOnce(counts)
  filled.set(counts, made)
  return made
}

async function fillOnce(counts: typeof few): Promise<Filled> {
  const file = originalFile()
  const memory = await fill(`file:${file}`, counts)
  const database = new Database(file)
  for (const statement of rarelyMade) database.exec(statement)
  database.close()
  return { file, memory }
}

/** A copy of the filled database; its URL. */
export async function aFilled(engine: Engine = ownEngine, { isKept = false } = {}): Promise<string> {
  if (engine === 'SQLite') return copyOf(`file:${(await filledFile()).file}`, { isKept })
  moved ??= movedToPostgres((await filledFile()).file)
  return copyOf(await moved, { isKept })
}

let moved: Promise<string> | undefined

/** The rows of a SQLite file in PostgreSQL, and so with a rebuilt index; tests copy it. Resolves with its URL. */
export async function movedToPostgres(file: string): Promise<string> {
  const url = await createDatabase()
  expect(await command(['migrate-data', '--from', `file:${file}`, '--to', url])).toMatchObject({ code: 0 })
  await noSessions(url)
  return url
}

/** Rows of tables that the operations below leave empty. */
const rarelyMade = [
  // Servers on PostgreSQL add such rows.
  'insert into item_count_changes (owner_id, items) select user_id, 0 from users limit 1',
  `insert into oauth_apps (client_id, portal_id, title, app_type, redirect_uris, http_referrers, privileges, allows_plain,
     cannot_prove, query_may_differ, rotates_always, asks_nothing, disabled, created_at, modified_at)
   select 'an app', portal_id, 'Maps', 'browser', '[]', '[]', '[]', 0, 0, 0, 0, 0, 0, 1, 1 from portals limit 1`,
  "insert into switched_off_apps select portal_id, 'pythonapi' from portals limit 1",
  "insert into app_tokens values ('a hash', 'an app', 1, 2)",
  "insert into consents select user_id, 'an app', 'what it asked', 1 from users limit 1",
  "insert into user_identities select 'https://id.example.com', 'a subject', user_id, 'Anna', 1, 2 from users limit 1",
  "insert into logout_tokens values ('a hash', 2)",
  "insert into coverage_days select 'portal', portal_id, '2026-11-28', '', 3 from portals limit 1",
  "insert into one_time_links select 'a hash', user_id, 2, user_id from users limit 1",
]

/** Fills every table by the program itself: many rows, with every text that an engine may stumble over. */
async function fill(url: string, counts: typeof few): Promise<Memory> {
  await using portal = await openOn(url)
  const admin = await portal.admin()
  const outsider = await portal.otherOrganization()
  const { id: portalId } = await admin.get('/portals/self')
  const { id: otherPortalId } = await outsider.get('/portals/self')

  const names = Array.from({ length: counts.people }, (_, index) => `person${index}`)
  for (const [index, username] of names.entries())
    await admin.invite(username, index % 7 === 0 ? 'org_viewer' : 'org_user')
  const hook = await HookReader.make(admin, '/roles,/items/add')
  await admin.invite('curator', await admin.createRole('Curator', ['portal:admin:updateItemCategorySchema']))
  await hook.post('pull', { max: '1' })
  await admin.post('/community/users/curator/transferItems', { targetUsername: 'person1' })
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await portal.anonymous.post('/generateToken', { username: 'person1', password: `wrong ${wrong}` })
  }

  const schema = JSON.stringify({
    categorySchema: strangeTexts
      .slice(0, 5)
      .map((text) => ({ title: text.replace(/[/,\t\r\n]/g, ' '), description: text, categories: [] })),
  })
  const groupIds: string[] = []
  for (let index = 0; index < counts.groups; index += 1) {
    const text = strangeTexts[index % strangeTexts.length]!
    const access = index % 3 === 0 ? 'public' : 'org'
    const { id } = await admin.createGroup(`${text.trim().replace(/\p{Cc}/gu, ' ')} ${index}`, {
      access,
      description: text,
      tags: 'one,two',
    })
    groupIds.push(id)
    await admin.post(`/community/groups/${id}/addUsers`, {
      users: names.slice(index, index + counts.membersOfGroup).join(),
    })
    const categorySchema = index === 0 ? schema : aSchemaOfCategories(1 + index)
    await done(admin, `/community/groups/${id}/assignCategorySchema`, { categorySchema })
    if (index % 2 === 1) await done(admin, `/community/groups/${id}/deleteCategorySchema`)
  }
  await done(admin, '/portals/self/assignCategorySchema', { categorySchema: schema })
  for (const [name, from] of [
    ['ours', 'org'],
    ['theirs', `group:${groupIds[0]}`],
  ] as const) {
    await done(admin, '/portals/self/categorySchemaTemplates', { name, title: 'Łódź 🌍', from })
  }
  for (const path of ['/portals/self', `/community/groups/${groupIds[0]}`]) {
    const given = { name: 'Łódź 🌍', categorySchema: '[{"title":""}]', moves: '[{"from":"/A","to":"/B"}]' }
    await done(admin, `${path}/categorySchema/drafts`, given)
  }
  await done(admin, '/portals/self/update', { culture: 'pt-BR' })
  await done(admin, `/community/groups/${groupIds[3]}/delete`)

  const { id: guestGroupId } = await outsider.createGroup('Seas', { access: 'public' })
  const hosted = await hostForGuest(
    { client: admin, portalId, groupId: groupIds[0]! },
    { client: outsider, portalId: otherPortalId, groupId: guestGroupId },
  )
  const shared = `/portals/self/collaborations/${hosted.collaborationId}`
  for (let index = 0; index < counts.invitations; index += 1) {
    const { invitationRequest } = await admin.post(`${shared}/inviteParticipant`, {
      guestPortalUrl: `https://guest${index}.example.org/portal`,
      collaborationWorkspacesParticipantConfigJSON: [{ [hosted.workspaceId]: 'send' }],
    })
    if (index % 3 === 0) await done(admin, `${shared}/invitations/${invitationRequest.id}/invalidate`)
  }
  await addItems(admin, groupIds[0]!, `/${JSON.parse(schema).categorySchema[0].title}`)
  await admin.post('/content/changeItems', { q: '*', change: '{"tags":{"add":["Łódź"]}}' })
  const { id: closedGroupId } = await admin.createGroup('Closed', { access: 'org' })
  await done(admin, `/community/groups/${closedGroupId}/invite`, { users: 'person3', role: 'group_member' })
  const applicant = await portal.signIn('person4', adminPassword)
  await done(applicant, `/community/groups/${closedGroupId}/join`)
  await signInToAppByBrowser(portal)
  await runHousekeeping({ ...portal.server.dependencies, settings: readConfig(settingsFor(url)) })
  await leaveWithItems(applicant, groupIds[0]!)
  return { groupId: groupIds[0]!, schema: await readSchema(admin, groupIds[0]!), token: admin.token!, hosted }
}

/** A grant with its code and its tokens, and a session of the browser. */
async function signInToAppByBrowser(portal: TestPortal): Promise<void> {
  const app = { client_id: 'arcgisonline', redirect_uri: outOfBand }
  const credentials = { username: 'person2', password: adminPassword }
  const code = await signInToApp(portal, app, credentials, { 'sec-fetch-site': 'same-origin' })
  await portal.anonymous.post('/oauth2/token', { ...app, grant_type: 'authorization_code', code })
}

/** Items with every strange text, with data, categories, and a group with categories of its own; one is deleted again. */
async function addItems(owner: Client, groupId: string, category: string): Promise<void> {
  const added: string[] = []
  for (const [index, text] of strangeTexts.entries()) {
    const { id } = await owner.post('/content/users/admin/addItem', {
      title: `Item ${index}`,
      type: 'Web Map',
      description: text,
      tags: 'one,two',
      text: JSON.stringify({ text }),
      categories: JSON.stringify([category]),
    })
    added.push(id)
    await done(owner, `/content/users/admin/items/${id}/protect`)
  }
  const items = added.join()
  await owner.post('/content/users/admin/shareItems', { items, groups: groupId })
  const assigned = JSON.stringify(added.map((id) => ({ [id]: [category] })))
  await owner.post(`/content/groups/${groupId}/updateCategories`, { items: assigned })
  await done(owner, `/content/users/admin/items/${added[0]}/unprotect`)
  await done(owner, `/content/users/admin/items/${added[0]}/delete`)
}

/** Links of the items of a former member that are not removed yet. */
async function leaveWithItems(member: Client, groupId: string): Promise<void> {
  const added: string[] = []
  for (let index = 0; index < 11; index += 1) {
    const given = { title: `Left ${index}`, type: 'Web Map' }
    added.push((await member.post('/content/users/person4/addItem', given)).id)
  }
  await member.post('/content/users/person4/shareItems', { items: added.join(), groups: groupId })
  await done(member, `/community/groups/${groupId}/leave`)
}

/** A server on the database serves what is remembered: people, tokens, schemas to the byte, and open invitations. */
export async function requireMemory(url: string, { groupId, schema, token, hosted }: Memory): Promise<void> {
  await using portal = await openOn(url)
  const person = await portal.signIn('person2', adminPassword)
  expect(await person.get('/community/self')).toMatchObject({ username: 'person2', role: 'org_user' })
  const admin = await portal.admin()
  expect(await readSchema(admin, groupId)).toBe(schema)
  const answer = await portal.inject({ url: '/community/self', headers: { 'x-esri-authorization': `Bearer ${token}` } })
  expect(answer.json()).toMatchObject({ username: 'admin' })
  // Failures before the move still count, and new ones are numbered after them.
  await portal.anonymous.post('/generateToken', { username: 'person1', password: 'wrong again' })
  expect(await admin.createGroup('After the move')).toHaveProperty('id')
  const imported = await admin.post(
    `/portals/self/collaborations/${hosted.answeredCollaborationId}/importInvitationResponse`,
    { invitationResponseJSON: hosted.response },
  )
  expect(imported).toMatchObject({ success: true })
  const outsider = await portal.signIn('outsider', adminPassword)
  await done(outsider, '/portals/self/acceptCollaborationInvitation', { invitationJSON: hosted.invitation })
}

/** How many rows each table of a SQLite file has. */
export function countRows(file: string): Readonly<Record<string, number>> {
  const database = new Database(file, { readonly: true })
  try {
    const count = (table: string) => database.prepare(`select count(*) from "${table}"`).pluck().get() as number
    return Object.fromEntries(tableNames.map((table) => [table, count(table)]))
  } finally {
    database.close()
  }
}

/** Rows, by table, that only one of two SQLite files has: compared by SQLite, types included. */
export function differences(file: string, other: string): Readonly<Record<string, unknown[]>> {
  const database = new Database(file)
  try {
    database.prepare('attach ? as other').run(other)
    const found = tableNames.map((table) => {
      const columns = database.prepare(`select name from pragma_table_info('${table}')`).pluck().all() as string[]
      const list = columns.flatMap((name) => [`"${name}"`, `typeof("${name}")`]).join(', ')
      const select = (schema: string) => `select ${list} from ${schema}."${table}"`
      const rows = database
        .prepare(
          `select * from (${select('main')} except ${select('other')})
           union all select * from (${select('other')} except ${select('main')})`,
        )
        .all()
      return [table, rows] as const
    })
    return Object.fromEntries(found.filter(([, rows]) => rows.length > 0))
  } finally {
    database.close()
  }
}

async function readSchema(client: Client, groupId: string): Promise<string> {
  const headers = { 'x-esri-authorization': `Bearer ${client.token}` }
  return (await client.portal.inject({ url: `/community/groups/${groupId}/categorySchema?f=json`, headers })).body
}

async function done(client: Client, path: string, parameters = {}): Promise<void> {
  const answer = await client.post(path, parameters)
  if (answer.success !== true) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
}
