import { readFile } from 'node:fs/promises'
import { openVisit } from '../support/browser/browser.ts'
import { expect, test } from '../support/browser/visit-test.ts'

test('an invitation file is saved byte for byte', async ({ visit, page, portal }) => {
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

test('a list is searched by its form and read page by page, and back and forward lead through the pages as their user', async () => {
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
  await visit.follow('Map b')
  await visit.heading('Group Map b').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Map b' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Map a' }).waitFor()
  await page.goForward()
  await page.getByRole('link', { name: 'Map b' }).waitFor()
  expect(await visit.findTroubles()).toEqual([])
})
