import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { changeByHand } from '../../../support/portal/add-app.ts'
import { authorize, callToken, proofKey, signInToApp } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const redirectUri = 'https://app.example.com/signed-in'
const credentials = { username: 'anna', password: adminPassword }

let portal: TestPortal
let admin: Client
let anna: Client

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  anna = await admin.invite('anna')
})

async function addApplication(client: Client = anna, type = 'Application'): Promise<string> {
  const { id } = await client.post(`/content/users/${client.username}/addItem`, { title: 'Coast', type })
  return id
}

async function register(parameters: Record<string, string> = {}, client: Client = anna): Promise<Body> {
  const itemId = await addApplication(client)
  return client.post('/oauth2/registerApp', { itemId, redirect_uris: JSON.stringify([redirectUri]), ...parameters })
}

/** A sign-in of Anna to an app with a secret, and the tokens of that. */
async function signIn({ client_id, client_secret }: Body): Promise<Body> {
  const code = await signInToApp(portal, { client_id, redirect_uri: redirectUri }, credentials)
  const given = { client_id, client_secret, redirect_uri: redirectUri, code, grant_type: 'authorization_code' }
  return portal.anonymous.post('/oauth2/token', given)
}

function refresh(client_id: string, client_secret: string, refresh_token: string): Promise<Body> {
  return portal.anonymous.post('/oauth2/token', {
    client_id,
    client_secret,
    refresh_token,
    grant_type: 'refresh_token',
  })
}

async function isSignedIn({ access_token }: Body): Promise<boolean> {
  return (await portal.anonymous.get('/community/self', { token: access_token })).username === 'anna'
}

describe('the title of a built-in app', () => {
  const looksSo = (title: string) => `${title} is, or looks like, the reserved name Cartulary; choose another.`

  test('is that of no other: neither at the registration nor later', async () => {
    const add = async (title: string): Promise<string> =>
      (await anna.post('/content/users/anna/addItem', { title, type: 'Application' })).id
    expect(await anna.post('/oauth2/registerApp', { itemId: await add('CARTU\u200bLARY') })).toMatchObject({
      error: { details: [`itemId: the title ${looksSo('CARTU\u200bLARY')}`] },
    })
    const itemId = await add('Coast')
    await anna.post('/oauth2/registerApp', { itemId, redirect_uris: JSON.stringify([redirectUri]) })
    expect(await anna.post(`/content/users/anna/items/${itemId}/update`, { title: 'Cartulary' })).toMatchObject({
      error: { details: [`title: ${looksSo('Cartulary')}`] },
    })
    expect(await anna.post(`/content/users/anna/items/${itemId}/update`, { title: 'Coasts' })).toMatchObject({
      success: true,
    })
  })

  test('is that of any item which is no application', async () => {
    const { id } = await anna.post('/content/users/anna/addItem', { title: 'Rivers', type: 'Web Map' })
    expect(await anna.post(`/content/users/anna/items/${id}/update`, { title: 'Cartulary' })).toMatchObject({
      success: true,
    })
  })
})

