import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defaultLimits } from '../../../../src/limits.ts'
import { type Body, Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal
let admin: Client
let app: Body

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  app = await register()
})

async function register(parameters: Record<string, string> = {}, by = admin): Promise<Body> {
  const path = `/content/users/${by.username}/addItem`
  const { id: itemId } = await by.post(path, { title: 'Robot', type: 'Application' })
  return by.post('/oauth2/registerApp', { itemId, appType: 'server', ...parameters })
}

function ask(parameters: Record<string, string> = {}, { client_id, client_secret }: Body = app): Promise<Body> {
  return portal.anonymous.post('/oauth2/token', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    ...parameters,
  })
}

async function signIn(of: Body = app): Promise<Client> {
  return new Client(portal, (await ask({}, of)).access_token, undefined)
}

const isValid = async (client: Client) => 'appInfo' in (await client.get('/portals/self'))
const minute = 60_000

describe('an app with a secret', () => {
  test.each([
    ['two hours', {}, 120],
    ['as many minutes as it asks for', { expiration: '7200' }, 7_200],
    ['a fortnight at most', { expiration: '99999' }, 20_160],
  ])('gets a token of its own for %s', async (_long, parameters, minutes) => {
    const answer = await ask(parameters)
    expect(answer).toEqual({ access_token: expect.stringMatching(/^[\w-]{43}$/), expires_in: minutes * 60 })
    const client = new Client(portal, answer.access_token, undefined)
    portal.clock.now += minutes * minute - 1
    expect(await isValid(client)).toBe(true)
    portal.clock.now += 1
    expect((await client.get('/portals/self')).error.code).toBe(498)
  })

  test('has as many tokens as are allowed: the oldest ends', async () => {
    await using small = await startPortal({ config: { limits: { ...defaultLimits, appTokens: 2 } }, isReused: false })
    const owner = await small.admin()
    const { id: itemId } = await owner.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
    const robot = await owner.post('/oauth2/registerApp', { itemId, appType: 'server' })
    const clients: Client[] = []
    for (let time = 1; time <= 3; time += 1) {
      const { client_id, client_secret } = robot
      const asked = { grant_type: 'client_credentials', client_id, client_secret }
      const { access_token } = await small.anonymous.post('/oauth2/token', asked)
      clients.push(new Client(small, access_token, undefined))
      small.clock.now += 1
    }
    expect(await Promise.all(clients.map(isValid))).toEqual([false, true, true])
    expect((await clients[0]!.get('/portals/self')).error.code).toBe(498)
  })

  test('may name itself in Authorization: Basic', async () => {
    const basic = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')
    const given = { form: 'grant_type=client_credentials', headers: { authorization: `Basic ${basic}` } }
    const response = await portal.anonymous.send('/oauth2/token', given)
    expect(response.json()).toHaveProperty('access_token')
  })

  test.each<[string, Record<string, string>, string]>([
    ['without its secret', { client_secret: '' }, 'Invalid client_secret'],
    ['with another secret', { client_secret: 'another' }, 'Invalid client_secret'],
    ['with an unknown id', { client_id: 'unknown' }, 'Invalid client_id'],
    ['as a built-in app', { client_id: 'arcgisonline', client_secret: '' }, 'Invalid client_secret'],
    ['for no time', { expiration: '0' }, 'expiration: has to be a whole number of minutes, 1 or more.'],
    ['for ever', { expiration: '-1' }, 'expiration: has to be a whole number of minutes, 1 or more.'],
  ])('gets none %s', async (_how, parameters, message) => {
    expect((await ask(parameters)).error).toMatchObject({ code: 400, message })
  })

  test('sees itself in the organization, and no user', async () => {
    const robot = await signIn()
    const self = await robot.get('/portals/self')
    expect(self).not.toHaveProperty('user')
    expect(self.appInfo).toEqual({
      appId: app.client_id,
      itemId: app.itemId,
      appOwner: 'admin',
      orgId: self.id,
      appTitle: 'Robot',
      privileges: app.privileges,
    })
    expect((await robot.get('/community/self')).error).toMatchObject({
      code: 403,
      reasons: ['An app may not call this as itself, but for a user who signs in to it.'],
    })
  })

  test('does what its registration lists, and is named in the log by its id', async () => {
    const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
    const path = `/content/users/admin/items/${id}/update`
    await admin.post(`/content/items/${id}/share`, { org: 'true' })
    const reader = await signIn()
    expect((await reader.get(`/content/items/${id}`)).title).toBe('Lakes')
    expect((await reader.post(path, { title: 'Seas' })).error.code).toBe(403)
    const writer = await register({ privileges: '["portal:user:viewOrgItems","portal:admin:updateItems"]' })
    const robot = await signIn(writer)
    expect(await robot.post(path, { title: 'Seas' })).toMatchObject({ success: true })
    await admin.post(`/oauth2/apps/${writer.client_id}/update`, { privileges: '["portal:user:viewOrgItems"]' })
    expect((await robot.post(path, { title: 'Lakes' })).error.code).toBe(403)
    const { items } = await admin.get('/portals/self/history', { all: true, actions: 'update', types: 'i' })
    expect(items.map(({ actor }: Body) => actor).toSorted()).toEqual(
      [`app:${app.client_id}`, `app:${writer.client_id}`, `app:${writer.client_id}`].toSorted(),
    )
  })

  test('is no user, whatever it is called', async () => {
    await admin.post(`/content/users/admin/items/${app.itemId}/update`, { title: 'admin' })
    const robot = await signIn(await register({ privileges: '[]' }))
    expect((await robot.get('/content/users/admin')).error).toBeDefined()
    expect((await robot.get('/community/users/admin')).error).toBeDefined()
  })

  test('ends its token, which no other app does', async () => {
    const robot = await signIn()
    const revoke = (client_id: string) =>
      portal.anonymous.post('/oauth2/revokeToken', { auth_token: robot.token, client_id })
    expect(await revoke('arcgisonline')).toEqual({ success: true })
    expect(await isValid(robot)).toBe(true)
    expect(await revoke(app.client_id)).toEqual({ success: true })
    expect(await isValid(robot)).toBe(false)
  })
})

