import { expect, test } from 'vitest'
import { openVisit } from '../support/browser/browser.ts'
import { pollValue } from '../support/browser/value.ts'

test('a schema is edited where it is shown: the form has it once the user has signed in', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/assignCategorySchema`
  await admin.post(path, { categorySchema: '{"categorySchema":[{"title":"Watr"}]}' })
  await visit.goTo(path)
  const field = page.locator('#parameter-categorySchema')
  await expect.poll(() => field.inputValue()).toBe('')
  await visit.signIn()
  const text = await pollValue(
    () => field.inputValue(),
    (value) => value !== '',
  )
  expect(JSON.parse(text)).toEqual({ categorySchema: [{ title: 'Watr' }] })
  await field.fill(text.replace('Watr', 'Water'))
  await page.getByRole('button', { name: 'Assign category schema (group)' }).click()
  await visit.notice('Done')
  expect(await admin.get(`/community/groups/${id}/categorySchema`)).toEqual({ categorySchema: [{ title: 'Water' }] })
  // The form is ready for the next change.
  await expect.poll(() => page.locator('#parameter-ifVersion').inputValue()).toBe('2')
  expect(await visit.findTroubles()).toEqual([])
})

test('what was typed before signing in stays', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const { id } = await (await portal.admin()).createGroup('Lakes')
  await visit.goTo(`/community/groups/${id}/update`)
  await page.locator('#parameter-snippet').fill('Typed first')
  await visit.signIn()
  await expect.poll(() => page.locator('#parameter-snippet').inputValue()).toBe('Typed first')
  await expect.poll(() => page.locator('#parameter-title').inputValue()).toBe('')
})

test('a guest is invited by choosing workspaces, and a second press makes no second invitation', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Rivers',
    workspaceName: 'Water',
    accessMode: 'sendAndReceive',
  })
  const path = `/portals/self/collaborations/${collaboration.id}`
  await visit.goTo(`${path}/inviteParticipant`)
  await visit.signIn()
  await page.getByLabel('guestPortalUrl').fill('https://guest.example.com')
  await page.getByLabel('Water').selectOption('send')
  const send = page.getByRole('button', { name: 'Invite participant' })
  await send.click()
  await visit.notice('Done')
  await send.click()
  // The form is empty again, and what is required is asked for.
  await page.locator('input:focus:invalid').waitFor()
  expect((await admin.get(`${path}/invitations`)).total).toBe(1)
  await visit.answer.getByRole('link', { name: 'Invitation', exact: true }).click()
  await visit.heading(/^Invitation/).waitFor()
  await page.getByRole('link', { name: 'Invalidate invitation' }).waitFor()
  expect(await visit.findTroubles()).toEqual([])
})

test('a file that was not chosen is not sent, and one that is refused is still chosen', async () => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/portals/self/acceptCollaborationInvitation')
  await visit.signIn()
  const send = page.getByRole('button', { name: 'Accept invitation' })
  const sent = page.waitForRequest((request) => request.url().endsWith('/acceptCollaborationInvitation'))
  await send.click()
  const body = (await sent).postData()
  expect(body).toContain('name="f"')
  expect(body).not.toContain('invitationFile')
  await visit.answer.getByText('Give either invitationFile or invitationJSON.', { exact: true }).waitFor()
  const file = { name: 'seas.invite', mimeType: 'application/json', buffer: Buffer.from('no invitation') }
  await page.getByLabel('invitationFile', { exact: true }).setInputFiles(file)
  await send.click()
  await visit.answer
    .getByText('Give either invitationFile or invitationJSON.', { exact: true })
    .waitFor({ state: 'detached' })
  await visit.answer.getByText('Error 400').waitFor()
  await expect.poll(() => page.evaluate('document.querySelector("input[type=file]").files[0].name')).toBe('seas.invite')
})
