import { describe, expect, test } from 'vitest'
import { type Client, formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

async function contentTypeFor(portal: TestPortal, accept: string | undefined): Promise<unknown> {
  const response = await portal.inject({ url: '/', headers: accept === undefined ? {} : { accept } })
  return response.headers['content-type']
}

/** A request by a signed-in user. */
function call({ portal, token }: Client, url: string, method: 'GET' | 'POST' = 'GET', headers = {}) {
  return portal.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })
}

describe('f', () => {
  test('json is JSON in one line', async () => {
    await using portal = await startPortal()
    const response = await portal.inject({ url: '/?f=json' })
    expect(response.headers['content-type']).toBe(json)
    expect(response.body).toBe(JSON.stringify(response.json()))
  })

  test('pjson is the same value indented by two spaces', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const plain = await call(admin, '/portals/self?f=json')
    const pretty = await call(admin, '/portals/self?f=pjson')
    expect(pretty.headers['content-type']).toBe(json)
    expect(pretty.body).toBe(JSON.stringify(plain.json(), null, 2))
  })

  test('html is a page', async () => {
    await using portal = await startPortal()
    const response = await portal.inject({ url: '/?f=html', headers: { accept: 'application/json' } })
    expect(response.headers['content-type']).toBe(html)
    expect(response.body).toMatch(/^<!doctype html>/i)
  })

  test('comes in a body as well', async () => {
    await using portal = await startPortal()
    const response = await portal.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'f=pjson',
    })
    expect(response.body).toContain('\n')
  })

  test('formats a stored schema again for pjson alone', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema })
    const path = '/portals/self/categorySchema'
    expect((await call(admin, `${path}?f=json`)).body).toBe(JSON.stringify(categorySchema))
    expect((await call(admin, `${path}?f=pjson`)).body).toBe(JSON.stringify(categorySchema, null, 2))
  })

  test.each(['xml', 'geojson', 'json ', '', '<script>alert(1)</script>', 'html,json', '%00'])(
    'of any other kind, %j, is refused in JSON that does not repeat it',
    async (f) => {
      await using portal = await startPortal()
      const response = await portal.inject({ url: `/?${formEncode({ f })}`, headers: { accept: browser } })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe(json)
      expect(response.json()).toEqual({
        error: {
          code: 400,
          message: 'Unable to answer in this format.',
          details: ['f: has to be one of html, json, pjson.'],
        },
      })
    },
  )

  test('that is repeated is refused', async () => {
    await using portal = await startPortal()
    expect((await portal.inject({ url: '/?f=json&f=json' })).json()).toMatchObject({ error: { code: 400 } })
  })

  test('that is not known changes nothing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const answer = await admin.post('/community/createGroup', { title: 'Maps', f: 'xml' })
    expect(answer.error.code).toBe(400)
    expect(await admin.get('/community/groups', { q: 'Maps' })).toMatchObject({ total: 0 })
  })

  test('that is not known does not hide what is worse', async () => {
    await using portal = await startPortal()
    expect((await portal.inject({ method: 'PUT', url: '/?f=xml' })).json()).toMatchObject({ error: { code: 405 } })
    expect((await portal.inject({ url: '/nothing?f=xml' })).json()).toMatchObject({ error: { code: 404 } })
    expect((await portal.inject({ url: '/generateToken?f=xml' })).json()).toMatchObject({ error: { code: 405 } })
  })
})

describe('without f', () => {
  test.each([
    ['a browser', browser, html],
    ['an older browser', 'text/html, application/xhtml+xml, */*', html],
    ['HTML alone', 'text/html', html],
    ['HTML in capitals', 'TEXT/HTML', html],
    ['HTML before JSON', 'application/json;q=0.5, text/html', html],
    ['nothing', undefined, json],
    ['anything', '*/*', json],
    ['JSON', 'application/json', json],
    ['JSON no less than HTML', 'text/html, application/json', json],
    ['JSON before HTML', 'text/html;q=0.8, application/json', json],
    ['any JSON before HTML', 'text/html;q=0.5, application/*', json],
    ['anything before HTML', 'text/html;q=0.5, */*', json],
    ['no HTML', 'text/html;q=0, */*', json],
    ['other text', 'text/plain, text/*', json],
    ['words that make no sense', ';;q=x,,/', json],
  ])('%s gets what it prefers', async (_who, accept, contentType) => {
    await using portal = await startPortal()
    expect(await contentTypeFor(portal, accept)).toBe(contentType)
  })
})

describe('an error', () => {
  const reasons = ['There is no such path; /portal/openapi.json lists all of them.']
  const notFound = {
    error: { code: 404, message: 'Resource does not exist or is inaccessible.', details: [], reasons },
  }
  const refusals: readonly (readonly [string, string, 'GET' | 'POST' | 'PUT', number])[] = [
    ['of an unknown path', '/nothing', 'GET', 404],
    ['of another method', '/portals/self', 'PUT', 405],
    ['of an operation by GET', '/community/createGroup', 'POST', 499],
    ['of a missing token', '/community/self', 'GET', 499],
    ['of a wrong token', '/community/self?token=wrong', 'GET', 498],
  ]

  test('is indented for pjson', async () => {
    await using portal = await startPortal()
    expect((await portal.inject({ url: '/nothing?f=json' })).body).toBe(JSON.stringify(notFound))
    expect((await portal.inject({ url: '/nothing?f=pjson' })).body).toBe(JSON.stringify(notFound, null, 2))
  })

  test.each(refusals)('%s comes in the format that was asked for', async (_what, url, method, code) => {
    await using portal = await startPortal()
    const withFormat = (f: string) => `${url}${url.includes('?') ? '&' : '?'}f=${f}`
    const inject = (f: string) => portal.server.app.inject({ method, url: `${portal.base}${withFormat(f)}` })
    expect((await inject('json')).json().error.code).toBe(code)
    expect((await inject('pjson')).body).toContain(`\n    "code": ${code},`)
    const page = await inject('html')
    expect(page.headers['content-type']).toBe(html)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(String(code))
  })

  test.each(refusals)('%s is a page for a browser', async (_what, url, method) => {
    await using portal = await startPortal()
    const response = await portal.server.app.inject({
      method,
      url: `${portal.base}${url}`,
      headers: { accept: browser },
    })
    expect(response.headers['content-type']).toBe(html)
  })
})

test('a file is the same in every format', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Alpine data',
    workspaceName: 'Land cover',
    accessMode: 'sendAndReceive',
  })
  const path = `/portals/self/collaborations/${collaboration.id}`
  const { workspaces } = await admin.get(`${path}/workspaces`)
  const parameters = {
    guestPortalUrl: 'https://guest.example.org/portal',
    collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
  }
  for (const f of ['json', 'pjson', 'html']) {
    const query = formEncode({ ...parameters, f })
    const response = await call(admin, `${path}/inviteParticipant?${query}`, 'POST', { accept: browser })
    expect(response.headers['content-type']).toBe(json)
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="collaboration-guest.example.org.invite"',
    )
    expect(response.body).toMatch(/^\{"invitationRequest":/)
  }
})
