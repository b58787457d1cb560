import { addOrganization } from '../../../../src/first-organization.ts'
import { hashOfFirstRun } from '../../../../src/first-run/operations.ts'
import type { WriteCommand } from '../../../../src/operations/command.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import {
  adminPassword,
  type Body,
  type Parameters,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const password = 'a long one that is hard to guess'
const chosen = { organizationName: 'Institute of Maps', username: 'maria', password }
const day = 24 * 60 * 60_000
const recovered = { username: 'admin' }

const ended = refused(
  'set up the organization',
  'secret: the link was used, has ended, or is another one. The operator makes one by "cartulary first-run".',
)

/** Makes a link in the way that the command does, or one of another kind. */
async function makeLink(
  { server: { dependencies } }: TestPortal,
  [operation, hashOf, input]: readonly [string, typeof hashOfFirstRun, object] = ['renewFirstRun', hashOfFirstRun, {}],
): Promise<string> {
  const { storage, random, now } = dependencies
  const secret = random.token()
  await storage.write({
    operation,
    input: { ...input, linkHash: hashOf(random, secret) },
    ...{ tokenHash: undefined, now: now(), problems: [] },
    origin: { address: 'localhost', target: '/portals', requestId: random.id() },
  } as WriteCommand)
  return secret
}

function complete({ anonymous }: TestPortal, secret: string, more: Parameters = {}): Promise<Body> {
  return anonymous.post('/firstRun/complete', { ...chosen, secret, ...more })
}

async function isOpen({ anonymous }: TestPortal, secret: string): Promise<boolean> {
  const { open } = await anonymous.post('/firstRun', { secret })
  return open
}

describe('the link of the first run', () => {
  test('gives the organization its name, and another administrator in place of the first, once', async ({ portal }) => {
    const secret = await makeLink(portal)
    expect(await isOpen(portal, secret)).toBe(true)
    const answer = await complete(portal, secret, { fullName: 'Maria Meridian', email: 'maria@maps.example.com' })
    const { id } = await portal.anonymous.get('/portals/self')
    expect(answer).toEqual({ success: true, organization: { id, name: 'Institute of Maps' }, username: 'maria' })
    const maria = await portal.signIn('maria', password)
    expect(await maria.get('/portals/self')).toMatchObject({
      name: 'Institute of Maps',
      urlKey: 'instituteofmaps',
      user: { username: 'maria', role: 'org_admin', fullName: 'Maria Meridian', email: 'maria@maps.example.com' },
    })
    expect(await maria.get('/portals/self/users')).toMatchObject({ total: 1 })
    await expect(portal.admin()).rejects.toThrow('admin does not sign in')
    expect(await isOpen(portal, secret)).toBe(false)
    expect(await complete(portal, secret, { username: 'other' })).toEqual(ended)
    const { items } = await maria.get('/portals/self/history', { all: 'true', actions: 'completeFirstRun' })
    expect(items).toMatchObject([{ actor: 'maria', action: 'firstRun', id, idType: 'a', data: { outcome: 'success' } }])
  })

  test('keeps the user where the username is the same, with the password that is chosen', async ({ portal }) => {
    const before = await userIdOf(portal, 'admin')
    const secret = await makeLink(portal)
    expect(await complete(portal, secret, { username: 'Admin' })).toMatchObject({ username: 'admin' })
    expect(await isOpen(portal, secret)).toBe(false)
    const admin = await portal.signIn('admin', password)
    expect(await admin.get('/community/self')).toMatchObject({ id: before, username: 'admin', fullName: 'admin' })
    await expect(portal.admin()).rejects.toThrow('admin does not sign in')
  })

  test('ends when the administrator has signed in', async ({ portal }) => {
    const secret = await makeLink(portal)
    await portal.admin()
    expect(await isOpen(portal, secret)).toBe(false)
    expect(await complete(portal, secret)).toEqual(ended)
    await expect(makeLink(portal)).rejects.toThrow('The first organization is in use')
  })

  test('ends after a day, and when another one is made', async ({ portal }) => {
    const first = await makeLink(portal)
    portal.clock.now += day - 1
    expect(await isOpen(portal, first)).toBe(true)
    portal.clock.now += 1
    expect(await isOpen(portal, first)).toBe(false)
    expect(await complete(portal, first)).toEqual(ended)
    const [second, third] = [await makeLink(portal), await makeLink(portal)]
    expect(await isOpen(portal, second)).toBe(false)
    expect(await complete(portal, third)).toMatchObject({ success: true })
  })

  test('is no link to a new password, and such a link is no secret of it', async ({ portal }) => {
    const { storage, random } = portal.server.dependencies
    const link = await makeLink(portal, ['recoverByLink', (hashes, secret) => hashes.hashToken(secret), recovered])
    expect(await isOpen(portal, link)).toBe(false)
    expect(await complete(portal, link)).toEqual(ended)
    const secret = await makeLink(portal)
    const page = await portal.inject({ url: `/oauth2/newPassword?link=${secret}` })
    expect(page.body).toContain('Link not valid')
    expect(await storage.read(({ oauth }) => oauth.findLink(random.hashToken(secret)))).toBeUndefined()
  })

  test('is used by one of several concurrent callers', async ({ portal }) => {
    const secret = await makeLink(portal)
    const usernames = ['maria', 'nora', 'olga', 'paul']
    const answers = await Promise.all(usernames.map((username) => complete(portal, secret, { username })))
    const winners = answers.filter(({ success }) => success)
    expect(winners).toHaveLength(1)
    const admin = await portal.signIn(winners[0]!.username, password)
    expect(await admin.get('/portals/self/users')).toMatchObject({ total: 1 })
  })
})

