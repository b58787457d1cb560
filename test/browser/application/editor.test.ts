import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Category } from '../../../src/categories/schema.ts'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { pollValue } from '../../support/browser/value.ts'
import { adminPassword } from '../../support/portal/portal.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })
const small = [of('Region', of('Europe', of('Spain')), of('Africa')), of('Theme', { title: 'Water', source: 'iso' })]

/** Publishes a schema by the API. */
async function publish(app: Application, categorySchema: readonly Category[] = small): Promise<void> {
  const admin = await app.portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify({ categorySchema }) })
}

/** Publishes a schema, and opens the editor as an administrator. */
async function openEditor(app: Application, categorySchema: readonly Category[] = small): Promise<Page> {
  await publish(app, categorySchema)
  await app.signIn('admin', adminPassword, '/organization/schema')
  await app.page.getByRole('tree').waitFor()
  return app.page
}

/** The rows that there are now, each with a dot for each level above it. */
function rowsNow(page: Page): Promise<readonly string[]> {
  return page
    .getByRole('treeitem')
    .evaluateAll((rows) =>
      rows.map(
        (row) => '.'.repeat(Number(row.getAttribute('aria-level')) - 1) + row.querySelector('.title')!.textContent,
      ),
    )
}

/** Waits until the tree has these rows. */
async function seeRows(page: Page, ...rows: readonly string[]): Promise<void> {
  await expect.poll(() => rowsNow(page)).toEqual(rows)
}

function row(page: Page, name: string): Locator {
  return page.getByRole('treeitem', { name, exact: true })
}

async function seeFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => row(page, name).evaluate((element) => element.matches(':focus'))).toBe(true)
}

interface TypedAndPressed {
  readonly field: unknown
  readonly text: string
  readonly button: unknown
}

/** Types and presses a button in one go, in the page: no time passes in between. */
function typeAndPress({ field, text, button }: TypedAndPressed): void {
  const input = field as { value: string; dispatchEvent(event: Event): void }
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  ;(button as { click(): void }).click()
}

const barriersNow = async (page: Page) =>
  (await findBarriersNow(page)).filter((barrier) => !barrier.includes('class="skip"'))

