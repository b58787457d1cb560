import { startPortal } from '../../support/portal/portal.ts'
import { holderKinds, openHolder } from '../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const first = '{"categorySchema":[{"title":"First"}]}'
const second = '{"categorySchema":[{"title":"Second"}]}'

describe.each(holderKinds)('If-Match on the schema of a %s', (kind) => {
  async function open() {
    const portal = await startPortal()
    const { client, path } = await openHolder(portal, kind)
    const read = () => client.send(`${path}/categorySchema?f=json`)
    const paths = {
      assign: 'assignCategorySchema',
      delete: 'deleteCategorySchema',
      restore: 'categorySchema/versions/1/restore',
    }
    const send = async (operation: keyof typeof paths, ifMatch: string, categorySchema?: string) => {
      const form = categorySchema === undefined ? {} : { categorySchema }
      return (await client.send(`${path}/${paths[operation]}`, { form, headers: { 'if-match': ifMatch } })).json()
    }
    const tag = async () => String((await read()).headers.etag)
    return { portal, client, path, read, send, tag }
  }

  test('assigns where the client has read the present schema, and only there', async () => {
    const { portal, read, send, tag } = await open()
    await using _ = portal
    const before = await tag()
    expect(await send('assign', before, first)).toEqual({ success: true })
    const refused = await send('assign', before, second)
    expect(refused.error).toEqual({
      code: 409,
      messageCode: 'ORG_1132',
      message: 'Unable to assign category schema.',
      details: [
        'If-Match names another category schema than the present version 1: admin changed it at 2026-01-15T12:00:00Z.',
      ],
      version: 1,
    })
    expect((await read()).body).toBe(first)
    expect(await send('assign', `W/${await tag()}`, second)).toEqual({ success: true })
    expect((await read()).body).toBe(second)
  })

  test('holds for any of several tags, in the tag of either format, and for a star where a schema is set', async () => {
    const { portal, send, tag } = await open()
    await using _ = portal
    const none = { code: 409, details: ['If-Match asks for a category schema, but none is set.'] }
    expect((await send('assign', '*', first)).error).toMatchObject(none)
    expect(await send('assign', await tag(), second)).toEqual({ success: true })
    expect(await send('assign', '*', first)).toEqual({ success: true })
    const present = await tag()
    expect(await send('assign', `"nonsense", ${present.replace('-json', '-pjson')}`, second)).toEqual({ success: true })
  })

  test.each(['', '  ', ' , '])('is refused where it is empty: "%s"', async (ifMatch) => {
    const { portal, read, send } = await open()
    await using _ = portal
    const { error } = await send('assign', ifMatch, first)
    const details = [
      'If-Match: is empty; give an entity tag, or leave the header out to change the schema whatever it is.',
    ]
    expect(error).toMatchObject({ code: 400, details })
    expect((await read()).body).toBe('{"categorySchema":[]}')
  })

  test.each(['"nonsense", *', '"*"'])('a star counts alone and without quotation marks: %s', async (ifMatch) => {
    const { portal, send, tag } = await open()
    await using _ = portal
    await send('assign', await tag(), first)
    expect((await send('assign', ifMatch, second)).error.code).toBe(409)
  })

  test('refuses a tag that was never given', async () => {
    const { portal, read, send } = await open()
    await using _ = portal
    const { error } = await send('assign', '"nonsense"', first)
    expect(error).toMatchObject({ code: 409, details: ['If-Match names a category schema, but none is set.'] })
    expect((await read()).body).toBe('{"categorySchema":[]}')
  })

  test.each(['delete', 'restore'] as const)('counts for %s by the same rule', async (operation) => {
    const { portal, read, send, tag } = await open()
    await using _ = portal
    await send('assign', await tag(), first)
    const before = await tag()
    await send('assign', '*', second)
    const { error } = await send(operation, before)
    const message = `Unable to ${operation} category schema.`
    expect(error).toMatchObject({ code: 409, messageCode: 'ORG_1132', message })
    expect((await read()).body).toBe(second)
    // The organization's schema is deleted by default administrators only, who hold it here.
    expect(await send(operation, await tag())).toMatchObject({ success: true })
    if (operation === 'restore') expect((await read()).body).toBe(first)
  })

  test('takes ifHash alike, and refuses an empty tag', async () => {
    const { portal, send, path, client } = await open()
    await using _ = portal
    await send('assign', '*', first)
    await client.post(`${path}/assignCategorySchema`, { categorySchema: first })
    const { hash: ifHash } = await client.get(`${path}/categorySchema`, { withVersion: 'true' })
    const other = { ifHash: `sha256:${'0'.repeat(64)}` }
    for (const operation of ['assign', 'delete', 'restore'] as const) {
      expect((await send(operation, ' ', second)).error.details).toEqual([
        expect.stringMatching(/^If-Match: is empty;/),
      ])
    }
    for (const operation of ['categorySchema/versions/1/restore', 'deleteCategorySchema']) {
      expect((await client.post(`${path}/${operation}`, other)).error).toMatchObject({ code: 409, version: 1 })
    }
    expect(await client.post(`${path}/deleteCategorySchema`, { ifHash })).toEqual({ success: true, version: 2 })
  })

  test('restores nothing where a parameter is misspelt that says what becomes of items', async () => {
    const { portal, read, tag, path, client, send } = await open()
    await using _ = portal
    await send('assign', await tag(), first)
    await send('assign', await tag(), second)
    const { error } = await client.post(`${path}/categorySchema/versions/1/restore`, { item: 'stay' })
    expect(error).toMatchObject({ code: 400, details: ['item is unknown; did you mean items?'] })
    expect((await read()).body).toBe(second)
  })

  test('reports wrong input first', async () => {
    const { portal, send } = await open()
    await using _ = portal
    const { error } = await send('assign', '"nonsense"', '{"categorySchema":[]}')
    expect(error).toMatchObject({ code: 400, details: ['Category schema exceeds max tree size or empty.'] })
  })
})

test('an operation that compares no entity tags refuses If-Match', async ({ admin }) => {
  const response = await admin.send('/community/createGroup', { form: 'title=Maps', headers: { 'if-match': '"0"' } })
  expect(response.json().error).toEqual({
    code: 400,
    message: 'Unable to create group.',
    details: ['If-Match: has no effect here; leave it out.'],
  })
  expect(await admin.get('/community/groups')).toMatchObject({ total: 0 })
})

test('a guard that an operation does not have is refused', async ({ admin }) => {
  const { id } = await admin.createGroup('Maps')
  const given = { ifVersion: '1', ifHash: '', ifRevision: '1', ifModified: '1' }
  const { error } = await admin.post(`/community/groups/${id}/delete`, given)
  const vain = Object.keys(given).map((name) => `${name}: has no effect here; leave it out.`)
  expect(error).toMatchObject({ code: 400, details: vain })
  const headers = { 'if-none-match': '*', 'if-unmodified-since': 'x' }
  const response = await admin.send(`/community/groups/${id}/delete`, { form: '', headers })
  const others = ['If-None-Match', 'If-Unmodified-Since'].map((name) => `${name}: has no effect here; leave it out.`)
  expect(response.json().error.details).toEqual(others)
  expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Maps' })
})
