import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { pollValue } from '../../support/browser/value.ts'
import { adminPassword } from '../../support/portal/portal.ts'

test('a group is made, found again page by page, and leads to its categories', async () => {
  await using app = await openApplication()
  const { page } = app
  const admin = await app.portal.signIn('admin', adminPassword)
  for (let number = 0; number < 26; number += 1) await admin.createGroup(`Maps ${number}`)
  await app.signIn('admin', adminPassword, '/groups')
  await page.getByText('26 groups').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(26)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('26–26 of 26').waitFor()
  await page.goBack()
  await page.getByText('1–25 of 26').waitFor()
  const barriersNow = async () => (await findBarriersNow(page)).filter((barrier) => !barrier.includes('class="skip"'))
  await expect.poll(barriersNow).toEqual([])

  await page.getByRole('button', { name: 'Create a group' }).click()
  await page.getByLabel('Title').fill('Rivers & <b>lakes</b>')
  await page.getByLabel('Summary').fill('Water')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rivers & <b>lakes</b>' }).waitFor()
  await page.getByRole('cell', { name: 'Owner' }).waitFor()
  await expect.poll(barriersNow).toEqual([])

  await page.getByRole('main').getByRole('link', { name: 'Categories', exact: true }).click()
  await page.getByText('There are no categories yet').waitFor()
  await page.getByRole('button', { name: 'Add the first category' }).click()
  await page.keyboard.type('Basins')
  await page.keyboard.press('Enter')
  await page.getByText('nothing was published before').waitFor()
  await page.getByText('6 of 99 characters').waitFor()

  await app.goTo('/groups?q=rivers')
  await page.getByText('1 group', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Rivers & <b>lakes</b>' }).waitFor()
  expect(app.complaints).toEqual([])
})

test('where the server ends a page early, the next one begins behind it', async () => {
  await using app = await openApplication()
  const { page } = app
  const admin = await app.portal.admin()
  // Groups of the maximum size: no page has all of them.
  const large = {
    description: '水'.repeat(10_000),
    tags: Array.from({ length: 128 }, (_, at) => '水'.repeat(125) + at),
  }
  const made = Array.from({ length: 20 }, (_, at) => `Maps ${String(at).padStart(2, '0')}`)
  for (const title of made) await admin.createGroup(title, { ...large, tags: large.tags.join(',') })
  await app.signIn('admin', adminPassword, '/groups')
  await page.getByText('20 groups').waitFor()
  const links = page.getByRole('link', { name: /^Maps/ })
  const seen = await pollValue(
    () => links.allTextContents(),
    ({ length }) => length > 0 && length < 20,
  )
  await page.getByText(`1–${seen.length} of 20`).waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText(`${seen.length + 1}–20 of 20`).waitFor()
  await expect.poll(async () => [...seen, ...(await links.allTextContents())].sort()).toEqual(made)
  await expect.poll(() => page.getByRole('link', { name: 'Next' }).count()).toBe(0)
})
