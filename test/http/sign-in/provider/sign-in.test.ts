import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { OpenIdServer } from '../../../support/identity-provider/openid-server.ts'
import { startProvidedPortal } from '../../../support/identity-provider/provided-portal.ts'

let server: OpenIdServer

beforeAll(async () => {
  server = await OpenIdServer.open()
})
afterAll(() => server[Symbol.asyncDispose]())

async function begin(environment: Readonly<Record<string, string>> = {}) {
  const portal = await startProvidedPortal(server.issuer, environment)
  onTestFinished(() => portal[Symbol.asyncDispose]())
  return { portal, browser: new PersonsBrowser(portal) }
}

const creates = { OIDC_CREATE_USERS: 'true' }

describe('a sign-in through the identity provider', () => {
  test('leads to the page of the app, which asks once, and gives tokens of the user', async () => {
    server.account = {
      subject: 's-1',
      claims: { preferred_username: 'anna', name: 'Anna Alm', email: 'anna@example.com' },
    }
    const { browser, portal } = await begin(creates)
    const answer = await browser.signIn()
    expect(answer.statusCode).toBe(303)
    const tokens = await browser.tokens(await browser.goOn(answer))
    expect(tokens).toMatchObject({ username: 'anna' })
    const self = await portal.anonymous.get('/community/self', { token: tokens.access_token })
    expect(self).toMatchObject({
      username: 'anna',
      fullName: 'Anna Alm',
      email: 'anna@example.com',
      role: 'org_viewer',
      provider: 'enterprise',
      idpUsername: 'anna',
    })
  })
})
