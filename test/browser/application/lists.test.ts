import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { inlineRows, workbookFile } from '../../support/inputs/workbook-file.ts'

const schema = { categorySchema: [{ title: 'Region', categories: [{ title: 'Europe' }, { title: 'Asia' }] }] }

test('items come from a list; what was added is not added again when its sharing fails', async ({
  application,
  page,
  portal,
}) => {
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(schema) })
  for (let number = 0; number < 101; number += 1) await admin.createGroup(`Maps ${String(number).padStart(3, '0')}`)
  const { id: group } = await admin.createGroup('Zones of water')
  await application.signIn('admin', undefined, '/content/new')
  await page.getByText('Several items from a list').click()
  const list = page.locator('cartulary-list-import')
  await list
    .getByLabel('Pasted text')
    .fill(
      [
        'Titel\tKategorie\tGruppe\tSeitenzahl',
        'Lakes\t/Region/Europe\tZones of water\t7',
        'Rivers\tasia\tZones of water',
        'Wells\tAtlantis',
        '\t/Region/Asia',
      ].join('\n'),
    )
  await list.getByRole('button', { name: 'Show the rows' }).click()
  await list.getByText('Columns not used: Seitenzahl').waitFor()
  await list.getByText('3 rows are not applied').waitFor()
  await list.getByRole('button', { name: 'Take /Region/Asia' }).click()
  await list.getByRole('button', { name: 'Leave 2 rows out' }).click()
  await expect.poll(() => findBarriersNow(page)).toEqual([])

  await page.route('**/share', (route) => route.abort(), { times: 1 })
  await list.getByRole('button', { name: 'Add 2 items' }).click()
  await list.getByRole('button', { name: 'Add 2 items' }).and(page.locator(':not([loading])')).waitFor()
  const found = () => admin.get('/search', { q: `owner:admin type:"Web Map"` })
  await expect.poll(async () => (await found()).total).toBe(2)
  await list.getByRole('button', { name: 'Add 2 items' }).click()
  await page.getByText('2 items were added').waitFor()
  const { results } = await found()
  expect(results.map(({ title }: { title: string }) => title).sort()).toEqual(['Lakes', 'Rivers'])
  expect(await admin.get('/search', { q: `group:${group}` })).toMatchObject({ total: 2 })
})

test('items of a list whose adding was not answered are looked for before they are added again', async ({
  application,
  page,
  portal,
}) => {
  const admin = await portal.admin()
  await admin.post('/content/users/admin/addItem', { title: 'Wells', type: 'Web Map' })
  await application.signIn('admin', undefined, '/content/new')
  await page.getByText('Several items from a list').click()
  const list = page.locator('cartulary-list-import')
  await list.getByLabel('Pasted text').fill('Title\nWells\nWells\nPonds')
  await list.getByRole('button', { name: 'Show the rows' }).click()
  // The server adds the first two, and their answers are lost; the third does not arrive.
  let asked = 0
  let lost = 0
  await page.route('**/addItem', async (route) => {
    asked += 1
    if (asked > 3) return route.fallback()
    if (asked < 3) await route.fetch()
    await route.abort()
    lost += 1
  })
  const add = list.getByRole('button', { name: 'Add 3 items' })
  await add.click()
  await expect.poll(() => lost).toBe(3)
  await add.and(page.locator(':not([loading])')).waitFor()
  await add.click()
  await page.getByText('3 items were added').waitFor()
  const { results } = await admin.get('/search', { q: 'owner:admin type:"Web Map"' })
  expect(results.map(({ title }: { title: string }) => title).sort()).toEqual(['Ponds', 'Wells', 'Wells', 'Wells'])
})

test('members come from a sheet of a workbook; the same refusal is one line', async ({ application, page, portal }) => {
  const admin = await portal.admin()
  const { id: group } = await admin.createGroup('Atlas')
  for (const username of ['anna', 'bert', 'cora']) await admin.invite(username)
  await admin.post(`/community/groups/${group}/addUsers`, { users: 'bert,cora' })
  await application.signIn('admin', undefined, `/groups/${group}`)
  await page.getByText('From a list').click()
  const list = page.locator('cartulary-list-import')
  const rows = [['Staff of the atlas'], ['Username', 'Role'], ['anna', 'Manger'], ['bert'], ['cora'], ['no one']]
  const sheets = Array.from({ length: 20 }, (_, at) => ({
    name: `Sheet ${at + 1}`,
    xml: inlineRows(at === 19 ? rows : [['Notes']]),
  }))
  const buffer = Buffer.from(workbookFile({ sheets }))
  await list.locator('input[type=file]').setInputFiles({ name: 'staff.xlsx', mimeType: '', buffer })
  await list.getByText('Choose above the columns which one is: Username').waitFor()
  await list.locator('select[name=sheet]').selectOption('Sheet 20')
  await list.getByText('2 rows are not applied').waitFor()
  await list.getByRole('button', { name: 'Take Manager' }).click()
  await list.getByRole('button', { name: 'Leave the row out' }).click()
  await list.getByRole('button', { name: 'Add 3 people' }).click()
  await list.getByText('belongs to the group already').first().waitFor()
  await list.getByText('2 rows, first row 4').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  expect((await admin.get(`/community/groups/${group}/users`))['admins']).toContain('anna')
})

test('a table of 20,000 rows of which 5,000 are wrong stays usable', async ({ application, page, portal }) => {
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(schema) })
  await application.signIn('admin', undefined, '/content/new')
  await page.getByText('Several items from a list').click()
  const list = page.locator('cartulary-list-import')
  const lines = Array.from({ length: 19_999 }, (_, at) => `Sheet ${at},${at % 4 === 0 ? 'Atlantis' : '/Region/Asia'}`)
  const buffer = Buffer.from(['Title,Category', ...lines].join('\n'))
  await list.locator('input[type=file]').setInputFiles({ name: 'sheets.csv', mimeType: 'text/csv', buffer })
  await list.getByText('5,000 rows are not applied').waitFor()
  await list.getByText('5,000 rows, first row 2').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await list.getByRole('button', { name: 'Leave 5,000 rows out' }).click()
  await list.getByRole('button', { name: 'Add 14,999 items' }).waitFor()

  // Text of a page, and its source.
  await list.getByRole('button', { name: 'Choose another' }).click()
  await list.getByLabel('Pasted text').fill('Home\nAbout us\nSubjects\n\nWelcome to our school')
  await list.getByRole('button', { name: 'Show the rows' }).click()
  await list.getByText('Choose above the columns which one is: Title').waitFor()
  await list.getByRole('button', { name: 'Choose another' }).click()
  await list
    .getByLabel('Pasted text')
    .fill('<!doctype html><html><body><table><tr><td>Title</td></tr></table></body></html>')
  await list.getByRole('button', { name: 'Show the rows' }).click()
  await list.getByText('The file cannot be read').waitFor()
})
