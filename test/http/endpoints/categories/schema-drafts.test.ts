import { runJobs } from '../../../../src/background/jobs.ts'
import { temporaryFile } from '../../../storage/sqlite/temporary-file.ts'
import { RawDatabase } from '../../../support/databases/raw-database.ts'
import {
  forbidden,
  permissionDenied,
  refused,
  resourceNotFound,
  withReasons,
} from '../../../support/portal/envelopes.ts'
import { houseOf } from '../../../support/portal/house.ts'
import { adminPassword, type Client, startPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const org = '/portals/self'
const schemaOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Themes', categories: titles.map((title) => ({ title })) }],
})
const titlesOf = ({ categorySchema }: { categorySchema: [{ categories: { title: string }[] }] }) =>
  categorySchema[0].categories.map(({ title }) => title)

async function create(client: Client, parameters: object, of = org): Promise<string> {
  const answer = await client.post(`${of}/categorySchema/drafts`, { name: 'Next', ...parameters })
  expect(answer).toEqual({ success: true, draftId: expect.stringMatching(/^[0-9a-f]{32}$/), revision: 1 })
  return answer.draftId
}

const pathOf = (draftId: string, of = org) => `${of}/categorySchema/drafts/${draftId}`
const secondPerson = (task: string, detail: string) =>
  refused(task, `The organization asks for a second person: ${detail}`)

/** Refusal of what another person has changed. */
const changed = (detail: string) => ({ error: { code: 409, message: 'The draft has changed.', details: [detail] } })

