import type { LightMyRequestResponse } from 'fastify'
import { outOfBand } from '../portal/oauth.ts'
import { formEncode, type Parameters, type TestPortal } from '../portal/portal.ts'
import { publicUrl } from './openid-server.ts'

/** One person's browser: it keeps the cookies of the portal and of the provider, and follows no link by itself. */
export class PersonsBrowser {
  readonly portal: TestPortal
  readonly cookies = new Map<string, string>()
  readonly #foreign = new Map<string, string>()

  constructor(portal: TestPortal) {
    this.portal = portal
  }

  /** A page of the portal, below its root. */
  async get(path: string): Promise<LightMyRequestResponse> {
    return this.#send({ method: 'GET', url: path, headers: { 'sec-fetch-site': 'none' } })
  }

  async post(path: string, parameters: Parameters, headers: Readonly<Record<string, string>> = {}) {
    const own = { 'sec-fetch-site': 'same-origin', origin: new URL(publicUrl).origin }
    return this.#send({
      method: 'POST',
      url: path,
      headers: { ...own, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: formEncode(parameters),
    })
  }

  async #send(request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly payload?: string
  }): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { method, url, headers, payload } = request
    const response = await this.portal.server.app.inject({
      method,
      url: url.startsWith('/portal') ? url : `/portal${url}`,
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(payload !== undefined && { payload }),
    })
    keep(this.cookies, [response.headers['set-cookie'] ?? []].flat())
    return response
  }

  /** The page of sign-in to the built-in app. */
  authorize(parameters: Parameters = {}): Promise<LightMyRequestResponse> {
    const asked = { client_id: 'arcgisonline', response_type: 'code', redirect_uri: outOfBand, ...parameters }
    return this.get(`/sharing/rest/oauth2/authorize?${formEncode(asked)}`)
  }

  /** Presses the button of the provider on that page; answers where the provider is. */
  async goToProvider(page: LightMyRequestResponse): Promise<string> {
    const href = /href="(\/portal\/oidc\/start\?[^"]*)"/.exec(page.body)?.[1]
    if (!href) throw new Error(`No button: ${page.body}`)
    const response = await this.get(href.replaceAll('&amp;', '&'))
    if (!response.headers.location) throw new Error(`${response.statusCode}: ${response.body}`)
    return response.headers.location
  }

  /** Signs in at the provider; answers where it leads back to, below the root of the portal. */
  async signInThere(location: string): Promise<string> {
    for (let url = location, times = 0; times < 10; times += 1) {
      if (url.startsWith(publicUrl)) return url.slice(publicUrl.length)
      const cookie = [...this.#foreign].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
      keep(this.#foreign, response.headers.getSetCookie())
      const next = response.headers.get('location')
      if (!next) throw new Error(`${url}: ${response.status} ${await response.text()}`)
      url = new URL(next, url).href
    }
    throw new Error('The provider redirects for ever.')
  }

  /** A form of the provider, sent with its cookies. */
  async sendThere(url: string, parameters: Parameters): Promise<Response> {
    const cookie = [...this.#foreign].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    return fetch(url, { method: 'POST', redirect: 'manual', headers, body: formEncode(parameters) })
  }

  async readThere(url: string): Promise<Response> {
    const cookie = [...this.#foreign].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    keep(this.#foreign, response.headers.getSetCookie())
    return response
  }

  /** Goes from the page of sign-in through the provider and back; resolves with the response of the callback. */
  async signIn(parameters: Parameters = {}): Promise<LightMyRequestResponse> {
    return this.get(await this.signInThere(await this.goToProvider(await this.authorize(parameters))))
  }

  /** Follows the callback to the page of the app, goes on, and resolves with the code that is shown. */
  async goOn(answer: LightMyRequestResponse): Promise<string> {
    if (!answer.headers.location) throw new Error(`Not signed in: ${answer.body}`)
    const page = await this.get(answer.headers.location)
    const state = /name="oauth_state" value="([^"]+)"/.exec(page.body)?.[1]
    const done = await this.post('/sharing/rest/oauth2/signin', { oauth_state: state, continue: 'true' })
    const code = /<title>SUCCESS code=([\w-]+)<\/title>/.exec(done.body)?.[1]
    if (!code) throw new Error(`No code: ${done.body}`)
    return code
  }

  /** Tokens of the built-in app for such a code. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test is about
  tokens(code: string): Promise<any> {
    const app = { client_id: 'arcgisonline', redirect_uri: outOfBand }
    return this.portal.anonymous.post('/oauth2/token', { ...app, grant_type: 'authorization_code', code })
  }
}

function keep(jar: Map<string, string>, headers: readonly string[]): void {
  for (const header of headers) {
    const [name, value = ''] = header.split(';')[0]!.split(/=(.*)/s)
    if (value === '' || /Max-Age=0/i.test(header)) jar.delete(name!)
    else jar.set(name!, value)
  }
}
