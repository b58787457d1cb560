import { expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import type { Body } from '../support/portal/portal.ts'

const app = 'https://app.example.com'

async function json(response: Response | Promise<Response>): Promise<Body> {
  return (await response).json()
}

for (const header of ['X-Esri-Authorization', 'Authorization']) {
  for (const word of ['Bearer', 'bearer', 'BEARER']) {
    test(`a token in ${header} behind the word ${word} is taken`, async () => {
      await using portal = await startListeningPortal()
      const { token } = await portal.identity()
      const response = fetch(`${portal.url}/community/self?f=json`, { headers: { [header]: `${word} ${token}` } })
      expect(await json(response)).toMatchObject({ username: 'admin' })
    })
  }

  test(`a token in ${header} without the word Bearer counts as none`, async () => {
    await using portal = await startListeningPortal()
    const { token } = await portal.identity()
    const response = fetch(`${portal.url}/community/self?f=json`, { headers: { [header]: token } })
    expect(await json(response)).toMatchObject({ error: { code: 499 } })
  })
}

test('the same token in the header and in the body is one token', async () => {
  await using portal = await startListeningPortal()
  const { token } = await portal.identity()
  const response = fetch(`${portal.url}/community/self`, {
    method: 'POST',
    headers: { 'X-Esri-Authorization': `Bearer ${token}` },
    body: new URLSearchParams({ f: 'json', token }),
  })
  expect(await json(response)).toMatchObject({ username: 'admin' })
})

test('two different tokens are none: 498', async () => {
  await using portal = await startListeningPortal()
  const [{ token }, other] = [await portal.identity(), await portal.identity()]
  const response = fetch(`${portal.url}/community/self?f=json&token=${token}`, {
    headers: { 'X-Esri-Authorization': `Bearer ${other.token}` },
  })
  expect(await json(response)).toMatchObject({ error: { code: 498 } })
})

test('a cookie is never a token', async () => {
  await using portal = await startListeningPortal()
  const { token } = await portal.identity()
  const response = fetch(`${portal.url}/community/self?f=json`, {
    headers: { Cookie: `esri_auth=${encodeURIComponent(JSON.stringify({ token }))}; token=${token}` },
  })
  expect(await json(response)).toMatchObject({ error: { code: 499 } })
})

test('a token outlives a change of Referer between requests', async () => {
  await using portal = await startListeningPortal()
  const body = new URLSearchParams({ ...signIn, client: 'referer', referer: app, request: 'getToken', f: 'json' })
  const { token } = await json(fetch(`${portal.url}/generateToken`, { method: 'POST', body }))
  for (const referer of [app, 'https://other.example.com/']) {
    const response = fetch(`${portal.url}/community/self?f=json&token=${token}`, { headers: { Referer: referer } })
    expect(await json(response)).toMatchObject({ username: 'admin' })
  }
})

const signIn = { username: 'admin', password: 'correct horse battery staple' }

for (const path of ['/community/self', '/portals/self', '/portals/self/categorySchema', '/portals/self/users']) {
  test(`${path} is read by POST like by GET`, async () => {
    await using portal = await startListeningPortal()
    const { token } = await portal.identity()
    const body = new URLSearchParams({ f: 'json', token })
    const byPost = await json(fetch(`${portal.url}${path}`, { method: 'POST', body }))
    expect(byPost).not.toHaveProperty('error')
    expect(await json(fetch(`${portal.url}${path}?${body}`))).toEqual(byPost)
  })
}

test('a client that reads the schema only where one is announced reads it after it was assigned', async () => {
  await using portal = await startListeningPortal()
  const admin = await portal.admin()
  const query = `f=json&token=${admin.token}`
  const findSchema = async () => {
    const self = await json(fetch(`${portal.url}/portals/self?${query}`))
    return self.hasCategorySchema ? json(fetch(`${portal.url}/portals/self/categorySchema?${query}`)) : undefined
  }
  expect(await findSchema()).toBeUndefined()
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  expect(await findSchema()).toEqual(categorySchema)
  await admin.post('/portals/self/deleteCategorySchema')
  expect(await findSchema()).toBeUndefined()
})

test('a page that fetches with credentials is allowed by its own origin, never by a star', async () => {
  await using portal = await startListeningPortal()
  const response = await fetch(`${portal.url}/portals/self?f=json`, {
    credentials: 'include',
    headers: { Origin: app },
  })
  expect(response.headers.get('access-control-allow-origin')).toBe(app)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  expect(response.headers.get('vary')).toMatch(/\bOrigin\b/i)
  expect(await json(response)).toMatchObject({ name: 'Ministry of Maps' })
})

test('an error is readable by the page too', async () => {
  await using portal = await startListeningPortal()
  const response = await fetch(`${portal.url}/community/self?f=json`, { headers: { Origin: app } })
  expect(response.headers.get('access-control-allow-origin')).toBe(app)
  expect(await json(response)).toMatchObject({ error: { code: 499 } })
})

test('a preflight allows the headers that carry tokens', async () => {
  await using portal = await startListeningPortal()
  const response = await fetch(`${portal.url}/portals/self/assignCategorySchema`, {
    method: 'OPTIONS',
    headers: {
      Origin: app,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-esri-authorization,authorization,content-type',
    },
  })
  expect(response.ok).toBe(true)
  expect(response.headers.get('access-control-allow-origin')).toBe(app)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  expect(response.headers.get('access-control-allow-methods')).toMatch(/POST/)
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
  expect(allowed).toEqual(expect.arrayContaining(['x-esri-authorization', 'authorization', 'content-type']))
})

test('an origin that the settings do not name is not allowed', async () => {
  await using portal = await startListeningPortal({ ALLOWED_ORIGINS: 'https://maps.example.com' })
  const originFor = async (origin: string) =>
    (await fetch(`${portal.url}/info`, { headers: { Origin: origin } })).headers.get('access-control-allow-origin')
  expect(await originFor(app)).toBeNull()
  expect(await originFor('https://maps.example.com')).toBe('https://maps.example.com')
})

test('a browser that follows a link to the API gets a page, a script JSON', async () => {
  await using portal = await startListeningPortal()
  const typeFor = async (accept: string) =>
    (await fetch(`${portal.url}/info`, { headers: { Accept: accept } })).headers.get('content-type')
  expect(await typeFor('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toMatch(/^text\/html/)
  expect(await typeFor('*/*')).toMatch(/^application\/json/)
})
