import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { doJobs, holdMessages } from '../../support/browser/jobs.ts'
import type { Body, Client } from '../../support/portal/portal.ts'

const hostile = `"><img src=x onerror=alert(1)> {0} \${7*7} \u202eevil`
/** The character that would reorder it is seen by its name. */
const hostileSeen = hostile.replace('\u202e', '[U+202E]')
const schema = {
  categorySchema: [
    { title: 'Region', categories: [{ title: 'Europe', categories: [{ title: 'Alps' }] }, { title: 'Asia & far' }] },
    { title: hostile },
  ],
}

/** A portal with a schema and so many items; the first of them has a category and a hostile title. */
async function fill(client: Client, count: number): Promise<void> {
  const { success } = await client.post('/portals/self/assignCategorySchema', {
    categorySchema: JSON.stringify(schema),
  })
  expect(success).toBe(true)
  const add = (title: string, more: object = {}) =>
    client.post('/content/users/admin/addItem', { title, type: 'Web Map', tags: 'maps', ...more })
  await add(hostile, { categories: '["/Region/Europe/Alps"]', snippet: hostile, tags: hostile })
  for (let at = 1; at < count; at++) await add(`Sheet ${String(at).padStart(3, '0')}`)
}

function entry({ page }: Application, name: string) {
  return page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: new RegExp(`^${name}`) })
}

test('items are found by category, chosen and categorised, changed, added and deleted', async () => {
  await using application = await openApplication()
  const { page } = application
  await using _jobs = doJobs(application)
  await holdMessages(application)
  const client = await application.portal.admin()
  await fill(client, 28)
  await application.signIn()
  await page.getByRole('link', { name: 'Content', exact: true }).click()
  await page.getByText('1–25 of 28').waitFor()
  await entry(application, 'Without a category').getByText('27 items').waitFor()
  await entry(application, 'Unchanged for 365 days').getByText('0 items').waitFor()
  // On paper the categories say what the items are sorted by; the pager is of no use.
  await page.emulateMedia({ media: 'print' })
  await entry(application, 'Region').waitFor()
  await page.getByRole('link', { name: 'Next' }).waitFor({ state: 'hidden' })
  await page.emulateMedia({ media: 'screen' })

  // From the tree to an item and back: the state is in the address.
  await page.getByRole('button', { name: 'Subcategories of Region' }).click()
  await entry(application, 'Europe').click()
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('link', { name: hostileSeen, exact: true }).last().click()
  await application.heading(hostileSeen).waitFor()
  await page.goBack()
  await page.getByText('1–1 of 1').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe('/Region/Europe')

  // A range with Shift, and a category with a sign.
  await entry(application, 'Without a category').click()
  await page.getByText('1–25 of 27').waitFor()
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('Sort by').selectOption('title')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const sheets = Array.from({ length: 25 }, (_, at) => `Sheet ${String(at + 1).padStart(3, '0')}`)
  await expect.poll(() => page.locator('cartulary-item-list li a').allTextContents()).toEqual(sheets)
  await page.getByLabel('Select Sheet 001').click()
  await page.getByLabel('Select Sheet 004').click({ modifiers: ['Shift'] })
  await page.getByText('4 items selected').waitFor()
  await page.getByRole('button', { name: 'Categorize' }).click()
  await page.getByRole('heading', { name: 'Categorize 4 items' }).waitFor()
  const picker = page.locator('cartulary-category-picker')
  await picker.locator('input').first().fill('far')
  await picker.getByText('Asia & far').click()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.locator('cartulary-bulk-panel').getByText('4 items changed').waitFor()
  await entry(application, 'Without a category').getByText('23 items').waitFor()
  expect(await client.get('/search', { categories: '["/Region/Asia & far"]' })).toMatchObject({ total: 4 })

  // Concurrent changes by others are kept, although the item is not on the page.
  const [sheet] = (await client.get('/search', { q: 'title:"Sheet 001"' })).results
  await client.post('/content/updateItems', {
    items: JSON.stringify([{ [sheet.id]: { categories: ['/Region/Europe'] } }]),
  })
  await picker.locator('input').first().fill('alps')
  await picker.getByText('Alps').last().click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(async () => (await client.get(`/content/items/${sheet.id}`)).categories)
    .toEqual(['/Region/Europe', '/Region/Asia & far', '/Region/Europe/Alps'])
  await page.locator('cartulary-bulk-panel').getByText('4 items changed').waitFor()
  await page.locator('cartulary-bulk-panel').getByRole('button', { name: 'Close' }).click()

  await page.getByLabel('Search').fill('sheet 026')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('link', { name: 'Sheet 026' }).click()
  // An edit that was cancelled is not in the dialog the next time.
  const openDialog = page.locator('wa-dialog[open]')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Given up')
  await picker.locator('input').first().fill('far')
  await picker.getByText('Asia & far').click()
  await openDialog.getByRole('button', { name: 'Cancel' }).click()
  await openDialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Sheet 026')
  await expect.poll(() => picker.locator('[aria-selected=true]').count()).toBe(0)
  await page.getByLabel('Title').fill('Sheet of the lakes')
  await page.getByLabel('Summary').fill('Lakes')
  await picker.locator('input').first().fill('alps')
  await picker.getByText('Alps').last().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await application.heading('Sheet of the lakes').waitFor()
  const trail = ['Region', 'Europe', 'Alps']
  await expect.poll(() => page.locator('.trail').getByRole('link').allTextContents()).toEqual(trail)

  // A deletion waits: it can be cancelled, and is not lost when the person leaves the page before.
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.locator('wa-dialog[open]').getByRole('button', { name: 'Delete' }).click()
    await application.heading('Content').waitFor()
  }
  const message = page.locator('cartulary-undo-messages')
  await remove()
  await message.getByText('Sheet of the lakes will be deleted in ten seconds').waitFor()
  await message.getByRole('button', { name: 'Cancel' }).click()
  await message.getByText('will be deleted').waitFor({ state: 'detached' })
  await page.goBack()
  await remove()
  await message.getByRole('button', { name: 'Cancel' }).waitFor()
  expect(await client.get('/search', { q: 'lakes' })).toMatchObject({ total: 1 })
  await application.goTo('/groups')
  await expect.poll(async () => (await client.get('/search', { q: 'lakes' })).total).toBe(0)
  expect(await application.findTroubles()).toEqual([])
})

