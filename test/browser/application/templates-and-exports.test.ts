import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { outline } from '../../support/inputs/outline.ts'
import { sketch } from '../../support/inputs/sketch.ts'
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
  await expect.poll(() => page.evaluate('Boolean(window.printed)')).toBe(true)
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

test('a template is saved, begins the schema of another group, and is deleted; so do the organization and groups', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  const [coasts, hills] = [await admin.createGroup('Coasts'), await admin.createGroup('Hills')]
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(outline('Themes', '  Sea')) })
  await admin.post(`/community/groups/${coasts.id}/assignCategorySchema`, {
    categorySchema: JSON.stringify(outline('Shores', '  Sand')),
  })
  await application.signIn('admin', adminPassword, `/groups/${coasts.id}/schema/import`)
  const templates = page.locator('cartulary-templates')
  await templates.getByRole('button', { name: 'Save as a template' }).click()
  const name = page.getByLabel('Name for programs')
  await expect.poll(() => name.inputValue()).toBe('coasts')
  await page.getByLabel('Title', { exact: true }).fill('Shores & more')
  await expect.poll(() => name.inputValue()).toBe('shores-more')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await templates.getByRole('link', { name: 'Shores & more' }).waitFor()

  await application.walkTo(`/groups/${hills.id}/schema/import`)
  await templates.getByRole('button', { name: 'Save as a template' }).click()
  await page.getByText('Nothing is published yet.').waitFor()
  await page.keyboard.press('Escape')
  await templates.getByRole('link', { name: 'Shores & more' }).click()
  await templates.getByText('Sand').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await templates.getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('2 added').waitFor()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.locator('strong').getByText('Published as version 1').waitFor()

  // The schema of another owner is added to the present one: nothing is removed by it.
  await application.walkTo(`/groups/${hills.id}/schema/import`)
  await templates.getByRole('link', { name: 'Categories of the organization' }).click()
  await templates.getByText('Sea').waitFor()
  await templates.getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('2 added').waitFor()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  const schema = await admin.get(`/community/groups/${hills.id}/categorySchema`)
  expect(sketch(schema)).toBe('Shores (Sand), Themes (Sea)')

  await application.walkTo('/organization/schema/import')
  await templates.getByLabel('Categories of a group').selectOption({ label: 'Hills' })
  await templates.getByText('Sand').waitFor()
  await templates.getByRole('link', { name: 'Shores & more' }).click()
  await templates.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('Delete the template ').waitFor()
  await page.locator('wa-dialog[open]').getByRole('button', { name: 'Delete template' }).click()
  await templates.getByText('None yet.').waitFor()
  const { templates: left } = await admin.get('/portals/self/categorySchemaTemplates')
  expect(left).toEqual([])
  expect(await application.findTroubles()).toEqual([])
})
