import { getGroup, getSelf } from '@esri/arcgis-rest-portal'
import { ArcGISAuthError, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, vi } from 'vitest'
import { test } from '../support/portal/client-test.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

test('hideToken sends the token of a GET in a header', async ({ portal, authentication }) => {
  const self = await getSelf({ authentication, hideToken: true })
  expect(self).toMatchObject({ user: { username: 'admin' } })
  expect(portal.lastArrival).toMatchObject({
    method: 'GET',
    url: '/sharing/rest/portals/self?f=json',
    headers: { 'x-esri-authorization': `Bearer ${authentication.token}` },
  })
})

test('a GET without hideToken has the token in its query', async ({ portal, authentication }) => {
  expect(await getSelf({ authentication })).toMatchObject({ user: { username: 'admin' } })
  expect(portal.lastArrival.url).toBe(`/sharing/rest/portals/self?f=json&token=${authentication.token}`)
})

test('hideToken with a query that is too long sends the token in the body of a POST', async () => {
  await using portal = await startListeningPortal()
  const authentication = await portal.identity()
  const self = await getSelf({ authentication, hideToken: true, params: { filler: 'x'.repeat(2_000) } })
  expect(self).toMatchObject({ user: { username: 'admin' } })
  expect(portal.lastArrival).toMatchObject({ method: 'POST', url: '/sharing/rest/portals/self' })
  expect(portal.lastArrival.headers).not.toHaveProperty('x-esri-authorization')
})

test('a resource that is read by POST answers like one that is read by GET', async ({ portal }) => {
  const { id } = await (await portal.admin()).createGroup('Maps')
  const authentication = await portal.identity()
  const byPost = await getGroup(id, { authentication, httpMethod: 'POST' })
  expect(portal.lastArrival.method).toBe('POST')
  expect(await getGroup(id, { authentication, httpMethod: 'GET' })).toEqual(byPost)
})

test('a GET of more than 2,000 characters becomes a POST and is answered', async ({ portal }) => {
  const { id } = await (await portal.admin()).createGroup('Maps')
  const authentication = await portal.identity()
  expect(await getGroup(id, { authentication, params: { filler: 'x'.repeat(2_000) } })).toMatchObject({ id })
  expect(portal.lastArrival).toMatchObject({ method: 'POST', url: `/sharing/rest/community/groups/${id}` })
})

test('a GET below a wide maxUrlLength stays one, however long', async ({ portal, authentication }) => {
  const self = await getSelf({ authentication, maxUrlLength: 50_000, params: { filler: 'x'.repeat(40_000) } })
  expect(self).toMatchObject({ user: { username: 'admin' } })
  expect(portal.lastArrival.method).toBe('GET')
})

test('rawResponse is an HTTP 200 of known length, never chunked', async ({ portal, authentication }) => {
  // The client warns that it will drop rawResponse one day.
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const response: Response = await request(`${portal.url}/community/self`, { authentication, rawResponse: true })
  warn.mockRestore()
  const body = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(response.headers.get('transfer-encoding')).toBeNull()
  expect(JSON.parse(body)).toMatchObject({ username: 'admin' })
})

test('a token in a header without the word Bearer counts as none', async ({ portal }) => {
  const { token } = await portal.identity()
  for (const header of ['X-Esri-Authorization', 'Authorization']) {
    const response = await fetch(`${portal.url}/community/self?f=json`, { headers: { [header]: token } })
    expect(await response.json()).toMatchObject({ error: { code: 499 } })
  }
})

test('a token as text is taken for an identity', async ({ portal }) => {
  const { token } = await portal.identity()
  const self = await request(`${portal.url}/community/self`, { authentication: token, suppressWarnings: true })
  expect(self).toMatchObject({ username: 'admin' })
})

test('a path outside of the API is 404 on HTTP too', async ({ portal }) => {
  const outside = request(portal.url.replace('/sharing/rest', '/elsewhere'))
  const error = await rejectionOf(outside, ArcGISRequestError)
  expect(error.code).toBe('HTTP 404 Not Found')
})

test('an anonymous reader of what is not public is asked for a token, by GET and by POST', async ({ portal }) => {
  for (const httpMethod of ['GET', 'POST'] as const) {
    const error = await rejectionOf(request(`${portal.url}/community/self`, { httpMethod }), ArcGISAuthError)
    expect(error.message).toBe('GWM_0003: Token Required')
  }
})
