import { ApplicationCredentialsManager, request } from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'

/** The real client of an app that acts as itself, by its secret. */
async function openApp(portal: ListeningPortal) {
  const admin = await portal.admin()
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
  const app = await admin.post('/oauth2/registerApp', { itemId, appType: 'multiple' })
  return { clientId: app.client_id, clientSecret: app.client_secret, portal: portal.url }
}

test('an app gets a token of its own for as many minutes as it wants, and acts by it', async ({ portal }) => {
  const options = await openApp(portal)
  const manager = ApplicationCredentialsManager.fromCredentials({ ...options, duration: 600 })
  const self = await request(`${portal.url}/portals/self`, { authentication: manager })
  expect(self.appInfo).toMatchObject({ appId: options.clientId, appTitle: 'Robot' })
  expect(self).not.toHaveProperty('user')
  // 600 minutes, less the five that the client keeps in reserve. Without a requested lifetime there would be 120.
  const minutes = (manager.expires.getTime() - Date.now()) / 60_000
  expect(minutes).toBeLessThanOrEqual(595)
  expect(minutes).toBeGreaterThan(300)
  const { token } = manager
  await manager.refreshCredentials()
  expect(manager.token).not.toBe(token)
})

test('a wrong secret is noticed by the client', async ({ portal }) => {
  const options = { ...(await openApp(portal)), clientSecret: 'wrong' }
  const manager = ApplicationCredentialsManager.fromCredentials(options)
  await expect(manager.getToken(portal.url)).rejects.toMatchObject({ code: 'TOKEN_REFRESH_FAILED' })
})
