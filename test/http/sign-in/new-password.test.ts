import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { signInFailed, tokenInvalid, tooManyRequests } from '../../support/portal/envelopes.ts'
import {
  authorize,
  messageOf,
  oauthInfoOf,
  outOfBand,
  proofKey,
  sendNewPassword,
  sendSignIn,
} from '../../support/portal/oauth.ts'
import {
  adminPassword,
  type Body,
  type Client,
  formEncode,
  startPortal,
  type TestPortal,
} from '../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const temporary = 'given by an administrator'
const newPassword = 'chosen by the user alone'
const address = 'https://maps.example.com/portal/sharing/rest/oauth2/newPassword'
const minute = 60_000

let portal: TestPortal
let admin: Client
let anna: Client

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  anna = await admin.invite('anna')
})

function generateToken(password: string): Promise<Body> {
  return portal.anonymous.post('/generateToken', { username: 'anna', password })
}

async function makeLink(by = admin): Promise<string> {
  const { url } = await by.post('/community/users/anna/passwordLink')
  return new URL(url).searchParams.get('link')!
}

/** The page of a new password to which a sign-in with a temporary one leads. */
async function temporaryPage(username: string) {
  if (username !== 'anna') await admin.invite(username)
  await admin.post(`/community/users/${username}/reset`, { newPassword: temporary })
  return sendSignIn(portal, await authorize(portal, python), { username, password: temporary })
}

function stateOf(page: { readonly body: string }): string {
  return oauthInfoOf(page.body).oauth_state
}

const toChange = {
  error: {
    code: 400,
    message: 'Unable to generate token.',
    details: [`The password has to be changed first, at ${address}`],
  },
}

describe('a password that an administrator gives', () => {
  test.each([
    ['reset', { newPassword: temporary }],
    ['changePassword', { newPassword: temporary }],
    ['update', { password: temporary }],
  ])('by %s gives no token until the user has changed it', async (operation, parameters) => {
    expect(await admin.post(`/community/users/anna/${operation}`, parameters)).toMatchObject({ success: true })
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await generateToken(adminPassword)).toEqual(signInFailed)
    expect(await generateToken(temporary)).toEqual(toChange)
    const answer = await sendNewPassword(portal, { username: 'anna', password: temporary, newPassword })
    expect(answer.body).toContain('<h1>Password changed</h1>')
    expect(answer.body).toContain('href="/portal/">Sign in</a>')
    expect(await generateToken(temporary)).toEqual(signInFailed)
    expect(await generateToken(newPassword)).toHaveProperty('token')
  })

  test('continues the sign-in from its page, which gives programs the address of the change', async () => {
    await admin.post('/community/users/anna/reset', { newPassword: temporary })
    const page = await sendSignIn(portal, await authorize(portal, python), { username: 'anna', password: temporary })
    expect(page.statusCode).toBe(200)
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(oauthInfoOf(page.body).messages).toEqual([
      `Invalid username or password. It has to be changed first, at ${address}`,
    ])
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)![1]!
    const given = { link: hidden('link'), oauth_state: hidden('oauth_state'), newPassword }
    const { body, headers } = await sendNewPassword(portal, given, { 'sec-fetch-site': 'same-origin' })
    const code = /<title>SUCCESS code=([\w-]+)</.exec(body)![1]
    expect(headers['set-cookie']).toMatch(/^__Host-/)
    const asked = { grant_type: 'authorization_code', code, ...python }
    expect(await portal.anonymous.post('/oauth2/token', asked)).toMatchObject({ username: 'anna' })
  })

  test('continues it at the address of an app, to which the page lets its form lead', async () => {
    await admin.post('/community/users/anna/reset', { newPassword: temporary })
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Map', type: 'Application' })
    const uri = 'https://app.example.com/back'
    const given = { itemId, appType: 'browser', redirect_uris: JSON.stringify([uri]) }
    const { client_id } = await admin.post('/oauth2/registerApp', given)
    const opened = await authorize(portal, { client_id, redirect_uri: uri, ...proofKey().asked })
    const page = await sendSignIn(portal, opened, { username: 'anna', password: temporary })
    const policy = "form-action 'self' https://app.example.com;"
    expect(page.headers['content-security-policy']).toContain(policy)
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)![1]!
    const asked = { link: hidden('link'), oauth_state: hidden('oauth_state') }
    const again = await sendNewPassword(portal, { ...asked, newPassword: 'short' })
    expect(again.headers['content-security-policy']).toContain(policy)
    const { headers } = await sendNewPassword(portal, { ...asked, newPassword })
    expect(headers.location).toMatch(/^https:\/\/app\.example\.com\/back\?code=/)
  })

  test.each<[string, () => Promise<string>]>([
    ['where another user began it', async () => stateOf(await temporaryPage('bert'))],
    ['where only the page of sign-in was opened', async () => stateOf(await authorize(portal, python))],
    [
      'after half an hour',
      async () => {
        const state = stateOf(await temporaryPage('anna'))
        portal.clock.now += 30 * minute
        return state
      },
    ],
  ])('does not continue it %s: the page links to it', async (_when, open) => {
    const state = await open()
    const changed = await sendNewPassword(portal, { link: await makeLink(), oauth_state: state, newPassword })
    expect([changed.body.includes('SUCCESS'), changed.headers['set-cookie'] ?? '']).toEqual([
      false,
      expect.not.stringMatching(/=[\w-]{43};/),
    ])
    const again = /<a href="([^"]*)">Sign in/.exec(changed.body)![1]!.replaceAll('&amp;', '&')
    const { searchParams } = new URL(again, 'https://maps.example.com')
    expect(Object.fromEntries(searchParams)).toEqual({ ...python, response_type: 'code' })
  })

  test('counts no failure where it is right', async () => {
    await admin.post('/community/users/anna/reset', { newPassword: temporary })
    for (let time = 0; time < 12; time += 1) expect(await generateToken(temporary)).toEqual(toChange)
  })
})

