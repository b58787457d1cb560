import { expect, test } from 'vitest'
import { startPortal } from '../../support/portal/portal.ts'

const name = '/.well-known/oauth-authorization-server'

test.each([
  ['https://maps.example.com', [name]],
  ['https://maps.example.com/portal', [`${name}/portal`, `/portal${name}`]],
  ['https://maps.example.com/gis/portal', [`${name}/gis/portal`, `/gis/portal${name}`]],
])('the server at %s says what it is, whatever address the request names', async (publicUrl, addresses) => {
  await using portal = await startPortal({ environment: { PUBLIC_URL: publicUrl } })
  for (const url of addresses) {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    const { statusCode, body } = await portal.server.app.inject({ url, headers })
    expect(statusCode).toBe(200)
    const metadata = JSON.parse(body)
    expect(metadata).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/sharing/rest/oauth2/authorize`,
      token_endpoint: `${publicUrl}/sharing/rest/oauth2/token`,
      revocation_endpoint: `${publicUrl}/sharing/rest/oauth2/revokeToken`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256', 'plain'],
    })
    expect(metadata.grant_types_supported).toEqual(
      expect.arrayContaining(['authorization_code', 'refresh_token', 'exchange_refresh_token']),
    )
    expect(metadata).not.toHaveProperty('authorization_response_iss_parameter_supported')
    expect(body).not.toContain('evil')
  }
})

test.each([
  ['https://maps.example.com/portal', true],
  ['http://maps.example.com/portal', false],
])('apps learn whether %s signs users in: %s', async (publicUrl, supportsOAuth) => {
  await using portal = await startPortal({ environment: { PUBLIC_URL: publicUrl } })
  const self = await portal.anonymous.get('/portals/self')
  expect(self).toMatchObject({ supportsOAuth, canSignInArcGIS: true, canSignInIDP: false })
})