test('by mouse: a category is added, renamed, dragged, moved by a dialog, deleted, undone, pasted, and kept over a reload', async () => {
  await using app = await openApplication()
  const page = await openEditor(app)
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Africa', 'Theme', '.Water')

  await row(page, 'Europe').click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('treeitem').getByRole('textbox').fill('Oceania')
  await page.getByRole('textbox', { name: 'Description' }).fill('Islands')
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Oceania', '.Africa', 'Theme', '.Water')

  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('a/b')
  await page.getByText('A title cannot contain /.').waitFor()
  await row(page, 'Region').click()
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByText('The server would refuse 1 thing.').first().waitFor()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await expect.poll(() => title.inputValue()).toBe('a/b')
  await title.fill('Oceania')

  await row(page, 'Oceania').waitFor()
  const place = await pollValue(
    () => row(page, 'Theme').boundingBox(),
    (box) => box !== null,
  )
  const { x, width, y, height } = place!
  await row(page, 'Africa').hover()
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2 - 2)
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.locator('[data-drop="inside"]').waitFor()
  await page.mouse.up()
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Oceania', 'Theme', '.Water', '.Africa')

  await row(page, 'Spain').click()
  await page.getByRole('button', { name: 'Move to …' }).click()
  await page.getByRole('combobox', { name: 'Into' }).fill('the')
  await expect
    .poll(() => page.getByRole('option', { name: 'Theme', exact: true }).getAttribute('aria-selected'))
    .toBe('true')
  await page.getByRole('combobox', { name: 'Position' }).selectOption({ label: 'Before Africa' })
  await expect.poll(() => barriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await seeRows(page, 'Region', '.Europe', '.Oceania', 'Theme', '.Water', '.Spain', '.Africa')

  await row(page, 'Theme').click()
  // The second press of a double click deletes nothing more.
  await page.getByRole('button', { name: 'Delete', exact: true }).dblclick()
  await seeRows(page, 'Region', '.Europe', '.Oceania')
  await page.getByRole('status').getByText('Theme deleted, with 3 categories inside').waitFor()
  await page.locator('cartulary-undo-messages').getByRole('button', { name: 'Undo' }).click()
  await seeRows(page, 'Region', '.Europe', '.Oceania', 'Theme', '.Water', '.Spain', '.Africa')

  await row(page, 'Oceania').click()
  await page.getByRole('button', { name: 'Paste …' }).click()
  await page.getByLabel('Inside Oceania').check()
  await page.getByLabel('List, table or JSON').fill('Fiji\n  Suva\n    Port\n      Pier')
  await page.getByText('a schema has at most 4 levels').waitFor()
  await page.getByLabel('List, table or JSON').fill('Fiji\n  Suva\nTonga')
  await page.getByText('3 categories', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const rows = ['Region', '.Europe', '.Oceania', '..Fiji', '...Suva', '..Tonga', 'Theme', '.Water', '.Spain', '.Africa']
  await seeRows(page, ...rows)

  // Steps can be undone after the review and a reload.
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('link', { name: 'Back to editing' }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await seeRows(page, 'Region', '.Europe', '.Oceania', 'Theme', '.Water', '.Spain', '.Africa')
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.reload()
  await page.getByText('Draft since').waitFor()
  await seeRows(page, ...rows)
  await row(page, 'Oceania').click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Islands')

  const admin = await app.portal.signIn('admin', adminPassword)
  await admin.post('/portals/self/assignCategorySchema', {
    categorySchema: JSON.stringify({ categorySchema: [of('Theirs')] }),
  })
  await page.reload()
  await page.getByText('Version 2 has been published since; your draft is based on version 1.').waitFor()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('button', { name: 'Discard draft' }).last().click()
  await seeRows(page, 'Theirs')
  await expect
    .poll(() => page.evaluate(`Object.keys(localStorage).filter((name) => name.includes('draft'))`))
    .toEqual([])

  // Text typed just before the sign-in ends is stored for the user who typed it.
  const field = await page.getByRole('textbox', { name: 'Title', exact: true }).elementHandle()
  await page.locator('cartulary-account-menu summary').click()
  const signOut = await page.locator('cartulary-account-menu wa-button', { hasText: 'Sign out' }).elementHandle()
  await page.evaluate(typeAndPress, { field, text: 'Theirs and mine', button: signOut })
  await app.heading('Categories and collaborations').waitFor()
  await app.signIn('admin', adminPassword, '/organization/schema')
  await seeRows(page, 'Theirs and mine')
  expect(app.complaints).toEqual([])
})

test('by keyboard alone: arrows, typing, adding, renaming, moving, deleting and undoing keep the focus in the tree', async () => {
  await using app = await openApplication()
  const page = await openEditor(app)
  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }

  await row(page, 'Region').focus()
  await seeFocus(page, 'Region')
  await keys('ArrowRight', 'ArrowRight')
  await seeFocus(page, 'Spain')
  await keys('ArrowLeft')
  await seeFocus(page, 'Europe')
  await keys('ArrowLeft')
  await expect.poll(() => row(page, 'Europe 1 inside').getAttribute('aria-expanded')).toBe('false')
  await keys('ArrowRight', 'End')
  await seeFocus(page, 'Water')
  await keys('Home', 'a')
  await seeFocus(page, 'Africa')

  await keys('Enter')
  await page.keyboard.type('Asia')
  await keys('Enter', 'Shift+Enter')
  await page.keyboard.type('Japan')
  await keys('Enter')
  await seeFocus(page, 'Japan')
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Africa', '.Asia', '..Japan', 'Theme', '.Water')
  await keys('Enter')
  await page.keyboard.type('never')
  await keys('Escape')
  await seeFocus(page, 'Japan')
  await keys('F2')
  await page.keyboard.type('Nippon')
  await keys('Escape')
  await seeFocus(page, 'Japan')
  await keys('F2', 'Home')
  await page.keyboard.type('Old ')
  await keys('Enter')
  await seeFocus(page, 'Old Japan')
  await keys('Alt+ArrowLeft', 'Alt+ArrowUp', 'Alt+ArrowUp')
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Old Japan', '.Africa', '.Asia', 'Theme', '.Water')
  await keys('Alt+ArrowRight')
  await seeRows(page, 'Region', '.Europe', '..Spain', '..Old Japan', '.Africa', '.Asia', 'Theme', '.Water')
  await seeFocus(page, 'Old Japan')
  await keys('Delete')
  await seeFocus(page, 'Spain')
  await keys('Control+z')
  await seeFocus(page, 'Old Japan')
  for (let step = 0; step < 9; step += 1) await keys('Control+z')
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Africa', 'Theme', '.Water')
  await expect.poll(() => page.getByText('Draft since').count()).toBe(0)
  expect(app.complaints).toEqual([])
})

test('several are chosen and merged, the review says which items follow, and another version is shown while the editor is open', async () => {
  await using app = await openApplication()
  const admin = await app.portal.admin()
  const schema = [of('Lanes', of('Bike lanes'), of('Cycle lanes', of('New')), of('Bicycle lanes')), of('Rest')]
  // The interval of the live page is at the hands of the test.
  await app.page.addInitScript(`{
    const { setInterval } = window
    window.polls = []
    window.setInterval = (work, time, ...more) =>
      time === 20_000 ? window.polls.push(work) : setInterval(work, time, ...more)
  }`)
  await publish(app, schema)
  for (const title of ['One', 'Two']) {
    const { id } = await admin.post('/content/users/admin/addItem', { title, type: 'Web Map' })
    const items = JSON.stringify([{ [id]: { categories: ['/Lanes/Cycle lanes'] } }])
    await admin.post('/content/updateItems', { items })
  }
  const { page } = app
  await app.signIn('admin', adminPassword, '/organization/schema?category=/Lanes/Cycle%20lanes')
  await page.getByText('/Lanes/Cycle lanes · 2 items').waitFor()
  await row(page, 'Bicycle lanes').click({ modifiers: ['Control'] })
  await page.getByText('2 categories chosen').first().waitFor()
  await page.getByRole('button', { name: 'Merge into …' }).click()
  await page.getByRole('combobox', { name: 'Merge into' }).fill('lanes bike')
  await expect.poll(() => barriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await seeRows(page, 'Lanes', '.Bike lanes', '..New', 'Rest')
  await page.getByRole('status').getByText('2 categories merged into Bike lanes').waitFor()

  await admin.post('/portals/self/assignCategorySchema', {
    categorySchema: JSON.stringify({ categorySchema: [...schema, of('Theirs')] }),
  })
  await page.evaluate('window.polls[0]()')
  await page.getByText('Version 2 has been published since; your draft is based on version 1.').waitFor()
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('button', { name: 'Merge both in my draft' }).click()
  await page.getByText('2 merged').waitFor()
  await page.getByText('into /Lanes/Bike lanes').first().waitFor()
  await page.getByText('2 items follow', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.locator('strong').getByText('Published as version 3').waitFor()
  const { results } = await admin.get('/search', { q: 'type:"Web Map"' })
  expect(results.map(({ categories }: { categories: unknown }) => categories)).toEqual([
    ['/Lanes/Bike lanes'],
    ['/Lanes/Bike lanes'],
  ])
  expect(app.complaints).toEqual([])
})

test('on a phone the form of a category is a sheet', async () => {
  await using app = await openApplication({ width: 390, hasTouch: true })
  const page = await openEditor(app)
  await row(page, 'Africa').tap()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await page.getByRole('dialog', { name: 'Selected category' }).waitFor()
  await expect.poll(() => title.inputValue()).toBe('Africa')
  await expect.poll(() => barriersNow(page)).toEqual([])
  await page.keyboard.press('Escape')
  await title.waitFor({ state: 'hidden' })
  await row(page, 'Theme').tap()
  await page.getByRole('button', { name: 'Delete', exact: true }).tap()
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Africa')
  await title.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(app.complaints).toEqual([])
})

interface Focused {
  readonly shadowRoot: { readonly activeElement: Focused | null } | null
  dispatchEvent(event: object): void
}

/** Presses Shift+Enter in the tree as soon as the page has changed its own address: before anything but microtasks. */
function addInsideOnceAddressed(): void {
  const { history } = globalThis as unknown as { history: { replaceState(...given: unknown[]): void } }
  const replace = history.replaceState.bind(history)
  history.replaceState = async (...given) => {
    history.replaceState = replace
    replace(...given)
    for (let turn = 0; turn < 100; turn += 1) await undefined
    const { document, KeyboardEvent } = globalThis as unknown as {
      document: { activeElement: Focused }
      KeyboardEvent: new (type: string, init: object) => object
    }
    let focused = document.activeElement
    while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    const shiftEnter = { key: 'Enter', shiftKey: true, bubbles: true, composed: true }
    focused.dispatchEvent(new KeyboardEvent('keydown', shiftEnter))
  }
}

test('a key that is pressed while the address follows is not taken back', async () => {
  await using app = await openApplication()
  const page = await openEditor(app)
  await page.evaluate(addInsideOnceAddressed)
  await row(page, 'Africa').click()
  await page.getByRole('treeitem').getByRole('textbox').waitFor()
  await page.keyboard.type('Kenya')
  await page.keyboard.press('Enter')
  await seeRows(page, 'Region', '.Europe', '..Spain', '.Africa', '..Kenya', 'Theme', '.Water')
  await seeFocus(page, 'Kenya')
})

test('limits are said and hold, a search marks and filters, and hostile titles are texts', async () => {
  await using app = await openApplication()
  const hostile = '<img src=x onerror="document.title=1">{{7*7}}'
  const longest = 'W'.repeat(100)
  const many = Array.from({ length: 195 }, (_, number) => of(`Place ${number}`))
  // Counts of items come when they come: none of these rows has any.
  const counted = Promise.withResolvers<void>()
  await app.page.route(/\/search\?/, async (route) => {
    await counted.promise
    await route.continue()
  })
  const page = await openEditor(app, [of('Région', ...many), of(hostile), of(longest), of('D')])
  const limit = (name: string) => page.locator(`[data-limit="${name}"]`)
  await expect.poll(() => limit('categories').textContent()).toContain('199 of 200')

  await row(page, 'Place 3').click()
  await expect.poll(() => row(page, 'Place 3').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe('/Région/Place 3')
  // Typing and moving one of 199 categories changes its own row, and those that are beside it.
  await page.evaluate(`{
    const editor = document.querySelector('cartulary-app').shadowRoot.querySelector('cartulary-editor')
    const tree = editor.shadowRoot.querySelector('cartulary-schema-tree').shadowRoot
    window.changedRows = new Set()
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target.closest ? target : target.parentElement).closest('[role="treeitem"]')
        if (row) window.changedRows.add(row)
      }
    }).observe(tree, { subtree: true, childList: true, attributes: true, characterData: true })
    // Counts of rows whose texts are compared, and of drafts that are stored.
    window.lookedRows = new Set()
    const { nextNode } = TreeWalker.prototype
    TreeWalker.prototype.nextNode = function () {
      const node = nextNode.call(this)
      const row = node?.parentElement?.closest('[role="treeitem"]')
      if (row) window.lookedRows.add(row)
      return node
    }
    window.storedDrafts = 0
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (name, value) {
      if (name.startsWith('cartulary.draft/')) window.storedDrafts += 1
      return setItem.call(this, name, value)
    }
  }`)
  const answer = page.waitForResponse(/\/search\?/)
  counted.resolve()
  await answer
  const countChangedNow = () => page.evaluate<number>('window.changedRows.size')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Place 3 with more words')
  await row(page, 'Place 3 with more words').waitFor()
  await expect.poll(countChangedNow).toBe(1)
  await expect.poll(() => page.evaluate<number>('window.lookedRows.size')).toBe(1)
  // However fast a person types, a draft is stored when there is time.
  const storedNow = () => page.evaluate<number>('window.storedDrafts')
  const before = await pollValue(storedNow, (count) => count > 0)
  const type = (texts: readonly string[], afterwards = '') =>
    page.evaluate(`{
      const editor = document.querySelector('cartulary-app').shadowRoot.querySelector('cartulary-editor')
      const field = editor.shadowRoot.querySelector('cartulary-category-form').shadowRoot.querySelector('#title')
      for (const text of ${JSON.stringify(texts)}) {
        field.value = text
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      ${afterwards}
    }`)
  await type(Array.from({ length: 20 }, (_, more) => `Place 3${'.'.repeat(more)}`))
  await expect.poll(storedNow).toBe(before + 1)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Place 3 with more words')
  await expect.poll(storedNow).toBe(before + 2)
  // The last edit is stored when the page is left, before its delay is over.
  const left = `window.dispatchEvent(new Event('pagehide')); window.storedDrafts`
  expect(await type(['Place 3 at last'], left)).toBe(before + 3)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Place 3 with more words')
  await page.getByRole('button', { name: 'Move down' }).click()
  await expect.poll(() => row(page, 'Place 3 with more words').getAttribute('aria-posinset')).toBe('5')
  await expect.poll(countChangedNow).toBeLessThanOrEqual(2)

  await page.getByRole('button', { name: 'Add inside' }).click()
  await page.keyboard.type('The last')
  await page.keyboard.press('Enter')
  await expect.poll(() => limit('categories').textContent()).toContain('200 of 200')
  await page.getByRole('button', { name: 'Add inside' }).click()
  await page.getByText('Not done: a schema has at most 200 categories.').first().waitFor()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('x'.repeat(101))
  await page.getByText('1 character too many; at most 100', { exact: true }).waitFor()
  await page.getByText('The title has 101 characters; at most 100 are possible.').waitFor()

  await page.getByRole('searchbox').fill('regi')
  await page.getByText('1 category found').waitFor()
  await seeRows(page, 'Région')
  await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['Régi'])
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('regi')
  await page.getByRole('searchbox').fill('img')
  await row(page, hostile).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe(`/${hostile}`)
  await expect.poll(() => page.title()).toContain('Category schema')
  // With what is found marked, and the title that is too long.
  await page.getByRole('searchbox').fill('w')
  await row(page, longest).waitFor()
  await expect.poll(() => barriersNow(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.wa-dark').waitFor()
  await expect.poll(() => barriersNow(page)).toEqual([])
  await page.getByRole('searchbox').fill('')
  await page.setViewportSize({ width: 320, height: 800 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  expect(app.complaints).toEqual([])
})

test('those who may not assign a schema read it, in their language', async () => {
  await using app = await openApplication({ language: 'ar' })
  await publish(app)
  const { page } = app
  await app.portal.user('reader')
  await app.signIn('reader', undefined, '/organization/schema?category=/Theme')
  await page.getByText('يمكنك قراءة مخطط الفئات هذا، لكن لا يمكنك تغييره.').waitFor()
  await expect.poll(() => page.getByText('portal:').count()).toBe(0)
  // Titles begin at the start of the row, which is at the right, and show the levels.
  const startsNow = () =>
    page
      .getByRole('treeitem')
      .locator('bdi')
      .evaluateAll((titles) => titles.slice(0, 3).map((title) => Math.round(title.getBoundingClientRect().right)))
  await expect
    .poll(async () => {
      const [region = 0, europe = 0, spain = 0] = await startsNow()
      return region > europe && europe > spain && spain > 0
    })
    .toBe(true)
  await expect.poll(() => row(page, 'Theme').getAttribute('aria-selected')).toBe('true')
  await row(page, 'Theme').press('Delete')
  await row(page, 'Theme').press('F2')
  await row(page, 'Theme').press('Home')
  await expect.poll(() => row(page, 'Region').getAttribute('aria-selected')).toBe('true')
  await row(page, 'Region').press('ArrowRight')
  await expect.poll(() => page.getByRole('treeitem').first().getAttribute('aria-expanded')).toBe('false')
  await expect.poll(() => page.getByRole('textbox', { name: 'العنوان' }).getAttribute('readonly')).not.toBeNull()
  await expect.poll(() => barriersNow(page)).toEqual([])
  expect(app.complaints).toEqual([])
})
