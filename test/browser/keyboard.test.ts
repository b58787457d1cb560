import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'
import { adminPassword } from '../support/portal/portal.ts'

/** What has the focus now: its label or text. */
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

test('signing in, walking to a form and sending it need no mouse', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const { keyboard } = page
  const admin = await portal.admin()
  await admin.createGroup('Land cover')
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

  await tabTo(visit, 'Groups')
  await keyboard.press('Enter')
  await page.getByRole('link', { name: 'Land cover' }).waitFor()
  await tabTo(visit, 'Land cover')
  await keyboard.press('Enter')
  await visit.heading('Group Land cover').waitFor()
  await expect.poll(() => focusedNow(visit)).toBe('Group Land cover')

  await tabTo(visit, 'Update group')
  await keyboard.press('Enter')
  await visit.heading('Update group').waitFor()
  await tabTo(visit, 'snippet')
  await keyboard.type('What covers the land')
  await tabTo(visit, 'isViewOnly')
  await keyboard.type('true')
  await tabTo(visit, 'Update group')
  await keyboard.press('Space')
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await expect.poll(() => focusedNow(visit)).toBe('Done')
  const { results } = await admin.get('/community/groups', { q: 'land' })
  expect(results).toMatchObject([{ snippet: 'What covers the land', isViewOnly: true }])
  await tabTo(visit, 'Back to Group')
  expect(await visit.findTroubles()).toEqual([])
})

test('the first Tab leads past the head of the page', async () => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/community/groups')
  await page.keyboard.press('Tab')
  await expect.poll(() => focusedNow(visit)).toBe('Skip to the content')
  await expect.poll(() => page.getByRole('link', { name: 'Skip to the content' }).boundingBox()).toMatchObject({ y: 8 })
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedNow(visit)).toBe('Groups')
})

test('Escape leaves the sign-in, and the focus is where it was', async () => {
  await using visit = await openVisit()
  const { page } = visit
  await visit.goTo('/community/self')
  await tabTo(visit, 'Sign in')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => focusedNow(visit)).toBe('Sign in')
})

test('whatever has the focus shows it', async () => {
  await using visit = await openVisit()
  const { page } = visit
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

test('every field has a label and says what it means', async () => {
  await using visit = await openVisit()
  await visit.goTo('/community/createGroup')
  const namesNow = () =>
    visit.page.evaluate<string[]>(
      `[...document.querySelectorAll('main input:not([type=hidden]), main select, main textarea')].map((field) =>
      field.labels[0]?.textContent + ': ' + document.getElementById(field.getAttribute('aria-describedby'))?.textContent)`,
    )
  await expect.poll(namesNow).toContain('title required: Title. At most 250 characters.')
  const isIncomplete = (name: string) => !/^\w.*: \w/.test(name) || name.includes('undefined')
  await expect.poll(async () => (await namesNow()).filter(isIncomplete)).toEqual([])
})