describe('a password that expires', () => {
  test('now ends every session, and has to be changed', async () => {
    expect(await admin.post('/community/users/anna/expirePassword')).toEqual({ success: true })
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await generateToken(adminPassword)).toEqual(toChange)
  })

  test('in some hours signs in until then', async () => {
    await admin.post('/community/users/anna/expirePassword', { hours: '2' })
    expect(await anna.get('/community/self')).toMatchObject({ username: 'anna' })
    portal.clock.now += 120 * minute - 1
    expect(await generateToken(adminPassword)).toHaveProperty('token')
    portal.clock.now += 1
    expect(await generateToken(adminPassword)).toEqual(toChange)
  })

  test.each(['soon', '1.5', '-2', '8785', ''])('in %j hours is refused', async (hours) => {
    const answer = await admin.post('/community/users/anna/expirePassword', { hours })
    const details = ['hours: give now, or a whole number from 0 to 8784.']
    expect(answer).toMatchObject({ error: { code: 400, details } })
  })
})

describe('a link to a new password', () => {
  test('is used once, ends every session and the limits on sign-in, and is hashed', async () => {
    for (let time = 0; time < 10; time += 1) await generateToken(`wrong ${time}`)
    expect(await generateToken(adminPassword)).toEqual(tooManyRequests)
    const link = await makeLink()
    expect(await anna.get('/community/self')).toMatchObject({ username: 'anna' })
    const page = await portal.inject({ url: `/oauth2/newPassword?link=${link}` })
    expect(page.body).toContain('value="anna"')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['referrer-policy']).toBe('same-origin')
    expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('Your new password counts')
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await generateToken(newPassword)).toHaveProperty('token')
    const again = 'another that is chosen'
    expect(await messageOf(sendNewPassword(portal, { link, newPassword: again }))).toContain('has been used')
    expect(await generateToken(again)).toEqual(signInFailed)
  })

  test.each<[string, (link: string) => Promise<unknown>]>([
    ['after an hour', async () => (portal.clock.now += 60 * minute)],
    ['where a later one was made', () => makeLink()],
    ['of a user who is disabled', () => admin.post('/community/users/anna/disable')],
    ['after the password was changed', () => admin.post('/community/users/anna/reset', { newPassword: temporary })],
    ['after all sessions were ended', () => admin.post('/community/users/anna/sessions/endAll')],
    ['after the user ended all others', () => anna.post('/community/users/anna/sessions/endAll')],
  ])('is not valid %s', async (_when, happen) => {
    const link = await makeLink()
    await happen(link)
    expect(await messageOf(portal.inject({ url: `/oauth2/newPassword?link=${link}` }))).toContain('This link has been')
    expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('This link has been')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['has another role', () => admin.post('/portals/self/updateUserRole', { user: 'bert', role: 'org_publisher' })],
    ['is disabled', () => admin.post('/community/users/bert/disable')],
    ['is deleted', () => admin.post('/community/users/bert/delete')],
  ])('is not valid where the administrator who made it %s', async (_what, happen) => {
    const bert = await admin.invite('bert', 'org_admin')
    const link = await makeLink(bert)
    expect((await portal.inject({ url: `/oauth2/newPassword?link=${link}` })).body).toContain('value="anna"')
    await happen()
    expect(await messageOf(portal.inject({ url: `/oauth2/newPassword?link=${link}` }))).toContain('This link has been')
    expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('This link has been')
  })

  test('is not made for oneself', async () => {
    const details = ['password: Your own password is changed by reset.']
    expect(await admin.post('/community/users/admin/passwordLink')).toMatchObject({ error: { code: 400, details } })
  })
})

