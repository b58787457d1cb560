import { expect, test } from 'vitest'
import { findBarriersNow } from '../support/browser/accessibility.ts'
import { openSecureVisit, serveHttps } from '../support/browser/secure-visit.ts'
import { coast, goToSignIn, openSignInPages, signInPages } from '../support/browser/sign-in-pages.ts'
import { pollValue } from '../support/browser/value.ts'
import { fillInSignIn } from '../support/browser/web-app.ts'
import { addApp, changeApp } from '../support/portal/add-app.ts'
import { adminPassword } from '../support/portal/portal.ts'

test('no page of sign-in has a barrier in light or dark colours, scrolls sideways on a phone, or loads anything of others', async () => {
  await using visit = await openSecureVisit('/portal')
  const { page } = visit
  await openSignInPages(visit)
  await changeApp(visit.portal, coast.client_id, 'title', 'W'.repeat(250))
  for (const [name, heading, open] of signInPages) {
    await open(visit)
    await visit.heading(heading).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(async () => [name, await findBarriersNow(page)]).toEqual([name, []])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await expect
      .poll(async () => [name, await page.evaluate('document.documentElement.scrollWidth')])
      .toEqual([name, 320])
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  expect(await visit.findTroubles()).toEqual([])
})

test('signing in, declining and going on need no mouse', async () => {
  await using visit = await openSecureVisit('/portal')
  await using app = await serveHttps('app.localhost', (_incoming, outgoing) => outgoing.end('<title>App</title>'))
  const { page, portal } = visit
  const redirect_uri = `${app.origin}/signed-in`
  await addApp(portal, { clientId: 'coast', redirectUris: [redirect_uri] })
  const focusedNow = () =>
    page.evaluate<string>('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()')
  const outline = 'getComputedStyle(document.activeElement).outlineStyle'
  const tabThrough = async (names: readonly string[]) => {
    for (const name of names) {
      await page.keyboard.press('Tab')
      await expect.poll(async () => [await focusedNow(), await page.evaluate(outline)]).toEqual([name, 'solid'])
    }
  }
  await goToSignIn(visit, { client_id: 'coast', redirect_uri })
  // The first empty field has the focus.
  await expect.poll(focusedNow).toBe('Username')
  await tabThrough(['Password', 'Show', 'Sign in', 'Cancel'])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${redirect_uri}?error=access_denied**`)

  await goToSignIn(visit, { client_id: 'coast', redirect_uri })
  await expect.poll(focusedNow).toBe('Username')
  await page.keyboard.type('admin')
  await tabThrough(['Password'])
  await page.keyboard.type(adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${redirect_uri}?code=**`)

  await changeApp(portal, 'coast', 'title', 'Another title')
  await goToSignIn(visit, { client_id: 'coast', redirect_uri })
  await tabThrough(['Continue as admin', 'Cancel', 'Use another account'])
  await page.keyboard.press('Enter')
  await tabThrough(['Username'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect.poll(focusedNow).toBe('Continue as admin')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${redirect_uri}?code=**`)
})

test('without scripts the pages do the same', async () => {
  await using visit = await openSecureVisit('/portal', { javaScriptEnabled: false })
  await openSignInPages(visit)
  for (const [, , open] of signInPages) await open(visit)
  expect(visit.complaints).toEqual([])
})

test('a password is shown by a button, and a language stays that was chosen', async () => {
  await using visit = await openSecureVisit('/portal')
  await openSignInPages(visit)
  const { page } = visit
  await goToSignIn(visit)
  await page.getByLabel('Password').fill('a secret')
  const typeNow = () => page.locator('#password').getAttribute('type')
  await page.getByRole('button', { name: 'Show', pressed: false }).click()
  await expect.poll(typeNow).toBe('text')
  await page.getByRole('button', { name: 'Show', pressed: true }).click()
  await expect.poll(typeNow).toBe('password')

  await page.getByRole('button', { name: 'العربية' }).click()
  await visit.heading('تسجيل الدخول إلى').waitFor()
  await goToSignIn(visit, { ...coast, client_id: 'unknown' })
  await visit.heading('لا يمكن تسجيل الدخول من هنا').waitFor()
  await expect.poll(() => page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  expect(await visit.findTroubles()).toEqual([])
})

test('another site neither shows the page in a frame nor sends its form', async () => {
  await using visit = await openSecureVisit('/portal')
  await openSignInPages(visit)
  const { page, portal } = visit
  await goToSignIn(visit)
  const address = await pollValue(
    async () => page.url(),
    (url) => url.includes('/oauth2/authorize?'),
  )
  const state = await pollValue(
    () => page.locator('input[name=oauth_state]').first().inputValue(),
    (value) => value !== '',
  )
  const action = `${portal.server.publicUrl()}/sharing/rest/oauth2/signin`
  const framing = `<title>Other</title><iframe src="${address.replaceAll('&', '&amp;')}"></iframe>
<form method="post" action="${action}"><input name="oauth_state" value="${state}"><input name="username" value="admin">
<input name="password" value="${adminPassword}"><button>Send</button></form>`
  await using other = await serveHttps('other.localhost', (_incoming, outgoing) =>
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end(framing),
  )
  await page.goto(other.origin)
  await expect.poll(() => visit.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/)
  const textsNow = () => Promise.all(page.frames().map((frame) => frame.locator('body').textContent()))
  await expect.poll(async () => (await textsNow()).join()).not.toContain('Map of the coast')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'Start again' }).waitFor()
  expect(await visit.context.cookies()).toEqual([])
})

test('what others wrote runs nowhere, and the policy of the page finds nothing to report', async () => {
  await using visit = await openSecureVisit('/portal')
  await openSignInPages(visit)
  const { page, portal } = visit
  page.on('dialog', (dialog) => {
    visit.complaints.push(`A dialog: ${dialog.message()}`)
    return dialog.dismiss()
  })
  const texts = [
    '</script><script>alert(1)</script>',
    '};alert(1);//',
    `"' onfocus=alert(1) autofocus x="`,
    '<img src=x onerror=alert(1)>',
    '</title><style>*{display:none}</style>',
    '\u2028alert(1)\u2029',
  ]
  // An organization's name has room for half of them.
  for (const text of [texts.slice(0, 3).join(' '), texts.slice(3).join(' ')]) {
    await changeApp(portal, coast.client_id, 'title', text)
    await (await portal.admin()).post('/portals/self/update', { name: text })
    await goToSignIn(visit, { ...coast, prepopulatedusername: text })
    await expect.poll(() => page.locator('main strong').textContent()).toBe(text)
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(text)
    await expect
      .poll(() =>
        page
          .locator('img, style, [onfocus], [autofocus]:not(input), :is(head, main) script:not([type="text/plain"])')
          .count(),
      )
      .toBe(0)
    await fillInSignIn(page, text, 'wrong')
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(text)
  }
  expect(await visit.findTroubles()).toEqual([])
})

test('the session is a cookie of this host alone, which no script sees and no other site sends', async () => {
  await using visit = await openSecureVisit('/portal')
  await openSignInPages(visit)
  const { page, context } = visit
  for (const [name, , open] of signInPages) {
    await open(visit)
    if (name === 'code') break
  }
  const cookies = await context.cookies()
  expect(cookies).toMatchObject([
    {
      name: expect.stringMatching(/^__Host-cartulary_\d+-portal$/),
      domain: 'localhost',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    },
  ])
  expect(cookies[0]!.value).toMatch(/^[\w-]{43}$/)
  expect(cookies[0]!.expires).toBe(-1)
  await expect.poll(() => page.evaluate('document.cookie')).toBe('')
})