describe('an app that is registered', () => {
  test('is shown with its organization and the user who registered it', async () => {
    const { client_id } = await register({ appType: 'server' })
    const { name } = await admin.get('/portals/self')
    const { body } = await authorize(portal, { client_id, redirect_uri: redirectUri })
    expect(body).toContain(`This app belongs to <bdi>${name}</bdi> and was registered by <bdi>anna</bdi>.`)
  })

  test('signs users in by its secret, which is shown once', async () => {
    const app = await register()
    expect(app).toMatchObject({ appType: 'multiple', title: 'Coast', owner: 'anna', redirect_uris: [redirectUri] })
    expect(app.client_id).toMatch(/^[A-Za-z0-9]{16}$/)
    expect(app.client_secret).toMatch(/^[\w-]{43}$/)
    expect(await isSignedIn(await signIn(app))).toBe(true)
    const { client_secret: _, ...others } = app
    const alone = { ...others, lastUses: [] }
    expect(await anna.get(`/oauth2/apps/${app.client_id}`)).toEqual(alone)
    expect(await admin.get(`/content/users/anna/items/${app.itemId}/registeredAppInfo`)).toEqual(alone)
    expect((await admin.get('/oauth2/apps')).apps).toEqual([others])
  })

  test.each(['browser', 'native'])('of type %s gets no secret', async (appType) => {
    const app = await register({ appType })
    expect(app).toMatchObject({ appType, hasSecret: false })
    expect(app).not.toHaveProperty('client_secret')
  })

  test('may see what the organization shares, unless its registration says otherwise', async () => {
    const views = ['portal:user:viewOrgGroups', 'portal:user:viewOrgItems', 'portal:user:viewOrgUsers']
    expect((await register()).privileges).toEqual(views)
    expect((await register({ privileges: '[]' })).privileges).toEqual([])
    expect((await register({ privileges: '["portal:user:createItem"]' })).privileges).toEqual([
      'portal:user:createItem',
    ])
  })
})

test('an app is registered by who governs the apps alone, where that is set', async () => {
  await using strict = await startPortal({ environment: { ORGANIZATION_APPS: 'administrators' } })
  const governor = await strict.admin()
  const user = await governor.invite('anna')
  const itemId = await addApplication(user)
  expect((await user.post('/oauth2/registerApp', { itemId })).error).toMatchObject({
    code: 403,
    reasons: [expect.stringContaining('portal:admin:manageSecurity')],
  })
  expect(await governor.post('/oauth2/registerApp', { itemId })).toMatchObject({ owner: 'anna' })
})

test('an app keeps the title that it has, with whatever else of its item changes', async () => {
  const { itemId } = await register()
  const long = 'x'.repeat(65)
  await changeByHand(portal, 'update items set title = $1, checksum = null where item_id = $2', [long, itemId])
  const update = (parameters: Body) => anna.post(`/content/users/anna/items/${itemId}/update`, parameters)
  expect(await update({ title: long, snippet: 'Deep' })).toMatchObject({ success: true })
  expect((await update({ title: `${long}x` })).error.details).toEqual([
    'title: has 66 letters; at most 64 are allowed for an app.',
  ])
})

describe('an app is not registered', () => {
  test('a second time for an item', async () => {
    const { itemId } = await register()
    const { error } = await anna.post('/oauth2/registerApp', { itemId })
    expect(error.details).toEqual(['itemId: the item has an app already.'])
  })

  test('for an item of another type', async () => {
    const itemId = await addApplication(anna, 'Web Map')
    const { error } = await anna.post('/oauth2/registerApp', { itemId })
    expect(error.details).toEqual(['itemId: the item is of type Web Map; an app is registered for an Application.'])
  })

  test('with privileges that the person does not hold', async () => {
    const privileges = '["portal:admin:updateItems"]'
    expect((await register({ privileges })).error).toMatchObject({
      code: 403,
      reasons: [expect.stringContaining('portal:admin:updateItems')],
    })
    expect((await register({ privileges }, admin)).privileges).toEqual(['portal:admin:updateItems'])
  })
})

