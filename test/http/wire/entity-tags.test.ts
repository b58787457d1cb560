import { describe, expect, test } from 'vitest'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema, aSchemaOfTrees } from '../../support/portal/schema-builder.ts'
import { holderKinds, openHolder } from '../../support/portal/schema-holder.ts'

type Headers = Readonly<Record<string, string>>

function ask(portal: TestPortal, path: string, token: string | undefined, headers: Headers = {}, format = 'json') {
  const authorization: Headers = token === undefined ? {} : { 'x-esri-authorization': `Bearer ${token}` }
  return portal.inject({ url: `${path}/categorySchema?f=${format}`, headers: { ...authorization, ...headers } })
}

describe.each(holderKinds)('the schema (%s) and what a client keeps of it', (kind) => {
  test('has an entity tag, and may be kept by the caller, to be asked for again', async () => {
    await using portal = await startPortal()
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const { headers, statusCode } = await ask(portal, path, client.token)
    expect(statusCode).toBe(200)
    expect(headers['etag']).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  test.each([
    ['the tag itself', (tag: string) => tag],
    ['the tag among others', (tag: string) => `"x", ${tag} ,"y"`],
    ['the tag as a weak one, as some proxies make it', (tag: string) => `W/${tag}`],
    ['any tag', () => '*'],
  ])('is not sent again to whom it is known by %s', async (_what, named) => {
    await using portal = await startPortal()
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const tag = String((await ask(portal, path, client.token)).headers['etag'])
    const again = await ask(portal, path, client.token, { 'if-none-match': named(tag) })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag])
    expect(again.headers['cache-control']).toBe('private, no-cache')
  })

  test('is sent anew after every change, with another tag, also after going back to what it was', async () => {
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

  test('has one tag for each format, and none as a page or where it is asked for by POST', async () => {
    await using portal = await startPortal()
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(aSchema({ title: 'Water' }))
    const plain = String((await ask(portal, path, client.token)).headers['etag'])
    const pretty = await ask(portal, path, client.token, { 'if-none-match': plain }, 'pjson')
    expect(pretty.statusCode).toBe(200)
    expect(pretty.headers['etag']).not.toBe(plain)
    const page = await ask(portal, path, client.token, { 'if-none-match': '*' }, 'html')
    expect([page.statusCode, page.headers['etag'], page.headers['cache-control']]).toEqual([200, undefined, 'no-store'])
    const posted = await portal.inject({
      method: 'POST',
      url: `${path}/categorySchema`,
      headers: { 'if-none-match': plain, 'x-esri-authorization': `Bearer ${client.token}` },
    })
    expect([posted.statusCode, posted.headers['etag']]).toEqual([200, undefined])
  })

  test('is refused to callers who may not see it, whatever tag they know', async () => {
    await using portal = await startPortal()
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

test('an entity tag is readable by a page of another origin', async () => {
  await using portal = await startPortal()
  const { headers } = await portal.inject({ url: '/', headers: { origin: 'https://app.example.com' } })
  expect(String(headers['access-control-expose-headers']).split(', ')).toContain('ETag')
})