describe('a secret that opens nothing', () => {
  test('counts as a failed sign-in, and the right one is refused as well once there are too many', async () => {
    await using portal = await startPortal()
    const secret = await makeLink(portal)
    for (let count = 0; count < 10; count += 1) expect(await complete(portal, 'A'.repeat(43))).toEqual(ended)
    expect(await complete(portal, secret)).toMatchObject({ error: { code: 429 } })
    expect(await isOpen(portal, secret)).toBe(true)
    portal.clock.now += 15 * 60_000
    expect(await complete(portal, secret)).toMatchObject({ success: true })
  })

  test('is refused in the query, and says nothing of what else is wrong', async ({ portal }) => {
    const secret = await makeLink(portal)
    expect(await portal.anonymous.post(`/firstRun/complete?secret=${secret}`, chosen)).toEqual(
      refused('set up the organization', 'Secrets belong in the body of the request, not in its URL.'),
    )
    for (const wrong of ['', 'short', 'A'.repeat(43), `${secret}A`]) {
      expect(await complete(portal, wrong, { username: '?', password: '1' })).toEqual(ended)
    }
    expect(await portal.anonymous.post('/firstRun', { secret: 'short' })).toMatchObject({ error: { code: 400 } })
  })
})

describe('what is chosen', () => {
  const wrong: readonly (readonly [Parameters, string])[] = [
    [{ username: 'no' }, 'username: A username has 3 to 128 letters, digits, dots, hyphens, underscores and at signs.'],
    [
      { password: 'institute of maps!' },
      'password: The password is little more than the name of the organization: choose another.',
    ],
    [{ username: 'sea' }, 'username: sea is taken.'],
  ]

  test('is judged as elsewhere, and the link stays', async ({ portal }) => {
    // Later, as the first organization is the oldest one.
    portal.clock.now += 1
    await addOrganization(portal.server.dependencies, { name: 'Seas', username: 'sea', password: adminPassword })
    const secret = await makeLink(portal)
    for (const [more, sentence] of wrong) {
      expect(await complete(portal, secret, more)).toEqual(refused('set up the organization', sentence))
    }
    expect(await complete(portal, secret)).toMatchObject({ success: true })
  })
})

test('sample content is a schema, a group with a schema of its own, and items with categories of both', async () => {
  await using portal = await startPortal()
  expect(await complete(portal, await makeLink(portal), { sampleContent: 'true' })).toMatchObject({ success: true })
  const maria = await portal.signIn('maria', password)
  const { categorySchema } = await maria.get('/portals/self/categorySchema')
  expect(categorySchema.map(({ title }: { title: string }) => title)).toEqual(['Region', 'Topic'])
  const { results: groups } = await maria.get('/community/groups')
  expect(groups).toMatchObject([{ title: 'Sample maps', owner: 'maria', hasCategorySchema: true }])
  const found = await maria.get(`/content/groups/${groups[0].id}/search`, { sortField: 'title' })
  expect(found).toMatchObject({ total: 4 })
  expect(found.results).toMatchObject([
    {
      title: 'Alpine lakes',
      categories: ['/Region/Europe/Alps', '/Topic/Water'],
      groupCategories: ['/State/Approved'],
    },
    { title: 'Ferries of the Baltic Sea', access: 'org', groupCategories: ['/State/In review'] },
    { title: 'Forest cover', categories: ['/Region/World', '/Topic/Forests'] },
    { title: 'Wells', categories: [], groupCategories: [] },
  ])
  expect(await maria.get('/search', { uncategorized: 'true' })).toMatchObject({
    total: 1,
    results: [{ title: 'Wells' }],
  })
  const { items } = await maria.get('/portals/self/history', { all: 'true', actors: 'maria', sortOrder: 'asc' })
  expect(items.map(({ data }: { data: { operation: string } }) => data.operation)).toEqual([
    'completeFirstRun',
    'assignPortalCategorySchema',
    'createGroup',
    'assignGroupCategorySchema',
    'addItem',
    'addItem',
    'addItem',
    'addItem',
    'generateToken',
  ])
})

test('sample content is in the language that is asked for', async () => {
  await using portal = await startPortal()
  await complete(portal, await makeLink(portal), { sampleContent: 'true', language: 'fr-CA' })
  const maria = await portal.signIn('maria', password)
  const { results } = await maria.get('/search', { q: 'tags:exemple', sortField: 'title' })
  expect(results).toMatchObject([
    { title: 'Couverture forestière', categories: ['/Région/Monde', '/Thème/Forêts'], tags: ['exemple', 'forêt'] },
    { title: 'Ferries de la mer Baltique', snippet: 'Lignes avec leurs horaires.' },
    { title: 'Lacs alpins' },
    { title: 'Puits', categories: [] },
  ])
})

async function userIdOf({ server }: TestPortal, username: string): Promise<string | undefined> {
  const user = await server.dependencies.storage.read(({ directory }) => directory.findUser(username))
  return user?.userId
}
