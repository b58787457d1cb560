import { expect, test } from 'vitest'
import { openVisit } from '../support/browser/browser.ts'

const link = '/portals/self/updateUserRole?f=html&user=mallory&role=org_admin'

test('a form that a link has filled in is sent only after its values were checked, with keys alone too', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  await admin.invite('mallory')
  const roleOf = async () => (await admin.get('/community/users/mallory')).role
  await visit.goTo(link)
  await visit.signIn()
  const send = page.getByRole('button', { name: 'Update user role' })
  const check = page.getByRole('checkbox', { name: 'I have checked the values that a link has filled in' })
  await expect.poll(() => page.locator('#parameter-user').inputValue()).toBe('mallory')
  await page.getByText('Filled in by a link.').first().waitFor()

  const sent = () => visit.requests.filter((url) => url.endsWith('/updateUserRole')).length
  await send.click()
  await check.and(page.locator(':focus:invalid')).waitFor()
  await page.locator('#parameter-user').press('Enter')
  await check.and(page.locator(':focus:invalid')).waitFor()
  expect([sent(), await roleOf()]).toEqual([0, 'org_user'])

  await check.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect([sent(), await roleOf()]).toEqual([1, 'org_admin'])
  // The form of the answer is empty, and a usual one.
  await expect.poll(() => check.count()).toBe(0)
  expect(await visit.findTroubles()).toEqual([])
})

test('without scripts it is not sent either', async () => {
  await using visit = await openVisit({ javaScriptEnabled: false })
  const { page } = visit
  await visit.goTo('/generateToken?f=html&username=mallory')
  const send = page.getByRole('button', { name: 'Generate token' })
  const before = visit.requests.length
  await page.locator('#parameter-password').fill('correct horse battery staple')
  await send.click()
  await page.locator('input[type=checkbox]:focus:invalid').waitFor()
  expect(visit.requests.length).toBe(before)
  await page.getByRole('checkbox').check()
  await send.click()
  await page.getByRole('heading', { name: 'Unable to generate token.' }).waitFor()
  // A value that the form itself sent is filled in again, as usual.
  await expect.poll(() => page.locator('#parameter-username').inputValue()).toBe('mallory')
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
})

test('a long text that is refused is where the browser goes back to', async () => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/portals/self/assignCategorySchema')
  await visit.signIn()
  const field = page.getByLabel('categorySchema')
  await field.fill('x'.repeat(200_000))
  await page.getByRole('button', { name: 'Assign category schema (organization)' }).click()
  await page.getByRole('heading', { name: 'Unable to assign category schema.' }).waitFor()
  await page.goBack()
  await expect.poll(async () => (await field.inputValue()).length).toBe(200_000)
})
