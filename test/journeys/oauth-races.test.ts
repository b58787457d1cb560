import { expect, test } from 'vitest'
import { addApp } from '../support/portal/add-app.ts'
import { callToken, proofKey, signInToApp } from '../support/portal/oauth.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../support/portal/portal.ts'

/** One code, or one refresh token, used by many concurrent callers: on one server, and on several. */

const callers = 50
const { verifier, asked } = proofKey()
const own = { client_id: 'coast', redirect_uri: 'https://coast.example.com/' }

async function signIn(portal: TestPortal): Promise<string> {
  return signInToApp(portal, { ...own, ...asked }, { username: 'admin', password: adminPassword })
}

async function startWithApp(): Promise<TestPortal> {
  const portal = await startPortal()
  await addApp(portal, { clientId: own.client_id, redirectUris: [own.redirect_uri] })
  return portal
}

function atOnce(call: () => Promise<Body>): Promise<readonly Body[]> {
  return Promise.all(Array.from({ length: callers }, call))
}

/** Refusals of all but the winner. */
function refusalsOf(answers: readonly Body[]): readonly Body[] {
  return [...new Set(answers.filter(({ error }) => error).map(({ error }) => `${error.code} ${error.message}`))]
}

async function liveOf(portal: TestPortal, answers: readonly Body[]): Promise<number> {
  const tokens = answers.map(({ access_token }) => access_token)
  const selves = await Promise.all(tokens.map((token) => portal.anonymous.get('/community/self', { token })))
  return selves.filter(({ username }) => username !== undefined).length
}

async function sessions(portal: TestPortal): Promise<number> {
  const { sessions: all } = await (await portal.admin()).get('/community/users/admin/sessions', { num: '100' })
  return all.filter(({ kind }: Body) => kind === 'app').length
}

test('of 50 callers with one code one gets tokens, which the others end', async () => {
  await using portal = await startWithApp()
  const code = await signIn(portal)
  const answers = await atOnce(() => callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier }))
  const winners = answers.filter(({ access_token }) => access_token)
  expect(winners).toHaveLength(1)
  expect(refusalsOf(answers)).toEqual(['400 Invalid code'])
  expect(await liveOf(portal, winners)).toBe(0)
  const [{ refresh_token }] = winners as [Body]
  expect(await callToken(portal, 'refresh_token', { ...own, refresh_token })).toMatchObject({ error: { code: 498 } })
  expect(await sessions(portal)).toBe(0)
})

test('of 50 exchanges of one refresh token one gets a successor, which the others end', async () => {
  await using portal = await startWithApp()
  const code = await signIn(portal)
  const first = await callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier })
  const { refresh_token } = first
  const answers = await atOnce(() => callToken(portal, 'exchange_refresh_token', { ...own, refresh_token }))
  const winners = answers.filter(({ access_token }) => access_token)
  expect(winners).toHaveLength(1)
  expect(refusalsOf(answers)).toEqual(['498 Invalid refresh_token'])
  expect(await liveOf(portal, [first, ...winners])).toBe(0)
  const refreshed = await callToken(portal, 'refresh_token', { ...own, refresh_token: winners[0]!.refresh_token })
  expect(refreshed).toMatchObject({ error: { code: 498 } })
  expect(await sessions(portal)).toBe(0)
})

test('50 refreshes beside the end of the grant leave no token', async () => {
  await using portal = await startWithApp()
  const code = await signIn(portal)
  const { refresh_token } = await callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier })
  let calls = 0
  const answers = await atOnce(() => {
    calls += 1
    return calls === callers / 2
      ? portal.anonymous.post('/oauth2/revokeToken', { auth_token: refresh_token })
      : callToken(portal, 'refresh_token', { ...own, refresh_token })
  })
  const given = answers.filter(({ access_token }) => access_token)
  expect(given.length + answers.filter(({ error }) => error?.code === 498).length).toBe(callers - 1)
  expect(await liveOf(portal, given)).toBe(0)
  expect(await sessions(portal)).toBe(0)
})
