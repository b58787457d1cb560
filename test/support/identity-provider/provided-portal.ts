import { startPortal, type TestPortal } from '../portal/portal.ts'
import { clientId, clientSecret, publicUrl } from './openid-server.ts'

/** A portal whose users sign in through this issuer too; its clock is that of the provider. */
export async function startProvidedPortal(
  issuer: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestPortal> {
  const portal = await startPortal({
    // Not in the environment: a URL of a database there would end the server with the test.
    environment: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      ...environment,
    },
  })
  portal.clock.now = Date.now()
  return portal
}
