import { expect, test } from 'vitest'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { countDraftsNow } from '../../support/browser/drafts.ts'
import { tabToName } from '../../support/browser/keyboard.ts'
import { outline } from '../../support/inputs/outline.ts'
import { sketch } from '../../support/inputs/sketch.ts'

const files = '/organization/schema/import'

function button({ page }: Application, name: string) {
  return page.getByRole('button', { name, exact: true })
}

test('a file with a wrong row is refused by its row; mended, it goes into the draft; a list is added immediately', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  const readSketch = async () => sketch(await admin.get('/portals/self/categorySchema'))
  await application.signIn()
  // By a link of the editor: what both screens are made of is on one page.
  await application.goTo('/organization/schema')
  await page.getByRole('link', { name: 'Import and export' }).first().click()
  const preview = page.locator('cartulary-import-file').getByRole('button', { name: 'Show what it would change' })
  await preview.click()
  await page.getByRole('alert').getByText('Choose a file or paste a text first.').waitFor()

  const rows = (third: string) =>
    `level1,level2,description\r\nThemes,,\r\nThemes,Water,wet\r\nThemes,${third},\r\nThemes,Water,again\r\n`
  const choose = (text: string) =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'themes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose(rows('Land/Sea'))
  await preview.click()
  await page.getByRole('heading', { name: 'Preview: themes.csv' }).waitFor()
  await page
    .getByRole('alert')
    .getByText(/^Row 4: .*reserved character/)
    .waitFor()
  await expect.poll(() => button(application, 'Put into the draft').count()).toBe(0)
  await button(application, 'Choose another').click()
  await choose(rows('Land'))
  await preview.click()
  await page.getByRole('row', { name: /^5 / }).waitFor()
  await page.getByText('Nothing is written yet.').waitFor()
  expect(await readSketch()).toBe('')
  await expect.poll(() => countDraftsNow(application)).toBe(0)
  await page.getByLabel('Why').fill('From the spreadsheet')
  // A browser whose storage is full says so, and nothing is lost.
  await page.evaluate('Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }')
  await button(application, 'Put into the draft').click()
  await page.getByRole('alert').getByText('The browser did not save the draft').waitFor()
  await page.evaluate('Storage.prototype.setItem = function (name, value) { this[name] = value }')
  await button(application, 'Put into the draft').click()
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('4 added').waitFor()
  // No item loses a category, so nothing is asked about such items.
  await expect.poll(() => page.getByLabel('Items whose category is removed').count()).toBe(0)
  await page.getByText('Two categories have the path /Themes/Water; items cannot tell them apart.').waitFor()
  await expect.poll(() => page.getByLabel('Why').inputValue()).toBe('From the spreadsheet')
  await button(application, 'Publish').click()
  await page.locator('strong').getByText('Published as version 1').waitFor()
  expect(await readSketch()).toBe('Themes (Water: wet, Land, Water: again)')

  await application.goTo(files)
  await page.getByRole('link', { name: 'ISO topic categories' }).click()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?template=/)
  const templates = page.locator('cartulary-templates')
  await templates.getByText('Inland Waters').waitFor()
  await templates.getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('20 added').waitFor()
  await button(application, 'Publish now').click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  const { categorySchema } = await admin.get('/portals/self/categorySchema')
  expect(categorySchema).toHaveLength(2)

  expect(await application.findTroubles()).toEqual([])
})

test('by keyboard alone: a list is pasted, replaces a draft after a question, and is published; a file is dropped', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  const group = await admin.createGroup('Coasts')
  await application.signIn()
  await application.goTo(`/groups/${group.id}/schema/import`)
  const tabTo = (name: string) => tabToName(application, name)
  const pasted = async (...lines: readonly string[]) => {
    await tabTo('Pasted text')
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(lines.join('\n'))
    await tabTo('Show what it would change')
    await page.keyboard.press('Enter')
    await button(application, 'Put into the draft').waitFor()
    await tabTo('Put into the draft')
    await page.keyboard.press('Enter')
  }
  await page.getByText('Coasts').waitFor()
  await pasted('Shores', '  Sand', '    Dunes')
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('3 added').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'From a file' }).waitFor()
  await pasted('Shores', '  Sand', '  Rock')
  await page.locator('wa-dialog[open]').getByRole('button').and(page.locator(':focus')).waitFor()
  await tabTo('Replace it')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('Rock').waitFor()
  await tabTo('Publish')
  await page.keyboard.press('Enter')
  await page.locator('strong').getByText('Published as version 1').waitFor()
  const schema = await admin.get(`/community/groups/${group.id}/categorySchema`)
  expect(sketch(schema)).toBe('Shores (Sand, Rock)')

  await page.goto(`${application.origin}/groups/${group.id}/schema/import`)
  const drop = page.locator('.drop')
  await drop.waitFor()
  const dropped = await page.evaluateHandle<unknown, string>(
    (text) => {
      const transfer = new (
        globalThis as never as { DataTransfer: new () => { items: { add(file: File): void } } }
      ).DataTransfer()
      transfer.items.add(new File([text], 'shores.json'))
      return transfer
    },
    JSON.stringify(outline('Shores', '  Ice')),
  )
  await drop.dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('shores.json').waitFor()
  // The last input given counts, and the page says which one that is.
  await page.getByLabel('Pasted text').fill('Shores')
  await page.getByText('shores.json').waitFor({ state: 'detached' })
  await drop.dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('shores.json is used, not the pasted text.').waitFor()
  await page.locator('cartulary-import-file').getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('1 added').waitFor()
  await page.getByText('2 removed').waitFor()
  expect(await application.findTroubles()).toEqual([])
})
