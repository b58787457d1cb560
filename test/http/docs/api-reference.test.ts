import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { formatApiIndex } from '../../../scripts/api-index.ts'
import { escapeText } from '../../../scripts/markdown.ts'
import { errorShape } from '../../../src/http/answer.ts'
import { describeComponents } from '../../../src/http/docs/components.ts'
import { formatCurl, formatJson, formatOperation, formatReference } from '../../../src/http/docs/reference/reference.ts'
import { formatAnswer, formatShapes } from '../../../src/http/docs/reference/shapes.ts'
import { type Endpoint, shapeOf } from '../../../src/http/endpoints/endpoint.ts'
import { goals } from '../../../src/http/endpoints/goals.ts'
import { optionalFile, requiredText } from '../../../src/http/endpoints/parameter-types.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { html } from '../../../src/http/pages/html.ts'
import { component, constant, id, integer, list, object, text } from '../../../src/http/shapes/shape.ts'
import { pageTable } from '../../../src/http/sign-in/register-pages.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const reference = formatReference(endpointTable, pageTable, { style: html`` })

test('docs/api.md is what the table gives; npm run docs writes it', () => {
  const kept = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  expect(kept).toBe(formatApiIndex(endpointTable))
  const unlisted = endpointTable.filter(({ id }) => kept.split(`<a id="${id.toLowerCase()}"></a>`).length !== 2)
  expect(unlisted.map(({ id }) => id)).toEqual([])
})

test('a server shows the reference, in its style, and the pages of operations lead to their place there', async () => {
  await using portal = await startPortal()
  const style = /<link rel="stylesheet"[^>]*page-[0-9a-f]+\.css">/
  const way = '<p><a href="/portal/">Cartulary</a> · <a href="/portal/sharing/rest">Directory</a></p>'
  for (const url of ['/portal/api', '/api']) {
    const { body, headers, statusCode } = await portal.server.app.inject(url)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body.replace(style, '').replace(way, '')).toBe(reference)
    expect(body).toMatch(style)
    expect(body).toContain(way)
  }
  const { body } = await portal.inject({ url: '/community/createGroup?f=html' })
  expect(body).toContain('<a href="/portal/api#creategroup">Reference</a>')
})