describe('an update', () => {
  test('changes what is given alone, and keeps sign-ins', async () => {
    const app = await register()
    const tokens = await signIn(app)
    portal.clock.now += 1_000
    const answer = await anna.post(`/oauth2/apps/${app.client_id}/update`, {
      queryMayDiffer: 'true',
      rotatesAlways: 'true',
    })
    const { client_secret: _, ...others } = app
    expect(answer).toEqual({ ...others, queryMayDiffer: true, rotatesAlways: true, modified: portal.clock.now })
    expect(await isSignedIn(tokens)).toBe(true)
  })

  test('of the type gives and takes the secret', async () => {
    const app = await register()
    const update = (appType: string) => anna.post(`/oauth2/apps/${app.client_id}/update`, { appType })
    expect(await update('server')).not.toHaveProperty('client_secret')
    expect(await update('browser')).toMatchObject({ hasSecret: false })
    const { client_secret } = await update('server')
    expect(client_secret).toMatch(/^[\w-]{43}$/)
    expect(await isSignedIn(await signIn({ ...app, client_secret }))).toBe(true)
  })

  test.each(['browser', 'native'])('that makes it one of type %s ends what it got by its secret', async (appType) => {
    const app = await register()
    const bySecret = await signIn(app)
    const { verifier, asked } = proofKey()
    const own = { client_id: app.client_id, redirect_uri: redirectUri }
    const code = await signInToApp(portal, { ...own, ...asked }, credentials)
    const byKey = await callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier })
    for (const tokens of [bySecret, byKey]) expect(await isSignedIn(tokens)).toBe(true)
    const listApps = async () =>
      (await admin.get('/community/users/anna/sessions')).sessions.filter(({ kind }: Body) => kind === 'app')
    expect(await listApps()).toHaveLength(2)
    await admin.post(`/oauth2/apps/${app.client_id}/update`, { appType })
    expect([await isSignedIn(bySecret), await isSignedIn(byKey)]).toEqual([false, true])
    expect(await listApps()).toHaveLength(1)
    const renew = ({ refresh_token }: Body) =>
      callToken(portal, 'refresh_token', { client_id: app.client_id, refresh_token })
    expect(await renew(bySecret)).toMatchObject({ error: { code: 498 } })
    expect(await renew(byKey)).toHaveProperty('access_token')
  })

  test('adds no privilege that the person does not hold, and keeps those that are there', async () => {
    const { client_id } = await register({ privileges: '["portal:user:createItem"]' })
    const path = `/oauth2/apps/${client_id}/update`
    await admin.post(path, { privileges: '["portal:admin:viewItems"]' })
    expect(await anna.post(path, { privileges: '["portal:admin:viewItems","portal:user:createItem"]' })).toMatchObject({
      privileges: ['portal:admin:viewItems', 'portal:user:createItem'],
    })
    expect((await anna.post(path, { privileges: '["portal:admin:updateItems"]' })).error.code).toBe(403)
  })

  test.each(['asksNothing', 'disabled'])('of %s is for administrators', async (name) => {
    const { client_id } = await register()
    const path = `/oauth2/apps/${client_id}/update`
    expect((await anna.post(path, { [name]: 'true' })).error.code).toBe(403)
    expect(await admin.post(path, { [name]: 'true' })).toMatchObject({ [name]: true })
    expect(await anna.post(path, { [name]: 'true' })).toMatchObject({ [name]: true })
    expect((await anna.post(path, { [name]: 'false' })).error.code).toBe(403)
  })

  test('that switches the app off ends every sign-in to it, until it is switched on', async () => {
    const app = await register()
    const tokens = await signIn(app)
    await admin.post(`/oauth2/apps/${app.client_id}/update`, { disabled: 'true' })
    expect(await isSignedIn(tokens)).toBe(false)
    const page = () => authorize(portal, { client_id: app.client_id, redirect_uri: redirectUri })
    expect((await page()).body).toContain('Error: Invalid client_id')
    await admin.post(`/oauth2/apps/${app.client_id}/update`, { disabled: 'false' })
    expect((await page()).body).toContain('oAuthInfo')
    expect((await refresh(app.client_id, app.client_secret, tokens.refresh_token)).error.code).toBe(498)
  })
})

