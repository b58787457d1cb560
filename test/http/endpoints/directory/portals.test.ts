import { resourceNotFound } from '../../../support/portal/envelopes.ts'
import { exampleOf } from '../../../support/portal/example-call.ts'
import { startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const { user: _, categoryPolicy, categoryApproval, ...shown } = exampleOf('readPortal')
const publicView = {
  ...shown,
  id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
  currentVersion: expect.stringMatching(/^\d{4}\.\d$/),
  hasCategorySchema: false,
}

const elsewhere = {
  PUBLIC_URL: 'http://gis.example.org/a/b/',
  MAX_TOKEN_EXPIRATION_MINUTES: '90',
  ALLOWED_ORIGINS: 'https://one.example.com,https://two.example.com',
}

test('info has where to sign in, by the public root', async () => {
  await using portal = await startPortal({ environment: elsewhere })
  expect(await portal.anonymous.get('/info')).toEqual({
    ...exampleOf('readInfo'),
    owningSystemUrl: 'http://gis.example.org/a/b',
    authInfo: {
      tokenServicesUrl: 'http://gis.example.org/a/b/sharing/rest/generateToken',
      isTokenBasedSecurity: true,
    },
  })
})

describe('portals/self', () => {
  test('is the public view of a private organization for an anonymous caller', async ({ portal }) => {
    expect(await portal.anonymous.get('/portals/self')).toEqual(publicView)
    expect(await portal.anonymous.post('/portals/self')).toEqual(publicView)
  })

  test('has the caller for members, just as community/self has it', async ({ anna }) => {
    const answer = await anna.get('/portals/self')
    const user = await anna.get('/community/self')
    expect(answer).toEqual({ ...publicView, categoryPolicy, categoryApproval, user })
    expect(answer.user).toMatchObject({ username: 'anna', orgId: answer.id })
  })

  test('has the settings', async () => {
    await using portal = await startPortal({ environment: elsewhere })
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({
      allSSL: false,
      portalHostname: 'gis.example.org/a/b',
      maxTokenExpirationMinutes: 90,
      allowedOrigins: ['https://one.example.com', 'https://two.example.com'],
    })
  })
})

describe('portals/<id>', () => {
  test('is the same as self for members', async ({ admin }) => {
    const self = await admin.get('/portals/self')
    expect(await admin.get(`/portals/${self.id}`)).toEqual(self)
  })

  test('of a public organization is shown to every caller, but no user', async ({ portal, admin }) => {
    const { id } = await admin.get('/portals/self')
    expect(await admin.post('/portals/self/update', { access: 'public' })).toEqual({ success: true })
    const view = { ...publicView, access: 'public' }
    const outsider = await portal.otherOrganization()
    expect(await portal.anonymous.get(`/portals/${id}`)).toEqual(view)
    expect(await outsider.get(`/portals/${id}`)).toEqual(view)
  })

  test('is another one in another case', async ({ admin }) => {
    const { id } = await admin.get('/portals/self')
    const other = id === id.toLowerCase() ? id.toUpperCase() : id.toLowerCase()
    expect(await admin.get(`/portals/${other}`)).toEqual(resourceNotFound)
  })
})

describe('updating the organization', () => {
  test('changes what is given and leaves the rest', async ({ portal, admin }) => {
    portal.clock.now += 1000
    expect(await admin.post('/portals/self/update', { description: 'Maps of the land' })).toEqual({ success: true })
    const changed = { description: 'Maps of the land', modified: startOfTests + 1000 }
    expect(await admin.get('/portals/self')).toMatchObject(changed)
    // The description of a private organization is for its members.
    expect(await portal.anonymous.get('/portals/self')).toEqual({ ...publicView, ...changed, description: '' })
    await admin.post('/portals/self/update', { access: 'public' })
    expect(await portal.anonymous.get('/portals/self')).toMatchObject(changed)
  })

  test('never takes the name away, and clears the description only when asked to', async ({ admin }) => {
    await admin.post('/portals/self/update', { description: 'Maps' })
    await admin.post('/portals/self/update', { name: ' ', description: '' })
    expect(await admin.get('/portals/self')).toMatchObject({ name: 'Ministry of Maps', description: 'Maps' })
    await admin.post('/portals/self/update', { name: '', description: '', clearEmptyFields: 'true' })
    expect(await admin.get('/portals/self')).toMatchObject({ name: 'Ministry of Maps', description: '' })
  })

  test('keeps a language, which members see, and clears it only when asked to', async ({ portal, admin }) => {
    expect(await admin.get('/portals/self', { culture: 'fr' })).not.toHaveProperty('culture')
    expect(await admin.post('/portals/self/update', { culture: 'pt-BR' })).toEqual({ success: true })
    await admin.post('/portals/self/update', { culture: '' })
    expect(await admin.get('/portals/self', { culture: 'fr' })).toMatchObject({ culture: 'pt-BR' })
    expect(await portal.anonymous.get('/portals/self')).not.toHaveProperty('culture')
    await admin.post('/portals/self/update', { access: 'public' })
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({ culture: 'pt-BR' })
    await admin.post('/portals/self/update', { culture: '', clearEmptyFields: 'true' })
    expect(await admin.get('/portals/self')).not.toHaveProperty('culture')
  })
})

test('what is refused rather than forgotten may be empty', async ({ portal }) => {
  const harmless = { name: 'Renamed', mfaEnabled: '', defaultBasemap: '{}' }
  const warnings = ['defaultBasemap has no effect here.']
  expect(await (await portal.admin()).post('/portals/self/update', harmless)).toEqual({ success: true, warnings })
})

test('an account is the organization', async ({ portal, admin }) => {
  const self = await admin.get('/portals/self')
  expect(await admin.get(`/accounts/${self.id}`)).toEqual(self)
  expect(await portal.anonymous.get('/accounts/self')).toEqual(await portal.anonymous.get('/portals/self'))
})
