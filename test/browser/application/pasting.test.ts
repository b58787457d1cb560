import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { outline } from '../../support/inputs/outline.ts'
import { adminPassword } from '../../support/portal/portal.ts'

/** A table of a spreadsheet, as it is copied: 3 themes, each with 3 subthemes of 13 topics. */
function copyTable(): string {
  const rows = ['Theme\tSubtheme\tTopic\tDescription']
  for (const theme of ['Water', 'Land', 'Air']) {
    for (let sub = 1; sub <= 3; sub += 1) {
      for (let topic = 1; topic <= 13; topic += 1) {
        rows.push(`${theme}\t${theme} ${sub}\t${theme} ${sub}.${topic}\tAbout ${sub}.${topic}`)
      }
    }
  }
  return rows.join('\r\n')
}

test('a table is pasted by its heading, and read otherwise by the menus of its columns; many trees go below one', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(outline('Old')) })
  await application.signIn('admin', adminPassword, '/organization/schema')
  await page.getByRole('treeitem').first().waitFor()
  await page.getByRole('button', { name: 'Paste …' }).click()
  const text = page.getByLabel('List, table or JSON')
  const action = page.locator('wa-dialog[open]').getByRole('button', { name: 'Import', exact: true })
  await page.getByText('Paste something first.').waitFor()
  await expect.poll(() => action.isDisabled()).toBe(true)

  await text.fill(copyTable())
  await page.getByLabel('Replace everything here').check()
  await page.getByText('129 categories', { exact: true }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  // Without its heading, that is a category, and the descriptions are titles.
  await page.getByLabel('The table has a heading').uncheck()
  await page.getByText('250 categories', { exact: true }).waitFor()
  await page.getByText('A schema has at most 200 categories.').waitFor()
  await page.getByLabel('The table has a heading').check()
  await page.getByLabel('What the column Topic is').selectOption({ label: 'Not used' })
  await page.getByText('12 categories', { exact: true }).waitFor()
  await page.getByLabel('What the column Topic is').selectOption({ label: 'Level 3' })
  await page.getByText('129 categories', { exact: true }).waitFor()
  await action.click()
  await page.getByRole('treeitem', { name: 'Water 3.13' }).waitFor()
  await page.getByRole('treeitem', { name: 'Water 3.13' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('About 3.13')

  // All of it is there: nothing can be taken over, and the dialog says why.
  await page.getByRole('button', { name: 'Paste …' }).click()
  await text.fill(copyTable())
  await page.getByLabel('Merge').check()
  await page.getByText('All of it is here already.').waitFor()
  await expect.poll(() => action.isDisabled()).toBe(true)

  const tops = 'ABCDEFGH'.split('')
  await text.fill(tops.map((top) => `- ${top}`).join('\n'))
  await page.getByLabel('Replace everything here').check()
  await page.getByText('9 categories', { exact: true }).waitFor()
  const root = page.getByLabel('Put all of it below one category')
  await root.uncheck()
  await page.getByText('A schema has at most 5 trees.').waitFor()
  await expect.poll(() => action.isDisabled()).toBe(true)
  await root.check()
  await page.getByLabel('Title of that category').fill('Topics')
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await action.click()
  await page.getByRole('treeitem', { name: 'Topics' }).waitFor()
  expect(await application.findTroubles()).toEqual([])
})
