import type { Page } from 'playwright-core'
import { type ListeningPortal, startListeningPortal } from '../portal/listening-portal.ts'
import { callToken, proofKey, signInToApp } from '../portal/oauth.ts'
import { adminPassword } from '../portal/portal.ts'
import { openContext, Visit } from './browser.ts'
import { fillInSignIn } from './web-app.ts'

interface ApplicationOptions {
  /** A portal that is there already, and stays when the visit ends; by default one of its own. */
  readonly portal?: ListeningPortal
  readonly environment?: Readonly<Record<string, string>>
  readonly language?: 'en' | 'en-GB' | 'de' | 'fr' | 'es' | 'ja' | 'ar'
  readonly colours?: 'light' | 'dark'
  readonly width?: number
  readonly hasTouch?: boolean
}

/**
 * A person at a browser, before the application of a portal that they reach by its true address. Its clock stands at the
 * present. Closes itself: `await using application = …`.
 */
export async function openApplication({
  portal,
  environment,
  language = 'en',
  colours = 'light',
  width = 1280,
  hasTouch = false,
}: ApplicationOptions = {}): Promise<Application> {
  const opened = portal ?? (await startListeningPortal(environment))
  const context = await openContext({
    viewport: { width, height: 800 },
    locale: language,
    colorScheme: colours,
    hasTouch,
    reducedMotion: 'reduce',
  })
  return new Application(opened, context, await context.newPage(), portal !== undefined)
}

export class Application extends Visit {
  declare readonly portal: ListeningPortal
  readonly #isPortalKept: boolean

  constructor(
    portal: ListeningPortal,
    context: ConstructorParameters<typeof Visit>[2],
    page: Page,
    isPortalKept: boolean,
  ) {
    super(portal, portal.server.publicUrl(), context, page)
    this.#isPortalKept = isPortalKept
  }

  /** Goes to an address of the application, such as `/groups`. */
  override async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`)
  }

  /** Comes to an address as by a link on the page, which is not loaded again: over one that is none, whose screen has to give way. */
  async walkTo(path: string): Promise<void> {
    for (const address of ['/nowhere', path]) {
      const left = await this.page.locator('main h1').filter({ visible: true }).first().elementHandle()
      const place = JSON.stringify(`${this.origin}${address}`)
      await this.page.evaluate(`history.pushState(null, '', ${place}); dispatchEvent(new PopStateEvent('popstate'))`)
      await left?.waitForElementState('hidden')
    }
  }

  /** Signs in by the page of sign-in, which comes back to the address. */
  async signInByPage(username = 'admin', password = adminPassword, path = '/'): Promise<void> {
    await this.goTo(path)
    await this.page.locator('main').locator('wa-button[variant="brand"]').first().click()
    await fillInSignIn(this.page, username, password)
    await this.seeScreen()
  }

  /** Comes to the address with what the page of sign-in leaves in a tab: it takes half of the time. */
  override async signIn(username = 'admin', password = adminPassword, path = '/'): Promise<void> {
    const { verifier, asked } = proofKey()
    const app = { client_id: 'cartulary', redirect_uri: `${this.origin}/` }
    const code = await signInToApp(this.portal, { ...app, ...asked }, { username, password })
    const tokens = await callToken(this.portal, 'authorization_code', { ...app, code, code_verifier: verifier })
    // Any address of the server has the storage, and this one has nothing else.
    await this.goTo('/health/live')
    await this.page.evaluate((token) => sessionStorage.setItem('cartulary.refresh /', token), tokens.refresh_token)
    await this.goTo(path)
    await this.seeScreen()
  }

  /** Waits for a screen as it is first drawn for a person who is signed in: then it has the focus, and loses it to nothing. */
  async seeScreen(): Promise<void> {
    await this.page.locator('cartulary-main-menu').first().waitFor({ state: 'attached' })
    await this.page.locator('main :is(h1, [role=alert])').first().waitFor()
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isPortalKept) await this.context.close()
    else await super[Symbol.asyncDispose]()
  }
}

/** The button with exactly this name. */
export const button = ({ page }: Application, name: string) => page.getByRole('button', { name, exact: true })
