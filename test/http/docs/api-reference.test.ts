import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  currentApiReference,
  formatApiReference,
  formatCurl,
  formatJson,
  formatOperation,
} from '../../../scripts/api-reference.ts'
import { formatAnswer, formatShapes } from '../../../scripts/api-shapes.ts'
import { escapeText } from '../../../scripts/markdown.ts'
import { errorShape } from '../../../src/http/answer.ts'
import { describeComponents } from '../../../src/http/docs/components.ts'
import { type Endpoint, shapeOf } from '../../../src/http/endpoints/endpoint.ts'
import { goals } from '../../../src/http/endpoints/goals.ts'
import { optionalFile, requiredText } from '../../../src/http/endpoints/parameter-types.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { component, constant, id, integer, list, object, text } from '../../../src/http/shapes/shape.ts'

const kept = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')

test('docs/api.md is what the table gives; npm run docs writes it', () => {
  expect(kept).toBe(currentApiReference())
})

const sources = readFileSync(new URL('../../../src/errors.ts', import.meta.url), 'utf8')

const operations = endpointTable.map(({ id }) => id.toLowerCase())
const components = Object.keys(describeComponents([errorShape, ...endpointTable.map(shapeOf)]))
const shapes = components.map((name) => `shape-${name.toLowerCase()}`)

test('every operation and every shape has a place, once', () => {
  const places = [...kept.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id)
  expect(places.sort()).toEqual([...operations, ...shapes].sort())
})

test('every link leads to an operation, a shape or a heading, and operations and shapes have one', () => {
  const headings = [...kept.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'))
  const links = new Set([...kept.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id!))
  const linked = [...operations, ...shapes]
  expect([...links.difference(new Set([...linked, ...headings]))]).toEqual([])
  expect(linked.filter((id) => !links.has(id))).toEqual(['shape-errorenvelope'])
})

/** The rows of the table under a heading, as lists of their cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const section = kept.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  const lines = section.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) => line.slice(2, -2).split(/ \| /))
}

test('every task has operations, of both kinds of owner where it is about a schema', () => {
  const rows = new Map(tableUnder('By task').map(([goal, links]) => [goal!, links!]))
  expect([...rows.keys()]).toEqual(goals)
  for (const [goal, links] of rows) expect(links, goal).toMatch(/^\[/)
  expect(rows.get('Undo a schema change')).toContain('[Restore version (group)](#restoregroupschemaversion)')
  expect(rows.get('Undo a schema change')).toContain('(#restoreportalschemaversion)')
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
  const codes = new Set(rows.map(([code]) => code))
  const messageCodes = [...sources.matchAll(/messageCode: '(\w+)'/g)].map(([, code]) => code!)
  for (const code of messageCodes) expect([...codes].join(' '), code).toContain(code)
})

test('the message of every failed operation leads to it, once', () => {
  const rows = tableUnder('Failed operations')
  expect(rows.map(([message]) => message).sort()).toEqual(
    [...new Set(endpointTable.map(({ task }) => `Unable to ${escapeText(task)}.`))].sort(),
  )
  const links = rows.flatMap(([, cell]) => [...cell!.matchAll(/\(#(\w+)\)/g)].map(([, id]) => id!))
  expect(links.sort()).toEqual(operations.toSorted())
})

const row: Endpoint = {
  ...endpointTable.find(({ id }) => id === 'updateGroup')!,
  who: 'Anyone <there>',
  since: 'Release 9',
  chosen: ['This was chosen.', 'And a_b too.'],
  parameters: { note: requiredText('One|two.', { maxLength: 9 }) },
  example: { ids: { groupId: 'abc' }, parameters: { note: "it's" }, answer: { success: true } },
}

test('an operation says how it is called, by whom, with what, and what was chosen', () => {
  const lines = formatOperation(row).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '### Update group',
      '`POST` `/community/groups/<groupId>/update`',
      '- **Who:** Anyone \\<there>',
      '- **Token:** required',
      '- **Source:** documented for the public API',
      '- **Since:** Release 9',
      '- **Chosen:** This was chosen.',
      '- **Chosen:** And a\\_b too.',
      '| `note` | string, at most 9 characters | yes | One\\|two. |',
      '{ "success": true }',
    ]),
  )
})

test('what was chosen is listed once, with every operation that it holds for', () => {
  const other = { ...row, id: 'other', title: 'Other', chosen: ['This was chosen.'] }
  expect(formatApiReference('{{chosen}}', [row, other])).toBe(
    '- [Update group](#updategroup), [Other](#other): This was chosen.\n- [Update group](#updategroup): And a\\_b too.',
  )
})

describe('the answer', () => {
  const shape = object(
    { success: constant(true), found: list(object({ id: id(), size: integer('Its <size>.') })) },
    { note: text() },
  )

  test('of an operation is a table of its members, those within others under their paths', () => {
    expect(
      formatAnswer({ ...row, answers: { json: shape } })
        .split('\n')
        .slice(4),
    ).toEqual([
      '| `success` | `true` |  |',
      '| `found` | list of object |  |',
      '| `found[].id` | string |  |',
      '| `found[].size` | integer | Its \\<size>. |',
      '| `note` | string, optional |  |',
    ])
  })

  test('with a name of its own is a link to its place', () => {
    const named = component('Thing', 'A thing.', shape)
    expect(formatAnswer({ ...row, answers: { json: named } })).toBe('**Answer:** [Thing](#shape-thing).')
    expect(formatAnswer({ ...row, answers: { file: named } })).toBe('**Answer:** the file, [Thing](#shape-thing).')
    expect(formatShapes([{ ...row, answers: { json: list(named) } }])).toContain(
      '<a id="shape-thing"></a>\n\n### Thing\n\nA thing.\n\n| Member |',
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
