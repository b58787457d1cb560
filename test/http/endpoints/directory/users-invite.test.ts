import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { refused } from '../../../support/portal/envelopes.ts'
import {
  type Client,
  cheapPasswords,
  startOfTests,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'
import { test } from '../../../support/portal/test.ts'

const password = 'a long enough password'

function invite(client: Client, ...invitations: readonly object[]) {
  return client.post('/portals/self/invite', { invitationList: { invitations } })
}

test('an entry with a password makes the user immediately, with everything it says', async ({ portal, admin }) => {
  const anna = {
    username: 'anna',
    password,
    firstname: 'Anna',
    lastname: 'Atlas',
    fullname: 'Anna A. Atlas',
    email: 'anna@example.com',
    role: 'org_publisher',
  }
  expect(await invite(admin, anna)).toEqual({ success: true, notInvited: [] })
  expect(await admin.get('/community/users/anna')).toMatchObject({
    username: 'anna',
    firstName: 'Anna',
    lastName: 'Atlas',
    fullName: 'Anna A. Atlas',
    email: 'anna@example.com',
    role: 'org_publisher',
    access: 'org',
    disabled: false,
    created: startOfTests,
    provider: 'arcgis',
    lastLogin: -1,
  })
  expect(await portal.signIn('anna', password)).toBeDefined()
})

test('what clients send beside is ignored: messages, and members that may not be set', async ({ admin }) => {
  const answer = await admin.post('/portals/self/invite', {
    invitationList: {
      invitations: [
        {
          username: 'anna',
          password,
          userType: 'arcgisonly',
          groups: 'a,b',
          userLicenseType: 'creatorUT',
          id: 'mine',
          orgId: 'other',
          privileges: ['portal:admin:updateUsers'],
          isAdmin: true,
          disabled: true,
        },
      ],
    },
    subject: 'Come in',
    message: 'Please',
    html: '<b>Please</b>',
  })
  expect(answer).toEqual({ success: true, notInvited: [] })
  expect(await admin.get('/community/users/anna')).toMatchObject({ role: 'org_user', disabled: false })
})

test.for([
  [{ firstname: 'Anna', lastname: 'Atlas' }, 'Anna Atlas'],
  [{ firstname: 'Anna' }, 'Anna'],
  [{ lastname: 'Atlas' }, 'Atlas'],
  [{}, 'anna'],
  [{ fullName: 'A. A.', firstName: 'Anna' }, 'A. A.'],
] as const)('the full name of %j is %s', async ([names, fullName], { admin }) => {
  await invite(admin, { username: 'anna', password, ...names })
  expect(await admin.get('/community/users/anna')).toMatchObject({ fullName })
})

describe('an entry is not invited', () => {
  const reasonsByEntry = [
    [{ username: 'anna' }, 'No password is given, and no mail is sent from here.'],
    [{ username: 'anna', password: null }, 'No password is given, and no mail is sent from here.'],
    [{ username: 'anna', password: '1234567' }, 'The password has 7 characters; 8 to 128 are allowed.'],
    [{ username: 'ADMIN', password }, 'The username is taken.'],
    [
      { username: 'anna', password, role: '__proto__' },
      'The role __proto__ does not exist. Roles are org_admin, org_publisher, org_user, org_viewer.',
    ],
  ] as const

  test('that has no good password, a username that is taken, or a role that is not there', async ({ admin }) => {
    expect(await invite(admin, ...reasonsByEntry.map(([entry]) => entry))).toEqual({
      success: true,
      notInvited: reasonsByEntry.map(([{ username }]) => username),
      reasons: reasonsByEntry.map(([{ username }, reason]) => `${username}: ${reason}`),
      warnings: ['No user was invited.'],
    })
    expect(await admin.get('/portals/self/users')).toMatchObject({ total: 1 })
  })

  test.for(['ab', 'аnna'])('by the name %j', async (username, { portal }) => {
    const answer = await invite(await portal.admin(), { username, password })
    expect(answer.notInvited).toEqual([username])
    expect(answer.reasons[0]).toContain('A username has 3 to 128 letters')
  })

  test('whose name was taken a moment ago by another entry', async ({ admin }) => {
    const answer = await invite(
      admin,
      { username: 'anna', password, fullname: 'The first' },
      { username: 'ANNA', password, fullname: 'The second' },
      { username: 'bruno', password },
    )
    expect(answer).toEqual({ success: true, notInvited: ['ANNA'], reasons: ['ANNA: The username is taken.'] })
    expect(await admin.get('/community/users/anna')).toMatchObject({ fullName: 'The first' })
    expect(await admin.get('/community/users/bruno')).toMatchObject({ username: 'bruno' })
  })

  test('whose name is taken in another organization, which is not said', async ({ portal }) => {
    await portal.otherOrganization()
    const answer = await invite(await portal.admin(), { username: 'Outsider', password })
    expect(answer).toEqual({
      success: true,
      notInvited: ['Outsider'],
      reasons: ['Outsider: The username is not available.'],
      warnings: ['No user was invited.'],
    })
  })

  test('and an entry that makes no user asks nothing about names of other organizations', async ({ portal }) => {
    await portal.otherOrganization()
    const admin = await portal.admin()
    for (const wrong of [{ password, role: 'nobody' }, { password: 'short' }, {}]) {
      const [taken, free] = (
        await invite(admin, { username: 'outsider', ...wrong }, { username: 'outsidex', ...wrong })
      ).reasons
      expect(taken.replace('outsider', '')).toBe(free.replace('outsidex', ''))
    }
  })

  test('with a custom role of another organization', async ({ portal, outsider }) => {
    const role = await outsider.createRole('Diver', [])
    const answer = await invite(await portal.admin(), { username: 'anna', password, role })
    expect(answer.reasons).toEqual([
      `anna: The role ${role} does not exist. Roles are org_admin, org_publisher, org_user, org_viewer.`,
    ])
  })
})

test.for([
  ['longest username', { username: 'x'.repeat(128), password }],
  ['username of every kind of character', { username: 'a.B-9_c@d', password }],
  ['password of 64 astral characters', { username: 'anna', password: `${'🗺'.repeat(63)}🧭` }],
] as const)('the %s is taken, and signs in', async ([_name, entry], { portal }) => {
  expect(await invite(await portal.admin(), entry)).toEqual({ success: true, notInvited: [] })
  expect((await portal.signIn(entry.username, entry.password)).token).toBeDefined()
})

test('a hundred entries are invited, a hundred and one refused as a whole', async ({ admin }) => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ username: `user${number}`, password }))
  expect(await invite(admin, ...entries(101))).toEqual(
    refused('invite users', 'At most 100 users can be invited in one request.'),
  )
  expect(await admin.get('/portals/self/users')).toMatchObject({ total: 1 })
  expect(await invite(admin, ...entries(100))).toEqual({ success: true, notInvited: [] })
  expect(await admin.get('/portals/self/users')).toMatchObject({ total: 101 })
})