describe('a secret', () => {
  test('is renewed: both are valid until the former one is ended', async () => {
    const app = await register({ appType: 'server' })
    const { refresh_token } = await signIn(app)
    const path = `/oauth2/apps/${app.client_id}`
    const renewed = await anna.post(`${path}/renewSecret`)
    expect(renewed).toMatchObject({ hasFormerSecret: true, client_secret: expect.stringMatching(/^[\w-]{43}$/) })
    const isValid = async (secret: string) => 'access_token' in (await refresh(app.client_id, secret, refresh_token))
    expect([await isValid(app.client_secret), await isValid(renewed.client_secret)]).toEqual([true, true])
    expect(await anna.post(`${path}/endFormerSecret`)).toMatchObject({ hasFormerSecret: false })
    expect([await isValid(app.client_secret), await isValid(renewed.client_secret)]).toEqual([false, true])
    expect((await anna.post(`${path}/endFormerSecret`)).error.details).toEqual(['The app has one secret only.'])
  })

  test('is stored as a hash, and is in no answer, audit entry or metric', async () => {
    const app = await register()
    const { client_secret } = await anna.post(`/oauth2/apps/${app.client_id}/renewSecret`)
    const log = await admin.get('/portals/self/history', { all: true, types: 'app' })
    expect(log.items.map(({ action }: Body) => action).toSorted()).toEqual(['register', 'renewSecret'])
    const answers = [log, await admin.get('/oauth2/apps'), (await portal.server.app.inject({ url: '/metrics' })).body]
    for (const secret of [app.client_secret, client_secret]) expect(JSON.stringify(answers)).not.toContain(secret)
  })

  test('is not there for an app that keeps none', async () => {
    const { client_id } = await register({ appType: 'native' })
    const { error } = await anna.post(`/oauth2/apps/${client_id}/renewSecret`)
    expect(error.details).toEqual(['An app of type native keeps no secret.'])
  })
})

describe('an app ends, with every sign-in to it,', () => {
  test.each([
    ['by itself', ({ client_id }: Body) => anna.post(`/oauth2/apps/${client_id}/unregister`)],
    ['with its item', ({ itemId }: Body) => anna.post(`/content/users/anna/items/${itemId}/delete`)],
    ['with several items', ({ itemId }: Body) => anna.post('/content/users/anna/deleteItems', { items: itemId })],
  ])('%s', async (_how, end) => {
    const app = await register()
    const tokens = await signIn(app)
    expect(await isSignedIn(tokens)).toBe(true)
    expect(await end(app)).not.toHaveProperty('error')
    expect(await isSignedIn(tokens)).toBe(false)
    expect((await refresh(app.client_id, app.client_secret, tokens.refresh_token)).error.message).toBe(
      'Invalid client_id',
    )
    expect((await anna.get(`/oauth2/apps/${app.client_id}`)).error.code).toBe(404)
  })

  test('and its item may have another', async () => {
    const { client_id, itemId } = await register()
    expect(await anna.post(`/oauth2/apps/${client_id}/unregister`)).toEqual({ success: true, itemId })
    expect(await anna.post('/oauth2/registerApp', { itemId })).toHaveProperty('client_id')
  })
})

describe('a secret of an app that may do more than the owner of its item', () => {
  const privileges = '["portal:admin:updateItems"]'

  test.each([
    ['by renewal', 'server', 'renewSecret', {}],
    ['by another type', 'browser', 'update', { appType: 'server' }],
  ])('is not given to the owner %s', async (_how, appType, operation, parameters) => {
    const { client_id, itemId } = await register({ privileges, appType }, admin)
    await admin.post(`/content/users/admin/items/${itemId}/reassign`, { targetUsername: 'anna' })
    const path = `/oauth2/apps/${client_id}`
    const before = await admin.get(path)
    expect(before.owner).toBe('anna')
    expect((await anna.post(`${path}/${operation}`, parameters)).error).toMatchObject({
      code: 403,
      messageCode: 'GWM_0003',
    })
    expect(await admin.get(path)).toEqual(before)
    expect(await admin.post(`${path}/${operation}`, parameters)).toHaveProperty('client_secret')
  })
})
