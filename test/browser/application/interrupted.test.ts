import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
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
  /** The button that shows the form, where it is not shown immediately. */
  readonly opens?: string
  /** Step before the last fields are shown. */
  readonly before?: (page: Page) => Promise<void>
  /** Typed values, by the labels of their fields. */
  readonly typed: Readonly<Record<string, string>>
  /** The button that sends it; none where words are searched for as they are typed. */
  readonly sends?: string
  /** Whether the server restarts, and the sign-in ends, before it is sent again. One of each kind is enough. */
  readonly isSignInEnded?: true
  /** The button that sends again what was not answered. */
  readonly sendsAgain?: string
  /** Words on the screen that say what was typed on earlier ones. */
  readonly says?: string
  /** Text that is shown when it is done. */
  readonly done: string
  /** More that holds then. */
  readonly expects?: (page: Page) => Promise<void>
}

/** The way to a server, by a port that stays the same while servers come and go behind it. */
class SignInMethod implements AsyncDisposable {
  portal: ListeningPortal | undefined
  /** Connections that come while it is cut, or while no server is there, are broken. */
  #isCut = false
  readonly #clients = new Set<Socket>()
  readonly #held = createServer((client) => {
    const address = this.portal?.server.app.server.address() as AddressInfo | null | undefined
    if (!address || this.#isCut) return client.destroy()
    const server = connect(address.port, 'localhost')
    this.#clients.add(client)
    client.on('error', () => server.destroy()).on('close', () => server.destroy() && this.#clients.delete(client))
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    return client.pipe(server).pipe(client)
  })

  async open(): Promise<string> {
    this.#held.listen(0, 'localhost')
    await once(this.#held, 'listening')
    return `http://localhost:${(this.#held.address() as AddressInfo).port}`
  }

  cut(): void {
    this.#isCut = true
    for (const client of this.#clients) client.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    this.#held.close()
    await this.portal?.[Symbol.asyncDispose]()
  }
}

test('whatever is typed outlives a server that does not answer or restarts, and a sign-in that ends meanwhile', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'interrupted-'))
  await using way = new SignInMethod()
  const environment = { DATABASE_URL: `file:${join(folder.path, 'portal.db')}`, PUBLIC_URL: await way.open() }
  way.portal = await startListeningPortal(environment)
  const world = await fillApplication(way.portal)
  // A user whose sign-in is their only entry in the log.
  await way.portal.user('lena')
  await using application = await openApplication({ portal: way.portal })
  const { page } = application
  await application.signIn()

  const search = { sendsAgain: 'Try again' }
  const forms: readonly Form[] = [
    {
      path: '/content/new',
      typed: { Title: 'Tides', Summary: 'Of the north' },
      sends: 'Add',
      isSignInEnded: true,
      done: 'Of the north',
    },
    { path: `/content/${world.item}`, opens: 'Edit', typed: { Title: 'Lochs' }, sends: 'Save', done: 'Lochs' },
    { path: '/content', typed: { Search: 'ferries' }, ...search, done: '1–1 of 1' },
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
      isSignInEnded: true,
      done: 'for-maps.example.org.invite',
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
      opens: 'Filters',
      typed: { 'Done by': 'lena' },
      sends: 'Show',
      ...search,
      isSignInEnded: true,
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
  for (const form of forms) {
    const { path, opens, before, typed, says, sends, sendsAgain = sends!, done, expects } = form
    await application.walkTo(path)
    await page.locator('main h1').waitFor()
    await page.locator('main cartulary-loading').first().waitFor({ state: 'detached' })
    if (opens) await button(opens).first().click()
    await before?.(page)
    if (sends === undefined) way.cut()
    for (const [label, words] of Object.entries(typed)) await field(label).fill(words)
    way.cut()
    if (sends !== undefined) await button(sends).last().click()
    await page.getByText('The server did not answer').filter({ visible: true }).first().waitFor()
    if (form.isSignInEnded) {
      await way.portal[Symbol.asyncDispose]()
      way.portal = await startListeningPortal(environment)
      await (await way.portal.admin()).post('/community/users/admin/sessions/endAll')
    }
    way.mend()
    for (const [label, words] of Object.entries(typed))
      await expect.poll(async () => [path, await field(label).inputValue()]).toEqual([path, words])
    if (says) await page.getByText(says).filter({ visible: true }).first().waitFor()
    await button(sendsAgain).last().click()
    if (form.isSignInEnded) await signInAgain(page)
    await page.getByText(done).filter({ visible: true }).first().waitFor()
    await expects?.(page)
  }
})

/** Signs in by the window that a page opens when its sign-in has ended. */
async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: 'Sign in again' })
  await again.waitFor()
  const [opened] = await Promise.all([page.waitForEvent('popup'), again.click()])
  await fillInSignIn(opened, 'admin', adminPassword)
  await again.waitFor({ state: 'hidden' })
}
