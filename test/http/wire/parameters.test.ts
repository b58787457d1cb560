import { describe, expect, test } from 'vitest'
import { refused } from '../../support/portal/envelopes.ts'
import { type Client, formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const schema = { categorySchema: [{ title: 'Region', categories: [{ title: 'World & seas' }] }] }

interface Sent {
  readonly query?: string
  readonly contentType?: string
  readonly body?: string | Buffer
}

/** The body of the answer to a POST as it is, signed in by the header. */
async function post(portal: TestPortal, { token }: Client, path: string, { query = '', contentType, body }: Sent) {
  const response = await portal.inject({
    method: 'POST',
    url: `${path}${query && `?${query}`}`,
    headers: { authorization: `Bearer ${token}`, ...(contentType ? { 'content-type': contentType } : {}) },
    ...(body === undefined ? {} : { payload: body }),
  })
  expect(response.statusCode).toBe(200)
  return JSON.parse(response.body)
}

function multipart(fields: Readonly<Record<string, string>>): Sent {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { contentType: 'multipart/form-data; boundary=b', body: `${parts.join('')}--b--\r\n` }
}

describe('a parameter', () => {
  test('of a resource is read from the query of GET and POST, and from either body of a POST', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const path = '/portals/self/users'
    expect(await admin.get(path, { num: '7' })).toMatchObject({ num: 7 })
    expect(await post(portal, admin, path, { query: 'num=7' })).toMatchObject({ num: 7 })
    expect(await post(portal, admin, path, { contentType: urlencoded, body: 'num=7' })).toMatchObject({ num: 7 })
    expect(await post(portal, admin, path, multipart({ num: '7' }))).toMatchObject({ num: 7 })
  })

  test('of an operation is read from the query and from either body', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const path = '/community/createGroup'
    const title = { group: { title: 'Maps & seas' } }
    const form = formEncode({ title: 'Maps & seas' })
    expect(await post(portal, admin, path, { query: form })).toMatchObject(title)
    expect(await post(portal, admin, path, { contentType: urlencoded, body: form })).toMatchObject(title)
    expect(await post(portal, admin, path, multipart({ title: 'Maps & seas' }))).toMatchObject(title)
  })

  test('in the body of a GET counts like one in the body of a POST', async () => {
    await using portal = await startPortal()
    const headers = { 'content-type': urlencoded }
    const response = await portal.inject({ url: '/?f=json', headers, payload: 'f=pjson' })
    expect(response.body).toContain('\n  "currentVersion"')
  })

  test('of the body wins over the same one of the query', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const sent = { query: 'title=Query&snippet=Query', contentType: urlencoded, body: 'title=Body' }
    const { group } = await post(portal, admin, '/community/createGroup', sent)
    expect(group).toMatchObject({ title: 'Body', snippet: 'Query' })
  })

  test('is known whatever the case of its name', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { group } = await admin.post('/community/createGroup', { TITLE: 'Maps', Snippet: 'Sheets', F: 'json' })
    expect(group).toMatchObject({ title: 'Maps', snippet: 'Sheets' })
    expect(await admin.get('/portals/self/users', { START: '1', Num: '3' })).toMatchObject({ start: 1, num: 3 })
  })

  test.each(['query', 'body'])('that is repeated within the %s is refused', async (source) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const twice = 'title=Maps&Title=Maps'
    const sent = source === 'query' ? { query: twice } : { contentType: urlencoded, body: twice }
    const answer = await post(portal, admin, '/community/createGroup', sent)
    expect(answer).toEqual(refused('create group', 'title: given 2 times; give it once.'))
  })

  test('that is not UTF-8 is refused, and nothing is stored in its place', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const sent = { contentType: urlencoded, body: Buffer.from('title=caf\xe9', 'latin1') }
    const answer = await post(portal, admin, '/community/createGroup', sent)
    expect(answer).toEqual(refused('create group', 'title: the bytes are not UTF-8.'))
    expect(await admin.get('/community/groups', { q: 'caf' })).toMatchObject({ total: 0 })
  })

  test('called callback changes nothing: there is no JSONP', async () => {
    await using portal = await startPortal()
    const response = await portal.inject({ url: '/?callback=steal&f=json' })
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toMatch(/^\{"currentVersion":"[\d.]+","warnings":\["callback is unknown\."\]\}$/)
  })
})

