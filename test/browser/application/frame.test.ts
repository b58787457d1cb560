import type { Page } from 'playwright-core'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { fillInSignIn } from '../../support/browser/web-app.ts'
import { adminPassword } from '../../support/portal/portal.ts'

test('a person signs in, comes back to where they were, and signs out', async ({ application, page, context }) => {
  await application.goTo('/')
  await application.heading('Categories and collaborations').waitFor()
  await application.signInByPage()
  await application.heading(/Welcome/).waitFor()
  await expect.poll(() => page.title()).toContain('Ministry of Maps')
  // The code of the sign-in is gone from the address, and what the tab keeps is not the token.
  await expect.poll(() => page.url()).toBe(`${application.origin}/`)
  await expect.poll(() => page.evaluate('Object.keys(sessionStorage)')).toEqual(['cartulary.refresh /'])
  await page.reload()
  await application.heading(/Welcome/).waitFor()
  // Another tab needs no sign-in of its own, and has none when the person signs out here.
  const beside = await context.newPage()
  await beside.goto(`${application.origin}/groups`)
  await beside.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  // A third one is about to learn who is signed in.
  const opening = await context.newPage()
  const asked = Promise.withResolvers<void>()
  const signedOut = Promise.withResolvers<void>()
  await opening.route('**/community/self?**', async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await signedOut.promise
    await route.fulfill({ response })
  })
  await opening.goto(`${application.origin}/groups`)
  await asked.promise

  await page.getByLabel('Account').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await application.heading('Categories and collaborations').waitFor()
  const answered = opening.waitForEvent('requestfinished', (request) => request.url().includes('/community/self?'))
  signedOut.resolve()
  await answered
  await beside.getByText('Sign in to see this page').waitFor()
  await expect.poll(() => beside.getByRole('heading', { name: 'Groups', level: 1 }).count()).toBe(0)
  await expect.poll(() => beside.evaluate('Object.keys(sessionStorage)')).toEqual([])
  await expect.poll(() => page.evaluate('Object.keys(sessionStorage)')).toEqual([])
  const tab = await context.newPage()
  await tab.goto(`${application.origin}/`)
  await tab.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => opening.getByText('Sign in to see this page').isVisible()).toBe(true)
  expect(await application.findTroubles()).toEqual([])
})

test('an address that is none says so, and the way back keeps the focus', async ({ application, page }) => {
  await application.signIn()
  await application.goTo('/people/anna/nothing')
  await page.getByText('There is no such page').waitFor()
  // The server has no screens there either.
  const answer = await page.goto(`${application.origin}/nowhere/at/all`)
  expect(answer?.status()).toBe(404)
  await application.heading('There is no such page').waitFor()
  await expect.poll(() => page.title()).toContain('There is no such page')
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await application.heading(/Welcome/).waitFor()
  await expect.poll(() => page.evaluate('history.length')).toBeGreaterThan(1)
  await page.goBack()
  await page.getByText('There is no such page').waitFor()
  await page.goForward()
  await application
    .heading(/Welcome/)
    .and(page.locator(':focus'))
    .waitFor()
  // The browser notes the address itself.
  expect(await application.findTroubles()).toEqual([expect.stringContaining('404')])
})

test('a person is offered what they may use; an address of another screen says who may use that', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', {
    categorySchema: JSON.stringify({ categorySchema: [{ title: 'Region' }] }),
  })
  await portal.user('reader')
  await admin.createGroup('Rivers', { access: 'org' })
  const { id } = await admin.post('/content/users/admin/addItem', { title: 'Roads', type: 'Web Map' })
  await admin.post(`/content/items/${id}/share`, { org: true })
  await application.signIn('reader')
  await application.heading(/Welcome/).waitFor()
  const entries = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
  await expect
    .poll(async () => (await entries.allTextContents()).map((entry) => entry.trim()))
    .toEqual(['Home', 'Categories', 'Groups', 'Content', 'People'])
  for (const [path, reason] of [
    ['/log', 'Your role does not allow it.'],
    ['/system', 'Your role does not allow it.'],
    ['/organization/schema/history', 'Your role lacks a privilege for it: portal:admin:updateItemCategorySchema'],
  ] as const) {
    await application.goTo(path)
    await page.getByRole('main').getByRole('alert').getByText(reason).waitFor()
  }
  // By keyboard: what the words find, of every kind, and no page that refuses them.
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Go to' })
  const options = page.locator('cartulary-palette').getByRole('option')
  const optionsNow = async () => (await options.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())
  await field.and(page.locator(':focus')).waitFor()
  await field.pressSequentially('r')
  await expect
    .poll(optionsNow)
    .toEqual(['Roles', 'Requests', 'Register an app', 'Region', 'reader', 'Rivers', 'Roads Web Map'])
  await field.fill('log')
  await expect.poll(optionsNow).toEqual(['Sign out'])
  await field.fill('log entries')
  await expect.poll(optionsNow).toEqual([])
  await page.locator('cartulary-palette p').getByText('Nothing found').waitFor()
  await field.fill('invite person')
  await expect.poll(optionsNow).toEqual([])
  // Enter waits for what is typed.
  await field.fill('r')
  await expect.poll(optionsNow).toContain('Rivers')
  await field.fill('riv')
  await page.keyboard.press('Enter')
  await application.heading('Rivers').waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('r')
  await expect.poll(optionsNow).toContain('Roads Web Map')
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(() => page.locator('cartulary-palette').getByRole('option', { selected: true }).textContent())
    .toContain('Roads')
  await page.keyboard.press('Enter')
  await application.heading('Roads').waitFor()
  await page.keyboard.press('Control+k')
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'hidden' })
  await application.goTo('/organization/schema')
  await page.getByText('You can read this category schema, but not change it.').waitFor()
  await expect.poll(() => page.getByRole('main').getByText('History', { exact: true }).count()).toBe(0)
  expect(await application.findTroubles()).toEqual([])
})

