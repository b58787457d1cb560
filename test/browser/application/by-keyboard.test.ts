import { openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { keyboardOf } from '../../support/browser/keyboard.ts'
import { addApp } from '../../support/portal/add-app.ts'
import { CollaborationHost } from '../../support/portal/collaboration-host.ts'
import { adminPassword } from '../../support/portal/portal.ts'

/**
 * The screens whose stories by keyboard are not in the tests of their families: the first run, the sign-in, the menu, groups, content,
 * people, collaborations, the log, the system, apps, and the sign-ins of a person. The editor, review, history, files, roles, requests and the picker have them there.
 */
test('from the first run to the log without a mouse, and the focus is always seen', async () => {
  await using application = await openApplication({ environment: { ADMIN_PASSWORD: '' } })
  const { page, portal } = application
  const { secret, portal: made } = portal.server.firstRun!
  portal.clock.now = made.createdAt
  const password = 'correct horse battery'
  const { enter, open, type } = keyboardOf(application)

  await application.goTo(`/first-run#${secret}`)
  await application.heading('Set up this server').waitFor()
  await type('Name of the organization', 'Seas')
  await type('Username', 'maria')
  await type('Password', password)
  await page.keyboard.press('Enter')
  // One is signed in, at the categories.
  await application.seeScreen()
  await page.getByText('There are no categories yet').waitFor()

  await page.reload()
  await page.getByText('There are no categories yet').waitFor()
  await enter('Skip to the content')
  await page.locator('main:focus').waitFor()
  await enter('Groups')
  await application.heading('Groups').and(page.locator(':focus')).waitFor()
  await enter('Create a group')
  await type('Title', 'Tides')
  await page.keyboard.press('Enter')
  await application.heading('Tides').waitFor()

  await enter('Content')
  await application.heading('Content').and(page.locator(':focus')).waitFor()
  await open('Add an item')
  await type('Title', 'Chart of the bay')
  await page.keyboard.press('Enter')
  await application.heading('Chart of the bay').waitFor()
  await enter('Edit')
  await type('Title', 'Chart of the gulf')
  await page.keyboard.press('Enter')
  await application.heading('Chart of the gulf').waitFor()
  // The focus is back where the dialog was opened.
  await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor()

  await open('People')
  await open('Add people')
  await type('Username', 'carla')
  await page.keyboard.press('Enter')
  await page.getByText('1 person was created').first().waitFor()
  await application.goTo('/people/users/carla')
  await application.heading('carla').waitFor()
  await enter('Change the profile')
  await type('Full name', 'Carla Curlew')
  await page.keyboard.press('Enter')
  await application.heading('Carla Curlew').waitFor()
  await page.getByRole('button', { name: 'Change the profile' }).and(page.locator(':focus')).waitFor()

  await open('Collaborations')
  await open('New collaboration')
  await type('Name', 'Currents')
  await type('Name of the workspace', 'Buoys')
  await page.keyboard.press('Enter')
  await application.heading('Currents').waitFor()
  // In place of a file that is dropped into the window.
  const maria = await portal.signIn('maria', password)
  const { collaborations } = await maria.get('/portals/self/collaborations')
  const { workspaces } = await maria.get(`/portals/self/collaborations/${collaborations[0].id}/workspaces`)
  const host = new CollaborationHost(maria, collaborations[0].id, workspaces[0].id)
  const { text } = await host.invite()
  const chooser = page.waitForEvent('filechooser')
  await enter('Open a file')
  await (await chooser).setFiles({ name: 'own.invite', mimeType: 'application/json', buffer: Buffer.from(text) })
  await page.getByText('The invitation is your own organization’s.').waitFor()

  await open('Log')
  await enter('Filters')
  await type('Done by', 'carla')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('actors')).toBe('carla')
  await open('System')
  await enter('Refresh')
  await page.getByRole('button', { name: 'Refresh' }).and(page.locator(':focus')).waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('a day of work, from the sign-in to the sign-out, without one event of a pointer', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const { tabTo, enter, open, type } = keyboardOf(application)
  const admin = await portal.admin()
  await admin.createGroup('Rangers')
  const pointers: string[] = []
  await page.exposeFunction('reportPointer', (kind: string) => pointers.push(kind))
  await page.addInitScript(`
    for (const kind of ['pointerdown', 'mousedown', 'touchstart']) addEventListener(kind, () => window.reportPointer(kind), true)
  `)

  await application.goTo('/')
  await application.heading('Categories and collaborations').waitFor()
  await enter('Sign in')
  await page.getByLabel('Password').waitFor()
  await type('Username', 'admin')
  await type('Password', adminPassword)
  await page.keyboard.press('Enter')
  await application.seeScreen()

  await enter('Categories')
  await page.getByText('There are no categories yet').waitFor()
  await enter('Add the first category')
  await page.getByRole('treeitem').waitFor()
  await page.keyboard.type('Region')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Alps')
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: 'Alps' }).and(page.locator(':focus')).waitFor()
  await enter('Review and publish')
  await page.getByText('2 added').waitFor()
  await enter('Publish')
  await page.locator('strong:focus', { hasText: 'Published as version 1' }).waitFor()

  await open('Content')
  await open('Add an item')
  await type('Title', 'Paths of the Alps')
  await page.keyboard.press('Enter')
  await application.heading('Paths of the Alps').waitFor()
  await enter('Edit')
  await tabTo('Description')
  await page.keyboard.press('Tab')
  await page.keyboard.type('alps')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await enter('Save')
  await page.getByRole('main').getByRole('link', { name: /Alps/ }).waitFor()
  await enter('Share')
  await tabTo('Rangers')
  await page.keyboard.press('Space')
  await enter('Share')
  await page.getByRole('main').getByRole('link', { name: 'Rangers' }).waitFor()

  await open('Log')
  await page.locator('.cells').first().waitFor()
  await enter('Account')
  await enter('Sign out')
  await application.heading('Categories and collaborations').waitFor()
  expect(pointers).toEqual([])
  expect(await application.findTroubles()).toEqual([])
})

