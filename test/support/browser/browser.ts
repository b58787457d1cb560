import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { adminPassword, startPortal, type TestPortal } from '../portal/portal.ts'
import { pollValue } from './value.ts'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))
const unpacked = `${cache}browser`
/** Letters that the browser has none for: the application ships no fonts, and uses those of the machine. */
const arabic = fileURLToPath(new URL('../../../node_modules/@expo-google-fonts/noto-sans-arabic', import.meta.url))
const fontSettings = `<fontconfig>
  <dir>${unpacked}/fonts</dir><dir>${arabic}</dir><cachedir>${unpacked}/font-cache</cachedir>
</fontconfig>`

/** Unpacks the browser that `@sparticuz/chromium` brings, once for all tests. */
async function unpackBrowser(): Promise<void> {
  if (existsSync(unpacked)) return
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(`${cache}browser-`)
  const program = fileURLToPath(new URL('./unpack-browser.ts', import.meta.url))
  // With this name in its environment the package unpacks the libraries too that a bare machine may lack.
  const env = { PATH: process.env['PATH'], TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await promisify(execFile)(process.execPath, [program], { env })
  await writeFile(`${fresh}/fonts.conf`, fontSettings)
  // Another worker may have been first.
  await rename(fresh, unpacked).catch((error: unknown) => {
    if (!existsSync(unpacked)) throw error
    return rm(fresh, { recursive: true })
  })
}

/** How many times slower the processor is for pages: what waits for nothing fails there sooner. */
const slowdown = Number(process.env['BROWSER_SLOWDOWN'] ?? 1)

let launched: Promise<Browser> | undefined

/** One browser for all tests of a worker: it ends with the process. Each visit has a context of its own. */
async function launchBrowser(): Promise<Browser> {
  await unpackBrowser()
  return chromium.launch({
    executablePath: `${unpacked}/chromium`,
    args: ['--no-sandbox'],
    env: { HOME: unpacked, LD_LIBRARY_PATH: `${unpacked}/al2023/lib`, FONTCONFIG_FILE: `${unpacked}/fonts.conf` },
  })
}

/** Browser context of one user: cookies and storage of their own. */
export async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  launched ??= launchBrowser()
  const context = await (await launched).newContext(options)
  // This ends only what hangs.
  context.setDefaultTimeout(300_000)
  // A window may be closed before it is slowed down.
  if (slowdown > 1) context.on('page', (page) => slowDown(page).catch(() => undefined))
  return context
}

/** Slows the processor down for a page, whatever it loads. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/**
 * A user at a browser, in front of a portal of their own. Closes itself: `await using visit = …`. The port of PUBLIC_URL is not
 * the true one: pages whose forms have to come from it, as those of sign-in, need `openSecureVisit`.
 */
export async function openVisit(
  options: BrowserContextOptions = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  // Below a context path, as behind a proxy.
  const portal = await startPortal({
    environment: { PORT: '0', PUBLIC_URL: 'http://localhost/portal', ...environment },
  })
  const origin = await portal.server.listen()
  const context = await openContext(options)
  return new Visit(portal, origin, context, await context.newPage())
}

export class Visit implements AsyncDisposable {
  readonly portal: TestPortal
  readonly origin: string
  readonly context: BrowserContext
  readonly page: Page
  /** Address of every request. */
  readonly requests: string[] = []
  /** Complaints of the browser. */
  readonly complaints: string[] = []
  readonly #tokens: string[] = []
  readonly #proxy: AsyncDisposable | undefined

  constructor(portal: TestPortal, origin: string, context: BrowserContext, page: Page, proxy?: AsyncDisposable) {
    this.#proxy = proxy
    this.portal = portal
    this.origin = origin
    this.context = context
    this.page = page
    page.on('request', (request) => this.requests.push(request.url()))
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
  }

  /** Goes to a page of the directory; `path` begins below the base. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${this.portal.base}${path}`)
    await this.#pageOfUser()
  }

  async signIn(username = 'admin', password = adminPassword): Promise<void> {
    await this.page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await this.answerSignIn(username, password)
    // Once the page is there for this user.
    await this.notice(`Signed in as ${username}.`)
    await this.#pageOfUser()
    const [stored = ''] = await pollValue(
      () => this.page.evaluate<string[]>('Object.values(sessionStorage)'),
      ({ length }) => length === 1,
    )
    this.#tokens.push(JSON.parse(stored).token)
  }

  /** Waits for the words of the status line. */
  async notice(words: string): Promise<void> {
    await this.page.getByRole('status').getByText(words, { exact: true }).waitFor()
  }

  /** Fills in the dialog that is open already. */
  async answerSignIn(username: string, password: string): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Username').fill(username)
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Follows the links of these names, one after the other, each on the page that the one before leads to. */
  async follow(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.#leaveBy(this.page.getByRole('link', { name, exact: true }).first())
  }

  /** Sends the form of a page that reads: its answer is a page of its own. */
  async show(): Promise<void> {
    await this.#leaveBy(this.page.getByRole('button', { name: 'Show' }))
  }

  /** Presses a control that opens another page, and waits until that has replaced this one. */
  async #leaveBy(leading: Locator): Promise<void> {
    await this.page.locator('html').evaluate((html) => html.classList.add('left'))
    await leading.click()
    await this.page.locator('html:not(.left)').waitFor()
    await this.#pageOfUser()
  }

  /** The page of an anonymous caller is hidden until that of the user who is signed in has come. */
  #pageOfUser(): Promise<void> {
    return this.page.locator('html:not(.waiting)').waitFor()
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name })
  }

  /** The answer to the form that was sent last. */
  get answer(): Locator {
    return this.page.locator('#answer')
  }

  /** Whatever no page may do: complain, ask another server, or let the token out of the tab's storage. */
  async findTroubles(): Promise<readonly string[]> {
    const foreign = this.requests.filter((url) => !url.startsWith(`${this.origin}/`))
    const cookies = JSON.stringify(await this.context.cookies())
    // biome-ignore lint/plugin: whatever is there when this is asked for
    const elsewhere = await readElsewhereNow(this.page)
    const places = [...this.requests, cookies, ...elsewhere]
    const leaks = places.filter((place) => this.#tokens.some((token) => place.includes(token)))
    return [...this.complaints, ...foreign, ...leaks]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close()
    await this.#proxy?.[Symbol.asyncDispose]()
    await this.portal[Symbol.asyncDispose]()
  }
}

/** State of a page outside of its tab's storage. */
function readElsewhereNow(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>('[JSON.stringify(localStorage), window.name, document.title, location.href]')
}
