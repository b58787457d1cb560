import { beforeEach, describe, expect, test } from 'vitest'
import { addApp, changeApp } from '../../../support/portal/add-app.ts'
import {
  admin,
  asked,
  browser,
  clientId,
  cookieOf,
  openSession,
  own,
  python,
  redirectUri,
  startPortalWithApp,
} from '../../../support/portal/app-in-browser.ts'
import { authorize, outOfBand, sendSignIn } from '../../../support/portal/oauth.ts'
import { adminPassword, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortalWithApp()
})

describe('with a session', () => {
  async function open(parameters: Record<string, string>, cookie: string) {
    return authorize(portal, parameters, { cookie, 'sec-fetch-site': 'cross-site' })
  }

  test('a new app, or one whose title or addresses changed, asks; one that is known and unchanged does not', async () => {
    const cookie = await openSession(portal)
    const goOn = async () => {
      const page = await open(own, cookie)
      expect([page.statusCode, page.body.includes('Continue as admin')]).toEqual([200, true])
      const answer = await sendSignIn(portal, page, { continue: 'true' }, { ...browser, cookie })
      expect(answer.statusCode).toBe(303)
      const again = await open(own, cookie)
      expect([again.statusCode, String(again.headers.location).startsWith(`${redirectUri}?code=`)]).toEqual([303, true])
    }
    await goOn()
    await changeApp(portal, clientId, 'redirect_uris', JSON.stringify([redirectUri, 'https://app.example.com/new']))
    await goOn()
    await changeApp(portal, clientId, 'title', 'Bank of the coast')
    await goOn()
  })

  test.each([
    ['a code on a page', { appType: 'native', redirectUris: [outOfBand] }, outOfBand],
    ['this machine', { appType: 'native', redirectUris: ['http://127.0.0.1/'] }, 'http://127.0.0.1:7070/'],
    ['this machine by name', { redirectUris: ['http://localhost:3000/'] }, 'http://localhost:3000/'],
    ['a program', { appType: 'native', redirectUris: ['com.example.app:/callback'] }, 'com.example.app:/callback'],
  ] as const)('%s asks every time, also where the app asks nothing', async (_what, app, redirect_uri) => {
    await addApp(portal, { clientId: 'asking', ...app, asksNothing: true })
    const cookie = await openSession(portal)
    for (const _time of [1, 2]) {
      const page = await open({ client_id: 'asking', redirect_uri, ...asked }, cookie)
      expect([page.statusCode, page.body.includes('Continue as admin')]).toEqual([200, true])
      await sendSignIn(portal, page, { continue: 'true' }, { ...browser, cookie })
    }
  })

  test('an app that asks nothing goes on, and force_login asks for the password', async () => {
    await changeApp(portal, clientId, 'asks_nothing', 1)
    const cookie = await openSession(portal)
    expect((await open(own, cookie)).statusCode).toBe(303)
    const page = await open({ ...own, force_login: 'true' }, cookie)
    expect(page.body).not.toContain('Continue as')
    expect(page.body).toContain('type="password"')
  })

  test('the page that names one user signs in no other, whose session the browser has by then', async () => {
    await (await portal.admin()).invite('ben')
    const page = await open(own, await openSession(portal))
    expect(page.body).toContain('Continue as admin')
    const ben = { username: 'ben', password: adminPassword }
    const cookie = cookieOf(await sendSignIn(portal, await authorize(portal, python), ben, browser))
    const again = await sendSignIn(portal, page, { continue: 'true' }, { ...browser, cookie })
    expect([again.statusCode, again.headers.location]).toEqual([200, undefined])
    expect(again.body).toContain('Continue as ben')
    const answer = await sendSignIn(portal, again, { continue: 'true' }, { ...browser, cookie })
    expect(String(answer.headers.location)).toMatch(/^https:\/\/app\.example\.com\/callback\?code=/)
  })

  test('the page that asked for a password signs in no user of a session without naming one', async () => {
    const page = await authorize(portal, own)
    const cookie = await openSession(portal)
    const answer = await sendSignIn(portal, page, { continue: 'true' }, { ...browser, cookie })
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toContain('Continue as admin')
  })

  test('a user of another organization signs in to no app of this one', async () => {
    await portal.otherOrganization()
    const page = await authorize(portal, python)
    const outsider = { username: 'outsider', password: adminPassword }
    const cookie = cookieOf(await sendSignIn(portal, page, outsider, browser))
    const asking = await open(own, cookie)
    expect(asking.body).not.toContain('Continue as')
    for (const given of [{ continue: 'true' }, outsider]) {
      expect((await sendSignIn(portal, asking, given, { ...browser, cookie })).headers.location).toBeUndefined()
    }
  })

  test.each([
    ['without use', 2 * 60],
    ['in any case', 12 * 60],
  ])('it ends %s after %i minutes', async (what, minutes) => {
    const cookie = await openSession(portal)
    const step = what === 'without use' ? minutes : 60
    for (let passed = step; passed < minutes; passed += step) {
      portal.clock.now += step * 60_000
      const page = await open(python, cookie)
      expect(page.body).toContain('Continue as admin')
      await sendSignIn(portal, page, { continue: 'true' }, { ...browser, cookie })
    }
    portal.clock.now += step * 60_000 - 1
    expect((await open(python, cookie)).body).toContain('Continue as admin')
    portal.clock.now += 1
    expect((await open(python, cookie)).body).not.toContain('Continue as')
  })

  test('it ends when the user is disabled', async () => {
    const chief = await portal.admin()
    await chief.invite('anna')
    const anna = { username: 'anna', password: adminPassword }
    const cookie = cookieOf(await sendSignIn(portal, await authorize(portal, python), anna, browser))
    await chief.post('/community/users/anna/disable')
    expect((await open(python, cookie)).body).not.toContain('Continue as')
    await chief.post('/community/users/anna/enable')
    expect((await open(python, cookie)).body).not.toContain('Continue as')
  })
})

