import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { outline } from '../../support/inputs/outline.ts'
import { adminPassword } from '../../support/portal/portal.ts'

test('what is published is saved with the choices of the form, and printed as a tree alone, in dark as well', async () => {
  await using application = await openApplication({ language: 'de', colours: 'dark' })
  const { page, portal } = application
  const admin = await portal.admin()
  const { categorySchema } = outline('Themen', '  Gewässer', '    Flüsse')
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify({ categorySchema }) })
  await page.addInitScript('window.print = () => { window.printed = true }')
  await application.signIn('admin', adminPassword, '/organization/schema/import')

  const form = page.locator('cartulary-export')
  const save = async (format: string): Promise<readonly [string, Buffer]> => {
    await form.getByLabel('Format').selectOption(format)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      form.getByRole('button', { name: 'Datei speichern' }).click(),
    ])
    return [download.suggestedFilename(), await readFile(await download.path())]
  }
  const textOf = ([name, bytes]: readonly [string, Buffer]) => [name, bytes.toString()]
  expect(textOf(await save('json'))).toEqual(['categories.json', JSON.stringify({ categorySchema })])
  expect(textOf(await save('text'))).toEqual(['categories.txt', expect.stringMatching(/^Themen\r?\n {2}Gewässer\r?\n/)])
  expect(textOf(await save('skos'))).toEqual(['categories.ttl', expect.stringContaining('@prefix')])
  expect(textOf(await save('csv'))).toEqual([
    'categories.csv',
    expect.stringMatching(/^\ufeffpath;description;source;id\r\n\/Themen;;;\/Themen\r\n/),
  ])
  await form.getByLabel('Datei für Excel kennzeichnen').uncheck()
  await form.getByLabel('Mit Kennungen').uncheck()
  await form.getByLabel('Bedeutung einer Zeile').selectOption('levels')
  expect(textOf(await save('csv'))).toEqual([
    'categories.csv',
    expect.stringMatching(/^level1;level2;level3;description;source\r\nThemen;/),
  ])
  const [name, workbook] = await save('xlsx')
  expect([name, workbook.subarray(0, 2).toString()]).toEqual(['categories.xlsx', 'PK'])
  await expect.poll(() => findBarriersNow(page)).toEqual([])

  await form.getByLabel('Format').selectOption('print')
  await form.getByRole('button', { name: 'Drucken' }).click()
  await page.waitForFunction('window.printed')
  await expect.poll(() => page.locator('cartulary-printed-schema').isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  const paper = page.locator('cartulary-printed-schema')
  await paper.getByText('Flüsse').waitFor()
  await paper.getByText(/^Version 1 · .*2026.* · 3 Kategorien$/).waitFor()
  await expect.poll(() => page.locator('cartulary-app').isVisible()).toBe(false)
  await expect
    .poll(() => page.evaluate(`getComputedStyle(document.querySelector('cartulary-printed-schema')).color`))
    .toBe('rgb(0, 0, 0)')
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))')
  await expect.poll(() => paper.count()).toBe(0)
  expect(await application.findTroubles()).toEqual([])
})
