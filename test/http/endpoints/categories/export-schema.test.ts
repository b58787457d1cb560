import { readWorkbook } from '../../../../src/file-reading/workbook/workbook.ts'
import { holderKinds, openHolder, type SchemaHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const csv = 'text/csv; charset=utf-8'
const head = 'path,description,source'
const levels = 'level1\tlevel2\tdescription\tsource\r\n\'=A\t\t\t\r\n\'=A\tB\t"b, ""c"""\t\r\n'
const document = '{"categorySchema":[{"title":"=A","categories":[{"title":"B","description":"b, \\"c\\""}]}]}'

/** Headers of a file that browsers save. */
const aFile = (type: string, name: string) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'x-content-type-options': 'nosniff',
})

const exported = ({ client, path }: Pick<SchemaHolder, 'client' | 'path'>, query = '') =>
  client.send(`${path}/categorySchema/export${query}`)

describe.each(holderKinds)('the schema of a %s is exported', (kind) => {
  test.for([
    ['', 'application/json; charset=utf-8', 'json', document],
    ['?f=pjson', 'application/json; charset=utf-8', 'json', JSON.stringify(JSON.parse(document), null, 2)],
    ['?format=csv', csv, 'csv', '\ufeffpath,description,source\r\n/=A,,\r\n/=A/B,"b, ""c""",\r\n'],
    ['?format=csv&ids=true&bom=false', csv, 'csv', `${head},id\r\n/=A,,,/=A\r\n/=A/B,"b, ""c""",,/=A/B\r\n`],
    ['?format=csv&layout=levels&bom=false&delimiter=tab', csv, 'csv', levels],
    ['?format=csv&layout=levels&bom=false&delimiter=%09', csv, 'csv', levels],
    ['?format=text', 'text/plain; charset=utf-8', 'txt', '=A\n  B\n'],
  ] as const)('as a text that is asked for by "%s"', async ([query, type, ending, text], { portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const { body, headers } = await exported(holder, query)
    expect(body).toBe(text)
    expect(headers).toMatchObject(aFile(type, `categorySchema.${ending}`))
  })

  test('as a workbook', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const workbook = await exported(holder, '?format=xlsx&ids=true&f=pjson')
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
      ...aFile('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'categorySchema.xlsx'),
      'content-length': String(workbook.rawPayload.length),
    })
  })

  test('as SKOS, in its syntaxes', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(document)
    const turtle = await exported(holder, '?format=skos&language=en')
    expect(turtle.body).toContain('skos:prefLabel "=A"@en')
    expect(turtle.body).toContain(
      `/sharing/rest${holder.path.replace(/^.*\/sharing\/rest/, '')}/categorySchema#/%3DA/B>`,
    )
    expect(turtle.headers).toMatchObject(aFile('text/turtle; charset=utf-8', 'categorySchema.ttl'))
    const jsonLd = await exported(holder, '?format=skos&syntax=jsonld')
    expect(jsonLd.json()['@graph']).toHaveLength(3)
    expect(jsonLd.headers).toMatchObject({ 'content-type': 'application/ld+json; charset=utf-8' })
  })

  test('where none is set, and as an earlier version', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    expect((await exported(holder)).body).toBe('{"categorySchema":[]}')
    await holder.assign(document)
    await holder.assign('{"categorySchema":[{"title":"C"}]}')
    expect((await exported(holder, '?version=1')).body).toBe(document)
    expect((await exported(holder, '?version=3')).json()).toMatchObject({ error: { code: 404 } })
    await holder.remove()
    expect((await exported(holder, '?format=csv&bom=false')).body).toBe('path,description,source\r\n')
  })
})

test('members who may read the schema of the organization may not export its earlier versions', async ({ portal }) => {
  const holder = await openHolder(portal, 'organization')
  await holder.assign(document)
  const member = { ...holder, client: await portal.user('member') }
  expect((await exported(member)).body).toBe(document)
  expect((await exported(member, '?version=1')).json()).toMatchObject({ error: { code: 403 } })
})

test('what is exported from self has the URIs of the organization', async ({ portal }) => {
  const holder = await openHolder(portal, 'organization')
  await holder.assign(document)
  const ofSelf = await exported({ ...holder, path: '/portals/self' }, '?format=skos')
  expect(ofSelf.body).toBe((await exported(holder, '?format=skos')).body)
  expect(ofSelf.body).toContain(`${holder.path}/categorySchema#/%3DA>`)
})