describe('a request', () => {
  test('without body and Content-Type has all of a category schema in its query', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const categories = Array.from({ length: 199 }, (_, at) => ({
      title: `Category number ${at} of a long list like those of registers of the land`,
    }))
    const categorySchema = { categorySchema: [{ title: 'Categories', categories }] }
    const query = formEncode({ f: 'json', categorySchema })
    expect(query.length).toBeGreaterThan(16_000)
    const answer = await post(portal, admin, '/portals/self/assignCategorySchema', { query })
    expect(answer).toEqual({ success: true })
    expect(await admin.get('/portals/self/categorySchema')).toEqual(categorySchema)
  })

  test('has up to a thousand parameters', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const fill = (count: number) => Array.from({ length: count }, (_, at) => `&p${at}=`).join('')
    const send = (count: number) =>
      post(portal, admin, '/community/createGroup', { contentType: urlencoded, body: `title=Maps${fill(count - 1)}` })
    expect(await send(1000)).toMatchObject({ success: true })
    expect(await send(1001)).toEqual(refused('create group', 'The request has more than 1000 parameters.'))
  })

  const contentTypes = 'application/x-www-form-urlencoded or multipart/form-data'
  const unreadable: readonly (readonly [string, Sent, string])[] = [
    [
      'a body of another Content-Type',
      { contentType: 'text/xml', body: '<a/>' },
      `The Content-Type of the body is not understood; it has to be ${contentTypes}.`,
    ],
    [
      'a multipart body that is cut off',
      { contentType: 'multipart/form-data; boundary=b', body: '--b\r\nContent-Disposition: form-data; name="f"' },
      'The multipart body is not well-formed.',
    ],
    [
      'a multipart body with a part without a name',
      {
        contentType: 'multipart/form-data; boundary=b',
        body: '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--',
      },
      'The multipart body is not well-formed.',
    ],
  ]

  test.each(unreadable)(
    'with %s changes nothing, even where no parameter is asked for',
    async (_what, sent, detail) => {
      await using portal = await startPortal()
      const admin = await portal.admin()
      await admin.post('/portals/self/assignCategorySchema', { categorySchema: schema })
      const answer = await post(portal, admin, '/portals/self/deleteCategorySchema', sent)
      expect(answer).toEqual(refused('delete category schema', detail))
      expect(await admin.get('/portals/self/categorySchema')).toEqual(schema)
    },
  )

  test.each(unreadable)('with %s learns nothing before it may call', async (_what, sent) => {
    await using portal = await startPortal()
    const user = await portal.user('user')
    const answer = await post(portal, user, '/portals/self/deleteCategorySchema', sent)
    expect(answer.error.code).toBe(403)
  })

  test.each([';;;', 'garbage', 'a/b/c', 'text/plain; ='])(
    'with the Content-Type %j is refused',
    async (contentType) => {
      await using portal = await startPortal()
      const admin = await portal.admin()
      const { error } = await post(portal, admin, '/community/createGroup', { contentType, body: 'title=a' })
      expect(error.code).toBe(400)
    },
  )
})

describe('a category schema as a body without a parameter name', () => {
  const text = JSON.stringify(schema)
  const wireForms: readonly (readonly [string, Sent])[] = [
    ['as it is', { contentType: urlencoded, body: text }],
    ['percent-encoded', { contentType: urlencoded, body: encodeURIComponent(text) }],
    ['with f behind it', { contentType: urlencoded, body: `${text}&f=pjson` }],
    ['percent-encoded with f behind it', { contentType: urlencoded, body: `${encodeURIComponent(text)}&f=pjson` }],
    ['with f in the query', { query: 'f=pjson', contentType: urlencoded, body: text }],
    ['as application/json', { contentType: 'application/json', body: text }],
    ['as application/json with a charset', { contentType: 'application/json; charset=utf-8', body: text }],
    ['without a Content-Type', { body: text }],
  ]

  test.each(wireForms)('%s is assigned to the organization', async (_how, sent) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await post(portal, admin, '/portals/self/assignCategorySchema', sent)).toEqual({ success: true })
    expect(await admin.get('/portals/self/categorySchema')).toEqual(schema)
  })

  test.each(wireForms)('%s is assigned to a group', async (_how, sent) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { id } = await admin.createGroup('Maps')
    expect(await post(portal, admin, `/community/groups/${id}/assignCategorySchema`, sent)).toEqual({ success: true })
    expect(await admin.get(`/community/groups/${id}/categorySchema`)).toEqual(schema)
  })

  test('with f behind it answers in that format', async () => {
    await using portal = await startPortal()
    const response = await portal.inject({
      method: 'POST',
      url: '/portals/self/assignCategorySchema',
      headers: { 'content-type': urlencoded, authorization: `Bearer ${(await portal.admin()).token}` },
      payload: `${text}&f=pjson`,
    })
    expect(response.body).toBe('{\n  "success": true\n}')
  })

  test('has its token behind it too', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const response = await portal.inject({
      method: 'POST',
      url: '/portals/self/assignCategorySchema',
      headers: { 'content-type': urlencoded },
      payload: `${encodeURIComponent(text)}&token=${admin.token}`,
    })
    expect(response.body).toBe('{"success":true}')
  })

  test('is nothing to an operation that takes none', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const sent = { contentType: urlencoded, body: '{"title":"Maps"}' }
    expect(await post(portal, admin, '/community/createGroup', sent)).toEqual(
      refused('create group', 'title: give a value.'),
    )
  })
})