describe('tokens of an app end', () => {
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['with the app', (path) => admin.post(`${path}/unregister`)],
    ['with its item', () => admin.post(`/content/users/admin/items/${app.itemId}/delete`)],
    ['where it is switched off', (path) => admin.post(`${path}/update`, { disabled: 'true' })],
    ['where it keeps no secret any more', (path) => admin.post(`${path}/update`, { appType: 'browser' })],
    [
      'with its former secret',
      async (path) => {
        await admin.post(`${path}/renewSecret`)
        await admin.post(`${path}/endFormerSecret`)
      },
    ],
  ])('%s', async (_when, end) => {
    const robot = await signIn()
    expect(await isValid(robot)).toBe(true)
    await end(`/oauth2/apps/${app.client_id}`)
    expect((await robot.get('/portals/self')).error.code).toBe(498)
  })
})

describe('an app of a user', () => {
  let anna: Client
  let annas: Body
  let robot: Client
  let shared: string
  const update = (parameters: Record<string, string>) => anna.post(`/oauth2/apps/${annas.client_id}/update`, parameters)
  const sees = async () => (await robot.get(`/content/items/${shared}`)).title === 'Lakes'

  beforeEach(async () => {
    anna = await admin.invite('anna')
    annas = await register({}, anna)
    robot = await signIn(annas)
    shared = (await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })).id
    await admin.post(`/content/items/${shared}/share`, { org: 'true' })
  })

  async function disable(): Promise<void> {
    await admin.post('/community/users/anna/disable')
  }

  test('acts only while that user is enabled', async () => {
    await disable()
    expect((await robot.get('/portals/self')).error.code).toBe(498)
    expect((await ask({}, annas)).error).toMatchObject({ code: 400, message: 'Invalid client_id' })
    await admin.post('/community/users/anna/enable')
    expect(await isValid(robot)).toBe(true)
  })

  test('does no more than that user may now, until an administrator has confirmed it', async () => {
    expect(await sees()).toBe(true)
    const { id: role } = await admin.post('/portals/self/createRole', { name: 'Guest', description: 'Sees nothing.' })
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role })
    expect(await sees()).toBe(false)
    expect((await robot.get('/portals/self')).appInfo.privileges).toEqual([])

    expect(await admin.post(`/oauth2/apps/${annas.client_id}/confirm`)).toMatchObject({ confirmed: true })
    expect(await sees()).toBe(true)
    expect(await update({ appType: 'server', redirect_uris: '[]' })).toMatchObject({ confirmed: true })
    await disable()
    expect(await sees()).toBe(true)
    expect(await ask({}, annas)).toHaveProperty('access_token')
  })

  test('is confirmed as it was read, or not at all', async () => {
    const path = `/oauth2/apps/${annas.client_id}`
    const { modified } = await admin.get(path)
    portal.clock.now += 1
    await update({ redirect_uris: '["https://elsewhere.example.com/"]' })
    const confirm = (ifModified: number) => admin.post(`${path}/confirm`, { ifModified: String(ifModified) })
    expect((await confirm(modified)).error).toEqual({
      code: 409,
      message: 'Unable to confirm app.',
      details: [`The app was last changed at ${modified + 1}, not at ${modified}: read it again.`],
    })
    expect(await admin.get(path)).toMatchObject({ confirmed: false })
    expect(await confirm(modified + 1)).toMatchObject({ confirmed: true })
  })

  test.each<[string, Record<string, string>]>([
    ['privileges', { privileges: '["portal:user:viewOrgItems"]' }],
    ['addresses', { redirect_uris: '["https://elsewhere.example.com/"]' }],
    ['grants', { appType: 'multiple' }],
  ])('is neither confirmed nor spared questions any more with other %s', async (_what, change) => {
    await admin.post(`/oauth2/apps/${annas.client_id}/update`, { asksNothing: 'true' })
    expect(await admin.post(`/oauth2/apps/${annas.client_id}/confirm`)).toMatchObject({ asksNothing: true })
    expect(await update(change)).toMatchObject({ confirmed: false, asksNothing: false })
  })

  test.each<[string, () => Promise<unknown>]>([
    ['its item', () => admin.post(`/content/users/anna/items/${annas.itemId}/reassign`, { targetUsername: 'admin' })],
    ['all that its owner had', () => admin.post('/community/users/anna/reassign', { targetUsername: 'admin' })],
  ])('keeps neither secret nor tokens when %s gets another owner, who renews it', async (_what, reassign) => {
    await admin.post(`/oauth2/apps/${annas.client_id}/update`, { asksNothing: 'true' })
    await admin.post(`/oauth2/apps/${annas.client_id}/confirm`)
    await reassign()
    expect((await robot.get('/portals/self')).error.code).toBe(498)
    expect((await ask({}, annas)).error.message).toBe('Invalid client_secret')
    const path = `/oauth2/apps/${annas.client_id}`
    expect(await admin.get(path)).toMatchObject({
      owner: 'admin',
      confirmed: false,
      asksNothing: false,
      hasSecret: false,
    })
    expect(await admin.post(`${path}/update`, { httpReferrers: '[]' })).not.toHaveProperty('client_secret')
    const { client_secret } = await admin.post(`${path}/renewSecret`)
    expect(await ask({ client_secret }, annas)).toHaveProperty('access_token')
  })

  test('is named where that user is to be deleted', async () => {
    expect((await admin.post('/community/users/anna/delete')).error.details).toEqual([
      `anna owns 1 items; reassign or delete them first. Apps are registered for some of them, and end with their item, or lose their secret with a new owner: Robot (${annas.client_id}).`,
    ])
  })
})

