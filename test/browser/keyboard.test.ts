import { openVisit, type Visit } from '../support/browser/browser.ts'
import { pollValue } from '../support/browser/value.ts'
import { expect, test } from '../support/browser/visit-test.ts'
import { adminPassword } from '../support/portal/portal.ts'

/** Label or text of the focused element. */
function focusedNow({ page }: Visit): Promise<string> {
  return page.evaluate<string>(
    '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.replace(/\\s+/g, " ").trim()',
  )
}

/** Presses Tab until something of this name has the focus. */
async function tabTo(visit: Visit, name: string): Promise<void> {
  const pressNow = async () => {
    await visit.page.keyboard.press('Tab')
    return focusedNow(visit)
  }
  await expect.poll(pressNow, { interval: 0 }).toBe(name)
}

const categorySchema = { categorySchema: [{ title: 'Region', categories: [{ title: 'Alps' }] }] }

test('one who has only a browser signs in, assigns a schema and reads it back, without a mouse', async () => {
  await using visit = await openVisit()
  const { page } = visit
  const { keyboard } = page
  const follow = async (name: string, title = name) => {
    await tabTo(visit, name)
    await keyboard.press('Enter')
    await visit.heading(title).waitFor()
    await expect.poll(() => focusedNow(visit)).toContain(title)
  }
  await visit.goTo('/')
  await tabTo(visit, 'Sign in')
  await keyboard.press('Enter')
  await expect.poll(() => focusedNow(visit)).toBe('Username')
  await keyboard.type('admin')
  await keyboard.press('Tab')
  await keyboard.type(adminPassword)
  await keyboard.press('Enter')
  await visit.notice('Signed in as admin.')
  await expect.poll(() => focusedNow(visit)).toBe('Root')

  await follow('The organization', 'Organization')
  await follow('Assign category schema (organization)')
  await tabTo(visit, 'categorySchema required')
  await keyboard.insertText(JSON.stringify(categorySchema))
  await tabTo(visit, 'Assign category schema (organization)')
  await keyboard.press('Space')
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await expect.poll(() => focusedNow(visit)).toBe('Done')
  await follow('Back to Organization', 'Organization')
  await follow('Category schema (organization)')
  await expect.poll(async () => JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(categorySchema)
  expect(await visit.findTroubles()).toEqual([])
})

test('so does one whose browser runs no scripts, with a token in a field of each form', async () => {
  await using visit = await openVisit({ javaScriptEnabled: false })
  const { page } = visit
  const answered = () => page.getByRole('heading', { name: 'Done' }).waitFor()
  await visit.goTo('')
  await visit.follow('Get a token')
  await page.locator('#parameter-username').fill('admin')
  await page.locator('#parameter-password').fill(adminPassword)
  await page.getByRole('button', { name: 'Generate token' }).click()
  await answered()
  const answer = await pollValue(
    () => page.locator('pre').textContent(),
    (text) => text !== null,
  )
  const { token } = JSON.parse(answer ?? '')
  await visit.goTo('/portals/self/assignCategorySchema')
  await page.getByLabel('categorySchema').fill(JSON.stringify(categorySchema))
  await page.locator('#token').fill(token)
  await page.getByRole('button', { name: 'Assign category schema (organization)' }).click()
  await answered()
  await visit.goTo('/portals/self/categorySchema')
  await page.getByText('Error 499').waitFor()
  await page.locator('#token').fill(token)
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(async () => JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(categorySchema)
  expect(visit.requests.filter((url) => url.includes(token))).toEqual([])
})

test('the first Tab leads past the head of the page', async ({ visit, page }) => {
  await visit.goTo('/community/groups')
  await page.keyboard.press('Tab')
  await expect.poll(() => focusedNow(visit)).toBe('Skip to the content')
  await expect.poll(() => page.getByRole('link', { name: 'Skip to the content' }).boundingBox()).toMatchObject({ y: 8 })
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedNow(visit)).toBe('Groups')
})

test('Escape leaves the sign-in, and the focus is where it was', async ({ visit, page }) => {
  await visit.goTo('/community/self')
  await tabTo(visit, 'Sign in')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => focusedNow(visit)).toBe('Sign in')
})

test('whatever has the focus shows it', async ({ visit, page }) => {
  await visit.goTo('/community/groups')
  const outline =
    'getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth'
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => [await focusedNow(visit), await page.evaluate(outline)])
      .toEqual([expect.any(String), 'solid3px'])
  }
})
