import { kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { authorize, proofKey, sendSignIn } from '../../support/portal/oauth.ts'
import { adminPassword, formEncode } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

/** Header fields that are of the moment of an answer. */
const ofMoment = new Set(['date', 'x-request-id'])

test('HEAD has the header fields of GET, and no body, wherever GET is', async ({ portal }) => {
  const authorization = `Bearer ${(await portal.admin()).token}`
  const ask = async (method: 'GET' | 'HEAD', url: string) => {
    const { statusCode, headers, body } = await portal.server.app.inject({ method, url, headers: { authorization } })
    const fields = Object.entries(headers).filter(([name]) => !ofMoment.has(name))
    return { statusCode, body, fields: url === '/metrics' ? fields.map(([name]) => name) : fields }
  }
  const resources = endpointTable.filter((row) => kindOf(row) === 'resource' && row.id !== 'readServerFigures')
  const paths = resources.map(({ path }) => `/sharing/rest${path.replace(/:\w+/g, 'self')}`)
  const others = ['/info?f=html', '/nothing', '/createGroup', '/oauth2/signout'].map((path) => `/sharing/rest${path}`)
  for (const path of [...paths, ...others, '/', '/api', '/health/live', '/metrics', '/elsewhere']) {
    const { body, ...said } = await ask('GET', path)
    expect([path, body === '' && said.statusCode === 200]).toEqual([path, false])
    expect([path, await ask('HEAD', path)]).toEqual([path, { ...said, body: '' }])
  }
})

test('HEAD changes nothing where GET does: an invitation, a sign-in, the log', async ({ portal, host }) => {
  const invitation = await host.invite()
  const browser = { 'sec-fetch-site': 'same-origin', origin: 'https://maps.example.com' }
  const app = { client_id: 'cartulary', redirect_uri: 'https://maps.example.com/portal/', ...proofKey().asked }
  const page = await authorize(portal, app, browser)
  const signedIn = await sendSignIn(portal, page, { username: 'admin', password: adminPassword }, browser)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  const log = () => host.client.get('/portals/self/history')
  const before = await log()
  const authorization = { authorization: `Bearer ${host.client.token}` }
  const url = `${invitation.path}/invalidate`
  const invalidate = await portal.inject({ method: 'HEAD', url, headers: authorization })
  expect([invalidate.headers.allow, invalidate.body]).toEqual(['POST', ''])
  expect(await host.read(invitation)).toMatchObject({ status: 'host_created' })
  const goOn = await portal.inject({
    method: 'HEAD',
    url: `/oauth2/authorize?${formEncode({ response_type: 'code', ...app })}`,
    headers: { ...browser, cookie },
  })
  expect(goOn.headers).not.toHaveProperty('location')
  expect(await log()).toEqual(before)
  expect((await authorize(portal, app, { ...browser, cookie })).headers.location).toContain('?code=')
})