test('what is typed while a dialog opens is not lost', async ({ application, page }) => {
  const { enter } = keyboardOf(application)
  await application.signIn()
  await application.goTo('/groups')
  await page.getByText('There are no groups').waitFor()
  // No frame is drawn until it is let go.
  await page.evaluate(`
    const draw = window.requestAnimationFrame.bind(window)
    const held = []
    window.requestAnimationFrame = (callback) => held.push(callback)
    window.letGo = () => {
      window.requestAnimationFrame = draw
      for (const callback of held) draw(callback)
      return new Promise(draw)
    }
  `)
  await enter('Create a group')
  const title = page.getByLabel('Title')
  await title.focus()
  await page.keyboard.type('Ti')
  await page.evaluate('window.letGo()')
  await page.keyboard.type('des')
  await expect.poll(() => title.inputValue()).toBe('Tides')
  await page.keyboard.press('Enter')
  await application.heading('Tides').waitFor()
})

test('an app, the own sign-ins and the password without a mouse', async ({ application, page, portal }) => {
  const { tabTo, enter, open, type } = keyboardOf(application)
  await addApp(portal, { clientId: 'coast', title: 'Map of the coast' })
  const admin = await portal.admin()
  const focusedButton = (name: string) =>
    page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor()
  const isDisabled = async () => (await admin.get('/oauth2/apps')).apps[0].disabled
  await application.signIn()

  await open('People')
  await open('Apps')
  await page.getByRole('button', { name: 'Switch off Map of the coast' }).waitFor()
  await enter('Switch off Map of the coast')
  // A dialog about what is dangerous begins with the way out.
  await focusedButton('Cancel')
  await page.keyboard.press('Enter')
  await focusedButton('Switch off Map of the coast')
  await page.keyboard.press('Enter')
  await focusedButton('Cancel')
  await enter('Switch off')
  await focusedButton('Switch on Map of the coast')
  expect(await isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  await focusedButton('Switch off Map of the coast')
  expect(await isDisabled()).toBe(false)

  // Beside the token that made all this.
  await portal.admin()
  await enter('Account')
  await enter('Your sign-ins and apps')
  await application.heading('You').waitFor()
  // The sign-in of a browser is one line, with what it opened; any app may be called Cartulary, this one comes with the server.
  await page.getByText('This page', { exact: true }).waitFor()
  await page.getByText('Built-in', { exact: true }).waitFor()
  const tokens = page.getByRole('button', { name: /^End Token of a program/ })
  await expect.poll(() => tokens.count()).toBe(2)
  await enter('End Token of a program')
  await page.locator('cartulary-sessions ul:focus').waitFor()
  await expect.poll(() => tokens.count()).toBe(1)
  await enter('End all others')
  await focusedButton('Cancel')
  await enter('End all others')
  await page.locator('cartulary-sessions ul:focus').waitFor()
  await expect.poll(() => tokens.count()).toBe(0)
  expect((await admin.get('/community/self'))['error']).toMatchObject({ code: 498 })
  await type('Current password', adminPassword)
  await type('New password', 'correct horse battery')
  await page.keyboard.press('Enter')
  await focusedButton('Sign in')
  await page.keyboard.press('Enter')
  await page.getByLabel('Password').waitFor()
  await type('Username', 'admin')
  await type('Password', 'correct horse battery')
  await page.keyboard.press('Enter')
  await application.heading('You').waitFor()
  const signIns = page.locator('cartulary-sessions li')
  await signIns.getByText(/^Chrom\w+ on \w/).waitFor()
  await expect.poll(() => signIns.count()).toBe(1)
  await tabTo('Language of these pages')
  // More letters would be those of another language, if time passed between them.
  await page.keyboard.press('d')
  await application.heading('Sie').waitFor()
  expect(await application.findTroubles()).toEqual([])
})
