import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'

const categorySchema = { categorySchema: [{ title: 'Region', categories: [{ title: 'Alps' }, { title: 'Sea' }] }] }

async function addItem({ page }: Visit, title: string, categories: string): Promise<void> {
  await page.getByLabel('title', { exact: false }).first().fill(title)
  await page.locator('#parameter-type').fill('Web Map')
  await page.locator('#parameter-categories').fill(categories)
  // The heading may still be that of the item before.
  const added = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Add item' }).click()
  await (await added).finished()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
}

test('items are added, sorted into categories, found by them and by words, and counted', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  await visit.goTo('/')
  await visit.signIn()
  await visit.follow('You', 'Your items', 'Add item')
  await addItem(visit, 'Glaciers', '/Region/Alps')
  await addItem(visit, 'Harbours', '/Region/Sea')
  await addItem(visit, 'Lakes', '')

  await visit.follow('Back to Items of the user', 'Lakes', 'As its owner', 'Update item')
  await page.locator('#parameter-categories').fill('/Region/Alps')
  await page.getByRole('button', { name: 'Update item' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()

  await visit.follow('Cartulary directory', 'Search')
  await page.locator('#parameter-categories').fill('/Region/Alps')
  await page.locator('#parameter-countFields').fill('categories')
  await visit.show()
  const counts = page.getByRole('region', { name: 'fieldValues' }).locator('tbody tr')
  await expect.poll(() => counts.allInnerTexts()).toEqual(['/Region\t2', '/Region/Alps\t2'])
  const found = page.locator('.value ol.entries > li > a')
  await expect.poll(async () => (await found.allInnerTexts()).sort()).toEqual(['Glaciers', 'Lakes'])
  await page.locator('#parameter-q').fill('lak*')
  await visit.show()
  await expect.poll(() => found.allInnerTexts()).toEqual(['Lakes'])
  expect(await visit.findTroubles()).toEqual([])
})
