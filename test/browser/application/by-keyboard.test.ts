import { expect, test } from 'vitest'
import { openApplication } from '../../support/browser/application.ts'
import { tabToName } from '../../support/browser/keyboard.ts'
import { CollaborationHost } from '../../support/portal/collaboration-host.ts'

/**
 * The screens whose stories by keyboard are not in the tests of their families: the first run, the sign-in, the menu, groups, content,
 * people, collaborations, the log and the system. The editor, review, history, files, roles, requests and the picker have them there.
 */
test('from the first run to the log without a mouse, and the focus is always seen', async () => {
  await using application = await openApplication({ environment: { ADMIN_PASSWORD: '' } })
  const { page, portal } = application
  const { secret, portal: made } = portal.server.firstRun!
  portal.clock.now = made.createdAt
  const password = 'correct horse battery'
  const tabTo = (name: string) => tabToName(application, name)
  const enter = async (name: string) => {
    await tabTo(name)
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, words: string) => {
    await tabTo(label)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(words)
  }

  await application.goTo(`/first-run#${secret}`)
  await application.heading('Set up this server').waitFor()
  await type('Name of the organization', 'Seas')
  await type('Username', 'maria')
  await type('Password', password)
  await page.keyboard.press('Enter')
  await application.heading('Seas is ready').waitFor()
  await enter('Sign in')
  await page.getByLabel('Password').waitFor()
  await type('Username', 'maria')
  await type('Password', password)
  await page.keyboard.press('Enter')
  await page.locator('cartulary-main-menu').first().waitFor({ state: 'attached' })
  await enter('Categories')
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
  await enter('Add an item')
  await application.heading('Add an item').waitFor()
  await type('Title', 'Chart of the bay')
  await page.keyboard.press('Enter')
  await application.heading('Chart of the bay').waitFor()
  await enter('Edit')
  await type('Title', 'Chart of the gulf')
  await page.keyboard.press('Enter')
  await application.heading('Chart of the gulf').waitFor()
  // The focus is back where the dialog was opened.
  await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor()

  await enter('People')
  await application.heading('People').waitFor()
  await enter('Add people')
  await application.heading('Add people').waitFor()
  await type('Username', 'carla')
  await page.keyboard.press('Enter')
  await page.getByText('1 person was created').first().waitFor()
  await application.goTo('/people/users/carla')
  await application.heading('carla').waitFor()
  await enter('Change the profile')
  await type('Full name', 'Carla Curlew')
  await page.keyboard.press('Enter')
  await application.heading('Carla Curlew').waitFor()

  await enter('Collaborations')
  await application.heading('Collaborations').waitFor()
  await enter('New collaboration')
  await application.heading('New collaboration').waitFor()
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
  await page.getByText('The invitation is from this portal itself.').waitFor()

  await enter('Log')
  await application.heading('Log').waitFor()
  await type('Done by', 'carla')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('actors')).toBe('carla')
  await enter('System')
  await application.heading('System').waitFor()
  await enter('Read again')
  await page.getByRole('button', { name: 'Read again' }).and(page.locator(':focus')).waitFor()
  expect(await application.findTroubles()).toEqual([])
})
