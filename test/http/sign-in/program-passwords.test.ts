import { expect, test } from 'vitest'
import { addApp } from '../../support/portal/add-app.ts'
import { signInFailed } from '../../support/portal/envelopes.ts'
import { authorize, oauthInfoOf, outOfBand, proofKey, sendSignIn, signInToApp } from '../../support/portal/oauth.ts'
import { adminPassword, startPortal } from '../../support/portal/portal.ts'

const credentials = { username: 'admin', password: adminPassword }
const start = () => startPortal({ environment: { PROGRAM_PASSWORDS: 'refused' } })

test('no token is given for a password where programs may not have them, and none is compared', async () => {
  await using portal = await start()
  const details = ['This server gives no tokens for passwords; sign in by an app, with OAuth 2.']
  for (const password of [adminPassword, 'wrong']) {
    const answer = await portal.anonymous.post('/generateToken', { ...credentials, password })
    expect(answer).toEqual({ error: { ...signInFailed.error, details } })
  }
})

test('no code to copy is given for a password there, and the Python client says why', async () => {
  await using portal = await start()
  const page = await authorize(portal, { client_id: 'arcgisonline', redirect_uri: outOfBand })
  const { messages } = oauthInfoOf((await sendSignIn(portal, page, credentials)).body)
  expect(messages).toEqual([expect.stringMatching(/gives no codes to copy.*invalid username or password/)])
})

test('an app with an address signs in there', async () => {
  await using portal = await start()
  const redirectUri = 'https://maps.example.com/app'
  await addApp(portal, { clientId: 'map', redirectUris: [redirectUri] })
  const asked = { client_id: 'map', redirect_uri: redirectUri, ...proofKey().asked }
  expect(await signInToApp(portal, asked, credentials)).toMatch(/^[\w-]{43}$/)
})
