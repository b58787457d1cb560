import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'
import { pollValue } from '../support/browser/value.ts'
import type { Client } from '../support/portal/portal.ts'

const title = 'Import category schema (organization)'
const isoWaters = '/ISO topic categories/Inland Waters'

/** Sends the form of the page, and waits for an answer under this heading. */
async function send({ page }: Visit, name: string, heading: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

function field({ page }: Visit, name: string) {
  return page.locator(`#parameter-${name}`)
}

/** The cells that a table has now, row by row. */
function cellsNow({ page }: Visit, name: string): Promise<readonly string[]> {
  const rows = page.getByRole('region', { name, exact: true }).locator('tbody tr')
  return rows.allInnerTexts()
}

async function save({ page }: Visit, name: string): Promise<{ readonly name: string; readonly text: string }> {
  const button = page.getByRole('button', { name, exact: true })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

async function addItem(admin: Client, name: string, categories: string): Promise<string> {
  const added = await admin.post('/content/users/admin/addItem', { title: name, type: 'Web Map', categories })
  return added.id
}

test('a schema begins with a template, is edited as a table, and changed for the version that was seen', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  await visit.goTo('/portals/self')
  await visit.signIn()

  await visit.follow('Category schema templates', 'ISO topic categories')
  await visit.follow("Use it as your organization's category schema")
  await page.getByRole('checkbox').check()
  await send(visit, title, 'Dry run: nothing was changed')
  await expect.poll(() => field(visit, 'ifVersion').inputValue()).toBe('0')
  await field(visit, 'dryRun').selectOption('false')
  await send(visit, title, 'Done')
  const rivers = await addItem(admin, 'Rivers', isoWaters)

  await visit.follow('Back to Category schema (organization)', 'Export category schema (organization)')
  await field(visit, 'format').selectOption('csv')
  const exported = await save(visit, 'Export category schema (organization)')
  expect(exported.name).toBe('categorySchema.csv')
  const edited = exported.text.replace('Inland Waters', 'Waters').replace(/.*Farming.*\r\n/, '')

  await visit.follow('Category schema (organization)', title)
  await field(visit, 'file').setInputFiles({ name: 'topics.csv', mimeType: 'text/csv', buffer: Buffer.from(edited) })
  await send(visit, title, 'Dry run: nothing was changed')
  await expect
    .poll(async () => (await cellsNow(visit, 'changes')).map((row) => row.split('\t').slice(0, 2)))
    .toEqual([
      ['add', '/ISO topic categories/Waters'],
      ['remove', '/ISO topic categories/Farming'],
      ['remove', isoWaters],
    ])
  await expect.poll(() => cellsNow(visit, 'byPath')).toEqual([`${isoWaters}\t1`])
  await expect.poll(() => cellsNow(visit, 'suggestions')).toEqual([expect.stringContaining(`${isoWaters}\t`)])

  // The move is offered, declared by the user, and the file is still chosen.
  await expect.poll(() => field(visit, 'moves').inputValue()).toBe('')
  const offered = await pollValue(
    async () => (await page.locator('form.call pre').textContent()) ?? '',
    (text) => text !== '',
  )
  await field(visit, 'moves').fill(offered)
  await field(visit, 'dryRun').selectOption('false')
  await field(visit, 'ifVersion').fill('0')
  await send(visit, title, 'Unable to assign category schema.')
  await visit.answer.getByRole('listitem').getByText('The schema is at version 1, not 0: admin changed it at').waitFor()
  await field(visit, 'ifVersion').fill('1')
  await field(visit, 'comment').fill('Shorter')
  await send(visit, title, 'Done')
  expect((await admin.get(`/content/items/${rivers}`)).categories).toEqual(['/ISO topic categories/Waters'])

  await visit.follow('Back to Category schema (organization)', 'Versions of the category schema (organization)')
  await visit.follow('Restore version 1')
  await expect.poll(() => field(visit, 'ifVersion').inputValue()).toBe('2')
  await expect.poll(() => field(visit, 'dryRun').inputValue()).toBe('true')
  // A page that reads saves what it reads, too.
  await visit.goTo('/portals/self/history')
  await field(visit, 'actions').fill('importCategorySchema')
  await field(visit, 'outcome').selectOption('refused')
  await field(visit, 'f').selectOption('csv')
  const log = await save(visit, 'Show')
  expect([log.name, log.text.split('\r\n').length]).toEqual(['history.csv', 3])
  expect(await visit.findTroubles()).toEqual([])
})

test('a plan is made by the form of its page, which keeps what was planned', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const group = await (await portal.admin()).createGroup('Land cover')
  await visit.goTo(`/community/groups/${group.id}`)
  await visit.signIn()
  await visit.follow('Plan (group)')
  const wish = '{"categorySchema":[{"title":"Region"}]}'
  await page.getByLabel('categorySchema').fill(wish)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('cell', { name: '/Region', exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('categorySchema').inputValue()).toBe(wish)
  // A schema may be longer than an address.
  await expect.poll(() => new URL(page.url()).search).toBe('')
  expect(await visit.findTroubles()).toEqual([])
})

test('without scripts, tables and forms are the same', async () => {
  await using visit = await openVisit({ javaScriptEnabled: false })
  const { page, portal } = visit
  const admin = await portal.admin()
  await page.setExtraHTTPHeaders({ 'X-Esri-Authorization': `Bearer ${admin.token}` })
  await visit.goTo('/portals/self/categorySchema/import')
  const buffer = Buffer.from('path\n/Region\n/Region/Alps\n')
  const choose = () => field(visit, 'file').setInputFiles({ name: 'region.csv', mimeType: 'text/csv', buffer })
  await choose()
  await send(visit, title, 'Dry run: nothing was changed')
  await expect.poll(() => cellsNow(visit, 'changes')).toEqual([expect.stringContaining('/Region')])
  await choose()
  await field(visit, 'dryRun').selectOption('false')
  await send(visit, title, 'Done')

  await visit.goTo('/portals/self/categorySchema/import')
  await field(visit, 'text').fill('path\n/Region\n/Region/Sea\n')
  await send(visit, title, 'Dry run: nothing was changed')
  await expect.poll(() => field(visit, 'text').inputValue()).toBe('path\n/Region\n/Region/Sea\n')

  await visit.goTo('/portals/self/categorySchema/export')
  await field(visit, 'format').selectOption('csv')
  const exported = await save(visit, 'Export category schema (organization)')
  expect(exported.text).toContain('/Region/Alps')

  await visit.goTo('/portals/self/history')
  await field(visit, 'actions').fill('importCategorySchema')
  await visit.show()
  await expect.poll(async () => (await cellsNow(visit, 'items')).length).toBe(1)
})
