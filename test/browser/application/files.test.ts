import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { button, openApplication } from '../../support/browser/application.ts'
import { countDraftsNow } from '../../support/browser/drafts.ts'
import { keyboardOf } from '../../support/browser/keyboard.ts'
import { outline } from '../../support/inputs/outline.ts'
import { sketch } from '../../support/inputs/sketch.ts'
import { inlineRows, workbookFile } from '../../support/inputs/workbook-file.ts'

const files = '/organization/schema/import'

/** Reads again until there are none. */
function pollNone(findNow: () => Promise<readonly string[]>): Promise<void> {
  return expect.poll(findNow).toEqual([])
}

/** Nine themes with two subthemes each, as a spreadsheet copies its cells. */
const themes = Array.from({ length: 9 }, (_, at) => `Theme ${at + 1}`)
const cells = [
  ['Theme', 'Subtheme', 'Description'],
  ...themes.flatMap((theme) => ['Land', 'Sea'].map((below) => [theme, `${below} of ${theme}`, `About ${below}`])),
]

test('cells of a spreadsheet have menus above their columns, and one root for many themes; they go into the draft', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await application.signIn()
  // By a link of the editor: what both screens are made of is on one page.
  await application.goTo('/organization/schema')
  await page.getByRole('link', { name: 'Import and export' }).first().click()
  const preview = page.locator('cartulary-import-file').getByRole('button', { name: 'Show what it would change' })
  await preview.click()
  await page.getByRole('alert').getByText('Choose a file or paste a text first.').waitFor()
  await page.getByLabel('Pasted text').fill(cells.map((row) => row.join('\t')).join('\n'))
  await preview.click()
  await page.getByText('CSV (spreadsheet), 19 rows; heading in row 1. Nothing is written yet.').waitFor()
  const menu = (column: string) => page.getByLabel(`What the column ${column} is`)
  const chosenNow = () => Promise.all(['Theme', 'Subtheme', 'Description'].map((column) => menu(column).inputValue()))
  await expect.poll(chosenNow).toEqual(['level1', 'level2', 'description'])
  await page.getByText('28 added').waitFor()
  await expect.poll(() => page.getByLabel('Add to what is there').isChecked()).toBe(true)

  // More trees than a schema has: the root that was made can be named, and be left out.
  await page.getByRole('row', { name: /The file has 9 trees/ }).waitFor()
  await expect.poll(() => page.getByLabel('Its title').inputValue()).toBe('Categories')
  await page.getByLabel('Put everything below one category').uncheck()
  await page.getByRole('alert').getByText('It cannot be imported like this.').waitFor()
  await page.getByLabel('Put everything below one category').check()
  await page.getByLabel('Its title').fill('Themes')
  await page.getByLabel('Its title').press('Enter')
  await page.locator('cartulary-difference').getByText('Themes', { exact: true }).waitFor()

  // A menu keeps the focus while the file is read again.
  await menu('Subtheme').focus()
  await menu('Subtheme').selectOption('Not used')
  await page.getByText('10 added').waitFor()
  await expect.poll(chosenNow).toEqual(['level1', 'ignore', 'description'])
  await menu('Subtheme').and(page.locator(':focus')).selectOption('Level 2')
  await page.getByText('28 added').waitFor()
  await page.getByLabel('Row of the heading').fill('2')
  await page.getByLabel('Row of the heading').press('Enter')
  await page.getByText('heading in row 2. Nothing').waitFor()
  await page.getByLabel('The table has a heading').uncheck()
  await page.getByText('19 rows; no heading. Nothing').waitFor()
  await page.getByText('30 added').waitFor()
  await page.getByLabel('The table has a heading').check()
  await page.getByText('heading in row 1. Nothing').waitFor()
  await page.getByText('28 added').waitFor()
  await pollNone(() => findBarriersNow(page))
  await expect.poll(() => countDraftsNow(application)).toBe(0)

  await page.getByLabel('Why').fill('From the spreadsheet')
  // A browser whose storage is full says so, and nothing is lost.
  await page.evaluate('Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }')
  await button(application, 'Put into the draft').click()
  await page.getByRole('alert').getByText('The browser did not save the draft').waitFor()
  await page.evaluate('Storage.prototype.setItem = function (name, value) { this[name] = value }')
  await button(application, 'Put into the draft').click()
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('28 added').waitFor()
  // No item loses a category, so nothing is asked about such items.
  await expect.poll(() => page.getByLabel('Items whose category is removed').count()).toBe(0)
  await expect.poll(() => page.getByLabel('Why').inputValue()).toBe('From the spreadsheet')
  await button(application, 'Publish').click()
  await page.locator('strong').getByText('Published as version 1').waitFor()
  const next = page.locator('cartulary-what-next').getByRole('link')
  const firsts = ['Add items, one by one or from a list', 'Add people', 'Share your items with a group']
  await expect.poll(() => next.allTextContents()).toEqual(firsts)
  for (const title of ['Map', 'Plan']) await admin.post('/content/users/admin/addItem', { title, type: 'Web Map' })
  const written = themes.map((theme) => `${theme} (Land of ${theme}: About Land, Sea of ${theme}: About Sea)`)
  expect(sketch(await admin.get('/portals/self/categorySchema'))).toBe(`Themes (${written.join(', ')})`)

  await application.goTo(files)
  await page.getByRole('link', { name: 'ISO topic categories' }).click()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?template=/)
  const templates = page.locator('cartulary-templates')
  await templates.getByText('Inland Waters').waitFor()
  await templates.getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('20 added').waitFor()
  await button(application, 'Publish now').click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  await expect.poll(() => next.first().textContent()).toBe('Give categories to the 2 items without one')
  const { categorySchema } = await admin.get('/portals/self/categorySchema')
  expect(categorySchema).toHaveLength(2)
  expect(await application.findTroubles()).toEqual([])
})

