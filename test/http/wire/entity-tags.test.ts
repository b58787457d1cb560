import { type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema, aSchemaOfTrees } from '../../support/portal/schema-builder.ts'
import { holderKinds, openHolder } from '../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

type Headers = Readonly<Record<string, string>>

function ask(portal: TestPortal, path: string, token: string | undefined, headers: Headers = {}, format = 'json') {
  const authorization: Headers = token === undefined ? {} : { 'x-esri-authorization': `Bearer ${token}` }
  return portal.inject({ url: `${path}/categorySchema?f=${format}`, headers: { ...authorization, ...headers } })
}

describe.each(holderKinds)('the schema (%s) and what a client keeps of it', (kind) => {
  test('has an entity tag, and may be kept by the caller, to be asked for again', async ({ portal }) => {
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const { headers, statusCode } = await ask(portal, path, client.token)
    expect(statusCode).toBe(200)
    expect(headers['etag']).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  test.for([
    ['the tag itself', (tag: string) => tag],
    ['the tag among others', (tag: string) => `"x", ${tag} ,"y"`],
    ['the tag as a weak one, as some proxies make it', (tag: string) => `W/${tag}`],
    ['any tag', () => '*'],
  ] as const)('is not sent again to whom it is known by %s', async ([_what, named], { portal }) => {
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const tag = String((await ask(portal, path, client.token)).headers['etag'])
    const again = await ask(portal, path, client.token, { 'if-none-match': named(tag) })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag])
    expect(again.headers['cache-control']).toBe('private, no-cache')
  })

  test('is sent again after every change, with another tag, also after going back to what it was', async () => {
    await using portal = await startPortal()
    const { client, path, assign } = await openHolder(portal, kind)
    const tags: string[] = []
    const look = async () => {
      const known = tags.at(-1)
      const { statusCode, headers } = await ask(portal, path, client.token, known ? { 'if-none-match': known } : {})
      expect(statusCode).toBe(200)
      tags.push(String(headers['etag']))
    }
    await look()
    await assign(aSchema({ title: 'Water' }))
    await look()
    await assign(aSchemaOfTrees(2))
    await look()
    await assign(aSchema({ title: 'Water' }))
    await look()
    expect(new Set(tags).size).toBe(tags.length)
    await client.post(`${path}/deleteCategorySchema`)
    await look()
    expect(tags.at(-1)).toBe(tags[0])
  })

  test('has one tag for each format, and none as a page or where it is asked for by POST', async ({ portal }) => {
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const plain = String((await ask(portal, path, client.token)).headers['etag'])
    const pretty = await ask(portal, path, client.token, { 'if-none-match': plain }, 'pjson')
    expect(pretty.statusCode).toBe(200)
    expect(pretty.headers['etag']).not.toBe(plain)
    const page = await ask(portal, path, client.token, { 'if-none-match': '*' }, 'html')
    expect([page.statusCode, page.headers['etag'], page.headers['cache-control']]).toEqual([200, undefined, 'no-store'])
    const posted = await client.send(`${path}/categorySchema`, { form: '', headers: { 'if-none-match': plain } })
    expect([posted.statusCode, posted.headers['etag']]).toEqual([200, undefined])
  })

  test('is refused to callers who may not see it, whatever tag they know', async ({ portal }) => {
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const tag = String((await ask(portal, path, client.token)).headers['etag'])
    const anonymous = await ask(portal, path, undefined, { 'if-none-match': tag })
    expect(anonymous.json().error.code).toBe(499)
    expect([anonymous.headers['etag'], anonymous.headers['cache-control']]).toEqual([undefined, 'no-store'])
    await portal.anonymous.post('/oauth2/revokeToken', { auth_token: client.token })
    expect((await ask(portal, path, client.token, { 'if-none-match': tag })).json().error.code).toBe(498)
  })
})

test('schemas of two organizations never share an entity tag, even assigned in the same millisecond', async () => {
  await using portal = await startPortal()
  const clients = [await portal.admin(), await portal.otherOrganization()]
  const read = (client: Client, headers: Headers = {}) => ask(portal, '/portals/self', client.token, headers)
  const look = async () => {
    const tags = await Promise.all(clients.map(async (client) => String((await read(client)).headers['etag'])))
    expect(new Set(tags).size).toBe(2)
    for (const client of clients) {
      for (const tag of tags) {
        const { statusCode, headers } = await read(client, { 'if-none-match': tag })
        expect(statusCode).toBe(headers['etag'] === tag ? 304 : 200)
      }
    }
  }
  await look()
  for (const client of clients) {
    const categorySchema = aSchema({ title: client.username! })
    expect(await client.post('/portals/self/assignCategorySchema', { categorySchema })).toEqual({ success: true })
  }
  await look()
})

test('If-Match with the tag of another organization is refused', async ({ portal }) => {
  const [admin, outsider] = [await portal.admin(), await portal.otherOrganization()]
  const tag = String((await ask(portal, '/portals/self', outsider.token)).headers['etag'])
  const given = { form: 'categorySchema=[{"title":"Water"}]', headers: { 'if-match': tag } }
  expect((await admin.send('/portals/self/assignCategorySchema', given)).json().error).toMatchObject({ code: 409 })
})

test('only the first 64 tags of a header are read', async ({ portal }) => {
  const { token } = await portal.admin()
  const tag = String((await ask(portal, '/portals/self', token)).headers['etag'])
  const after = (count: number) => ({ 'if-none-match': `${'"x",'.repeat(count)}${tag}` })
  expect((await ask(portal, '/portals/self', token, after(63))).statusCode).toBe(304)
  expect((await ask(portal, '/portals/self', token, after(64))).statusCode).toBe(200)
})

test('answers that depend on the caller vary by the headers of the token, any other only by the origin', async () => {
  await using portal = await startPortal()
  const { token } = await portal.admin()
  const varies = async (path: string, format: string, headers: Headers) =>
    (await portal.inject({ url: `${path}?f=${format}`, headers })).headers['vary']
  const byCaller = 'Origin, Authorization, X-Esri-Authorization'
  for (const headers of [{}, { authorization: `Bearer ${token}` }, { origin: 'https://app.example.com' }]) {
    for (const path of ['/portals/self', '/portals/self/categorySchema', '/community/self']) {
      for (const format of ['json', 'pjson', 'html']) expect(await varies(path, format, headers)).toBe(byCaller)
    }
    expect(await varies('/info', 'json', headers)).toBe('Origin')
  }
  const tag = String((await ask(portal, '/portals/self', token)).headers['etag'])
  const unchanged = await ask(portal, '/portals/self', token, { 'if-none-match': tag })
  expect([unchanged.statusCode, unchanged.headers['vary']]).toEqual([304, byCaller])
})