describe('the passwords of a list', () => {
  const hashed: { readonly text: string; readonly turnOf: string }[] = []
  let running = 0
  let max = 0
  let pass = () => {}
  const passwords = {
    ...cheapPasswords,
    async hash(text: string, turnOf: string) {
      hashed.push({ text, turnOf })
      pass()
      running += 1
      max = Math.max(max, running)
      const hash = await cheapPasswords.hash(text, turnOf)
      running -= 1
      return hash
    },
  }
  let portal: TestPortal
  let admin: Client

  beforeAll(async () => {
    portal = await startPortal({ passwords })
    admin = await portal.admin()
    await portal.otherOrganization()
  })
  beforeEach(() => {
    hashed.length = 0
    max = 0
    pass = () => {}
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  const users = (name: string, count: number) =>
    Array.from({ length: count }, (_, number) => ({ username: `${name}${number}`, password }))

  test('cost as much work for a name that is taken, here or elsewhere, as for a free one', async () => {
    const names = ['outsider', 'admin', 'anna']
    const ofEach = names.map((username) => ({ username, password: `${password} of ${username}` }))
    expect((await invite(admin, ...ofEach)).notInvited).toEqual(['outsider', 'admin'])
    expect(hashed.map(({ text }) => text)).toEqual(ofEach.map((entry) => entry.password))
  })

  test('are hashed one after the other, round-robin by address', async () => {
    const short = { username: 'nobody', password: 'short' }
    expect(await invite(admin, ...users('worker', 20), short)).toMatchObject({ notInvited: ['nobody'] })
    expect(max).toBe(1)
    expect(hashed.map(({ turnOf }) => turnOf)).toEqual(Array(20).fill('127.0.0.1'))
  })

  test('that take longer than a minute are answered 503, and no user is invited', async () => {
    const passing = (seconds: number) => () => {
      portal.clock.now += seconds * 1000
    }
    const { total } = await admin.get('/portals/self/users')
    pass = passing(7)
    expect((await invite(admin, ...users('slow', 11))).error.code).toBe(503)
    expect(await admin.get('/portals/self/users')).toMatchObject({ total })
    pass = passing(5)
    expect(await invite(admin, ...users('slow', 11))).toEqual({ success: true, notInvited: [] })
  })
})

test('an entry for the identity provider needs no password, and its name there has 255 characters at most', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const entry = { username: 'anna', provider: 'enterprise', idpUsername: 'x'.repeat(255) }
  expect(await invite(admin, { ...entry, idpUsername: 'x'.repeat(256) })).toHaveProperty('error')
  expect(await invite(admin, entry)).toEqual({ success: true, notInvited: [] })
  expect(await admin.get('/community/users/anna')).toMatchObject({ idpUsername: entry.idpUsername })
})