describe('the page of a new password', () => {
  test.each([
    ['no new password', { newPassword: '' }, 'Give a new password.'],
    ['two that differ', { newPassword, repeated: 'other' }, 'The new password and its repetition are different.'],
    ['a short one', { newPassword: 'short' }, 'The password has 5 characters; 8 to 128 are allowed.'],
    ['a common one', { newPassword: 'Password1' }, 'The password is one of the most common ones'],
    ['the organization', { newPassword: 'ministry of maps' }, 'The password is little more than the name of the org'],
  ])('refuses %s in a sentence, and the link stays', async (_what, given, sentence) => {
    const link = await makeLink()
    expect(await messageOf(sendNewPassword(portal, { link, ...given }))).toContain(sentence)
    expect(await messageOf(sendNewPassword(portal, { username: 'anna', password: adminPassword, ...given }))).toContain(
      sentence,
    )
    expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('Your new password counts')
  })

  test('counts wrong passwords together with every other way in, and says the same of unknown users', async () => {
    for (let time = 0; time < 5; time += 1) {
      for (const username of ['anna', 'nobody']) {
        const answer = sendNewPassword(portal, { username, password: `wrong ${time}`, newPassword })
        expect(await messageOf(answer)).toBe('Invalid username or password.')
      }
      await generateToken(`wrong ${time}`)
    }
    const right = { username: 'anna', password: adminPassword, newPassword }
    expect(await messageOf(sendNewPassword(portal, right))).toContain('Too many')
    expect(await generateToken(adminPassword)).toEqual(tooManyRequests)
  })

  test('refuses the present password, by each way', async () => {
    await admin.post('/community/users/anna/reset', { newPassword: temporary })
    const link = await makeLink()
    for (const proof of [{ link }, { username: 'anna', password: temporary }]) {
      const answer = sendNewPassword(portal, { ...proof, newPassword: temporary })
      expect(await messageOf(answer)).toBe('The new password is the present one: choose another.')
    }
    expect(await generateToken(temporary)).toEqual(toChange)
    expect(await messageOf(sendNewPassword(portal, { link, newPassword }))).toContain('Your new password counts')
  })

  test('takes no form of another site', async () => {
    const right = { username: 'anna', password: adminPassword, newPassword }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await messageOf(sendNewPassword(portal, right, foreign))).toContain('another site')
    expect(await generateToken(adminPassword)).toHaveProperty('token')
  })

  test.each(['password', 'newPassword', 'repeated', 'link'])(
    'takes no %s from the address of the form',
    async (name) => {
      const link = await makeLink()
      const given = { username: 'anna', password: adminPassword, newPassword, repeated: newPassword, link }
      const { [name as keyof typeof given]: secret, ...others } = given
      const answer = portal.postForm(`/oauth2/newPassword?${formEncode({ [name]: secret })}`, others)
      const sentences = {
        repeated: 'repeated: belongs in the form, not in its address.',
        link: 'link: belongs in the form, not in its address.',
      }
      const refused = `Unable to set the password. ${name}: not in the address of a request.`
      expect(await messageOf(answer)).toBe(sentences[name as keyof typeof sentences] ?? refused)
      expect(await generateToken(adminPassword)).toHaveProperty('token')
    },
  )
})
