import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInFailed } from '../../support/portal/envelopes.ts'
import { addressIn, type MailServer, startMailServer } from '../../support/portal/mail-server.ts'
import { authorize, messageOf, outOfBand, sendNewPassword } from '../../support/portal/oauth.ts'
import { adminPassword, type Client, type Headers, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const minute = 60_000
const newPassword = 'chosen by the user alone'
const path = '/oauth2/lostPassword'
const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }

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
  await admin.invite('anna')
  await admin.post('/community/users/anna/update', { email: 'anna@example.com' })
})
afterEach(async () => {
  await mails.empty(portal.server.dependencies.mailer)
  await portal[Symbol.asyncDispose]()
})

function ask(username: string, headers: Headers = {}) {
  return portal.postForm(path, { username }, headers)
}

function linkOf(address: string): string {
  return new URL(address).searchParams.get('link')!
}

/** The links of all mails, once a later one has come to bert: mails are sent one after the other. */
async function linksSent(): Promise<readonly string[]> {
  await admin.invite('bert')
  await admin.post('/community/users/bert/update', { email: 'bert@example.com' })
  await ask('bert')
  await expect.poll(() => mails.received.at(-1)?.to).toEqual(['bert@example.com'])
  const passwords = mails.received.filter(({ headers }) => headers.get('subject')!.startsWith('A new password'))
  return passwords.slice(0, -1).map((mail) => linkOf(addressIn(mail, '/newPassword')))
}

test('a user who has lost the password chooses another one by a link that is mailed', async () => {
  const signIn = await authorize(portal, python)
  expect(signIn.body).toContain('<a href="/portal/sharing/rest/oauth2/lostPassword">Lost password?</a>')
  expect((await portal.inject({ url: path })).body).toContain('<h1>Lost password</h1>')
  expect(await messageOf(ask(' ANNA '))).toContain('a link to a new password is on its way')
  const mail = await mails.mail(1)
  expect([mail.to, mail.headers.get('subject')]).toEqual([['anna@example.com'], 'A new password for anna'])
  expect(mail.text).toContain('the user anna of "Ministry of Maps" at https://maps.example.com/portal')
  const link = linkOf(addressIn(mail, 'https://maps.example.com/portal/sharing/rest/oauth2/newPassword?link='))
  expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toHaveProperty(
    'token',
  )
  expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('Your new password counts')
  expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
    signInFailed,
  )
  expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: newPassword })).toHaveProperty(
    'token',
  )
  const again = await sendNewPassword(portal, { link, newPassword: 'another that is chosen' })
  expect(again.body).toContain('Lost password?</a>')
})

describe('the answer does not tell whether there is such a user, and no mail is sent', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['where there is none', () => admin.post('/community/users/anna/delete')],
    ['to a user who is disabled', () => admin.post('/community/users/anna/disable')],
    [
      'to a user without an address',
      () => admin.post('/community/users/anna/update', { email: '', clearEmptyFields: true }),
    ],
    [
      'to what could be read as two addresses',
      () => admin.post('/community/users/anna/update', { email: 'a@x.org,b' }),
    ],
    [
      'to a user whom an identity provider sends',
      async () => {
        await admin.post('/community/users/anna/delete')
        const anna = { username: 'anna', email: 'anna@example.com', provider: 'enterprise', idpUsername: 'a' }
        await admin.post('/portals/self/invite', { invitationList: JSON.stringify({ invitations: [anna] }) })
      },
    ],
  ])('%s', async (_whom, happen) => {
    const before = await messageOf(ask('bruno'))
    await happen()
    expect(await messageOf(ask('anna'))).toBe(before!.replace('bruno', 'anna'))
    expect(await linksSent()).toEqual([])
  })

  test('to who has got one within ten minutes', async () => {
    await ask('anna')
    portal.clock.now += 10 * minute - 1
    await ask('anna')
    expect(await linksSent()).toHaveLength(1)
    portal.clock.now += 1
    await ask('anna')
    await expect.poll(() => mails.received.filter(({ to }) => to[0] === 'anna@example.com')).toHaveLength(2)
  })
})

test('asking for a link ends none that was made before', async () => {
  const { url } = await admin.post('/community/users/anna/passwordLink')
  portal.clock.now += 10 * minute
  await ask('anna')
  const [mailed] = await linksSent()
  for (const link of [linkOf(url), mailed!]) {
    expect((await portal.inject({ url: `/oauth2/newPassword?link=${link}` })).body).toContain('value="anna"')
  }
  expect(await messageOf(sendNewPassword(portal, { link: mailed!, newPassword }))).toContain('Your new password counts')
  const ended = await portal.inject({ url: `/oauth2/newPassword?link=${linkOf(url)}` })
  expect(ended.body).toContain('This link has been used')
})

test('one address asks for as few links as it may fail to sign in, and is answered so', async () => {
  for (let time = 0; time < 10; time += 1) expect(await messageOf(ask('bruno'))).toContain('is on its way')
  const refused = await ask('bruno')
  expect([refused.statusCode, await messageOf(Promise.resolve(refused))]).toEqual([
    200,
    'Too many invalid attempts. Please try again later.',
  ])
  expect(await messageOf(ask('anna'))).toContain('is on its way')
  expect(await portal.anonymous.post('/generateToken', { username: 'bruno', password: 'any' })).toEqual(signInFailed)
})

test('a form of another site asks for nothing', async () => {
  expect(await messageOf(ask('anna', { origin: 'https://evil.example.org' }))).toContain('page of another site')
  expect(await linksSent()).toEqual([])
})

test('the log has an entry for a link that was sent, and none for a name that was tried', async () => {
  await ask('nobody')
  await ask('anna')
  await mails.mail(1)
  const { items } = await admin.post('/portals/self/history', { all: true })
  const entries = items.filter(({ action }: { readonly action: string }) => action === 'mailPasswordLink')
  expect(entries).toEqual([expect.objectContaining({ actor: null })])
})

test('without a mail server the page of sign-in leads to no such page, which says so', async () => {
  await using other = await startPortal()
  expect((await authorize(other, python)).body).not.toContain('Lost password')
  expect((await other.inject({ url: path })).body).toContain('This server sends no mail. Ask an administrator')
})
