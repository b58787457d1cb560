import { asked, browser, cookieOf, python, redirectUri } from '../../support/portal/app-in-browser.ts'
import { authorize, sendSignIn } from '../../support/portal/oauth.ts'
import { adminPassword, type Body, type Client } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

/** The sign-in page for an app that a user without administrative privileges has registered. */

async function register(client: Client): Promise<Body> {
  const { id: itemId } = await client.post(`/content/users/${client.username}/addItem`, {
    title: 'Rivers',
    type: 'Application',
  })
  return client.post('/oauth2/registerApp', { itemId, redirect_uris: JSON.stringify([redirectUri]) })
}

test('administrators are warned of an app of a member, until one of them has confirmed it', async ({
  portal,
  admin,
  anna,
}) => {
  await admin.invite('ben')
  const { id: roleId } = await admin.post('/portals/self/createRole', { name: 'Help desk', description: '' })
  await admin.post(`/portals/self/roles/${roleId}/setPrivileges`, {
    privileges: { privileges: ['portal:admin:viewUsers'] },
  })
  await admin.invite('clara', roleId)
  const ofMember = await register(anna)
  const ofAdministrator = await register(admin)
  const isWarned = async ({ client_id }: Body, username?: string) => {
    const credentials = { username, password: adminPassword }
    const cookie = username && cookieOf(await sendSignIn(portal, await authorize(portal, python), credentials, browser))
    const page = await authorize(portal, { client_id, redirect_uri: redirectUri, ...asked }, cookie ? { cookie } : {})
    expect(page.body).toContain(username === undefined ? 'type="password"' : `Continue as ${username}`)
    return page.body.includes('Administrators: the app can then do all that you may do in the organization.')
  }
  const users = [undefined, 'admin', 'clara', 'ben'] as const
  const shown = (app: Body) => Promise.all(users.map((username) => isWarned(app, username)))
  expect(await shown(ofMember)).toEqual([true, true, true, false])
  expect(await shown(ofAdministrator)).toEqual([false, false, false, false])
  await admin.post(`/oauth2/apps/${ofMember.client_id}/confirm`)
  expect(await shown(ofMember)).toEqual([false, false, false, false])
})