describe('a draft', () => {
  test('is kept with all that it is published with, and may violate limits', async ({ portal, admin }) => {
    await admin.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Water', 'Roads') })
    const unfinished = { categorySchema: [{ title: '' }, { title: 'a/b', wibble: 1, description: 'D' }] }
    const moves = [{ from: '/Themes/Water', to: '/Themes/Lakes' }]
    const given = { categorySchema: unfinished, moves, comment: 'Why', vanishing: 'clear', baseVersion: '0' }
    const draftId = await create(admin, given)
    const categorySchema = [{ title: '' }, { title: 'a/b', description: 'D' }]
    const content = { categorySchema, moves, comment: 'Why', vanishing: 'clear' }
    const draft = await admin.get(pathOf(draftId))
    expect(draft).toMatchObject({ action: 'assign', savers: ['admin'], baseVersion: 0, categories: 2, ...content })
    const summary = Object.fromEntries(Object.entries(draft).filter(([name]) => !(name in content)))
    expect(await admin.get(`${org}/categorySchema/drafts`)).toEqual({ drafts: [summary] })
    portal.clock.now += 1
    expect(await admin.post(`${pathOf(draftId)}/update`, { comment: '', moves: '[]', baseVersion: '1' })).toEqual({
      success: true,
      draftId,
      revision: 2,
    })
    expect(await admin.get(pathOf(draftId))).toMatchObject({
      name: 'Next',
      comment: null,
      moves: [],
      vanishing: 'clear',
      baseVersion: 1,
      modified: portal.clock.now,
    })
    expect(await admin.post(`${pathOf(draftId)}/delete`, { ifRevision: '1' })).toEqual(
      changed('The draft is at revision 2, not 1: admin saved it at 2026-01-15T12:00:00Z.'),
    )
    expect(await admin.post(`${pathOf(draftId)}/delete`, { ifRevision: '2' })).toEqual({ success: true })
    expect(await admin.get(pathOf(draftId))).toEqual(resourceNotFound)
  })

  test('that its person saves every few seconds is one entry of the log an hour', async ({ portal, admin }) => {
    const draftId = await create(admin, { categorySchema: schemaOf('Water') })
    for (const minutes of [1, 1, 61, 1]) {
      portal.clock.now += minutes * 60_000
      const person = await portal.admin()
      await person.post(`${pathOf(draftId)}/update`, { comment: `After ${minutes}` })
    }
    const later = await portal.admin()
    await later.post(`${pathOf(draftId)}/update`, { name: 'Later' })
    const { items } = await later.get(`${org}/history`, { actions: 'updateSchemaDraft' })
    expect(items).toMatchObject([{ data: { draft: 'Later', revision: 6 } }, { data: { draft: 'Next', revision: 4 } }])
  })

  test('refuses what is no list of categories, a version that there is not, and more than fifty', async ({ admin }) => {
    const unable = (detail: string) => refused('create draft of category schema', detail)
    const post = (given: object) => admin.post(`${org}/categorySchema/drafts`, { name: 'Next', ...given })
    expect(await post({ categorySchema: '{"categorySchema":[{"title":1}]}' })).toEqual(
      unable('categorySchema: /categorySchema/0/title is not a string.'),
    )
    expect(await post({})).toEqual(unable('categorySchema: is missing.'))
    expect(await post({ categorySchema: `[{"title":"${'x'.repeat(256 * 1024)}"}]` })).toEqual(
      unable('categorySchema: has 262158 characters; at most 262144 are allowed.'),
    )
    expect(await post({ categorySchema: '[]', moves: [{ from: `/${'x'.repeat(256 * 1024)}`, to: '/A' }] })).toEqual(
      unable('moves: has 262168 characters; at most 262144 are allowed.'),
    )
    const nested = (levels: number) => `[${'{"title":"x","categories":['.repeat(levels)}${']}'.repeat(levels)}]`
    expect(await post({ categorySchema: nested(100) })).toMatchObject({ success: true })
    for (const levels of [101, 3_000]) {
      expect(await post({ categorySchema: nested(levels) })).toEqual(
        unable('categorySchema: has more than 100 levels.'),
      )
    }
    expect(await post({ categorySchema: '[]', baseVersion: '1' })).toEqual(
      unable('baseVersion: the schema is at version 0, not at 1.'),
    )
    for (let made = 1; made < 50; made += 1) await create(admin, { categorySchema: '[]' })
    expect(await post({ categorySchema: '[]' })).toEqual(
      unable('There are 50 drafts already, and may be no more; delete one first.'),
    )
  })

  test('is proposed to a person who may publish it, and only if it could be published', async ({ admin }) => {
    await admin.invite('member')
    await admin.invite('mira', 'org_admin')
    const unable = (detail: string) => refused('propose draft of category schema', detail)
    const draftId = await create(admin, { categorySchema: [{ title: '' }] })
    const propose = (given: object) => admin.post(`${pathOf(draftId)}/propose`, { ...given })
    expect((await propose({})).error.details).toEqual(['Title at /categorySchema/0/title is blank.'])
    await admin.post(`${pathOf(draftId)}/update`, { categorySchema: schemaOf('Water') })
    expect(await propose({ to: 'nobody' })).toEqual(
      unable('to: there is no person nobody in your organization who may sign in.'),
    )
    expect(await propose({ to: 'member' })).toEqual(unable('to: member may not change these categories.'))
    expect(await propose({ to: 'admin' })).toEqual(unable('to: is you; name another person, or leave it out.'))
    expect(await propose({ to: 'MIRA', note: ' Look ' })).toEqual({ success: true })
    expect(await admin.get(pathOf(draftId))).toMatchObject({ state: 'proposed', reviewer: 'mira', note: 'Look' })
    expect(await admin.post(`${pathOf(draftId)}/update`, { name: 'Renamed' })).toMatchObject({ success: true })
    expect(await admin.get(pathOf(draftId))).toMatchObject({ state: 'open', reviewer: null, note: null })
    expect(await admin.post(`${pathOf(draftId)}/return`, { note: 'No' })).toEqual(
      refused(
        'send draft of category schema back',
        'The draft is neither proposed nor scheduled: there is nothing to send back.',
      ),
    )
  })

  test('of a group is for its managers; administrators read it', async ({ admin, anna }) => {
    const { id: groupId } = await anna.createGroup('Maps', { access: 'org' })
    const group = `/community/groups/${groupId}`
    const draftId = await create(anna, { categorySchema: schemaOf('Water') }, group)
    expect(await admin.get(pathOf(draftId, group))).toMatchObject({ name: 'Next' })
    expect(await admin.post(`${pathOf(draftId, group)}/publish`)).toEqual(permissionDenied)
    expect(await admin.get(pathOf(draftId))).toEqual(resourceNotFound)
    const { id: otherId } = await anna.createGroup('Seas')
    expect(await anna.get(pathOf(draftId, `/community/groups/${otherId}`))).toEqual(resourceNotFound)
    await anna.post(`${pathOf(draftId, group)}/propose`)
    expect((await admin.get(`${org}/pendingSchemaDrafts`)).drafts).toEqual([])
    expect((await anna.get(`${org}/pendingSchemaDrafts`)).drafts).toMatchObject([
      { id: draftId, groupId, groupTitle: 'Maps', state: 'proposed' },
    ])
    expect(await anna.post(`${pathOf(draftId, group)}/publish`)).toEqual({ success: true, version: 1 })
  })
})