test.for(['/portal/api', '/portal/openapi.json'])(
  '%s is compressed for who takes that, asked for by HEAD, and not sent again',
  async (url, { portal }) => {
    const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      portal.server.app.inject({ method, url, headers })
    const whole = await ask({})
    const packed = await ask({ 'accept-encoding': 'gzip' })
    expect([whole.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(gunzipSync(packed.rawPayload).equals(whole.rawPayload)).toBe(true)
    expect(packed.rawPayload.length * 5).toBeLessThan(whole.rawPayload.length)
    for (const { headers } of [whole, packed]) expect(headers['vary']).toBe('Origin, Accept-Encoding')
    const head = await ask({}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
      200,
      String(whole.rawPayload.length),
      '',
    ])
    expect((await ask({ 'if-none-match': String(whole.headers['etag']) })).statusCode).toBe(304)
  },
)

const sources = readFileSync(new URL('../../../src/errors.ts', import.meta.url), 'utf8')

const operations = endpointTable.map(({ id }) => id.toLowerCase())
const components = Object.keys(describeComponents([errorShape, ...endpointTable.map(shapeOf)]))
const shapes = components.map((name) => `shape-${name.toLowerCase()}`)

test('every operation and every shape has a place, once', () => {
  const ids = [...reference.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const places = [...reference.matchAll(/<h3 id="([^"]+)">/g)].map(([, id]) => id)
  expect(places.sort()).toEqual([...operations, ...shapes].sort())
})

test('every link leads to an operation, a shape or a heading, and operations and shapes have one', () => {
  const headings = [...reference.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id!)
  const links = new Set([...reference.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!))
  const linked = [...operations, ...shapes]
  expect([...links.difference(new Set([...linked, ...headings]))]).toEqual([])
  expect([...linked, ...headings].filter((id) => !links.has(id))).toEqual(['shape-errorenvelope'])
})

/** The rows of the first table below a heading, as lists of their cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = reference.split(`">${heading}</h2>`)
  const [body = ''] = /(?<=<tbody>).*?(?=<\/tbody>)/s.exec(section) ?? []
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell!),
  )
}

test('every task has operations, of both kinds of owner where it is about a schema', () => {
  const rows = new Map(tableUnder('By task').map(([goal, links]) => [goal!, links!]))
  expect([...rows.keys()]).toEqual(goals)
  for (const [goal, links] of rows) expect(links, goal).toMatch(/^<a href="#/)
  expect(rows.get('Undo a schema change')).toContain('<a href="#restoregroupschemaversion">Restore version (group)</a>')
  expect(rows.get('Undo a schema change')).toContain('"#restoreportalschemaversion"')
})

test('every error has a row that says when it comes, and what to do', () => {
  const rows = tableUnder('By error')
  for (const row of rows) expect(row, row.join(' | ')).toHaveLength(6)
  for (const [code, message, , when, of, cure] of rows) {
    expect(
      [code, message, when, of, cure].filter((cell) => cell === ''),
      message,
    ).toEqual([])
  }
  const codes = rows.map(([code]) => code).join(' ')
  const messageCodes = [...sources.matchAll(/messageCode: '(\w+)'/g)].map(([, code]) => code!)
  for (const code of messageCodes) expect(codes, code).toContain(code)
})

test('the message of every failed operation leads to it, once', () => {
  const rows = tableUnder('Failed operations')
  const messages = new Set(endpointTable.map(({ task }) => html`Unable to ${task}.`.markup))
  expect(rows.map(([message]) => message).sort()).toEqual([...messages].sort())
  const links = rows.flatMap(([, cell]) => [...cell!.matchAll(/"#(\w+)"/g)].map(([, id]) => id!))
  expect(links.sort()).toEqual(operations.toSorted())
})

const row: Endpoint = {
  ...endpointTable.find(({ id }) => id === 'updateGroup')!,
  who: 'Anyone <there>',
  since: 'Release 9',
  chosen: ['This was `chosen`.', 'And a_b too.'],
  parameters: { note: requiredText('One|two.', { maxLength: 9 }) },
  example: { ids: { groupId: 'abc' }, parameters: { note: "it's" }, answer: { success: true } },
}

test('an operation says how it is called, by whom, with what, and what was chosen', () => {
  const { markup } = formatOperation(row)
  const parts = [
    '<h3 id="updategroup">Update group</h3>',
    '<code>POST /community/groups/&lt;groupId&gt;/update</code>',
    '<li><b>Id:</b> <code>updateGroup</code></li><li><b>Who:</b> Anyone &lt;there&gt;</li>',
    '<li><b>Token:</b> required</li>',
    '<li><b>Source:</b> documented for the public API</li>',
    '<li><b>Since:</b> Release 9</li>',
    '<li><b>Chosen:</b> This was <code>chosen</code>.</li><li><b>Chosen:</b> And a_b too.</li>',
    '<td><code>note</code></td><td>string, at most 9 characters</td><td>yes</td><td>One|two.</td>',
    '<pre>{ &quot;success&quot;: true }</pre>',
  ]
  expect(parts.filter((part) => !markup.includes(part))).toEqual([])
})

describe('the answer', () => {
  const shape = object(
    { success: constant(true), found: list(object({ id: id(), size: integer('Its <size>.') })) },
    { note: text() },
  )

  test('of an operation is a table of its members, those within others under their paths', () => {
    const { markup } = formatAnswer({ ...row, answers: { json: shape } })
    const rows = [...markup.matchAll(/<tr><td>(.*)<\/td><\/tr>/g)].map(([, cells]) => cells!.split('</td><td>'))
    expect(rows).toEqual([
      ['<code>success</code>', '<code>true</code>', ''],
      ['<code>found</code>', 'list of object', ''],
      ['<code>found[].id</code>', 'string', ''],
      ['<code>found[].size</code>', 'integer', 'Its &lt;size&gt;.'],
      ['<code>note</code>', 'string, optional', ''],
    ])
  })

  test('with a name of its own is a link to its place', () => {
    const named = component('Thing', 'A thing.', shape)
    const answer = (answers: Endpoint['answers']) => formatAnswer({ ...row, answers }).markup
    expect(answer({ json: named })).toBe('<p><b>Answer:</b> <a href="#shape-thing">Thing</a>.</p>')
    expect(answer({ file: named })).toBe('<p><b>Answer:</b> the file, <a href="#shape-thing">Thing</a>.</p>')
    expect(formatShapes([{ ...row, answers: { json: list(named) } }]).markup).toContain(
      '<h3 id="shape-thing">Thing</h3>\n<p>A thing.</p><div class="wide"><table>',
    )
  })
})

describe('the command of an example', () => {
  test('quotes what a shell would read otherwise', () => {
    expect(formatCurl(row).split(' \\\n  ')).toEqual([
      'curl https://maps.example.com/portal/sharing/rest/community/groups/abc/update',
      '-H "X-Esri-Authorization: Bearer $TOKEN"',
      String.raw`--data-urlencode 'note=it'\''s'`,
    ])
  })

  test('posts without a body, and reads with a query', () => {
    const example = { ids: { groupId: 'abc' }, answer: {} }
    expect(formatCurl({ ...row, example })).toMatch(/^curl -X POST https/)
    expect(formatCurl({ ...row, effect: 'none' })).toMatch(/^curl -G https/)
    expect(formatCurl({ ...row, effect: 'none', example })).toMatch(/^curl https/)
  })

  test('uploads a file by its name, with the rest beside it', () => {
    const parameters = { map: optionalFile('A map.'), note: requiredText('A note.') }
    const example = { ids: { groupId: 'abc' }, fileName: 'a.map', parameters: { map: '{}', note: '@it' }, answer: {} }
    expect(
      formatCurl({ ...row, parameters, example })
        .split(' \\\n  ')
        .slice(2),
    ).toEqual(["--form 'map=@a.map'", "--form-string 'note=@it'"])
  })

  test('calls the server of the guest where the guest calls', () => {
    const command = formatCurl({ ...row, example: { ...row.example, caller: 'guest' } })
    expect(command).toContain('curl https://guest.example.org/portal/sharing/rest/community/groups/abc/update')
    expect(command).toContain('Bearer $GUESTS_TOKEN')
  })

  test('carries a token only where one is looked at, of the one who calls', () => {
    expect(formatCurl({ ...row, token: 'none' })).not.toContain('-H')
    expect(formatCurl({ ...row, example: { ...row.example, caller: 'anna' } })).toContain('Bearer $ANNAS_TOKEN')
  })
})

describe('JSON', () => {
  test('what fits into a line stays on it', () => {
    expect(formatJson({ a: [1, 'x', null, true], b: {} })).toBe('{ "a": [1, "x", null, true], "b": {} }')
  })

  test('what does not is laid out, and stays the same', () => {
    const long = { words: Array.from({ length: 4 }, (_, n) => `${n}`.repeat(40)), pair: { a: 1 }, none: [] }
    const text = formatJson(long)
    expect(text.split('\n')[0]).toBe('{')
    expect(text).toContain('\n  "pair": { "a": 1 },\n')
    expect(JSON.parse(text)).toEqual(long)
  })

  test('every example stays the same', () => {
    const examples = Object.fromEntries(endpointTable.map(({ id, example }) => [id, example.answer]))
    const laidOut = Object.entries(examples).map(([id, answer]) => [id, JSON.parse(formatJson(answer))])
    expect(Object.fromEntries(laidOut)).toEqual(examples)
  })
})

test('text between backticks is left alone', () => {
  expect(escapeText('a_b `c_d` <e>')).toBe('a\\_b `c_d` \\<e>')
})
