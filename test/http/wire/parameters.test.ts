import { refused } from '../../support/portal/envelopes.ts'
import { type Client, formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

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

  test('of an operation is read from the query and from either body', async ({ portal, admin }) => {
    const path = '/community/createGroup'
    const title = { group: { title: 'Maps & seas' } }
    const form = formEncode({ title: 'Maps & seas' })
    expect(await post(portal, admin, path, { query: form })).toMatchObject(title)
    expect(await post(portal, admin, path, { contentType: urlencoded, body: form })).toMatchObject(title)
    expect(await post(portal, admin, path, multipart({ title: 'Maps & seas' }))).toMatchObject(title)
  })

  test('in the body of a GET counts like one in the body of a POST', async ({ portal }) => {
    const headers = { 'content-type': urlencoded }
    const response = await portal.inject({ url: '/?f=json', headers, payload: 'f=pjson' })
    expect(response.body).toContain('\n  "currentVersion"')
  })

  test('of the body wins over the same one of the query', async ({ portal, admin }) => {
    const sent = { query: 'title=Query&snippet=Query', contentType: urlencoded, body: 'title=Body' }
    const { group } = await post(portal, admin, '/community/createGroup', sent)
    expect(group).toMatchObject({ title: 'Body', snippet: 'Query' })
  })

  test('is known whatever the case of its name', async ({ admin }) => {
    const { group } = await admin.post('/community/createGroup', { TITLE: 'Maps', Snippet: 'Sheets', F: 'json' })
    expect(group).toMatchObject({ title: 'Maps', snippet: 'Sheets' })
    expect(await admin.get('/portals/self/users', { START: '1', Num: '3' })).toMatchObject({ start: 1, num: 3 })
  })

  test('called callback changes nothing: there is no JSONP', async ({ portal }) => {
    const response = await portal.inject({ url: '/?callback=steal&f=json' })
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toMatch(/^\{"currentVersion":"[\d.]+","warnings":\["callback is unknown\."\]\}$/)
  })
})

describe('a request', () => {
  test('without body and Content-Type has all of a category schema in its query', async ({ portal, admin }) => {
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

  test('has up to a thousand parameters', async ({ portal, admin }) => {
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

  test.for(unreadable)(
    'with %s changes nothing, even where no parameter is asked for',
    async ([_what, sent, detail], { portal, admin }) => {
      await admin.post('/portals/self/assignCategorySchema', { categorySchema: schema })
      const answer = await post(portal, admin, '/portals/self/deleteCategorySchema', sent)
      expect(answer).toEqual(refused('delete category schema', detail))
      expect(await admin.get('/portals/self/categorySchema')).toEqual(schema)
    },
  )

  test.for(unreadable)('with %s learns nothing before it may call', async ([_what, sent], { portal }) => {
    const user = await portal.user('user')
    const answer = await post(portal, user, '/portals/self/deleteCategorySchema', sent)
    expect(answer.error.code).toBe(403)
  })

  test.for([';;;', 'garbage', 'a/b/c', 'text/plain; ='])(
    'with the Content-Type %j is refused',
    async (contentType, { portal, admin }) => {
      const { error } = await post(portal, admin, '/community/createGroup', { contentType, body: 'title=a' })
      expect(error.code).toBe(400)
    },
  )
})
