import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openVisit } from '../support/browser/browser.ts'

const categorySchema = { categorySchema: [{ title: 'Region', categories: [{ title: 'World' }, { title: 'Alps' }] }] }

test('one walks from the root to a group, assigns a schema by the form, and reads it back', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  const group = await admin.createGroup('Land cover')
  await visit.goTo('')
  await visit.heading('Root').waitFor()
  await visit.signIn()
  await visit.follow('Groups', 'Land cover', 'Assign category schema (group)')
  await page.getByLabel('categorySchema').fill(JSON.stringify(categorySchema))
  await page.getByRole('button', { name: 'Assign category schema (group)' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await admin.get(`/community/groups/${group.id}/categorySchema`)).toEqual(categorySchema)

  await visit.follow('Back to Group', 'Category schema (group)')
  await expect.poll(async () => JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(categorySchema)
  expect(await visit.findTroubles()).toEqual([])
})

test('a refused form says why and keeps what was filled in', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const group = await (await portal.admin()).createGroup('Land cover')
  await visit.goTo(`/community/groups/${group.id}/assignCategorySchema`)
  await visit.signIn()
  const field = page.getByLabel('categorySchema')
  await field.fill('{"categorySchema": []}')
  await page.getByRole('button', { name: 'Assign category schema (group)' }).click()
  await page.getByRole('heading', { name: 'Unable to assign category schema.' }).waitFor()
  await visit.answer.getByText('Category schema exceeds max tree size or empty.', { exact: true }).waitFor()
  await visit.answer.getByText('Error 400 · ORG_1132').waitFor()
  await expect.poll(() => field.inputValue()).toBe('{"categorySchema": []}')
  expect(await visit.findTroubles()).toEqual([])
})

test('a form that is too large to be taken is where the browser goes back to', async () => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/portals/self/assignCategorySchema')
  await visit.signIn()
  const field = page.getByLabel('categorySchema')
  await field.fill('x'.repeat(1_100_000))
  await page.getByRole('button', { name: 'Assign category schema (organization)' }).click()
  await page.getByText('The request body is too large.').first().waitFor()
  await page.goBack()
  await expect.poll(async () => (await field.inputValue()).length).toBe(1_100_000)
})

test('fields that are left empty change nothing, or are cleared where the form says so', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  const group = await admin.createGroup('Land cover', { description: 'Forests and fields', tags: 'land' })
  const readGroup = () => admin.get(`/community/groups/${group.id}`)
  await visit.goTo(`/community/groups/${group.id}/update`)
  await visit.signIn()
  await page.getByLabel('snippet').fill('What covers the land')
  await page.getByLabel('access', { exact: true }).selectOption('org')
  await page.getByRole('button', { name: 'Update group' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  const kept = { title: 'Land cover', tags: ['land'], snippet: 'What covers the land', access: 'org' }
  expect(await readGroup()).toMatchObject({ ...kept, description: 'Forests and fields' })

  await visit.goTo(`/community/groups/${group.id}/update`)
  await page.getByLabel('title', { exact: true }).fill('Land')
  await page.getByLabel('clearEmptyFields').selectOption('true')
  await page.getByRole('button', { name: 'Update group' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await readGroup()).toMatchObject({ title: 'Land', tags: [], snippet: '', description: '' })
  expect(await visit.findTroubles()).toEqual([])
})

test('an invitation file is saved byte for byte', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  const wish = { name: 'Alpine maps – Ägäis', workspaceName: 'Base maps' }
  const { collaboration } = await admin.post('/portals/self/createCollaboration', wish)
  const path = `/portals/self/collaborations/${collaboration.id}`
  const workspaceId = (await admin.get(`${path}/workspaces`)).workspaces[0].id
  await visit.goTo(path)
  await visit.signIn()
  await visit.follow('Invite participant')
  await page.getByLabel('guestPortalUrl').fill('https://guest.example.org/portal')
  await page.getByLabel('collaborationWorkspacesParticipantConfigJSON').fill(`[{"${workspaceId}":"send"}]`)
  const send = page.getByRole('button', { name: 'Invite participant' })
  const [download] = await Promise.all([page.waitForEvent('download'), send.click()])
  const { collaborationInvitations } = await admin.get(`${path}/invitations`)
  expect(download.suggestedFilename()).toBe('collaboration-guest.example.org.invite')
  expect(await readFile(await download.path(), 'utf8')).toBe(collaborationInvitations[0].invitationString)
})

test('back and forward lead through the pages, for the user who is signed in', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  await (await portal.admin()).createGroup('Land cover')
  await visit.goTo('/community/groups')
  await visit.signIn()
  await visit.follow('Land cover', 'Group users')
  await visit.heading('Group users').waitFor()
  await page.goBack()
  await visit.heading('Group Land cover').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Land cover' }).waitFor()
  await page.goForward()
  await visit.heading('Group Land cover').waitFor()
  expect(await visit.findTroubles()).toEqual([])
})

test('a list is searched by its form and read page by page', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  for (const title of ['Map a', 'Map b', 'Sea']) await admin.createGroup(title)
  await visit.goTo('/community/groups')
  await visit.signIn()
  await page.getByLabel('q', { exact: true }).fill('map')
  await page.getByLabel('num').fill('1')
  await visit.show()
  await page.getByRole('link', { name: 'Map a' }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?q=map&num=1')
  await visit.follow('Next page')
  await page.getByRole('link', { name: 'Map b' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Next page' }).count()).toBe(0)
  await expect.poll(() => page.getByLabel('q', { exact: true }).inputValue()).toBe('map')
  expect(await visit.findTroubles()).toEqual([])
})