test('a sign-in that cannot begin says so, wherever it is asked for', async ({ application, page }) => {
  // Simulates a browser whose cryptography fails.
  await page.addInitScript('crypto.subtle.digest = () => Promise.reject(new Error("No cryptography."))')
  for (const path of ['/', '/groups']) {
    await application.goTo(path)
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('main').getByRole('alert').getByText('Something went wrong in this page').waitFor()
  }
  expect(await application.findTroubles()).toEqual([
    expect.stringContaining('No cryptography'),
    expect.stringContaining('No cryptography'),
  ])
})

test('deeds are found by the words that people have for them', async () => {
  await using application = await openApplication()
  const { page } = application
  await application.signIn('admin')
  await application.heading(/Welcome/).waitFor()
  const options = page.locator('cartulary-palette').getByRole('group', { name: 'Actions' }).getByRole('option')
  for (const [words, deed, path] of [
    ['invite person', 'Invite people', '/people/new'],
    ['draft', 'Publish a draft', '/organization/schema/drafts'],
    ['edit schema', 'Edit the category schema', '/organization/schema'],
    ['policy', 'Set the policy on categories', '/settings'],
    ['new team', 'Create a group', '/groups'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill(words)
    await expect.poll(async () => (await options.allTextContents()).map((text) => text.trim())).toEqual([deed])
    await options.click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(new URL(application.origin + path).pathname)
  }
  await page.getByRole('dialog', { name: 'Create a group' }).waitFor()
  await page.keyboard.press('Escape')

  // Some are done immediately, by a click or by Enter; only the other colors are offered.
  const find = async (words: string, deed: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill(words)
    await expect.poll(async () => (await options.allTextContents()).map((text) => text.trim())).toEqual([deed])
  }
  await find('dark', 'Dark colors')
  await options.click()
  await page.locator('html.wa-dark').waitFor()
  await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'hidden' })
  await page.getByLabel('Account').click()
  await expect.poll(() => page.getByLabel('Colors').inputValue()).toBe('dark')
  await find('theme', 'Light colors')
  await page.keyboard.press('Enter')
  await page.locator('html.wa-light').waitFor()
  await expect.poll(() => page.getByLabel('Colors').inputValue()).toBe('light')
  expect(await application.findTroubles()).toEqual([])
  await find('log out', 'Sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor()
})

test('language and colours are kept in the browser', async ({ application, page }) => {
  await application.goTo('/')
  await page.getByLabel('Settings').click()
  await page.getByLabel('Language').selectOption('ar')
  await page.locator('html[lang=ar][dir=rtl]').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'تسجيل الدخول' }).waitFor()
  await page.reload()
  await page.locator('html[lang=ar][dir=rtl]').waitFor()
  await page.getByLabel('الإعدادات').click()
  await page.getByLabel('الألوان').selectOption('dark')
  await page.locator('html.wa-dark').waitFor()
  await page.reload()
  await page.locator('html.wa-dark[lang=ar]').waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('a sign-in that ends in the middle is renewed in a window of its own, and what was asked for goes on', async () => {
  await using application = await openApplication()
  const { page, context, portal } = application
  await application.signIn()
  await application.heading(/Welcome/).waitFor()
  // Renewed without a word while the refresh token is good.
  portal.clock.now += 31 * 60_000
  await visitHomeAgain(application)
  await page.getByRole('heading', { name: 'Your organization' }).waitFor()
  const beside = await context.newPage()
  await beside.goto(`${application.origin}/groups`)
  await beside.getByText('There are no groups to see yet').waitFor()
  // Everything that this user has signed in to is ended.
  await (await portal.admin()).post('/community/users/admin/sessions/endAll')
  await visitHomeAgain(application)
  const dialog = page.getByRole('dialog', { name: 'Your sign-in has ended' })
  await dialog.waitFor()
  // Not by the mouse: any other call may have opened the dialog already.
  await beside.getByRole('checkbox', { name: 'Only groups that I belong to' }).dispatchEvent('click')
  const dialogBeside = beside.getByRole('dialog', { name: 'Your sign-in has ended' })
  await dialogBeside.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor()
  const declined = await openSignInAgain(application)
  await declined.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You did not sign in.').waitFor()
  const opened = await openSignInAgain(application)
  // A state and code from another tab's window are ignored by this one.
  const other = await context.newPage()
  await other.goto(`${application.origin}/?state=window.other&code=other`)
  await fillInSignIn(opened, 'admin', adminPassword)
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Your organization' }).waitFor()
  await dialogBeside.waitFor({ state: 'hidden' })
  await beside.getByText('No group found').waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('what waits for a person is given up when another one signs in, whose page starts again', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  await portal.user('other')
  await application.signIn()
  await application.heading(/Welcome/).waitFor()
  await (await portal.admin()).post('/community/users/admin/sessions/endAll')
  await page.evaluate(`history.pushState(null, '', 'people'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('dialog', { name: 'Your sign-in has ended' }).waitFor()
  const countSearches = () => application.requests.filter((url) => url.includes('/users/search')).length
  // The list waits, whether it had asked before the sign-in was known to have ended or not.
  await application.heading('People').waitFor()
  const before = countSearches()
  const opened = await openSignInAgain(application)
  await fillInSignIn(opened, 'other', adminPassword)
  await application.heading(/Welcome/).waitFor()
  await page.getByLabel('Account').click()
  await page.getByText('other', { exact: true }).first().waitFor()
  await expect.poll(() => page.url()).toBe(`${application.origin}/`)
  expect(countSearches()).toBe(before)
})

test('a server that is ill or does not answer ends no sign-in, and a token that is always refused is renewed once', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  await application.signIn()
  await application.heading(/Welcome/).waitFor()
  const ill = { error: { code: 503, message: 'Too busy.', details: [] } }
  // Before its end: whatever the page asks for then renews the token.
  await page.route('**/oauth2/token', (route) => route.fulfill({ json: ill }))
  portal.clock.now += 31 * 60_000
  await visitHomeAgain(application)
  await page.getByRole('alert').getByText('Too busy.').waitFor()
  await page.unroute('**/oauth2/token')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Your organization' }).waitFor()

  let calls = 0
  await page.route('**/categorySchema*', (route) => {
    calls += 1
    return route.fulfill({ json: { error: { code: 498, message: 'Invalid token.', details: [] } } })
  })
  await visitHomeAgain(application)
  await page.getByRole('alert').getByText('The sign-in has ended.').waitFor()
  expect(calls).toBe(2)

  await page.unroute('**/categorySchema*')
  await page.route('**/categorySchema*', (route) => route.abort())
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('The server did not answer.').waitFor()
  await page.unroute('**/categorySchema*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Your organization' }).waitFor()
})

test('the frame has no barriers before the sign-in, and none in its menu at 320 pixels', async () => {
  await using application = await openApplication({ colours: 'dark', width: 320 })
  const { page } = application
  await application.goTo('/')
  await application.heading('Categories and collaborations').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await application.signIn()
  await page.locator('summary[aria-label="Main menu"]').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByRole('button', { name: 'Go to …' }).click()
  await page.getByRole('option', { name: 'Add people' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByRole('option', { name: 'Add people' }).click()
  await application.heading('Add people').waitFor()
  await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'hidden' })
})

/** Opens the window of another sign-in. */
async function openSignInAgain({ page }: Application): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in again' }).click(),
  ])
  return opened
}

/** Goes elsewhere and back without loading the page again. */
async function visitHomeAgain({ page }: Application): Promise<void> {
  await page.evaluate(`history.pushState(null, '', 'nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByText('There is no such page').waitFor()
  await page.evaluate(`history.pushState(null, '', '.'); dispatchEvent(new PopStateEvent('popstate'))`)
}
