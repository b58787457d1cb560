import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressIn, type MailServer, startMailServer } from '../../../support/portal/mail-server.ts'
import { sendNewPassword } from '../../../support/portal/oauth.ts'
import { type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const newPassword = 'chosen by the user alone'

let mails: MailServer
let portal: TestPortal
let admin: Client

beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails[Symbol.asyncDispose]())

beforeEach(async () => {
  portal = await startPortal({ environment: mails.settings })
  admin = await portal.admin()
})
afterEach(async () => {
  await mails.empty(portal.server.dependencies.mailer)
  await portal[Symbol.asyncDispose]()
})

function invite(...invitations: readonly object[]) {
  return admin.post('/portals/self/invite', { invitationList: JSON.stringify({ invitations }) })
}

async function choosePassword(number: number) {
  const link = new URL(addressIn(await mails.mail(number), '/newPassword')).searchParams.get('link')!
  return sendNewPassword(portal, { link, newPassword })
}

test('who is invited without a password is sent a link, chooses one, and signs in', async () => {
  const [bruno, carla] = ['bruno', 'carla'].map((username) => ({ username, email: `${username}@example.com` }))
  expect(await invite(bruno!, { ...carla, role: 'org_publisher' })).toEqual({ success: true, notInvited: [] })
  const mail = await mails.mail(1)
  expect([mail.to, mail.headers.get('subject')]).toEqual([
    ['bruno@example.com'],
    'You are a member of "Ministry of Maps"',
  ])
  expect(mail.text).toContain(
    'admin has added you to "Ministry of Maps" at https://maps.example.com/portal. Your username is bruno.',
  )
  expect(addressIn(mail, '/lostPassword')).toBe('https://maps.example.com/portal/sharing/rest/oauth2/lostPassword')
  await choosePassword(2)
  expect((await mails.mail(2)).to).toEqual(['carla@example.com'])
  expect(await (await portal.signIn('carla', newPassword)).get('/community/self')).toMatchObject({
    role: 'org_publisher',
  })
})

test('after an hour a new user has another link sent', async () => {
  await invite({ username: 'bruno', email: 'bruno@example.com' })
  await mails.mail(1)
  portal.clock.now += 60 * 60_000
  expect((await choosePassword(1)).body).toContain('This link has been used, has expired')
  await portal.anonymous.send('/oauth2/lostPassword', { form: 'username=bruno' })
  await mails.mail(2)
  expect((await choosePassword(2)).body).toContain('Password changed')
})

test('no user is made without a password and an address, and one with a password gets no mail', async () => {
  const answer = await invite(
    { username: 'bruno' },
    { username: 'carla', password: 'long enough for carla', email: 'c@x.org' },
  )
  expect(answer).toEqual({
    success: true,
    notInvited: ['bruno'],
    reasons: ['bruno: No password is given, and no e-mail address to which a link can be sent.'],
  })
  await invite({ username: 'dora', email: 'dora@example.com' })
  expect((await mails.mail(1)).to).toEqual(['dora@example.com'])
})

test('createUser of the administration sends a link as well', async () => {
  const created = await portal.server.app.inject({
    method: 'POST',
    url: '/portal/portaladmin/security/users/createUser',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${admin.token}` },
    payload: 'f=json&username=bruno&email=bruno%40example.com&role=org_user',
  })
  expect(created.json()).toEqual({ status: 'success' })
  expect((await choosePassword(1)).body).toContain('Password changed')
})

test('members learn that mail is sent, and others do not', async () => {
  expect(await admin.get('/portals/self')).toMatchObject({ sendsMail: true })
  expect(await portal.anonymous.get('/portals/self')).not.toHaveProperty('sendsMail')
})

test('the former address is notified of a change, and links that were sent there end', async () => {
  await admin.invite('anna')
  await admin.post('/community/users/anna/update', { email: 'first@example.com' })
  const { url } = await admin.post('/community/users/anna/passwordLink')
  await admin.post('/community/users/anna/update', { email: 'first@example.com', fullName: 'Anna A.' })
  const path = `/oauth2/newPassword${new URL(url).search}`
  expect((await portal.inject({ url: path })).body).toContain('value="anna"')
  await admin.post('/community/users/anna/update', { email: 'second@example.com' })
  const mail = await mails.mail(1)
  expect([mail.to, mail.headers.get('subject')]).toEqual([['first@example.com'], 'Mail for anna goes elsewhere'])
  expect(mail.text).not.toContain('second@example.com')
  expect((await portal.inject({ url: path })).body).toContain('This link has been used')
})

test.each([
  ['where mail is sent, only default administrators change addresses', true],
  ['without mail, users and custom roles change them', false],
])('%s', async (_rule, isSent) => {
  await using without = await startPortal()
  const first = isSent ? admin : await without.admin()
  const privileges = ['portal:user:viewOrgUsers', 'portal:admin:viewUsers', 'portal:admin:updateUsers']
  const { id } = await first.post('/portals/self/createRole', { name: 'Clerk', description: '' })
  await first.post(`/portals/self/roles/${id}/setPrivileges`, { privileges: JSON.stringify({ privileges }) })
  const clerk = await first.invite('clerk', id)
  const anna = await first.invite('anna')
  for (const caller of [clerk, anna]) {
    const change = { email: `${caller.username}@example.com`, fullName: 'Anna A.' }
    const answer = await caller.post('/community/users/anna/update', change)
    const reason =
      'email: Links to a new password are sent to this address, so only administrators change it. Ask one of them.'
    if (isSent) expect(answer).toMatchObject({ error: { code: 400, details: [reason] } })
    else expect(answer).toMatchObject({ success: true })
    // Clients send the rest of a profile with it.
    const { email } = await first.get('/community/users/anna')
    expect(await caller.post('/community/users/anna/update', { ...change, email })).toMatchObject({ success: true })
  }
})
