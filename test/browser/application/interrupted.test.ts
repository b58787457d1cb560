import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openApplication } from '../../support/browser/application.ts'
import { fillApplication } from '../../support/browser/filled-application.ts'
import { fillInSignIn } from '../../support/browser/web-app.ts'
import { type ListeningPortal, startListeningPortal } from '../../support/portal/listening-portal.ts'
import { adminPassword } from '../../support/portal/portal.ts'

interface Form {
  readonly path: string
  /** The button that shows the form, where it is not there at once. */
  readonly opens?: string
  /** What is done before its last fields are seen. */
  readonly before?: (page: Page) => Promise<void>
  /** What is typed, by the labels of its fields. */
  readonly typed: Readonly<Record<string, string>>
  readonly sends: string
  /** The button that sends again what was not answered. */
  readonly sendsAgain?: string
  /** Words on the screen that say what was typed on earlier ones. */
  readonly says?: string
  /** What is seen when it is done. */
  readonly done: string
  /** More that holds then. */
  readonly expects?: (page: Page) => Promise<void>
}

/** Holds a port while servers come and go behind it. A connection that comes while none is there is broken. */
async function holdPort(findPortal: () => ListeningPortal | undefined): Promise<Server> {
  const held = createServer((client) => {
    const address = findPortal()?.server.app.server.address() as AddressInfo | null | undefined
    if (!address) return client.destroy()
    const server = connect(address.port, 'localhost')
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    return client.pipe(server).pipe(client)
  })
  held.listen(0, 'localhost')
  await once(held, 'listening')
  return held
}

test('whatever is typed outlives a server that restarts, and a sign-in that ends meanwhile', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'interrupted-'))
  let portal: ListeningPortal | undefined
  await using port = await holdPort(() => portal)
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'portal.db')}`,
    PUBLIC_URL: `http://localhost:${(port.address() as AddressInfo).port}`,
  }
  portal = await startListeningPortal(environment)
  const world = await fillApplication(portal)
  // Whose sign-in is their only entry in the log.
  await portal.user('lena')
  await using application = await openApplication({ portal })
  const { page } = application
  await application.signIn()

  const search = { sends: 'Show', sendsAgain: 'Try again' }
  const forms: readonly Form[] = [
    { path: '/content/new', typed: { Title: 'Tides', Summary: 'Of the north' }, sends: 'Add', done: 'Of the north' },
    { path: `/content/${world.item}`, opens: 'Edit', typed: { Title: 'Lochs' }, sends: 'Save', done: 'Lochs' },
    { path: '/content', typed: { Search: 'ferries' }, ...search, sends: 'Find', done: '1–1 of 1' },
    {
      path: '/collaborations/new',
      typed: { Name: 'Glaciers', 'Name of the workspace': 'Ice' },
      sends: 'Create',
      done: 'Invite a guest',
    },
    {
      path: `/collaborations/${world.collaboration}/invite`,
      before: async (page) => {
        await page.getByLabel('Address of the guest’s portal').fill('https://maps.example.org/portal')
        await page.getByRole('button', { name: 'Next' }).click()
        await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
        await page.getByRole('button', { name: 'Next' }).click()
        await page.getByLabel('Hours until it expires').fill('24')
        await page.getByRole('button', { name: 'Next' }).click()
      },
      typed: {},
      says: 'https://maps.example.org/portal',
      sends: 'Create the invitation',
      done: 'Send collaboration-maps.example.org.invite',
    },
    { path: '/groups', opens: 'Create a group', typed: { Title: 'Shores' }, sends: 'Create', done: 'Shores' },
    { path: '/people/new', typed: { Username: 'carla' }, sends: 'Create', done: '1 person was created' },
    { path: '/people', typed: { Search: 'om' }, ...search, done: '1 person' },
    {
      path: '/people/users/anna',
      opens: 'Change the profile',
      typed: { 'Full name': 'Anna Adler' },
      sends: 'Save',
      done: 'Anna Adler',
    },
    { path: '/people/roles', opens: 'New role', typed: { Name: 'Reader' }, sends: 'Create', done: 'Reader' },
    {
      path: '/organization/schema/import',
      before: (page) => page.getByLabel('Pasted text').fill('Dunes'),
      typed: {},
      sends: 'Show what it would change',
      sendsAgain: 'Try again',
      done: 'Put into the draft',
      expects: (page) => page.getByText('Dunes').filter({ visible: true }).first().waitFor(),
    },
    {
      path: '/organization/schema/history/1?restore=yes',
      typed: { Why: 'As it was' },
      sends: 'Restore version 1',
      done: 'Version 1 is restored',
    },
    {
      path: '/log',
      typed: { 'Done by': 'lena' },
      ...search,
      done: 'lena',
      expects: async (page) => {
        await expect.poll(() => new URL(page.url()).searchParams.get('actors')).toBe('lena')
        await expect.poll(() => page.locator('cartulary-log-entry').count()).toBe(1)
      },
    },
  ]
  const field = (label: string) =>
    page
      .getByLabel(new RegExp(`^\\s*${label}`))
      .filter({ visible: true })
      .first()
  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
  try {
    for (const { path, opens, before, typed, says, sends, sendsAgain = sends, done, expects } of forms) {
      await application.goTo(path)
      await page.locator('main h1').waitFor()
      await page.locator('main cartulary-loading').first().waitFor({ state: 'detached' })
      if (opens) await button(opens).first().click()
      await before?.(page)
      for (const [label, words] of Object.entries(typed)) await field(label).fill(words)
      await portal[Symbol.asyncDispose]()
      portal = undefined
      await button(sends).last().click()
      await page.getByText('The server did not answer').filter({ visible: true }).first().waitFor()
      portal = await startListeningPortal(environment)
      await (await portal.admin()).post('/community/users/admin/sessions/endAll')
      for (const [label, words] of Object.entries(typed))
        await expect.poll(async () => [path, await field(label).inputValue()]).toEqual([path, words])
      if (says) await page.getByText(says).filter({ visible: true }).first().waitFor()
      await button(sendsAgain).last().click()
      const again = page.getByRole('button', { name: 'Sign in again' })
      await again.waitFor()
      const [opened] = await Promise.all([page.waitForEvent('popup'), again.click()])
      await fillInSignIn(opened, 'admin', adminPassword)
      await again.waitFor({ state: 'hidden' })
      await page.getByText(done).filter({ visible: true }).first().waitFor()
      await expects?.(page)
    }
  } finally {
    await portal?.[Symbol.asyncDispose]()
  }
})