test('content by the keyboard alone, of a group, dark', async () => {
  await using application = await openApplication({ colours: 'dark' })
  const { page } = application
  await using _jobs = doJobs(application)
  const client = await application.portal.admin()
  await fill(client, 3)
  const group = await client.createGroup(hostile)
  await client.post(`/community/groups/${group.id}/assignCategorySchema`, { categorySchema: JSON.stringify(schema) })
  await application.signIn('admin', undefined, '/content/new')
  await page.getByLabel('Title').focus()
  await page.keyboard.type(hostile)
  await page.keyboard.press('Enter')
  await application.heading(hostileSeen).waitFor()
  await application.goTo(`/content?group=${group.id}`)
  await page.getByText('Nothing found').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await application.goTo('/content?show=uncategorized')
  await page.getByText('1–3 of 3').waitFor()
  await page.getByLabel('Select all on this page').focus()
  await page.keyboard.press('Space')
  await page.getByText('3 items selected').waitFor()
  // Items that were chosen under one schema are not categorised by another.
  await page.getByRole('combobox', { name: 'Categories of' }).selectOption(group.id)
  await page.getByText('3 items selected').waitFor({ state: 'detached' })
  await application.goTo('/content?show=uncategorized')
  await page.getByText('1–3 of 3').waitFor()
  await page.getByLabel('Select all on this page').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Categorize' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Categorize 3 items' }).and(page.locator(':focus')).waitFor()
  await page.locator('cartulary-category-picker input').first().focus()
  await page.keyboard.type('europe')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Apply' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('cartulary-bulk-panel').getByText('3 items changed').waitFor()
  expect(await client.get('/search', { uncategorized: true })).toMatchObject({ total: 0 })
  expect(await application.findTroubles()).toEqual([])
})

