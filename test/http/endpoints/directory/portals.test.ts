import { describe, expect, test } from 'vitest'
import { permissionDenied, refused, resourceNotFound, tokenRequired } from '../../../support/portal/envelopes.ts'
import { startOfTests, startPortal } from '../../../support/portal/portal.ts'

const publicView = {
  id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
  name: 'Ministry of Maps',
  description: '',
  portalName: 'Ministry of Maps',
  portalHostname: 'maps.example.com/portal',
  isPortal: true,
  portalMode: 'singletenant',
  currentVersion: expect.stringMatching(/^\d{4}\.\d$/),
  access: 'private',
  allSSL: true,
  supportsOAuth: true,
  canSignInArcGIS: true,
  canSignInIDP: false,
  hasCategorySchema: false,
  helperServices: {},
  authorizedCrossOriginDomains: [],
  allowedOrigins: [],
  maxTokenExpirationMinutes: 21_600,
  urlKey: 'ministryofmaps',
  created: startOfTests,
  modified: startOfTests,
}

test('the root has the release, by GET and POST, with a slash and without', async () => {
  await using portal = await startPortal()
  const answer = { currentVersion: expect.stringMatching(/^\d{4}\.\d$/) }
  expect(await portal.anonymous.get('')).toEqual(answer)
  expect(await portal.anonymous.get('/')).toEqual(answer)
  expect(await portal.anonymous.post('/')).toEqual(answer)
})

const elsewhere = {
  PUBLIC_URL: 'http://gis.example.org/a/b/',
  MAX_TOKEN_EXPIRATION_MINUTES: '90',
  ALLOWED_ORIGINS: 'https://one.example.com,https://two.example.com',
}

test('info has where to sign in, by the public root', async () => {
  await using portal = await startPortal({ environment: elsewhere })
  expect(await portal.anonymous.get('/info')).toEqual({
    owningSystemUrl: 'http://gis.example.org/a/b',
    authInfo: {
      tokenServicesUrl: 'http://gis.example.org/a/b/sharing/rest/generateToken',
      isTokenBasedSecurity: true,
    },
    cartulary: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      extensions: [
        'withCan',
        'categoryPolicy',
        'schemaDrafts',
        'moves',
        'withMerge',
        'plan',
        'versions',
        'import',
        'ownTemplates',
        'transferItems',
        'itemHistory',
        'itemRuns',
        'itemSheets',
        'completeness',
        'coverage',
        'history',
        'jobs',
        'serverFigures',
        'permissionCheck',
        'firstRun',
      ],
    },
  })
})

describe('portals/self', () => {
  test('is the public view of a private organization for an anonymous caller', async () => {
    await using portal = await startPortal()
    expect(await portal.anonymous.get('/portals/self')).toEqual(publicView)
    expect(await portal.anonymous.post('/portals/self')).toEqual(publicView)
  })

  test('has the caller for members, just as community/self has it', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    const answer = await anna.get('/portals/self')
    const categoryPolicy = { require: 'off', below: [], types: [], when: 'public' }
    expect(answer).toEqual({
      ...publicView,
      categoryPolicy,
      categoryApproval: 'none',
      user: await anna.get('/community/self'),
    })
    expect(answer.user).toMatchObject({ username: 'anna', orgId: answer.id })
  })

  test('is the caller’s own organization, not the first', async () => {
    await using portal = await startPortal()
    const outsider = await portal.otherOrganization()
    expect(await outsider.get('/portals/self')).toMatchObject({
      name: 'Institute of Seas',
      user: { username: 'outsider' },
    })
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

  test('has a category schema after an assign and none after a delete', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const has = async () => [
      (await admin.get('/portals/self')).hasCategorySchema,
      (await portal.anonymous.get('/portals/self')).hasCategorySchema,
    ]
    expect(await has()).toEqual([false, false])
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: [{ title: 'A' }] } })
    expect(await has()).toEqual([true, true])
    await admin.post('/portals/self/deleteCategorySchema')
    expect(await has()).toEqual([false, false])
  })

  test('is not touched by the schema of a group or of another organization', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const outsider = await portal.otherOrganization()
    const categorySchema = { categorySchema: [{ title: 'A' }] }
    const { id } = await admin.createGroup('Maps')
    await admin.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema })
    await outsider.post('/portals/self/assignCategorySchema', { categorySchema })
    expect(await admin.get('/portals/self')).toMatchObject({ hasCategorySchema: false })
  })
})

describe('portals/<id>', () => {
  test('is the same as self for members', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const self = await admin.get('/portals/self')
    expect(await admin.get(`/portals/${self.id}`)).toEqual(self)
  })

  test('of a private organization is shown to no caller outside', async () => {
    await using portal = await startPortal()
    const { id } = await portal.anonymous.get('/portals/self')
    const outsider = await portal.otherOrganization()
    expect(await outsider.get(`/portals/${id}`)).toEqual(resourceNotFound)
    expect(await portal.anonymous.get(`/portals/${id}`)).toEqual(tokenRequired)
  })

  test('of a public organization is shown to every caller, but no user', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { id } = await admin.get('/portals/self')
    expect(await admin.post('/portals/self/update', { access: 'public' })).toEqual({ success: true })
    const view = { ...publicView, access: 'public' }
    const outsider = await portal.otherOrganization()
    expect(await portal.anonymous.get(`/portals/${id}`)).toEqual(view)
    expect(await outsider.get(`/portals/${id}`)).toEqual(view)
  })

  test.each(['AbCdEfGh01234567', '__proto__', 'constructor', 'SELF', '%'])('%s is not there', async (id) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.get(`/portals/${encodeURIComponent(id)}`)).toEqual(resourceNotFound)
    expect(await portal.anonymous.get(`/portals/${encodeURIComponent(id)}`)).toEqual(tokenRequired)
  })

  test('is another one in another case', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { id } = await admin.get('/portals/self')
    const other = id === id.toLowerCase() ? id.toUpperCase() : id.toLowerCase()
    expect(await admin.get(`/portals/${other}`)).toEqual(resourceNotFound)
  })
})