describe('where the organization asks for a second person', () => {
  test('no person changes a schema alone, and plans are answered', async ({ admin }) => {
    await admin.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Water') })
    const anna = await admin.invite('anna')
    const { id: groupId } = await anna.createGroup('Maps')
    const group = `/community/groups/${groupId}`
    expect(await admin.post(`${org}/update`, { categoryApproval: 'organization' })).toEqual({ success: true })
    const keep = (how = '') => `keep the change as a draft (categorySchema/drafts${how}), and propose it.`
    const next = { categorySchema: JSON.stringify(schemaOf('Lakes')) }
    const refusedAlone = async (client: Client, of: string) => {
      const assigned = await client.post(`${of}/assignCategorySchema`, next)
      const imported = await client.post(`${of}/categorySchema/import`, {
        text: 'path\n/Lakes\n',
        dryRun: 'false',
        ifVersion: '1',
      })
      const restored = await client.post(`${of}/categorySchema/versions/1/restore`)
      const deleted = await client.post(`${of}/deleteCategorySchema`)
      const hows = ['', '', ' with action=restore&restoredFrom=1', ' with action=delete']
      for (const [at, { error }] of [assigned, imported, restored, deleted].entries()) {
        const details = [`The organization asks for a second person: ${keep(hows[at])}`]
        expect(error).toMatchObject({ code: 400, details })
      }
    }
    await refusedAlone(admin, org)
    expect(await admin.post(`${org}/categorySchema/plan`, next)).toMatchObject({ success: true, summary: { added: 1 } })
    expect(await admin.post(`${org}/assignCategorySchema`, { ...next, dryRun: 'true' })).toMatchObject({
      success: true,
    })
    // Groups are free until all are asked.
    expect(await anna.post(`${group}/assignCategorySchema`, next)).toEqual({ success: true })
    await admin.post(`${org}/update`, { categoryApproval: 'all' })
    await refusedAlone(anna, group)
    expect(titlesOf(await anna.get(`${group}/categorySchema`))).toEqual(['Lakes'])
    const { items } = await admin.get(`${org}/history`, { actions: 'update', types: 'a' })
    expect(items.map(({ data }: { data: object }) => data)).toMatchObject([
      { categoryApproval: { from: 'organization', to: 'all' } },
      { categoryApproval: { from: 'none', to: 'organization' } },
    ])
  })

  test('another person publishes a draft, once it is proposed; an app never does', async ({ portal, admin }) => {
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const draftId = await create(admin, { categorySchema: schemaOf('Water') })
    const task = 'publish draft of category schema'
    const publish = (client: Client, ifRevision = '4') => client.post(`${pathOf(draftId)}/publish`, { ifRevision })
    expect(await publish(mira, '1')).toEqual(secondPerson(task, 'propose the draft first.'))
    await admin.post(`${pathOf(draftId)}/propose`)
    const another = secondPerson(task, 'another one than who saved the draft publishes it.')
    expect(await publish(admin, '2')).toEqual(another)
    const inAnHour = { publishAt: String(portal.clock.now + 3_600_000) }
    expect(await admin.post(`${pathOf(draftId)}/publish`, inAnHour)).toEqual(another)
    // No person may who saved it since it has its base; who gives it another one answers for all of it.
    await mira.post(`${pathOf(draftId)}/update`, { categorySchema: schemaOf('Water', 'Lakes') })
    await mira.post(`${pathOf(draftId)}/propose`)
    for (const client of [mira, admin]) expect(await publish(client)).toEqual(another)
    const vera = await admin.invite('vera', 'org_admin')
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
    const privileges = '["portal:admin:updateItemCategorySchema"]'
    const app = await admin.post('/oauth2/registerApp', { itemId, appType: 'server', privileges })
    const credentials = { client_id: app.client_id, client_secret: app.client_secret, grant_type: 'client_credentials' }
    const { access_token: token } = await portal.anonymous.post('/oauth2/token', credentials)
    expect(await portal.anonymous.post(`${pathOf(draftId)}/publish`, { token, ifRevision: '4' })).toEqual(
      withReasons(forbidden),
    )
    // A state that they have not seen is not published.
    const unseen = secondPerson(task, 'give ifRevision, the revision that you have seen.')
    expect(await vera.post(`${pathOf(draftId)}/publish`)).toEqual(unseen)
    expect(await publish(vera, '3')).toEqual(
      changed('The draft is at revision 4, not 3: mira changed its state at 2026-01-15T12:00:00Z.'),
    )
    expect(await publish(vera)).toEqual({ success: true, version: 1 })
  })

  test('an app is no person: who owns it, renews its secret or confirms it may not publish alone what it saved', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const { id: itemId } = await mira.post('/content/users/mira/addItem', { title: 'Robot', type: 'Application' })
    const privileges = '["portal:admin:updateItemCategorySchema"]'
    const app = await mira.post('/oauth2/registerApp', { itemId, appType: 'server', privileges })
    const tokenOf = async ({ client_secret }: { client_secret: string }) => {
      const given = { client_id: app.client_id, client_secret, grant_type: 'client_credentials' }
      return (await portal.anonymous.post('/oauth2/token', given)).access_token as string
    }
    const draftOf = async (token: string) => {
      const given = { name: 'Next', categorySchema: schemaOf('Water'), token }
      const { draftId } = await portal.anonymous.post(`${org}/categorySchema/drafts`, given)
      expect(await portal.anonymous.post(`${pathOf(draftId)}/propose`, { token })).toEqual({ success: true })
      return draftId as string
    }
    const task = 'publish draft of category schema'
    const publish = (client: Client, draftId: string, ifRevision: string) =>
      client.post(`${pathOf(draftId)}/publish`, { ifRevision })
    const nobody = secondPerson(
      task,
      `no person answers for what app:${app.client_id} saved; one has to save or propose the draft.`,
    )
    // By the owner, after giving it away; by who renews the secret; by who confirms it.
    const given = await draftOf(await tokenOf(app))
    await mira.post(`/content/users/mira/items/${itemId}/reassign`, { targetUsername: 'admin' })
    expect(await publish(mira, given, '2')).toEqual(nobody)
    expect(await publish(admin, given, '2')).toEqual(nobody)
    await admin.post(`/oauth2/apps/${app.client_id}/confirm`)
    const token = await tokenOf(await admin.post(`/oauth2/apps/${app.client_id}/renewSecret`))
    const renewed = await draftOf(token)
    expect(await publish(admin, renewed, '2')).toEqual(nobody)
    // A proposal by an app does not take the place of that by a person.
    await admin.post(`${pathOf(renewed)}/propose`)
    await portal.anonymous.post(`${pathOf(renewed)}/propose`, { token })
    expect(await publish(admin, renewed, '4')).toEqual(
      secondPerson(task, 'another one than who proposed the draft publishes it.'),
    )
    // Its next change is as before.
    await portal.anonymous.post(`${pathOf(renewed)}/update`, { token, baseVersion: '0' })
    await portal.anonymous.post(`${pathOf(renewed)}/propose`, { token })
    expect(await publish(admin, renewed, '6')).toEqual(nobody)
    await mira.post(`${pathOf(renewed)}/propose`)
    expect(await publish(admin, renewed, '7')).toEqual({ success: true, version: 1 })
    // Another base by an app leaves who has saved the draft.
    const written = await create(mira, { categorySchema: schemaOf('Soil') })
    for (const baseVersion of ['0', '1']) {
      await portal.anonymous.post(`${pathOf(written)}/update`, { token, baseVersion })
    }
    await admin.post(`${pathOf(written)}/propose`)
    expect(await publish(mira, written, '4')).toEqual(
      secondPerson(task, 'another one than who saved the draft publishes it.'),
    )
  })

  test.each(['mira', 'Mira'])('a person who was deleted and created again, as %s, is no second one', async (name) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const draftId = await create(mira, { categorySchema: schemaOf('Water') })
    await admin.post(`${pathOf(draftId)}/update`, { name: 'Later' })
    await admin.post(`${pathOf(draftId)}/propose`)
    await admin.post('/community/users/mira/delete')
    const again = await admin.invite(name, 'org_admin')
    expect(await again.post(`${pathOf(draftId)}/publish`, { ifRevision: '3' })).toEqual(
      secondPerson('publish draft of category schema', 'another one than who saved the draft publishes it.'),
    )
  })

  test('a draft of an earlier version has to be proposed again', async ({ portal, admin }) => {
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const draftId = await create(mira, { categorySchema: schemaOf('Water') })
    await mira.post(`${pathOf(draftId)}/propose`)
    await new RawDatabase(portal).run(`update schema_drafts set people = '{"savers":[]}'`)
    const publish = (client: Client, ifRevision: string) => client.post(`${pathOf(draftId)}/publish`, { ifRevision })
    const task = 'publish draft of category schema'
    expect(await publish(admin, '2')).toEqual(
      secondPerson(task, 'no person answers for what mira saved; one has to save or propose the draft.'),
    )
    expect(await publish(mira, '2')).toEqual(secondPerson(task, 'another one than who saved the draft publishes it.'))
    await mira.post(`${pathOf(draftId)}/propose`)
    expect(await publish(admin, '3')).toEqual({ success: true, version: 1 })
  })

  test('a restore and a deletion are drafts too, and do to items what the operations do', async ({ admin }) => {
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Water', 'Roads') })
    const item = { title: 'Rivers', type: 'Web Map', categories: '/Themes/Water' }
    const { id: itemId } = await admin.post('/content/users/admin/addItem', item)
    const merged = { moves: [{ from: '/Themes/Water', to: '/Themes/Roads' }], categorySchema: schemaOf('Roads') }
    await admin.post(`${org}/assignCategorySchema`, merged)
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const ofItem = async () => (await admin.get(`/content/items/${itemId}`)).categories
    expect(await ofItem()).toEqual(['/Themes/Roads'])
    const given = { action: 'restore', restoredFrom: '1', comment: 'Merged by mistake' }
    const restore = await create(admin, { name: 'Back', ...given })
    expect(await admin.get(pathOf(restore))).toMatchObject({
      action: 'restore',
      restoredFrom: 1,
      categories: 3,
      ...schemaOf('Water', 'Roads'),
    })
    await admin.post(`${pathOf(restore)}/propose`, { note: 'Please look' })
    expect(await mira.post(`${pathOf(restore)}/publish`, { dryRun: 'true' })).toMatchObject({
      summary: { added: 1 },
      impact: { moved: 1 },
    })
    expect(await mira.post(`${pathOf(restore)}/publish`, { ifRevision: '2' })).toEqual({ success: true, version: 3 })
    expect(await ofItem()).toEqual(['/Themes/Water'])
    const by = { savedBy: 'admin', proposedBy: 'admin', publishedBy: 'mira' }
    const draft = { id: restore, name: 'Back', ...by, comment: 'Merged by mistake', note: 'Please look' }
    const made = { action: 'restore', restoredFrom: 1, comment: 'Merged by mistake', draft }
    expect((await admin.get(`${org}/categorySchema/versions`)).versions[0]).toMatchObject(made)
    expect(await admin.get(`${org}/categorySchema/versions/3`)).toMatchObject(made)
    const deletion = await create(mira, { name: 'Gone', action: 'delete' })
    await mira.post(`${pathOf(deletion)}/propose`)
    expect(await admin.post(`${pathOf(deletion)}/publish`, { ifRevision: '2' })).toEqual({ success: true, version: 4 })
    expect(await admin.get(`${org}/categorySchema/versions/4`)).toMatchObject({
      action: 'delete',
      draft: { name: 'Gone', proposedBy: 'mira', publishedBy: 'admin', comment: null, note: null },
    })
    expect(await ofItem()).toEqual(['/Themes/Water'])
  })

  test('a deletion or restore takes what it has, from who may do it', async ({ admin }) => {
    const task = 'create draft of category schema'
    const post = (given: object, client = admin) =>
      client.post(`${org}/categorySchema/drafts`, { name: 'Next', ...given })
    expect((await post({ action: 'delete' })).error.code).toBe(404)
    await admin.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Water') })
    expect(await post({ action: 'delete', categorySchema: '[]', restoredFrom: '1' })).toEqual(
      refused(task, 'categorySchema: action=delete has none.', 'restoredFrom: action=delete has none.'),
    )
    expect(await post({ action: 'restore' })).toEqual(refused(task, 'restoredFrom: is missing.'))
    expect((await post({ action: 'restore', restoredFrom: '2' })).error.code).toBe(404)
    const { id: role } = await admin.post(`${org}/createRole`, { name: 'Editors' })
    const privileges = '{"privileges":["portal:admin:updateItemCategorySchema"]}'
    await admin.post(`${org}/roles/${role}/setPrivileges`, { privileges })
    const editor = await admin.invite('eda', role)
    expect(await post({ action: 'restore', restoredFrom: '1' }, editor)).toMatchObject({ success: true })
    expect((await post({ action: 'delete' }, editor)).error.code).toBe(403)
    const draftId = await create(admin, { action: 'delete' })
    expect(await editor.post(`${pathOf(draftId)}/publish`)).toEqual(permissionDenied)
    expect(await admin.post(`${pathOf(draftId)}/propose`, { to: 'eda' })).toMatchObject({ error: { code: 400 } })
    expect(await admin.post(`${pathOf(draftId)}/update`, { categorySchema: '[]' })).toMatchObject({
      error: { details: [expect.stringMatching(/^A deletion or restore has no categories/)] },
    })
  })

  test('who proposes what another person saved last does not publish it', async ({ admin }) => {
    const mira = await admin.invite('mira', 'org_admin')
    await admin.post(`${org}/update`, { categoryApproval: 'organization' })
    const draftId = await create(mira, { categorySchema: schemaOf('Water') })
    await admin.post(`${pathOf(draftId)}/propose`)
    const publish = (ifRevision: string) => admin.post(`${pathOf(draftId)}/publish`, { ifRevision })
    expect(await publish('2')).toEqual(
      secondPerson('publish draft of category schema', 'another one than who proposed the draft publishes it.'),
    )
    await mira.post(`${pathOf(draftId)}/propose`)
    expect(await publish('3')).toEqual({ success: true, version: 1 })
  })
})