test('an item is shared with a preview of who will see it, and what was done to it is undone', async () => {
  await using application = await openApplication({ width: 390 })
  const { page } = application
  await using _jobs = doJobs(application)
  await holdMessages(application)
  const client = await application.portal.admin()
  await application.portal.user('anna')
  await fill(client, 1)
  await client.createGroup('Rivers')
  const [{ id }] = (await client.get('/search', { q: 'owner:admin' })).results
  const access = async () => (await client.get(`/content/items/${id}`)).access
  await application.signIn('admin', undefined, `/content/${id}`)
  await page.getByText('No change of its categories').waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.locator('cartulary-share-item')
  await dialog.getByText('You, and administrators').waitFor()
  await dialog.getByLabel('The organization').check()
  await dialog.getByText('Everyone in the organization: 2 people').waitFor()
  await dialog.getByLabel('Rivers').check()
  await dialog.getByText('Members of Rivers: 1 person').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Share' }).click()
  const history = page.locator('cartulary-item-history')
  await history.getByText('The organization sees it now').waitFor()
  await history.getByText('Shared with Rivers').waitFor()
  expect(await access()).toBe('org')

  // By the message, for ten seconds; and by the history, for longer.
  const message = page.locator('cartulary-undo-messages')
  await message.getByRole('button', { name: 'Undo' }).click()
  await history.getByText('Only its owner sees it now').waitFor()
  await history.getByText('No longer shared with Rivers').waitFor()
  expect(await access()).toBe('private')
  await client.post('/content/updateItems', { items: JSON.stringify([{ [id]: { categories: [] } }]) })
  await page.reload()
  await history.getByText('Category removed: Region › Europe › Alps').waitFor()
  await history.getByRole('button', { name: 'Undo' }).first().click()
  await history.getByText('Category added: Region › Europe › Alps').waitFor()
  await expect
    .poll(() => page.locator('.trail').getByRole('link').allTextContents())
    .toEqual(['Region', 'Europe', 'Alps'])
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  expect(await application.findTroubles()).toEqual([])
})

test('all items that a search finds are shared, tagged, handed over and deleted together', async () => {
  await using application = await openApplication()
  const { page } = application
  await using _jobs = doJobs(application)
  const client = await application.portal.admin()
  await application.portal.user('anna')
  await fill(client, 28)
  const { passTime } = await holdMessages(application)
  await application.signIn('admin', undefined, '/content?q=sheet')
  const panel = page.locator('cartulary-bulk-panel')
  const message = page.locator('cartulary-undo-messages')
  const count = async (q: string) => (await client.get('/search', { q: `${q} AND title:sheet` })).total
  const chooseAll = async () => {
    await page.getByText('1–25 of 27').waitFor()
    await page.getByLabel('Select all on this page').click()
    await page.getByText('25 items selected').waitFor()
    await page.getByRole('button', { name: 'Select all 27 found' }).click()
    await page.getByText('27 items selected').waitFor()
  }
  const apply = async () => {
    // Runs are listed by their time.
    application.portal.clock.now += 1000
    await panel.getByRole('button', { name: 'Apply' }).click()
    await panel.getByText('27 items changed').waitFor()
  }

  await chooseAll()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('heading', { name: 'Share 27 items' }).and(page.locator(':focus')).waitFor()
  await panel.getByLabel('Who sees them').selectOption('public')
  await panel.getByText('Everyone, also without signing in').waitFor()
  await apply()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  expect(await count('access:public')).toBe(27)
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => count('access:public')).toBe(0)
  await panel.getByRole('button', { name: 'Close' }).click()

  await chooseAll()
  await page.getByRole('button', { name: 'Tags' }).click()
  await panel.getByRole('textbox').fill('water, ice')
  await apply()
  expect(await count('tags:water')).toBe(27)
  await panel.getByRole('button', { name: 'Close' }).click()

  await chooseAll()
  await page.getByRole('button', { name: 'Hand over' }).click()
  await panel.getByLabel('New owner').fill('anna')
  await apply()
  expect(await count('owner:anna')).toBe(27)
  await message.getByRole('button', { name: 'Close' }).click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Latest changes of several items').click()
  await page.locator('cartulary-item-runs').getByRole('button', { name: 'Undo' }).first().click()
  await page.getByRole('button', { name: 'Undo now' }).click()
  await expect.poll(() => count('owner:admin')).toBe(27)

  await chooseAll()
  await page.getByRole('button', { name: 'Delete' }).click()
  await panel.getByRole('button', { name: 'Delete' }).click()
  await message.getByText('27 items will be deleted in ten seconds').waitFor()
  expect(await count('owner:admin')).toBe(27)
  await passTime()
  await page.getByText('Nothing found for “sheet”').waitFor()
  expect(await count('owner:admin')).toBe(0)
  expect(await application.findTroubles()).toEqual([])
})

