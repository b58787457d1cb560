import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressIn, type MailServer, startMailServer } from '../../../support/portal/mail-server.ts'
import { sendNewPassword } from '../../../support/portal/oauth.ts'
import { type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const newPassword = 'chosen by the user alone'

let mails: MailServer
let portal: TestPortal
let admin: Client

beforeEach(async () => {
  mails = await startMailServer()
  portal = await startPortal({ environment: mails.settings, isReused: false })
  admin = await portal.admin()
})
afterEach(async () => {
  await portal[Symbol.asyncDispose]()
  await mails[Symbol.asyncDispose]()
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
    'You are a member of Ministry of Maps',
  ])
  expect(mail.text).toContain(
    'admin has added you to Ministry of Maps at https://maps.example.com/portal. Your username is bruno.',
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
  await portal.inject({
    method: 'POST',
    url: '/oauth2/lostPassword',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=bruno',
  })
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

test('an address that changes is told, and by another user than an administrator it does not', async () => {
  await admin.post('/community/users/admin/update', { email: 'first@example.com' })
  await admin.post('/community/users/admin/update', { email: 'second@example.com', fullName: 'A. B.' })
  const mail = await mails.mail(1)
  expect([mail.to, mail.headers.get('subject')]).toEqual([['first@example.com'], 'Mail for admin goes elsewhere'])
  expect(mail.text).not.toContain('second@example.com')

  const privileges = ['portal:user:viewOrgUsers', 'portal:admin:viewUsers', 'portal:admin:updateUsers']
  const { id } = await admin.post('/portals/self/createRole', { name: 'Clerk', description: '' })
  await admin.post(`/portals/self/roles/${id}/setPrivileges`, { privileges: JSON.stringify({ privileges }) })
  const clerk = await admin.invite('clerk', id)
  const anna = await admin.invite('anna')
  const change = { email: 'clerk@example.com', fullName: 'Anna A.' }
  expect(await clerk.post('/community/users/anna/update', change)).toMatchObject({ error: { code: 403 } })
  expect(await clerk.post('/community/users/anna/update', { fullName: 'Anna A.' })).toMatchObject({ success: true })
  expect(await anna.post('/community/users/anna/update', { email: 'anna@example.com' })).toMatchObject({
    success: true,
  })
  expect(await clerk.post('/community/users/anna/update', { email: 'anna@example.com' })).toMatchObject({
    success: true,
  })

  await using other = await startPortal()
  const first = await other.admin()
  const role = await first.post('/portals/self/createRole', { name: 'Clerk', description: '' })
  await first.post(`/portals/self/roles/${role.id}/setPrivileges`, { privileges: JSON.stringify({ privileges }) })
  await first.invite('anna')
  const same = await first.invite('clerk', role.id)
  expect(await same.post('/community/users/anna/update', change)).toMatchObject({ success: true })
})
