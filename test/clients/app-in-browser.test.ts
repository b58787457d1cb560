import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Visit } from '../support/browser/browser.ts'
import { openSecureVisit } from '../support/browser/secure-visit.ts'
import { fillInSignIn, serveWebApp } from '../support/browser/web-app.ts'
import { addApp } from '../support/portal/add-app.ts'
import { adminPassword, type Body } from '../support/portal/portal.ts'

/** The real client, as its package brings it, in a web app of another site. */

const clientId = 'map-of-the-coast'
const week = 7 * 24 * 60

interface Options {
  readonly clientId: string
  readonly portal: string
  readonly redirectUri: string
  readonly popup: boolean
  readonly expiration: number
}

function optionsOf({ portal }: Visit, redirectUri: string, popup: boolean, expiration = week): Options {
  return { clientId, portal: `${portal.server.publicUrl()}/sharing/rest`, redirectUri, popup, expiration }
}

/** Runs a line of the app, which has the client and the options. */
function inApp(page: Page, options: Options, line: string): Promise<Body> {
  return page.evaluate(`(async (options) => { ${line} })(${JSON.stringify(options)})`)
}

/** Session data of a user that the app keeps. */
const shown = '({ ...window.user.toJSON(), expires: user.tokenExpires.getTime(), refreshToken: user.refreshToken })'

async function signInByRedirect(visit: Visit, options: Options): Promise<Body> {
  const { page } = visit
  await page.goto(options.redirectUri)
  await page.waitForFunction('document.title === "Ready"')
  // The page is left before this is done.
  void inApp(page, options, 'client.ArcGISIdentityManager.beginOAuth2(options)').catch(() => undefined)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillInSignIn(page, 'admin', adminPassword)
  await page.waitForURL(`${options.redirectUri}?**`)
  await page.waitForFunction('document.title === "Ready"')
  return inApp(
    page,
    options,
    `window.user = await client.ArcGISIdentityManager.completeOAuth2(options); return ${shown}`,
  )
}

function whoIs({ portal }: Visit, token: string): Promise<Body> {
  return portal.anonymous.get('/community/self', { token })
}

test.each(['', '/portal'] as const)(
  'a web app signs in by redirect, refreshes, exchanges and signs out: "%s"',
  async (path) => {
    await using visit = await openSecureVisit(path)
    await using app = await serveWebApp()
    const { page, portal } = visit
    const redirectUri = `${app.origin}/signed-in`
    await addApp(portal, { clientId, redirectUris: [redirectUri] })
    const options = optionsOf(visit, redirectUri, false)
    const user = await signInByRedirect(visit, options)
    expect(user).toMatchObject({ username: 'admin', ssl: true, clientId, portal: options.portal })
    expect(await whoIs(visit, user.token)).toMatchObject({ username: 'admin' })
    // Neither code nor state is left in the address.
    await expect.poll(() => page.url()).toBe(redirectUri)

    const access = await inApp(
      page,
      options,
      'return client.validateAppAccess(user.token, options.clientId, options.portal)',
    )
    expect(access).toEqual({ valid: true, viewOnlyUserTypeApp: false })
    const refreshed = await inApp(page, options, `await user.refreshCredentials(); return ${shown}`)
    expect([refreshed.token === user.token, refreshed.refreshToken]).toEqual([false, user.refreshToken])
    expect(await whoIs(visit, refreshed.token)).toMatchObject({ username: 'admin' })

    const exchanged = await inApp(page, options, `await user.exchangeRefreshToken(); return ${shown}`)
    expect(exchanged.refreshToken).not.toBe(user.refreshToken)
    expect(await whoIs(visit, exchanged.token)).toMatchObject({ username: 'admin' })
    expect(await whoIs(visit, refreshed.token)).toMatchObject({ error: { code: 498 } })

    expect(await inApp(page, options, 'return user.signOut()')).toEqual({ success: true })
    expect(await whoIs(visit, exchanged.token)).toMatchObject({ error: { code: 498 } })
    expect(visit.complaints).toEqual([])
  },
)

test.each(['', '/portal'] as const)('a web app signs in by popup: "%s"', async (path) => {
  await using visit = await openSecureVisit(path)
  await using app = await serveWebApp()
  const { page, portal, context } = visit
  const redirectUri = `${app.origin}/callback`
  await addApp(portal, { clientId, redirectUris: [redirectUri] })
  const options = optionsOf(visit, redirectUri, true)
  await page.goto(app.origin)
  await page.waitForFunction('document.title === "Ready"')
  const opened = context.waitForEvent('page')
  const signedIn = inApp(
    page,
    options,
    `window.user = await client.ArcGISIdentityManager.beginOAuth2(options); return ${shown}`,
  )
  const popup = await opened
  await popup.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillInSignIn(popup, 'admin', adminPassword)
  await popup.waitForURL(`${redirectUri}?**`)
  await popup.waitForFunction('document.title === "Ready"')
  const closed = popup.waitForEvent('close')
  void inApp(popup, options, 'client.ArcGISIdentityManager.completeOAuth2(options)').catch(() => undefined)
  await closed
  const user = await signedIn
  expect(user).toMatchObject({ username: 'admin', ssl: true })
  expect(await whoIs(visit, user.token)).toMatchObject({ username: 'admin' })
  expect(visit.complaints).toEqual([])
})

test('on the last day of its refresh token the client exchanges it by itself', async () => {
  await using visit = await openSecureVisit('/portal')
  await using app = await serveWebApp()
  const redirectUri = `${app.origin}/signed-in`
  await addApp(visit.portal, { clientId, redirectUris: [redirectUri] })
  const options = optionsOf(visit, redirectUri, false, 600)
  const user = await signInByRedirect(visit, options)
  const refreshed = await inApp(visit.page, options, `await user.refreshCredentials(); return ${shown}`)
  expect(refreshed.refreshToken).not.toBe(user.refreshToken)
  expect(await whoIs(visit, refreshed.token)).toMatchObject({ username: 'admin' })
})

test('a user who declines, or comes back, is noticed by the client', async () => {
  await using visit = await openSecureVisit('/portal')
  await using app = await serveWebApp()
  const { page, portal } = visit
  const redirectUri = `${app.origin}/signed-in`
  await addApp(portal, { clientId, redirectUris: [redirectUri] })
  const options = optionsOf(visit, redirectUri, false)
  await page.goto(redirectUri)
  await page.waitForFunction('document.title === "Ready"')
  void inApp(page, options, 'client.ArcGISIdentityManager.beginOAuth2(options)').catch(() => undefined)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${redirectUri}?**`)
  await page.waitForFunction('document.title === "Ready"')
  const declined = inApp(page, options, 'return client.ArcGISIdentityManager.completeOAuth2(options)')
  await expect(declined).rejects.toThrow(/denied your authorization/)

  await signInByRedirect(visit, options)
  // The session and the consent of the browser are there: no page is shown.
  await page.goto(redirectUri)
  await page.waitForFunction('document.title === "Ready"')
  void inApp(page, options, 'client.ArcGISIdentityManager.beginOAuth2(options)').catch(() => undefined)
  await page.waitForURL(`${redirectUri}?code=**`)
  await page.waitForFunction('document.title === "Ready"')
  const user = await inApp(
    page,
    options,
    `window.user = await client.ArcGISIdentityManager.completeOAuth2(options); return ${shown}`,
  )
  expect(user).toMatchObject({ username: 'admin' })
})
