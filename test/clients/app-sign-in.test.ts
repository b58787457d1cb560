import { ArcGISIdentityManager, request, validateAppAccess } from '@esri/arcgis-rest-request'
import { addApp } from '../support/portal/add-app.ts'
import { expect, test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'
import { oauthInfoOf } from '../support/portal/oauth.ts'
import { adminPassword, formEncode } from '../support/portal/portal.ts'

const clientId = 'a-map-on-a-server'
const redirectUri = 'https://app.example.com/signed-in'

/** The real client in a program on a server: it can send neither a proof key nor a secret. */
async function openApp(portal: ListeningPortal) {
  await addApp(portal, { clientId, appType: 'multiple', redirectUris: [redirectUri], cannotProve: true })
  return { clientId, redirectUri, portal: portal.url }
}

/** Follows the client to the page of sign-in, fills it in, and comes back with the code. */
async function signIn(portal: ListeningPortal, expiration: number): Promise<ArcGISIdentityManager> {
  const options = await openApp(portal)
  let asked = ''
  const response = {
    writeHead(status: number, headers: { readonly Location: string }) {
      expect(status).toBe(301)
      asked = headers.Location
    },
    end() {},
  }
  ArcGISIdentityManager.authorize({ ...options, expiration }, response as never)
  const page = await (await fetch(asked)).text()
  const answer = await fetch(`${portal.url}/oauth2/signin`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: formEncode({ oauth_state: oauthInfoOf(page).oauth_state, username: 'admin', password: adminPassword }),
  })
  expect(answer.status).toBe(303)
  const back = new URL(answer.headers.get('location')!)
  expect(back.origin + back.pathname).toBe(redirectUri)
  return ArcGISIdentityManager.exchangeAuthorizationCode(options, back.searchParams.get('code')!)
}

function whoIs(portal: ListeningPortal, token: string): Promise<{ readonly username: string }> {
  return request(`${portal.url}/community/self`, { params: { token } })
}

const week = 7 * 24 * 60

test('a program on a server signs a user in, who may then act by it', async ({ portal }) => {
  const identity = await signIn(portal, week)
  expect(identity).toMatchObject({ username: 'admin', ssl: false, refreshToken: expect.stringMatching(/^[\w-]{43}$/) })
  // The client keeps five minutes in reserve.
  expect(Date.now() + 25 * 60_000).toBeGreaterThanOrEqual(identity.tokenExpires.getTime())
  expect(await identity.getUser()).toMatchObject({ username: 'admin' })
  const access = await validateAppAccess(identity.token, clientId, portal.url)
  expect(access).toEqual({ valid: true, viewOnlyUserTypeApp: false })
})

test('a refresh gives another token, and keeps the refresh token', async ({ portal }) => {
  const identity = await signIn(portal, week)
  const { token, refreshToken } = identity
  for (const _time of [1, 2]) await identity.refreshCredentials()
  expect(identity.token).not.toBe(token)
  expect(identity.refreshToken).toBe(refreshToken)
  expect(await whoIs(portal, identity.token)).toMatchObject({ username: 'admin' })
})

test('on its last day a refresh token is exchanged for another', async ({ portal }) => {
  const identity = await signIn(portal, 600)
  const { token, refreshToken } = identity
  await identity.refreshCredentials()
  expect(portal.lastArrival.url).toContain('/oauth2/token')
  expect(identity.refreshToken).not.toBe(refreshToken)
  expect(await whoIs(portal, identity.token)).toMatchObject({ username: 'admin' })
  await expect(whoIs(portal, token)).rejects.toMatchObject({ code: 498 })
})

test('signing out ends the token and the refresh token', async ({ portal }) => {
  const identity = await signIn(portal, week)
  const { token } = identity
  await identity.signOut()
  await expect(whoIs(portal, token)).rejects.toMatchObject({ code: 498 })
  await expect(identity.refreshCredentials()).rejects.toMatchObject({ code: 'TOKEN_REFRESH_FAILED' })
})
