import { openVisit, type Visit } from '../support/browser/browser.ts'
import { pollValue } from '../support/browser/value.ts'
import { expect, test } from '../support/browser/visit-test.ts'
import { adminPassword } from '../support/portal/portal.ts'

function tokenRequired({ page }: Visit): Promise<void> {
  return page.getByRole('heading', { name: 'Token Required' }).waitFor()
}

test('a user signs in, reads what a token is needed for, and signs out', async ({ visit, page, portal }) => {
  await visit.goTo('/community/self')
  await tokenRequired(visit)
  await visit.signIn()
  await visit.heading('You admin').waitFor()
  const [stored = ''] = await pollValue(
    () => page.evaluate<string[]>('Object.values(sessionStorage)'),
    ({ length }) => length === 1,
  )
  const { token } = JSON.parse(stored)
  expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ username: 'admin' })

  await page.getByRole('button', { name: 'Sign out' }).click()
  await visit.heading('Revoke token').waitFor()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ error: { code: 498 } })
  await visit.goTo('/community/self')
  await tokenRequired(visit)
  expect(await visit.findTroubles()).toEqual([])
})

test('Cancel closes the sign-in and sends nothing', async ({ visit, page }) => {
  await visit.goTo('/')
  for (const [username, password] of [
    ['', ''],
    ['admin', adminPassword],
  ] as const) {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  expect(visit.requests.filter((url) => url.endsWith('/generateToken'))).toEqual([])
})

test('a form or a link of another site neither ends the session nor shows what another sees', async () => {
  await using visit = await openVisit()
  const { page, portal } = visit
  const other = await portal.otherOrganization()
  await visit.goTo('/portals/self')
  await visit.signIn()
  const { name } = await (await portal.admin()).get('/portals/self')
  const sees = async (words: string) => {
    await page.getByRole('heading', { level: 1 }).getByText(words).waitFor()
    await page.locator('html:not(.waiting)').waitFor()
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(1)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
  await visit.goTo('/portals/self?f=html&%74OKEN=unknown')
  await sees(name)
  for (const [path, token, words] of [
    ['/portals/self', other.token, name],
    ['/portals/self', 'unknown', name],
    ['/community/createGroup', 'unknown', 'Create group'],
    ['/community/createGroup', '', 'Create group'],
  ] as const) {
    await page.goto('about:blank')
    await page.setContent(`<form method="post" action="${visit.origin}${portal.base}${path}">
      <input name="f" value="html"><input name="token" value="${token}"><button>Go</button></form>`)
    await page.getByRole('button').click()
    await sees(words)
  }
})

test('a wrong password is reported, and the right one signs in after it', async ({ visit, page }) => {
  await visit.goTo('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await visit.answerSignIn('admin', 'not the password')
  await page.getByRole('alert').getByText('Unable to generate token. Invalid username or password.').waitFor()
  await expect.poll(() => page.getByLabel('Password').inputValue()).toBe('')
  await visit.answerSignIn('admin', adminPassword)
  await visit.notice('Signed in as admin.')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await visit.findTroubles()).toEqual([])
})

test('a token that has ended is dropped, and the sign-in comes back', async ({ visit, page, portal }) => {
  await visit.goTo('/community/self')
  await visit.signIn()
  portal.clock.now += 61 * 60_000
  await page.reload()
  await page.getByRole('alert').getByText('Sign in, then repeat this.').waitFor()
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  await visit.answerSignIn('admin', adminPassword)
  await visit.heading('You admin').waitFor()
  expect(await visit.findTroubles()).toEqual([])
})

test('a form that is sent before signing in keeps what was filled in', async ({ visit, page, portal }) => {
  await visit.goTo('/community/createGroup')
  await page.getByLabel('title').fill('Land cover')
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('alert').getByText('Sign in, then repeat this.').waitFor()
  await visit.answerSignIn('admin', adminPassword)
  await visit.notice('Signed in as admin.')
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  const groups = await (await portal.admin()).get('/community/groups', { q: 'Land' })
  expect(groups).toMatchObject({ total: 1, results: [{ title: 'Land cover' }] })
  expect(await visit.findTroubles()).toEqual([])
})

test('another tab is not signed in', async ({ visit }) => {
  await visit.goTo('/community/self')
  await visit.signIn()
  const tab = await visit.context.newPage()
  await tab.goto(`${visit.origin}${visit.portal.base}/community/self`)
  await tab.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => tab.locator('#answer').textContent()).toContain('Token Required')
})

test('a server that does not answer is reported', async ({ visit, page }) => {
  await visit.goTo('/')
  await visit.context.setOffline(true)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await visit.answerSignIn('admin', adminPassword)
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor()
})
