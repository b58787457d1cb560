import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { pollValue } from '../../support/browser/value.ts'

test('an app is registered on the page with an end of its secret, used, and given another secret', async ({
  application,
  page,
  portal,
}) => {
  const admin = await portal.admin()
  await application.signIn('admin', undefined, '/people/apps')
  await page.getByRole('button', { name: 'Register an app' }).click()
  const registering = page.locator('#registering')
  // A refused registration leaves no item behind.
  await registering.getByLabel('Title').fill('Cartulary')
  await registering.getByRole('button', { name: 'Register', exact: true }).click()
  await registering.getByRole('alert').waitFor()
  expect((await admin.get('/search', { q: 'type:Application' })).total).toBe(0)
  await registering.getByLabel('Title').fill('Nightly import')
  await registering.getByLabel('Secret is valid for').selectOption('30 days')
  await registering.getByText('Privileges', { exact: true }).click()
  await registering
    .getByLabel(/category schema/i)
    .first()
    .check()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await registering.getByRole('button', { name: 'Register', exact: true }).click()

  const secretOf = page.locator('cartulary-secret code')
  const secret = await pollValue(() => secretOf.textContent(), Boolean)
  const app = page.locator('section.panel').filter({ has: page.getByRole('heading', { name: 'Nightly import' }) })
  await app.getByText('Not yet').waitFor()
  await app
    .getByText(/category schema/i)
    .first()
    .waitFor()
  const [registered] = (await admin.get('/oauth2/apps')).apps
  expect(registered).toMatchObject({ title: 'Nightly import', appType: 'server', owner: 'admin' })
  expect(registered.secretExpires - registered.registered).toBe(30 * 86_400_000)
  const client_id = registered.client_id
  const token = (client_secret: string | null) =>
    portal.anonymous.post('/oauth2/token', {
      client_id,
      client_secret: client_secret!,
      grant_type: 'client_credentials',
    })
  expect(await token(secret)).toHaveProperty('access_token')

  await page.reload()
  await app.getByText('127.0.0.1').waitFor()
  await app.getByRole('button', { name: 'Renew the secret Nightly import' }).click()
  await page.locator('#renewing').getByRole('button', { name: 'Renew the secret' }).click()
  const other = await pollValue(() => secretOf.textContent(), Boolean)
  expect(await token(secret)).toHaveProperty('access_token')
  await app.getByRole('button', { name: 'End the former secret' }).click()
  await app.getByRole('button', { name: 'Renew the secret' }).waitFor()
  expect(await token(secret)).toHaveProperty('error')
  expect(await token(other)).toHaveProperty('access_token')
  expect(await application.findTroubles()).toEqual([])
})
