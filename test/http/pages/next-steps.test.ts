import { expect, test } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'

const browser = { accept: 'text/html,application/xhtml+xml' }

async function pageOf(client: Client, url: string, payload?: string): Promise<string> {
  const headers = { ...browser, 'x-esri-authorization': `Bearer ${client.token}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  if (payload === undefined) return (await client.portal.inject({ url, headers })).body
  return (await client.portal.inject({ method: 'POST', url, headers: { ...headers, ...form }, payload })).body
}

const base = '/portal/sharing/rest'

async function invited(admin: Client): Promise<{ readonly path: string; readonly link: unknown }> {
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Rivers',
    workspaceName: 'Water',
    accessMode: 'sendAndReceive',
  })
  const path = `/portals/self/collaborations/${collaboration.id}`
  const [{ id }] = (await admin.get(`${path}/workspaces`)).workspaces
  const response = await admin.portal.inject({
    method: 'POST',
    url: `${path}/inviteParticipant`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      guestPortalUrl: 'https://guest.example.com',
      collaborationWorkspacesParticipantConfigJSON: JSON.stringify([{ [id]: 'send' }]),
    }).toString(),
  })
  const invitationId = response.json().invitationRequest.id
  return { path: `${path}/invitations/${invitationId}`, link: response.headers['link'] }
}

test('what was made is linked to, and what is usually done next', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const page = await pageOf(admin, '/community/createGroup', 'title=Lakes+%3Cb%3E')
  expect(page).toMatch(
    /<nav class="next"[^>]*><ul><li><a href="[^"]*\/community\/groups\/[0-9a-f]{32}">Lakes &lt;b&gt;</,
  )
  expect(page).toContain('/assignCategorySchema">Assign category schema (group)</a>')
})

test.each([
  ['assigned', 'assignCategorySchema'],
  ['imported', 'categorySchema/import'],
  ['restored', 'categorySchema/versions/1/restore'],
  ['deleted', 'deleteCategorySchema'],
])('a schema that was %s is linked to, with its versions; a dry run leads to neither', async (_, verb) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const group = `/community/groups/${id}`
  const categorySchema = '{"categorySchema":[{"title":"Water"}]}'
  await admin.post(`${group}/assignCategorySchema`, { categorySchema })
  await admin.post(`${group}/assignCategorySchema`, { categorySchema: '{"categorySchema":[{"title":"Land"}]}' })
  const send = async (dryRun: string) => {
    const given = { categorySchema, text: categorySchema, format: 'json', ifVersion: '2', f: 'html', dryRun }
    const page = await pageOf(admin, `${group}/${verb}`, new URLSearchParams(given).toString())
    return /<nav class="next"[^>]*>.*<\/nav>/.exec(page)?.[0]
  }
  expect(await send('true')).toBeUndefined()
  const next = await send('false')
  expect(next).toContain(`<a href="${base}${group}/categorySchema">Category schema (group)</a>`)
  expect(next).toContain(
    `<a href="${base}${group}/categorySchema/versions">Versions of the category schema (group)</a>`,
  )
})

test('a file names the pages of what is in it in a header', async () => {
  await using portal = await startPortal()
  const { path, link } = await invited(await portal.admin())
  const list = path.replace(/\/[0-9a-f]+$/, '')
  expect(link).toBe(
    `<${base}${path}>; rel="related"; title="Invitation", <${base}${list}>; rel="related"; title="Invitations"`,
  )
})

test('of a group that does not exist, nothing is offered', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  expect(await pageOf(admin, `/community/groups/${id}`)).toContain('<nav class="near"')
  expect(await pageOf(admin, '/community/groups/abc')).not.toContain('<nav class="near"')
})

test('a deletion asks whether it is meant, and leads to what is above', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/delete`
  const form = await pageOf(admin, path)
  expect(form).toMatch(/<input type="checkbox" required>\s*Yes: delete the group/)
  const done = await pageOf(admin, path, '')
  expect(done).toContain(`<a href="${base}/community/groups">Back to Groups</a>`)
})

test('a page says what a schema has that was perhaps not meant, and JSON only what was perhaps misspelt', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/assignCategorySchema`
  const categorySchema = '{"categorySchema":[{"title":"b"},{"title":"b","descripton":"x"}]}'
  const page = await pageOf(admin, path, new URLSearchParams({ categorySchema, f: 'html' }).toString())
  expect(page).toContain('Two categories have the path /b; items cannot tell them apart.')
  expect(page).toContain('/categorySchema/1 has members that are not kept: descripton.')
  const sentence = '/categorySchema/1: descripton is not kept; did you mean description?'
  expect(await admin.post(path, { categorySchema })).toEqual({ success: true, warnings: [sentence] })
  const { warnings } = await admin.post(path, { categorySchema, dryRun: 'true' })
  expect(warnings).toHaveLength(2)
})
