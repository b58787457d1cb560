import { describe, expect, test } from 'vitest'
import { readWorkbook } from '../../../../src/file-reading/workbook/workbook.ts'
import { startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { holderKinds, openHolder, type SchemaHolder } from '../../../support/portal/schema-holder.ts'

const document = '{"categorySchema":[{"title":"=A","categories":[{"title":"B","description":"b, \\"c\\""}]}]}'

async function exported(portal: TestPortal, { client, path }: SchemaHolder, query = '') {
  const headers = { 'x-esri-authorization': `Bearer ${client.token}` }
  return portal.inject({ url: `${path}/categorySchema/export${query}`, headers })
}

describe.each(holderKinds)('the schema of a %s is exported', (kind) => {
  test('as it is stored, or with indented lines', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const json = await exported(portal, holder)
    expect(json.body).toBe(document)
    expect(json.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="categorySchema.json"',
      'x-content-type-options': 'nosniff',
    })
    expect((await exported(portal, holder, '?f=pjson')).body).toBe(JSON.stringify(JSON.parse(document), null, 2))
  })

  test('as CSV, in its layouts', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const csv = await exported(portal, holder, '?format=csv')
    expect(csv.body).toBe('\ufeffpath,description,source\r\n/=A,,\r\n/=A/B,"b, ""c""",\r\n')
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="categorySchema.csv"',
      'x-content-type-options': 'nosniff',
    })
    for (const tab of ['tab', '%09']) {
      const levels = await exported(portal, holder, `?format=csv&layout=levels&bom=false&delimiter=${tab}`)
      expect(levels.body).toBe('level1\tlevel2\tdescription\tsource\r\n\'=A\t\t\t\r\n\'=A\tB\t"b, ""c"""\t\r\n')
    }
  })

  test('as a workbook, and as a list of titles', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const workbook = await exported(portal, holder, '?format=xlsx&ids=true&f=pjson')
    expect(readWorkbook(workbook.rawPayload, undefined)).toMatchObject({
      value: {
        rows: [
          { row: 1, cells: ['path', 'description', 'source', 'id'] },
          { row: 2, cells: ['/=A', '', '', '/=A'] },
          { row: 3, cells: ['/=A/B', 'b, "c"', '', '/=A/B'] },
        ],
      },
    })
    expect(workbook.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="categorySchema.xlsx"',
      'content-length': String(workbook.rawPayload.length),
      'x-content-type-options': 'nosniff',
    })
    const text = await exported(portal, holder, '?format=text')
    expect(text.body).toBe('=A\n  B\n')
    expect(text.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="categorySchema.txt"',
    })
    const csv = await exported(portal, holder, '?format=csv&ids=true&bom=false')
    expect(csv.body).toBe('path,description,source,id\r\n/=A,,,/=A\r\n/=A/B,"b, ""c""",,/=A/B\r\n')
  })

  test('as SKOS, in its syntaxes', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const turtle = await exported(portal, holder, '?format=skos&language=en')
    expect(turtle.body).toContain('skos:prefLabel "=A"@en')
    expect(turtle.body).toContain(
      `/sharing/rest${holder.path.replace(/^.*\/sharing\/rest/, '')}/categorySchema#/%3DA/B>`,
    )
    expect(turtle.headers).toMatchObject({
      'content-type': 'text/turtle; charset=utf-8',
      'content-disposition': 'attachment; filename="categorySchema.ttl"',
      'x-content-type-options': 'nosniff',
    })
    const jsonLd = await exported(portal, holder, '?format=skos&syntax=jsonld')
    expect(jsonLd.json()['@graph']).toHaveLength(3)
    expect(jsonLd.headers).toMatchObject({ 'content-type': 'application/ld+json; charset=utf-8' })
    const refused = await exported(portal, holder, '?format=skos&language=e%22n')
    expect(refused.json()).toMatchObject({
      error: { details: ['language: has to be a language tag, such as de or en-GB.'] },
    })
  })

  test('where none is set, and as an earlier version', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    expect((await exported(portal, holder)).body).toBe('{"categorySchema":[]}')
    await holder.assign(document)
    await holder.assign('{"categorySchema":[{"title":"C"}]}')
    expect((await exported(portal, holder, '?version=1')).body).toBe(document)
    expect((await exported(portal, holder, '?version=3')).json()).toMatchObject({ error: { code: 404 } })
    await holder.remove()
    expect((await exported(portal, holder, '?format=csv&bom=false')).body).toBe('path,description,source\r\n')
  })

  test('but not what CSV cannot keep, nor in a format that there is not', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign('{"categorySchema":[{"source":"set"}]}')
    const details = async (query: string) => (await exported(portal, holder, query)).json()
    expect(await details('?format=csv&layout=levels')).toEqual({
      error: {
        code: 400,
        message: 'Unable to export categories.',
        details: ['/ has no title; layout=path or format=json keeps it.'],
      },
    })
    expect(await details('?format=xls&delimiter=x&layout=tree&bom=1&ids=maybe&version=0')).toMatchObject({
      error: {
        details: [
          'format: has to be one of json, csv, xlsx, text, skos.',
          'layout: has to be one of path, levels.',
          'ids: has to be true or false.',
          'delimiter: has to be one of comma, semicolon, tab, bar.',
          'bom: has to be true or false.',
          'version: has to be 1 or more.',
        ],
      },
    })
  })
})

test('members who may read the schema of the organization may not export its earlier versions', async () => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, 'organization')
  await holder.assign(document)
  const member = { ...holder, client: await portal.user('member') }
  expect((await exported(portal, member)).body).toBe(document)
  expect((await exported(portal, member, '?version=1')).json()).toMatchObject({ error: { code: 403 } })
})

test('what is exported from self has the URIs of the organization', async () => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, 'organization')
  await holder.assign(document)
  const ofSelf = await exported(portal, { ...holder, path: '/portals/self' }, '?format=skos')
  expect(ofSelf.body).toBe((await exported(portal, holder, '?format=skos')).body)
  expect(ofSelf.body).toContain(`${holder.path}/categorySchema#/%3DA>`)
})