test('refusals of many are one sentence with what helps; an undoing names what has changed since', async () => {
  await using application = await openApplication()
  const { page } = application
  await using _jobs = doJobs(application)
  await holdMessages(application)
  const client = await application.portal.admin()
  await fill(client, 14)
  await client.post('/portals/self/update', { categoryPolicy: JSON.stringify({ require: 'enforce', when: 'org' }) })
  await application.signIn('admin', undefined, '/content?q=sheet')
  const panel = page.locator('cartulary-bulk-panel')
  const failures = panel.locator('cartulary-failures')
  await page.getByText('1–13 of 13').waitFor()
  await page.getByLabel('Select all on this page').click()
  await page.getByRole('button', { name: 'Share' }).click()
  await panel.getByLabel('Who sees them').selectOption('org')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await failures.getByText('13 items were refused').waitFor()
  await failures.getByText('and 3 more').waitFor()
  await expect.poll(() => failures.getByRole('listitem').count()).toBe(1)
  await expect.poll(() => findBarriersNow(page)).toEqual([])

  application.portal.clock.now += 1000
  await failures.getByRole('button', { name: 'Categorize 13 items' }).click()
  await page.getByRole('heading', { name: 'Categorize 13 items' }).and(page.locator(':focus')).waitFor()
  await panel.locator('cartulary-category-picker').getByText('Asia & far').click()
  await panel.getByRole('button', { name: 'Apply' }).click()
  await panel.getByText('13 items changed').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()

  const [sheet] = (await client.get('/search', { q: 'title:"Sheet 001"' })).results
  await client.post('/content/updateItems', { items: JSON.stringify([{ [sheet.id]: { categories: [] } }]) })
  // The message says so before anything is undone.
  const message = page.locator('cartulary-undo-messages')
  await message.getByRole('button', { name: 'Undo' }).click()
  await message.getByText('12 items go back').waitFor()
  await message.getByRole('link', { name: 'Sheet 001' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await message.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Latest changes of several items').click()
  const runs = page.locator('cartulary-item-runs')
  await runs.getByRole('button', { name: 'Undo' }).first().click()
  await runs.getByText('12 items go back').waitFor()
  await runs.getByText('1 item stays as it is').waitFor()
  await runs.getByText('admin has changed its categories since').waitFor()
  await runs.getByRole('link', { name: 'Sheet 001' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo now' }).click()
  await runs.getByText('1 item was refused').first().waitFor()
  await runs.getByText('admin has changed its categories since').waitFor()
  await runs.getByRole('link', { name: 'Sheet 001' }).click()
  await application.heading('Sheet 001').waitFor()

  // The entry of the log has what is left.
  const filter = { types: 'i', actions: 'updateItems', outcome: 'success' }
  const { items: entries } = await client.get('/portals/self/history', { ...filter, num: '100' })
  // A job has several steps: the one that changed this sheet is the oldest that names it.
  const at = entries.findLastIndex(({ data }: Body) => data.targets?.includes(sheet.id))
  await application.goTo(`/log?${new URLSearchParams(filter)}`)
  const entry = page.locator('cartulary-log-entry').nth(at)
  await entry.locator('summary').click()
  await entry.getByRole('button', { name: 'Undo' }).click()
  await entry.getByText('Nothing goes back').waitFor()
  await entry.locator('cartulary-failures').getByRole('link', { name: 'Sheet 001' }).waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('an item whose adding was not answered is added once', async () => {
  await using application = await openApplication()
  const { page } = application
  const client = await application.portal.admin()
  await client.post('/content/users/admin/addItem', { title: 'Wells', type: 'Web Map' })
  await application.signIn('admin', undefined, '/content/new')
  /** Has the server add an item, and loses its answer. */
  const loseAnswer = () =>
    page.route(
      '**/addItem',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  const count = async () => (await client.get('/search', { q: 'title:wells' })).total
  await page.getByLabel('Title').fill('Wells')
  await loseAnswer()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await application.heading('Wells').waitFor()
  expect(await count()).toBe(2)
  expect(await application.findTroubles()).toEqual([expect.stringContaining('ERR_FAILED')])
})
