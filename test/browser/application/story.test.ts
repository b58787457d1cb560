import { readFileSync } from 'node:fs'
import { expect, test } from '../../support/browser/application-test.ts'
import { doJobs, holdMessages } from '../../support/browser/jobs.ts'
import type { Client } from '../../support/portal/portal.ts'

const vocabulary = [
  'Theme,Subtheme',
  ...['Rivers', 'Lakes', 'Wells', 'Coasts'].map((title) => `Water,${title}`),
  ...['Roads', 'Railways', 'Harbours', 'Airports'].map((title) => `Transport,${title}`),
].join('\n')

const titles = [
  ...Array.from({ length: 40 }, (_, at) => `Lake ${at + 1}`),
  ...Array.from({ length: 17 }, (_, at) => `Road ${at + 1}`),
  ...['Aarau', 'Basel', 'Chur'],
]

/** Adds the items: every other one is of the administrator. */
async function fill(admin: Client, anna: Client): Promise<void> {
  for (const [at, title] of titles.entries()) {
    const [client, owner] = at % 2 === 0 ? [anna, 'anna'] : [admin, 'admin']
    const { id } = await client.post(`/content/users/${owner}/addItem`, { title, type: 'Web Map', tags: 'maps' })
    await client.post(`/content/items/${id}/share`, { org: true })
  }
}

test('from a vocabulary in a file to every item with a category', async ({ application, page, portal }) => {
  await using _jobs = doJobs(application)
  await holdMessages(application)
  const admin = await portal.admin()
  const anna = await portal.user('anna')
  const { id: group } = await anna.createGroup('Atlas', { access: 'org' })
  await anna.post(`/community/groups/${group}/addUsers`, { users: 'admin' })
  await fill(admin, anna)
  const count = async (q: string, category?: string) =>
    (await admin.get('/search', { q, num: 1, ...(category && { categories: JSON.stringify([category]) }) })).total
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const panel = page.locator('cartulary-bulk-panel')
  const message = page.locator('cartulary-undo-messages')
  const choose = async (category: string) => {
    await panel.locator('cartulary-category-picker input').first().fill(category)
    await panel.locator('cartulary-category-picker').getByText(category, { exact: true }).click()
  }

  // The vocabulary is imported from a file, and published.
  await application.signIn()
  await link('Categories').first().click()
  await link('Import and export').first().click()
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'vocabulary.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(vocabulary),
  })
  await page.getByText('10 added').waitFor()
  await button('Publish now').click()
  await page.locator('strong').getByText('Published as version 1').waitFor()

  // A spreadsheet has categories for 40 of the 60 items.
  await link('Edit the categories of many items in a spreadsheet').click()
  await application.heading('Categories by spreadsheet').waitFor()
  await page.getByText('paths such as /Water/Rivers').waitFor()
  await page.locator('[aria-labelledby=download]').getByText('60 items').waitFor()
  await page.locator('select[name=format]').selectOption('CSV with commas')
  const [saved] = await Promise.all([page.waitForEvent('download'), button('Save the file').click()])
  const edited = readFileSync(await saved.path(), 'utf8').replace(/^.*,Lake \d+,.*,(?=\r?$)/gm, '$&/Water/Lakes')
  await page.locator('input[type=file]').setInputFiles({
    name: 'edited.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(edited),
  })
  await button('Apply to 40 items').click()
  await page.locator('cartulary-sheet-import').getByText('The file is applied').waitFor()

  // A search finds 17, which get theirs together.
  await link('Content').last().click()
  await page.getByLabel('Search').fill('road')
  await page.keyboard.press('Enter')
  await page.getByText('1–17 of 17').waitFor()
  await page.getByLabel('Select all on this page').click()
  await button('Categorize').click()
  await choose('Roads')
  await button('Apply').click()
  await panel.getByText('17 items changed').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()

  // All of them are shared with a group.
  await page.getByLabel('Search').fill('')
  await page.keyboard.press('Enter')
  await page.getByText('1–25 of 60').waitFor()
  await page.getByLabel('Select all on this page').click()
  await button('Select all 60 found').click()
  await button('Share').click()
  await panel.getByLabel('Atlas').check()
  await panel.getByText('Who else will see them').waitFor()
  await button('Apply').click()
  await panel.getByText('60 items changed').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()

  // The coverage leads to the three that are left. A wrong category is undone.
  await link('Coverage').click()
  await application.heading('Coverage of the categories').waitFor()
  await link('3 items').click()
  await page.getByText('1–3 of 3').waitFor()
  await page.getByLabel('Select all on this page').click()
  await button('Categorize').click()
  await choose('Wells')
  await button('Apply').click()
  await panel.getByText('3 items changed').waitFor()
  await page.getByText('All of these items have a category').waitFor()
  await message.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1–3 of 3').waitFor()
  await panel.getByText('3 items changed').waitFor({ state: 'detached' })
  expect(await count('*', '/Water/Wells')).toBe(0)
  await button('Clear the choice').click()
  await choose('Railways')
  await button('Apply').click()
  await panel.getByText('3 items changed').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await link('Coverage').click()
  await application.heading('Coverage of the categories').waitFor()
  const withoutNow = () => page.locator('dt:text-is("Without a category") + dd').textContent()
  await expect.poll(withoutNow).toBe('0')

  expect(await count(`group:${group}`)).toBe(60)
  expect(await count('owner:anna', '/Water/Lakes')).toBe(20)
  expect(await count('owner:anna', '/Transport/Roads')).toBe(9)
  expect(await count('owner:anna', '/Transport/Railways')).toBe(1)
  expect(await application.findTroubles()).toEqual([])
})