describe('the cookie', () => {
  test('is new with every sign-in, and the one before is dead', async () => {
    const first = await openSession(portal)
    const page = await authorize(portal, { ...python, force_login: 'true' }, { cookie: first })
    const second = cookieOf(await sendSignIn(portal, page, admin, { ...browser, cookie: first }))
    expect(second).not.toBe(first)
    const shown = async (cookie: string) =>
      (await authorize(portal, python, { cookie })).body.includes('Continue as admin')
    expect([await shown(first), await shown(second)]).toEqual([false, true])
    await portal.postForm('/oauth2/signout', {}, { ...browser, cookie: second })
    expect(await shown(second)).toBe(false)
  })

  test('that an attacker has planted is no session, and not taken over', async () => {
    const planted = `__Host-cartulary-portal=${'p'.repeat(43)}`
    const page = await authorize(portal, python, { cookie: planted })
    expect(page.body).not.toContain('Continue as')
    const cookie = cookieOf(await sendSignIn(portal, page, admin, { ...browser, cookie: planted }))
    expect(cookie).not.toBe(planted)
    expect((await authorize(portal, python, { cookie: planted })).body).not.toContain('Continue as')
  })

  test('counts for no call of the API and no page of the directory, whatever else comes', async () => {
    const cookie = await openSession(portal)
    for (const headers of [{}, browser, { accept: 'text/html' }]) {
      const answer = await portal.inject({ url: '/community/self', headers: { ...headers, cookie } })
      expect(answer.body).toContain('Token Required')
      const made = await portal.postForm('/community/createGroup', { title: 'Mine' }, { ...headers, cookie })
      expect(made.body).toContain('Token Required')
    }
    const revoked = await portal.postForm('/oauth2/revokeToken', {}, { cookie })
    expect(revoked.json()).toMatchObject({ error: { code: 499 } })
  })
})
