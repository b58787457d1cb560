import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { aSchema, aSchemaOfCategories, aSchemaOfTrees, plainSchema } from '../../../support/portal/schema-builder.ts'
import { invalidSchema, openHolder, treesOutOfBounds } from '../../../support/portal/schema-holder.ts'

const form = 'application/x-www-form-urlencoded'
const schema = aSchema({ title: 'Land & sea = 100 % + more', description: '"}]&f=x\u2028ü🗺' }, { title: 'B' })
const document = JSON.stringify(schema)
const trees = JSON.stringify(schema.categorySchema)
const part = (value: string, file = '') =>
  `--X\r\nContent-Disposition: form-data; name="categorySchema"${file}\r\n\r\n${value}\r\n`
const multipart = (value: string, file = '') => `${part(value, file)}--X--\r\n`
const asFile = '; filename="schema.json"'

/** Group and organization take the same ways. */
describe('the schema is taken', () => {
  let portal: TestPortal
  /** For what is refused. */
  let refusing: Awaited<ReturnType<typeof openHolder>>

  beforeAll(async () => {
    portal = await startPortal()
    refusing = await openHolder(portal, 'group')
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  test.each([
    { way: 'as the parameter categorySchema', type: form, body: `categorySchema=${encodeURIComponent(document)}` },
    { way: 'as the parameter in any case', type: form, body: `CATEGORYSCHEMA=${encodeURIComponent(document)}` },
    { way: 'as a bare list', type: form, body: `categorySchema=${encodeURIComponent(trees)}` },
    {
      way: 'with spaces as plus signs',
      type: form,
      body: new URLSearchParams({ categorySchema: document }).toString(),
    },
    { way: 'as the body without a parameter name', type: form, body: document },
    { way: 'as the body, with f behind it', type: form, body: `${document}&f=pjson` },
    { way: 'as the body, percent-encoded', type: form, body: encodeURIComponent(document) },
    {
      way: 'as the body, percent-encoded, with f behind it',
      type: form,
      body: `${encodeURIComponent(document)}&f=pjson`,
    },
    { way: 'as the body that is a bare list', type: form, body: trees },
    { way: 'as the body without a Content-Type', type: '', body: document },
    { way: 'as application/json', type: 'application/json', body: document },
    { way: 'as application/json with a charset', type: 'application/json; charset=utf-8', body: document },
    { way: 'as application/json that is a bare list', type: 'application/json', body: trees },
    { way: 'as application/json with white space around', type: 'application/json', body: `\n ${document} \n` },
    { way: 'as multipart', type: 'multipart/form-data; boundary=X', body: multipart(document) },
    { way: 'as a file', type: 'multipart/form-data; boundary=X', body: multipart(document, asFile) },
    {
      way: 'from a field rather than a file',
      type: 'multipart/form-data; boundary=X',
      body: part('[]', asFile) + multipart(document),
    },
    {
      way: 'in the query, without any body',
      type: '',
      body: '',
      query: `?categorySchema=${encodeURIComponent(document)}`,
    },
    {
      way: 'from the body rather than the query',
      type: form,
      body: `categorySchema=${encodeURIComponent(document)}`,
      query: '?categorySchema=%5B%5D',
    },
  ])('$way', async ({ type, body, query }) => {
    const holder = await openHolder(portal, 'group')
    expect(await holder.assignBody(Buffer.from(body), type, query)).toEqual({ success: true })
    expect(await holder.readText()).toBe(document)
  })

  test.each([
    { way: 'no parameter', type: form, body: 'f=json', answer: invalidSchema },
    { way: 'no body', type: '', body: '', answer: invalidSchema },
    { way: 'no value', type: form, body: 'categorySchema', answer: invalidSchema },
    {
      way: 'another parameter name',
      type: form,
      body: `schema=${encodeURIComponent(document)}`,
      answer: invalidSchema,
    },
    {
      way: 'JSON encoded twice',
      type: form,
      body: `categorySchema=${encodeURIComponent(JSON.stringify(document))}`,
      answer: invalidSchema,
    },
    {
      way: 'percent-encoded twice',
      type: form,
      body: `categorySchema=${encodeURIComponent(encodeURIComponent(document))}`,
      answer: invalidSchema,
    },
    {
      way: 'the parameter inside application/json',
      type: 'application/json',
      body: JSON.stringify({ categorySchema: document }),
      answer: invalidSchema,
    },
    {
      way: 'application/json with a byte order mark',
      type: 'application/json',
      body: `\ufeff${document}`,
      answer: invalidSchema,
    },
    { way: 'a form body with a byte order mark', type: form, body: '\ufeff[{"title":"A"}]', answer: invalidSchema },
    {
      way: 'a parameter with a byte order mark',
      type: form,
      body: `categorySchema=%EF%BB%BF${encodeURIComponent(document)}`,
      answer: invalidSchema,
    },
    {
      way: 'a parameter with a trailing comma',
      type: form,
      body: 'categorySchema=[{"title":"A"},]',
      answer: invalidSchema,
    },
    { way: 'a bare body with a trailing comma', type: form, body: '[{"title":"A"}],', answer: invalidSchema },
    { way: 'a bare body with more behind it', type: form, body: '[{"title":"A"}] x', answer: invalidSchema },
    { way: 'a bare body that is empty', type: form, body: '{"categorySchema":[]}', answer: treesOutOfBounds },
    {
      way: 'application/json with six trees',
      type: 'application/json',
      body: JSON.stringify(aSchemaOfTrees(6)),
      answer: treesOutOfBounds,
    },
  ])('not with $way', async ({ type, body, answer }) => {
    expect(await refusing.assignBody(Buffer.from(body), type)).toMatchObject(answer)
    expect(await refusing.readText()).toBe('{"categorySchema":[]}')
  })

  test.each([
    { what: 'a byte that begins no character', hex: 'ff' },
    { what: 'Latin-1', hex: 'e9' },
    { what: 'an overlong slash', hex: 'c0af' },
    { what: 'a surrogate', hex: 'eda080' },
    { what: 'half a character', hex: 'e697' },
    { what: 'a character beyond Unicode', hex: 'f4908080' },
  ])('not with $what in place of UTF-8', async ({ hex }) => {
    const bytes = Buffer.from(hex, 'hex')
    const raw = Buffer.concat([Buffer.from('[{"title":"A'), bytes, Buffer.from('"}]')])
    const named = Buffer.concat([Buffer.from('categorySchema='), raw])
    const escaped = `categorySchema=[{"title":"A${[...bytes].map((byte) => `%${byte.toString(16)}`).join('')}"}]`
    for (const [body, type] of [
      [raw, 'application/json'],
      [raw, form],
      [named, form],
      [escaped, form],
    ] as const) {
      expect(await refusing.assignBody(body, type)).toMatchObject(invalidSchema)
    }
    const whole = Buffer.concat([Buffer.from(multipart('@').split('@')[0]!), raw, Buffer.from('\r\n--X--\r\n')])
    expect(await refusing.assignBody(whole, 'multipart/form-data; boundary=X')).toMatchObject(invalidSchema)
  })

  test('not twice in one source', async () => {
    const once = `categorySchema=${encodeURIComponent(document)}`
    expect(await refusing.assignBody(`${once}&${once}`, form)).toEqual({
      error: {
        code: 400,
        messageCode: 'ORG_1132',
        message: 'Unable to assign category schema.',
        details: ['categorySchema: given 2 times; give it once.'],
      },
    })
    expect(await refusing.versions()).toEqual([])
  })

  test('not from a GET', async () => {
    const { client, path } = refusing
    const answer = await client.get(`${path}/assignCategorySchema`, { categorySchema: document })
    expect(answer).toEqual({
      error: { code: 405, message: 'Method not allowed.', details: [], reasons: ['Operations are sent by POST.'] },
    })
  })
})

test('a schema of 200 described categories comes in a query over a real connection', async () => {
  await using portal = await startPortal({ environment: { PORT: '0' } })
  const { client, path, readText } = await openHolder(portal, 'group')
  const described = JSON.stringify(aSchemaOfCategories(200)).replaceAll(
    '{"title"',
    '{"description":"Ein Stück Land","title"',
  )
  const address = await portal.server.listen()
  const query = new URLSearchParams({ f: 'json', categorySchema: described })
  const response = await fetch(`${address}${portal.base}${path}/assignCategorySchema?${query}`, {
    method: 'POST',
    headers: { 'x-esri-authorization': `Bearer ${client.token}` },
  })
  expect(await response.json()).toEqual({ success: true })
  expect(await readText()).toBe(described)
})

test.each([
  ['the parameter', form, `categorySchema=${encodeURIComponent(document)}`],
  ['the body without a parameter name', form, document],
  ['application/json', 'application/json', document],
])('that of an organization is taken as %s too', async (_way, type, body) => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, 'organization')
  expect(await holder.assignBody(body, type)).toEqual({ success: true })
  expect(await holder.readText()).toBe(document)
})

test('the parameter f sets the format of a bare body', async () => {
  await using portal = await startPortal()
  const { client, path } = await openHolder(portal, 'organization')
  const response = await portal.inject({
    method: 'POST',
    url: `${path}/assignCategorySchema`,
    headers: { 'content-type': form, 'x-esri-authorization': `Bearer ${client.token}` },
    payload: `${JSON.stringify(plainSchema)}&f=pjson`,
  })
  expect(response.body).toBe('{\n  "success": true\n}')
})
