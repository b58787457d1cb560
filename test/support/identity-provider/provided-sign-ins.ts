import { beforeAll, onTestFinished } from 'vitest'
import { PersonsBrowser } from './browser.ts'
import { OpenIdServer } from './openid-server.ts'
import { startProvidedPortal } from './provided-portal.ts'

/** Settings by which the first sign-in of an account makes a user. */
export const creates = { OIDC_CREATE_USERS: 'true' }

/** Settings by which a claim gives the role. */
export const maps = {
  OIDC_ROLE_POINTER: '/groups',
  OIDC_ROLE_MAP: '{"/gis-admins":"org_admin","/makers":"org_publisher"}',
}

/** Message of the page for an account that no user here has. */
export const noAccount = 'You are known to the identity provider, but may not sign in here.'

/** For all files of a worker, so that they have the same portals, too. */
let shared: Promise<OpenIdServer> | undefined

/** A real provider for the tests of a file, and a portal of each test beside it. */
export function useProvider() {
  let server: OpenIdServer

  beforeAll(async () => {
    shared ??= OpenIdServer.open()
    server = await shared
  })

  return {
    issuer: () => server.issuer,
    async begin(environment: Readonly<Record<string, string>> = {}) {
      const portal = await startProvidedPortal(server.issuer, environment)
      onTestFinished(() => portal[Symbol.asyncDispose]())
      return { portal, browser: new PersonsBrowser(portal) }
    },
    /** Sets the account that signs in at the provider from now on. */
    be(subject: string, claims: Readonly<Record<string, unknown>> = {}): void {
      server.account = { subject, claims }
    },
  }
}