test('at its time, a draft needs the person who set it, with the role that they have then', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const schedule = async (client: Client) => {
    const draftId = await create(client, { categorySchema: schemaOf('Water') })
    portal.clock.now += 1
    const publication = { publishAt: String(portal.clock.now + 1_000) }
    expect(await client.post(`${pathOf(draftId)}/publish`, publication)).toEqual({ success: true })
    return draftId
  }
  const ofMira = await schedule(await admin.invite('mira', 'org_admin'))
  const ofVera = await schedule(await admin.invite('vera', 'org_admin'))
  await admin.post(`${org}/updateUserRole`, { user: 'mira', role: 'org_user' })
  await admin.post('/community/users/vera/delete')
  // After a clock was put back, only ids distinguish them.
  portal.clock.now -= 1_000
  await admin.invite('vera', 'org_admin')
  portal.clock.now += 2_000
  await runJobs(houseOf(portal))
  for (const draftId of [ofMira, ofVera]) {
    expect(await admin.get(pathOf(draftId))).toMatchObject({
      state: 'failed',
      note: expect.stringMatching(/^You do not have permissions/),
    })
  }
})

test('the story of a draft: two people, a conflict, a rejection, a date, and a server that starts again in between', async () => {
  const environment = { DATABASE_URL: `file:${temporaryFile()}` }
  let draftId = ''
  let otherId = ''
  let due = 0
  {
    await using portal = await startPortal({ environment })
    const [vera, mira] = await people(portal)
    await vera.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Water', 'Roads') })
    await vera.post(`${org}/update`, { categoryApproval: 'organization' })
    const moves = [{ from: '/Themes/Water', to: '/Themes/Lakes' }]
    draftId = await create(vera, { categorySchema: schemaOf('Lakes', 'Roads'), moves, comment: 'Lakes only' })
    await vera.post(`${pathOf(draftId)}/propose`, { to: 'mira', note: 'Please look.', ifRevision: '1' })
    // Meanwhile both save another draft from the same revision: the second learns of the first.
    otherId = await create(mira, { name: 'Rails', categorySchema: schemaOf('Water', 'Roads', 'Rails') })
    expect(await vera.post(`${pathOf(otherId)}/update`, { name: 'Railways', ifRevision: '1' })).toMatchObject({
      revision: 2,
    })
    expect(await mira.post(`${pathOf(otherId)}/update`, { name: 'Tracks', ifRevision: '1' })).toMatchObject({
      error: { code: 409, details: [expect.stringContaining('The draft is at revision 2, not 1: vera saved it at')] },
    })
    expect((await mira.get(`${org}/pendingSchemaDrafts`)).drafts).toMatchObject([
      { id: draftId, state: 'proposed', stateBy: 'vera', reviewer: 'mira', note: 'Please look.' },
    ])
    expect(await mira.post(`${pathOf(draftId)}/return`, { note: 'Rivers are missing.' })).toEqual({ success: true })
  }
  {
    await using portal = await startPortal({ environment })
    const [vera, mira] = await people(portal)
    expect((await vera.get(`${org}/pendingSchemaDrafts`)).drafts).toMatchObject([
      { id: draftId, state: 'returned', stateBy: 'mira', note: 'Rivers are missing.' },
    ])
    await vera.post(`${pathOf(draftId)}/update`, {
      categorySchema: schemaOf('Lakes', 'Rivers', 'Roads'),
      ifRevision: '3',
    })
    expect(await vera.get(pathOf(draftId))).toMatchObject({ state: 'returned', revision: 4, savedRevision: 4 })
    await vera.post(`${pathOf(draftId)}/propose`, { to: 'mira' })
    due = portal.clock.now + 86_400_000
    const publication = { publishAt: String(due), ifRevision: '5' }
    expect(await mira.post(`${pathOf(draftId)}/publish`, { ...publication, dryRun: 'true' })).toMatchObject({
      dryRun: true,
      summary: { renamed: 1, added: 1 },
    })
    expect(await mira.post(`${pathOf(draftId)}/publish`, publication)).toEqual({ success: true })
    expect(await mira.get(pathOf(draftId))).toMatchObject({ state: 'scheduled', stateBy: 'mira', publishAt: due })
    await runJobs(houseOf(portal))
    expect(titlesOf(await vera.get(`${org}/categorySchema`))).toEqual(['Water', 'Roads'])
  }
  {
    await using portal = await startPortal({ environment })
    portal.clock.now = due
    const [vera, mira] = await people(portal)
    await runJobs(houseOf(portal))
    expect(titlesOf(await vera.get(`${org}/categorySchema`))).toEqual(['Lakes', 'Rivers', 'Roads'])
    expect(await vera.get(`${org}/categorySchema/versions/2`)).toMatchObject({
      modifiedBy: 'mira',
      comment: 'Lakes only',
      moves: [{ from: '/Themes/Water', to: '/Themes/Lakes' }],
    })
    expect(await vera.get(pathOf(draftId))).toEqual(resourceNotFound)
    const { items } = await vera.get(`${org}/history`, { actions: 'publishSchemaDraft' })
    expect(items[0]).toMatchObject({ actor: 'mira', data: { version: 2, draft: 'Next', savedBy: 'vera' } })
    // The other draft was made from version 1: its time comes, and nothing is overwritten.
    await mira.post(`${pathOf(otherId)}/propose`)
    expect(await mira.post(`${pathOf(otherId)}/publish`, { ifRevision: '3' })).toMatchObject({
      error: { code: 409, version: 2 },
    })
    await mira.post(`${pathOf(otherId)}/update`, { baseVersion: '2' })
    await mira.post(`${pathOf(otherId)}/propose`)
    expect(await vera.post(`${pathOf(otherId)}/publish`, { publishAt: String(due + 1_000), ifRevision: '5' })).toEqual({
      success: true,
    })
    await vera.post(`${org}/update`, { categoryApproval: 'none' })
    await vera.post(`${org}/assignCategorySchema`, { categorySchema: schemaOf('Seas') })
    portal.clock.now = due + 1_000
    await runJobs(houseOf(portal))
    expect(titlesOf(await vera.get(`${org}/categorySchema`))).toEqual(['Seas'])
    expect(await vera.get(pathOf(otherId))).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('The schema is at version 3, not 2: vera changed it at'),
      publishAt: due + 1_000,
    })
  }
})

/** Vera and Mira, who may both assign the schema. */
async function people(portal: Awaited<ReturnType<typeof startPortal>>) {
  const admin = await portal.admin()
  const has = async (username: string) => !('error' in (await admin.get(`/community/users/${username}`)))
  const signIn = async (username: string) =>
    (await has(username)) ? portal.signIn(username, adminPassword) : admin.invite(username, 'org_admin')
  return [await signIn('vera'), await signIn('mira')] as const
}