test.each(['browser', 'native'])('an app of type %s gets no token of its own', async (appType) => {
  const other = await register({ appType })
  expect((await ask({ client_secret: '' }, other)).error.message).toBe('Invalid client_secret')
  expect((await ask({ client_secret: app.client_secret }, other)).error.message).toBe('Invalid client_secret')
})

test('the error for an app that lacks a privilege names the app, as it has no role', async () => {
  const client = await signIn()
  const categorySchema = '{"categorySchema":[{"title":"Water"}]}'
  const { error } = await client.post('/portals/self/assignCategorySchema', { categorySchema })
  const missing = 'portal:admin:updateItemCategorySchema'
  const reasons = [`The app does not have the privilege ${missing}, or the owner of its item has lost it.`]
  expect(error).toMatchObject({ code: 403, messageCode: 'GWM_0003', reasons })
})

const day = 86_400_000

describe('a secret', () => {
  test.each([
    ['a year', {}, 365],
    ['as many days as are asked for', { expiration: '2' }, 2],
    ['two years at most', { expiration: '9999' }, 730],
  ])('ends after %s, with the tokens that it was used for', async (_long, parameters, days) => {
    const made = await register(parameters)
    expect(made.secretExpires).toBe(portal.clock.now + days * day)
    portal.clock.now += days * day - minute
    const last = await ask({ expiration: '7200' }, made)
    expect(last.expires_in).toBe(60)
    const client = new Client(portal, last.access_token, undefined)
    expect(await isValid(client)).toBe(true)
    portal.clock.now += minute
    expect((await client.get('/portals/self')).error.code).toBe(498)
    expect(await ask({}, made)).toEqual({
      error: {
        code: 400,
        error: 'invalid_request',
        error_description: 'client_secret expired: have another one made by renewSecret',
        message: 'client_secret expired: have another one made by renewSecret',
        details: [],
      },
    })
  })

  test('is followed by another one, beside which it stays valid until it ends', async () => {
    const first = await register({ expiration: '30' })
    portal.clock.now += 29 * day
    // The token of a person has ended meanwhile.
    admin = await portal.admin()
    const path = `/oauth2/apps/${first.client_id}`
    const second = await admin.post(`${path}/renewSecret`, { expiration: '10' })
    expect([second.formerSecretExpires, second.secretExpires]).toEqual([
      first.secretExpires,
      portal.clock.now + 10 * day,
    ])
    for (const secret of [first, second]) expect(await ask({}, secret)).toHaveProperty('access_token')
    portal.clock.now += day
    expect(await ask({}, first)).toHaveProperty('error')
    expect(await ask({}, second)).toHaveProperty('access_token')
  })

  test('that is renewed twice ends with the tokens that it was used for', async () => {
    const first = await register()
    const client = await signIn(first)
    const renew = () => admin.post(`/oauth2/apps/${first.client_id}/renewSecret`)
    await renew()
    expect(await isValid(client)).toBe(true)
    const last = await renew()
    expect(await ask({}, first)).toHaveProperty('error')
    expect(await isValid(client)).toBe(false)
    expect(await isValid(await signIn({ ...last, client_id: first.client_id }))).toBe(true)
  })

  test('shows when and from where it was used last, to those alone who read the app', async () => {
    for (let time = 0; time < 11; time += 1) {
      portal.clock.now += minute
      await ask()
    }
    await ask({}, { ...app, client_secret: 'a wrong one' })
    const { lastUses } = await admin.get(`/oauth2/apps/${app.client_id}`)
    const at = Array.from({ length: 10 }, (_, before) => portal.clock.now - before * minute)
    expect(lastUses).toEqual(at.map((time) => ({ at: time, address: expect.any(String) })))
    expect((await admin.get('/oauth2/apps')).apps[0]).not.toHaveProperty('lastUses')
  })
})