test('by keyboard alone: a list is pasted, replaces a draft after a question, and is published; a file that is dropped is shown', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  const group = await admin.createGroup('Coasts')
  await application.signIn()
  await application.goTo(`/groups/${group.id}/schema/import`)
  const { enter, tabTo } = keyboardOf(application)
  const pasted = async (...lines: readonly string[]) => {
    await tabTo('Pasted text')
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(lines.join('\n'))
    await enter('Show what it would change')
    await button(application, 'Put into the draft').waitFor()
    await enter('Put into the draft')
  }
  await page.getByText('Coasts').waitFor()
  await pasted('Shores', '  Sand', '    Dunes')
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('3 added').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'From a file' }).waitFor()
  await pasted('Shores', '  Sand', '  Rock')
  await page.locator('wa-dialog[open]').getByRole('button').and(page.locator(':focus')).waitFor()
  await enter('Replace it')
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('Rock').waitFor()
  await enter('Publish')
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
  await page.getByRole('heading', { name: 'Preview: shores.json' }).waitFor()
  await page.getByText('1 added').waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('files of Excel are read, its CSV of Windows too, and any sheet; a wrong cell is marked with its reason', async () => {
  await using application = await openApplication()
  const { page } = application
  await application.signIn('admin', undefined, files)
  const choose = (...rows: readonly string[]) =>
    page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'gewässer.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\r\n'), 'latin1'),
    })
  await choose('Titel;Parent', 'Gewässer;', 'Fluß;Gewaesser')
  await page.getByRole('alert').getByText('Line 2 is not UTF-8').waitFor()
  await button(application, 'Read as Windows-1252').click()
  await page.getByText('CSV (spreadsheet), 3 rows; heading in row 1.').waitFor()
  await page.getByText('1 place is wrong').waitFor()
  const reason = 'The parent Gewaesser is not in the file'
  const wrong = page.getByRole('cell', { name: 'Wrong Gewaesser' })
  await wrong.waitFor()
  // axe names descriptions that are not there; this one says why.
  await expect.poll(() => page.locator(`#reason-3`).textContent()).toContain(reason)
  await expect.poll(() => wrong.getAttribute('aria-describedby')).toBe('reason-3')
  await expect.poll(() => button(application, 'Put into the draft').count()).toBe(0)
  await pollNone(() => findBarriersNow(page))
  // The table says all of it.
  await expect.poll(() => page.locator('wa-callout').count()).toBe(1)
  await button(application, 'Choose another').click()
  await choose('Ebene1;Ebene2', 'Wasser;See', 'Boden;', ...Array.from({ length: 6 }, () => ';'.repeat(3).concat('x')))
  await page.getByText('6 places are wrong').waitFor()
  await page.getByText('Row 4 has no title. 6 rows, first row 4').waitFor()
  const [number, cell] = ['th > span', 'td > bdi'].map((text) => page.locator('tbody tr').nth(1).locator(text).first())
  await expect.poll(async () => (await number!.boundingBox())!.y - (await cell!.boundingBox())!.y).toBe(0)
  await button(application, 'Choose another').click()
  // Another file of the same program is read so without a question.
  await choose('Titel;Parent', 'Gewässer;', 'Meer;Gewässer')
  await page.getByText('2 added').waitFor()
  await expect.poll(() => page.getByText('wrong').count()).toBe(0)
  await button(application, 'Choose another').click()
  const sheets = [
    { name: 'Notes', xml: inlineRows([['Nothing here']]) },
    { name: 'Themes', xml: inlineRows([['Town'], ['Thema', 'Beschreibung'], ['Wasser', 'Nass']]) },
  ]
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'themes.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(workbookFile({ sheets })),
  })
  await page.getByText('Excel workbook, sheet Notes, 1 row; no heading. Nothing').waitFor()
  await page.locator('cartulary-reading-options').getByLabel('Sheet').selectOption('Themes')
  await page.getByText('Excel workbook, sheet Themes, 3 rows; heading in row 2. Nothing').waitFor()
  await page.getByText('Nass').filter({ visible: true }).first().waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('of a thesaurus that is too deep, a branch is chosen by its label; the call that repeats it is shown', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await application.signIn('admin', undefined, files)
  const branches = ['Soil', 'Water', 'Air', 'Ice', 'Fire', 'Wood', 'Metal', 'Sand', 'Salt']
  const concept = (id: string, label: string, narrower = '') =>
    `:${id} a skos:Concept ; skos:prefLabel "${label}"@en, "${label} (de)"@de ${narrower && `; skos:narrower :${narrower}`} .`
  const turtle = [
    '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <https://example.org/> .',
    ':all a skos:ConceptScheme ; skos:prefLabel "All"@en .',
    ':top a skos:Concept ; skos:prefLabel "Top"@en ; skos:topConceptOf :all .',
    ...branches.flatMap((label, at) => [
      `:top skos:narrower :a${at} .`,
      concept(`a${at}`, label, `b${at}`),
      concept(`b${at}`, `${label} 2`, `c${at}`),
      concept(`c${at}`, `${label} 3`, `d${at}`),
      concept(`d${at}`, `${label} 4`),
    ]),
  ].join('\n')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: "the 'deep' one.ttl", mimeType: 'text/turtle', buffer: Buffer.from(turtle) })
  await page.getByRole('alert').getByText('there may be 4 levels and 200 categories').waitFor()
  await page.getByLabel('Find a branch').fill('sa')
  const labelsNow = () => page.locator('cartulary-reading-options .branches .tick').allTextContents()
  await expect
    .poll(async () => (await labelsNow()).map((text) => text.trim().split(/\s{2,}/)[0]))
    .toEqual(['The whole file', 'Salt 4 levels, 4 categories', 'Sand 4 levels, 4 categories'])
  await page.getByRole('radio', { name: /^Sand/ }).check()
  await page.getByText('4 added').waitFor()
  const language = page.getByLabel('Language of the titles')
  await expect.poll(() => language.locator('option').allTextContents()).toEqual(['English (38)', 'German (36)'])
  await language.selectOption('German (36)')
  await page.locator('cartulary-difference').getByText('Sand 4 (de)').waitFor()
  await pollNone(() => findBarriersNow(page))

  await page.getByText('The call that repeats this import').first().click()
  const command = page.getByRole('region', { name: 'The call that repeats this import' })
  await expect
    .poll(() => command.textContent())
    .toBe(
      [
        'curl -H "Authorization: Bearer $TOKEN"',
        `-F 'file=@"the '\\''deep'\\'' one.ttl"'`,
        '--form-string language=de',
        '--form-string mode=merge',
        '--form-string root=https://example.org/a7',
        '--form-string dryRun=false',
        '--form-string ifVersion=0',
        `'${application.origin}/sharing/rest/portals/self/categorySchema/import?f=json'`,
      ].join(' \\\n  '),
    )
  await button(application, 'Publish now').click()
  await page.locator('strong').getByText('Published as version 1').waitFor()
  const schema = await admin.get('/portals/self/categorySchema')
  expect(sketch(schema)).toBe('Sand (de) (Sand 2 (de) (Sand 3 (de) (Sand 4 (de))))')
  expect(await application.findTroubles()).toEqual([])
})

