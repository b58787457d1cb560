import { formEncode } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

describe('f', () => {
  test('json is JSON in one line', async ({ portal }) => {
    const response = await portal.inject({ url: '/?f=json' })
    expect(response.headers['content-type']).toBe(json)
    expect(response.body).toBe(JSON.stringify(response.json()))
  })

  test('pjson is the same value indented by two spaces', async ({ admin }) => {
    const plain = await admin.send('/portals/self?f=json')
    const pretty = await admin.send('/portals/self?f=pjson')
    expect(pretty.headers['content-type']).toBe(json)
    expect(pretty.body).toBe(JSON.stringify(plain.json(), null, 2))
  })

  test('formats a stored schema again for pjson alone', async ({ admin }) => {
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema })
    const path = '/portals/self/categorySchema'
    expect((await admin.send(`${path}?f=json`)).body).toBe(JSON.stringify(categorySchema))
    expect((await admin.send(`${path}?f=pjson`)).body).toBe(JSON.stringify(categorySchema, null, 2))
  })

  test.for(['xml', 'geojson', 'json ', '', '<script>alert(1)</script>', 'html,json', '%00'])(
    'of any other kind, %j, is refused in JSON that does not repeat it',
    async (f, { portal }) => {
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

  test('that is repeated is refused', async ({ portal }) => {
    expect((await portal.inject({ url: '/?f=json&f=json' })).json()).toMatchObject({ error: { code: 400 } })
  })

  test('that is not known changes nothing', async ({ admin }) => {
    const answer = await admin.post('/community/createGroup', { title: 'Maps', f: 'xml' })
    expect(answer.error.code).toBe(400)
    expect(await admin.get('/community/groups', { q: 'Maps' })).toMatchObject({ total: 0 })
  })

  test('that is not known does not hide what is worse', async ({ portal }) => {
    expect((await portal.inject({ method: 'PUT', url: '/?f=xml' })).json()).toMatchObject({ error: { code: 405 } })
    expect((await portal.inject({ url: '/nothing?f=xml' })).json()).toMatchObject({ error: { code: 404 } })
    expect((await portal.inject({ url: '/generateToken?f=xml' })).json()).toMatchObject({ error: { code: 405 } })
  })
})

test('without f, a browser gets a page, and a program JSON', async ({ portal }) => {
  const typeFor = async (headers: { accept?: string }) =>
    (await portal.inject({ url: '/', headers })).headers['content-type']
  expect([await typeFor({ accept: browser }), await typeFor({})]).toEqual([html, json])
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

  test('is indented for pjson', async ({ portal }) => {
    const { body } = await portal.inject({ url: '/nothing?f=json' })
    expect(JSON.parse(body)).toEqual(notFound)
    expect((await portal.inject({ url: '/nothing?f=pjson' })).body).toBe(JSON.stringify(JSON.parse(body), null, 2))
  })

  test.for(refusals)('%s comes in the format that was asked for', async ([_what, url, method, code], { portal }) => {
    const withFormat = (f: string) => `${url}${url.includes('?') ? '&' : '?'}f=${f}`
    const inject = (f: string) => portal.server.app.inject({ method, url: `${portal.base}${withFormat(f)}` })
    expect((await inject('json')).json().error.code).toBe(code)
    expect((await inject('pjson')).body).toContain(`\n    "code": ${code},`)
    const page = await inject('html')
    expect(page.headers['content-type']).toBe(html)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(String(code))
  })

  test.for(refusals)('%s is a page for a browser', async ([_what, url, method], { portal }) => {
    const response = await portal.server.app.inject({
      method,
      url: `${portal.base}${url}`,
      headers: { accept: browser },
    })
    expect(response.headers['content-type']).toBe(html)
  })
})
