import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { authorize, outOfBand, sendSignIn, signInToApp } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const credentials = { username: 'admin', password: adminPassword }
const path = '/oauth2/apps/arcgisonline'

let portal: TestPortal
let admin: Client

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
})

async function trySignIn(username: string, password: string): Promise<string> {
  return (await sendSignIn(portal, await authorize(portal, python), { username, password })).body
}

test('an organization switches a built-in app off and on for its own users', async () => {
  const outsider = await portal.otherOrganization()
  const code = await signInToApp(portal, python, credentials)
  const tokens = await portal.anonymous.post('/oauth2/token', { ...python, grant_type: 'authorization_code', code })
  expect(await admin.post(`${path}/update`, { disabled: 'true' })).toMatchObject({ builtIn: true, disabled: true })
  const switches = async (client: Client) =>
    (await client.get('/oauth2/apps')).builtIn.map(({ client_id, disabled }: Body) => [client_id, disabled])
  expect(await switches(admin)).toEqual([
    ['cartulary', false],
    ['arcgisonline', true],
    ['pythonapi', false],
  ])
  expect((await switches(outsider))[1]).toEqual(['arcgisonline', false])
  expect((await portal.anonymous.get('/community/self', { token: tokens.access_token })).error.code).toBe(498)
  const refresh = { ...python, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  expect((await portal.anonymous.post('/oauth2/token', refresh)).error.code).toBe(498)
  expect(await trySignIn('admin', 'wrong')).toContain('Invalid username or password.')
  expect(await trySignIn('admin', adminPassword)).toContain('Error: Invalid client_id')
  expect(await trySignIn(outsider.username!, adminPassword)).toContain('SUCCESS code=')
  expect((await admin.get('/oauth2/validateAppAccess', { client_id: 'arcgisonline' })).error.messageCode).toBe(
    'GWM_0007',
  )

  await admin.post(`${path}/update`, { disabled: 'false' })
  expect(await trySignIn('admin', adminPassword)).toContain('SUCCESS code=')
})

test('only the switch of a built-in app is an organization’s', async () => {
  const answers = [
    await admin.post(`${path}/update`, { redirect_uris: '["https://app.example.com/"]' }),
    await admin.post(`${path}/unregister`),
    await admin.post(`${path}/renewSecret`),
  ]
  expect(answers.map(({ error }) => error.details)).toEqual([
    ['Of a built-in app, only disabled can be set.'],
    ['The app is built in: it can be switched off, by disabled=true.'],
    ['An app of type native keeps no secret.'],
  ])
})

test('switching it twice leaves one entry in the log', async () => {
  for (const _time of [1, 2]) await admin.post(`${path}/update`, { disabled: 'true' })
  const { items } = await admin.get('/portals/self/history', { all: true, types: 'app' })
  expect(items).toHaveLength(1)
})
