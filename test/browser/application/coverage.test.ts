import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { doJobs, holdMessages } from '../../support/browser/jobs.ts'
import type { Client } from '../../support/portal/portal.ts'

const categorySchema = JSON.stringify([
  { title: 'Region', categories: [{ title: 'Europe', categories: [{ title: 'Alps' }] }, { title: 'Asia' }] },
  { title: 'Topic', categories: [{ title: 'Water' }] },
])

async function addItem(client: Client, title: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await client.post('/content/users/admin/addItem', { title, type: 'Web Map', tags: 'maps', ...more })).id
}

test('a rule says which items need a category; what is missing is categorized from its list', async () => {
  await using application = await openApplication({ width: 390 })
  const { page } = application
  await using _jobs = doJobs(application)
  const client = await application.portal.admin()
  await client.post('/portals/self/assignCategorySchema', { categorySchema })
  await addItem(client, 'Lakes', { categories: '/Region/Europe/Alps' })
  await addItem(client, 'Rivers', { categories: '/Region/Europe' })
  const wells = await addItem(client, 'Wells')
  await client.post(`/content/items/${wells}/share`, { everyone: true })
  await application.signIn()
  await page.getByRole('link', { name: 'Coverage of the categories' }).click()
  await application.heading('Coverage of the categories').waitFor()

  // Only what is open is there.
  const tree = page.locator('cartulary-tree')
  const linksNow = () => tree.getByRole('link').allTextContents()
  await expect.poll(linksNow).toEqual(['Region', 'Topic'])
  await tree.getByRole('button', { name: 'Subcategories of Region' }).click()
  await expect.poll(linksNow).toEqual(['Region', 'Europe', 'Asia', 'Topic'])
  await tree.getByText('2 items · 1 directly').waitFor()
  await page.getByRole('button', { name: '3 levels' }).click()
  await expect.poll(linksNow).toEqual(['Region', 'Europe', 'Alps', 'Asia', 'Topic', 'Water'])
  await expect.poll(() => tree.getByText('Empty').count()).toBe(3)
  await expect.poll(() => findBarriersNow(page)).toEqual([])

  const panel = page.locator('cartulary-category-policy')
  await panel.getByRole('paragraph').filter({ hasText: 'No item needs a category.' }).waitFor()
  await panel.getByRole('link', { name: 'Change the rule' }).click()
  await application.heading('Settings').waitFor()
  await panel.getByRole('button', { name: 'Change the rule' }).click()
  await panel.getByRole('combobox', { name: 'Rule' }).selectOption('enforce')
  await panel.getByText('Without one now, by the rule as it is saved: 1 of 1 item.').waitFor()
  await panel.locator('cartulary-category-picker').getByText('Region', { exact: true }).click()
  await panel.getByRole('textbox', { name: 'Types' }).fill('Web Map')
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('paragraph').filter({ hasText: 'cannot be shared more widely' }).waitFor()
  expect((await client.get('/portals/self')).categoryPolicy).toEqual({
    ...{ require: 'enforce', below: ['/Region'], types: ['Web Map'], when: 'public' },
  })

  await panel.getByRole('link', { name: 'Coverage of the categories' }).click()
  await panel.getByRole('link', { name: 'Wells' }).waitFor()
  await panel.getByRole('button', { name: 'Categorize 1 item' }).click()
  const bulk = panel.locator('cartulary-bulk-panel')
  await bulk.getByText('Asia').click()
  await bulk.getByRole('button', { name: 'Apply' }).click()
  await bulk.getByText('1 item changed').waitFor()
  await bulk.getByRole('button', { name: 'Close' }).click()
  await panel.getByText('Without one: 0 of 1 item.').waitFor()
  expect((await client.get(`/content/items/${wells}`)).categories).toEqual(['/Region/Asia'])

  await tree.getByRole('button', { name: 'Subcategories of Region' }).click()
  await tree.getByRole('link', { name: 'Asia' }).click()
  await page.getByText('1–1 of 1').waitFor()

  // A tree that is the only one begins open, and can be closed.
  await client.post('/portals/self/assignCategorySchema', {
    categorySchema: JSON.stringify([{ title: 'All', categories: [{ title: 'Region' }] }]),
  })
  await application.goTo('/content/coverage')
  await expect.poll(linksNow).toEqual(['All', 'Region'])
  await tree.getByRole('button', { name: 'Subcategories of All' }).click()
  await expect.poll(linksNow).toEqual(['All'])

  // Items that have categories of a deleted schema are found by these, and say so.
  await client.post('/portals/self/deleteCategorySchema')
  await application.goTo('/content/coverage')
  await page.getByText('There are no categories yet.').waitFor()
  await expect.poll(() => page.getByText('Empty', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Region › Asia' }).click()
  await page.locator('cartulary-item-list').getByText('not in the schema').waitFor()
  await page.getByRole('link', { name: 'Wells' }).click()
  await page.locator('cartulary-item').getByText('not in the schema').waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('categories are edited in a spreadsheet: what was changed meanwhile is left, the rest is applied and undone', async () => {
  await using application = await openApplication()
  const { page } = application
  await using _jobs = doJobs(application)
  await holdMessages(application)
  const client = await application.portal.admin()
  await client.post('/portals/self/assignCategorySchema', { categorySchema })
  const lakes = await addItem(client, 'Lakes', { categories: '/Region/Europe' })
  const rivers = await addItem(client, 'Rivers')
  await addItem(client, 'Wells', { type: 'Application' })
  const categoriesOf = async (id: string) => (await client.get(`/content/items/${id}`)).categories
  await application.signIn('admin', undefined, '/content?type=Web+Map')
  await page.getByRole('link', { name: 'Spreadsheet' }).click()
  await application.heading('Categories by spreadsheet').waitFor()
  await page.locator('[aria-labelledby=download]').getByText('2 items').waitFor()
  await page.locator('select[name=format]').selectOption('CSV with commas')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the file' }).click(),
  ])
  const text = readFileSync(await saved.path(), 'utf8')
  const edited = text.replace('/Region/Europe', '/Region/Asia | /topic/water').replace(/,(?=\r?\n)/, ',/Water')
  const choose = (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'edited.csv', mimeType: 'text/csv', buffer })

  // An encoding that has to be named, and a category that is none.
  await choose(Buffer.from(edited.replace('\ufeff', '').replace('Lakes', 'Läkes'), 'latin1'))
  await page.getByRole('button', { name: 'Read as Windows-1252' }).click()
  const plan = page.locator('cartulary-sheet-plan')
  await page.getByText('There is no category /Water; did you mean /Topic/Water?').last().waitFor()
  await page.getByRole('button', { name: 'Take /Topic/Water' }).click()
  await plan.getByRole('row', { name: 'Rivers' }).getByText('Topic › Water').waitFor()

  application.portal.clock.now += 1_000
  await client.post('/content/updateItems', { items: JSON.stringify([{ [rivers]: { categories: ['/Region'] } }]) })
  await page.getByRole('button', { name: 'Choose another' }).click()
  await choose(Buffer.from(edited.replace(',/Water', ',/Topic/Water')))
  await page.getByText('1 row is not applied').waitFor()
  await page.locator('.problems').getByText('admin changed the item after the download.').waitFor()
  await plan.getByRole('row', { name: 'Lakes' }).getByText('Topic › Water').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply to 1 item' }).click()
  await page.locator('cartulary-sheet-import').getByText('The file is applied').waitFor()
  expect(await categoriesOf(lakes)).toEqual(['/Region/Asia', '/Topic/Water'])
  expect(await categoriesOf(rivers)).toEqual(['/Region'])

  const runs = page.locator('cartulary-item-runs')
  await runs.getByText('1 item changed from a file').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await runs.getByRole('button', { name: 'Undo' }).waitFor()
  await page.locator('cartulary-undo-messages').getByRole('button', { name: 'Undo' }).click()
  await runs.getByText('Change of 1 item undone').waitFor()
  await page.getByText('The file is applied').waitFor({ state: 'detached' })
  expect(await categoriesOf(lakes)).toEqual(['/Region/Europe'])
  expect(await application.findTroubles()).toEqual([])
})