test('what a file would remove is seen before it is published; items follow renames that are confirmed, or known', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  const before = outline('Themes', '  Water', '    Rivers', '  Soil', '  Roads')
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(before) })
  const addItem = async (categories: string): Promise<string> =>
    (await admin.post('/content/users/admin/addItem', { title: categories, type: 'Web Map', categories })).id
  const river = await addItem('/Themes/Water/Rivers')
  await addItem('/Themes/Roads')
  await application.signIn('admin', undefined, files)
  await page.getByLabel('Pasted text').fill('Themes\n  Waters\n    Rivers\n  Soil')
  await page.locator('cartulary-import-file').getByRole('button', { name: 'Show what it would change' }).click()
  // Nothing is removed unless that is asked for.
  await page.getByText('2 added').waitFor()
  await expect.poll(() => page.locator('.removals').count()).toBe(0)
  await page.getByLabel('Replace everything').check()
  await page.getByText('3 categories would be removed').waitFor()
  const removedNow = () => page.locator('.removals li').allTextContents()
  await expect.poll(removedNow).toEqual(['/Themes/Water · 1 item', '/Themes/Roads · 1 item'])
  await page.getByText('2 items have a category that would not be there any more.').waitFor()
  // It stands above everything else that was read.
  await expect
    .poll(() =>
      page
        .locator('cartulary-import-preview .stack > *')
        .nth(1)
        .evaluate(({ className }) => className),
    )
    .toBe('removals')

  await page.getByLabel('/Themes/Water becomes /Themes/Waters').check()
  await page.getByText('1 category would be removed').waitFor()
  await expect.poll(removedNow).toEqual(['/Themes/Roads · 1 item'])
  await expect.poll(() => page.getByLabel('/Themes/Water becomes /Themes/Waters').isChecked()).toBe(true)
  await pollNone(() => findBarriersNow(page))
  await button(application, 'Publish now').click()
  await page.getByRole('alert').getByText('Look at what would be removed').waitFor()
  const seen = page.getByLabel('I have seen what would be removed')
  await seen.and(page.locator(':focus')).check()
  await button(application, 'Publish now').click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  expect(sketch(await admin.get('/portals/self/categorySchema'))).toBe('Themes (Waters (Rivers), Soil)')
  expect((await admin.get(`/content/items/${river}`)).categories).toEqual(['/Themes/Waters/Rivers'])

  // A file that was exported with identifiers says by itself what has another name.
  await application.goTo(files)
  await page.getByLabel('Pasted text').fill('path,id\n/Themes,/Themes\n/Themes/Lakes,/Themes/Waters')
  await page.locator('cartulary-import-file').getByRole('button', { name: 'Show what it would change' }).click()
  await page.getByText('By its identifiers, the file has 1 category under another name').waitFor()
  await page.locator('[aria-labelledby=renames]').getByText('/Themes/Waters becomes /Themes/Lakes').waitFor()
  await button(application, 'Put into the draft').click()
  await page.getByRole('heading', { name: 'Review and publish' }).waitFor()
  await page.getByText('1 item follows a move.').waitFor()
  await button(application, 'Publish').click()
  await page.locator('strong').getByText('Published as version 3').waitFor()
  expect(sketch(await admin.get('/portals/self/categorySchema'))).toBe('Themes (Lakes (Rivers), Soil)')
  expect((await admin.get(`/content/items/${river}`)).categories).toEqual(['/Themes/Lakes/Rivers'])
  expect(await application.findTroubles()).toEqual([])
})