describe('updating the organization', () => {
  test('changes what is given and leaves the rest', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    portal.clock.now += 1000
    expect(await admin.post('/portals/self/update', { description: 'Maps of the land' })).toEqual({ success: true })
    const changed = { description: 'Maps of the land', modified: startOfTests + 1000 }
    expect(await admin.get('/portals/self')).toMatchObject(changed)
    // The description of a private organization is for its members.
    expect(await portal.anonymous.get('/portals/self')).toEqual({ ...publicView, ...changed, description: '' })
    await admin.post('/portals/self/update', { access: 'public' })
    expect(await portal.anonymous.get('/portals/self')).toMatchObject(changed)
  })

  test('cannot reach ids, keys or times', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const before = await admin.get('/portals/self')
    await admin.post('/portals/self/update', {
      id: 'x',
      urlKey: 'stolen',
      created: '1',
      hasCategorySchema: 'true',
      isPortal: 'false',
      portalId: 'x',
      public_key: 'x',
    })
    expect(await admin.get('/portals/self')).toEqual(before)
  })

  test('never takes the name away, and clears the description only when asked to', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.post('/portals/self/update', { description: 'Maps' })
    await admin.post('/portals/self/update', { name: ' ', description: '' })
    expect(await admin.get('/portals/self')).toMatchObject({ name: 'Ministry of Maps', description: 'Maps' })
    await admin.post('/portals/self/update', { name: '', description: '', clearEmptyFields: 'true' })
    expect(await admin.get('/portals/self')).toMatchObject({ name: 'Ministry of Maps', description: '' })
  })

  test('keeps a language, which members see, and clears it only when asked to', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.get('/portals/self', { culture: 'fr' })).not.toHaveProperty('culture')
    expect(await admin.post('/portals/self/update', { culture: 'pt-BR' })).toEqual({ success: true })
    await admin.post('/portals/self/update', { culture: '' })
    expect(await admin.get('/portals/self', { culture: 'fr' })).toMatchObject({ culture: 'pt-BR' })
    expect(await portal.anonymous.get('/portals/self')).not.toHaveProperty('culture')
    await admin.post('/portals/self/update', { access: 'public' })
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({ culture: 'pt-BR' })
    expect(await admin.post('/portals/self/update', { culture: 'x'.repeat(33) })).toEqual(
      refused('update organization', 'culture: has 33 characters; at most 32 are allowed.'),
    )
    await admin.post('/portals/self/update', { culture: '', clearEmptyFields: 'true' })
    expect(await admin.get('/portals/self')).not.toHaveProperty('culture')
  })

  test('takes a name of 250 characters, not of 251', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.post('/portals/self/update', { name: 'x'.repeat(250) })).toEqual({ success: true })
    expect(await admin.post('/portals/self/update', { name: '🗺'.repeat(125) })).toEqual({ success: true })
    expect(await admin.post('/portals/self/update', { name: `${'🗺'.repeat(125)}x` })).toEqual(
      refused('update organization', 'name: has 251 characters; at most 250 are allowed.'),
    )
  })

  test('takes no other access than private and public', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.post('/portals/self/update', { access: 'org' })).toEqual(
      refused('update organization', 'access: has to be one of private, public.'),
    )
  })

  test('is for administrators and holders of the privilege', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna', 'org_publisher')
    const role = await admin.createRole('Webmaster', ['portal:admin:manageWebsite'])
    const webmaster = await admin.invite('webmaster', role)
    expect(await anna.post('/portals/self/update', { name: 'x' })).toEqual(permissionDenied)
    expect(await webmaster.post('/portals/self/update', { name: 'Ministry of Webs' })).toEqual({ success: true })
    expect(await portal.anonymous.post('/portals/self/update', { name: 'x' })).toEqual(tokenRequired)
  })
})

test.each([
  ['mfaEnabled', 'true', 'there is no second factor for signing in.'],
  ['canSharePublic', 'false', 'the privileges of roles say who may share with everyone.'],
  ['allowedOrigins', 'https://maps.example.com', 'the operator sets ALLOWED_ORIGINS.'],
])('an update with %s is refused rather than forgotten', async (name, value, reason) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const change = { name: 'Renamed', [name]: value }
  expect(await admin.post('/portals/self/update', change)).toEqual(refused('update organization', `${name}: ${reason}`))
  expect(await admin.get('/portals/self')).toMatchObject({ name: expect.not.stringMatching('Renamed') })
  const harmless = { name: 'Renamed', [name]: '', defaultBasemap: '{}' }
  const warnings = ['defaultBasemap has no effect here.']
  expect(await admin.post('/portals/self/update', harmless)).toEqual({ success: true, warnings })
})

test('an account is the organization, its subscription is active, and it has no servers', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const self = await admin.get('/portals/self')
  expect(await admin.get(`/accounts/${self.id}`)).toEqual(self)
  expect(await portal.anonymous.get('/accounts/self')).toEqual(await portal.anonymous.get('/portals/self'))
  const subscription = { id: self.id, name: self.name, state: 'active' }
  expect(await portal.anonymous.get('/portals/self/subscriptionInfo')).toEqual(subscription)
  expect(await admin.get('/portals/self/servers')).toEqual({ servers: [] })
})
