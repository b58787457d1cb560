import { expect, test } from 'vitest'
import { openVisit } from '../support/browser/browser.ts'

test('a link fills nothing in, with scripts and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using visit = await openVisit({ javaScriptEnabled })
    const { page } = visit
    await visit.goTo('/generateToken?f=html&username=mallory')
    await expect.poll(() => page.locator('#parameter-username').inputValue()).toBe('')
    // A value that the form itself sent is filled in again.
    await page.locator('#parameter-username').fill('mallory')
    await page.locator('#parameter-password').fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Generate token' }).click()
    await page.getByRole('heading', { name: 'Unable to generate token.' }).waitFor()
    await expect.poll(() => page.locator('#parameter-username').inputValue()).toBe('mallory')
  }
})

test.each([
  [200_000, 'Unable to assign category schema.'],
  [1_100_000, 'The request body is too large.'],
])('a text of %i characters that is refused is where the browser goes back to', async (length, refusal) => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/portals/self/assignCategorySchema')
  await visit.signIn()
  const field = page.getByLabel('categorySchema')
  await field.fill('x'.repeat(length))
  await page.getByRole('button', { name: 'Assign category schema (organization)' }).click()
  await page.getByRole('heading', { name: refusal }).waitFor()
  await page.goBack()
  await expect.poll(async () => (await field.inputValue()).length).toBe(length)
})
