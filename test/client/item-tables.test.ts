import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Journal } from '../../src/client/files/journal.ts'
import { until } from '../support/until.ts'
import { findFiles, openArcgis, openCartulary } from './signed-in.ts'

const places = ['org', 'group'] as const
const kinds = ['online', 'enterprise'] as const
const wide = { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }, { title: 'Soil' }] }

/** A portal of ArcGIS with items without categories, all of them in the group Maps. */
async function openStub(kind: (typeof kinds)[number], owner: (typeof places)[number], count: number, quirks = {}) {
  const opened = await openArcgis(kind, quirks)
  const { portal } = opened
  const group = [...portal.groups.values()].find(({ title }) => title === 'Maps')!
  portal.schemas.set(portal.id, structuredClone(wide))
  portal.schemas.set(group.id, structuredClone(wide))
  const items = Array.from({ length: count }, () => portal.addItem())
  for (const { inGroups } of items) inGroups.set(group.id, [])
  portal.index.settle()
  const carried = (item: (typeof items)[number]) =>
    owner === 'org' ? item.categories : (item.inGroups.get(group.id) ?? [])
  const written = () =>
    portal.calls.flatMap(({ operation, parameters }) =>
      /^update/.test(operation) ? JSON.parse(parameters.get('items')!).flatMap(Object.keys) : [],
    ) as string[]
  return { ...opened, group, items, carried, written, place: owner === 'org' ? 'org' : 'group:Maps' }
}

const tableOf = (rows: readonly (readonly string[])[]) =>
  `\ufeffid;title;categories\r\n${rows.map((cells) => cells.join(';')).join('\r\n')}\r\n`

describe.each(kinds.flatMap((kind) => places.map((owner) => [kind, owner] as const)))('at %s, %s', (kind, owner) => {
  test('a table gives items their categories, 100 a call, and its run is taken back', async () => {
    const { portal, desk, items, carried, written, place } = await openStub(kind, owner, 250)
    await using _ = portal
    const rows = items.map(({ id }, at) => [id, 'Map', at % 2 === 0 ? '"/Water/Rivers | /soil"' : '/Soil'])
    const file = desk.file('items.csv', tableOf([...rows, ['f'.repeat(32), 'Gone', '/Soil']]))
    const ended = await desk.run(['item', 'categorize', file, '--in', place, '--json'])
    const { summary, runId, refused } = JSON.parse(ended.printed)
    expect(ended.code).toBe(1)
    expect(summary).toEqual({ changed: 250, unchanged: 0, refused: 1 })
    expect(refused).toEqual([{ row: 252, itemId: 'f'.repeat(32), problem: expect.stringMatching(/may not see it/) }])
    expect(items.map(carried)).toEqual(
      items.map((_item, at) => (at % 2 === 0 ? ['/Water/Rivers', '/Soil'] : ['/Soil'])),
    )
    expect([written().length, new Set(written()).size]).toEqual([250, 250])
    // Done already, and then changed by another.
    const again = await desk.run(['item', 'categorize', file, '--in', place, '--json'])
    expect(JSON.parse(again.printed).summary).toEqual({ changed: 0, unchanged: 250, refused: 1 })
    expect(written().length).toBe(250)
    const other = items[7]!
    if (owner === 'org') other.categories = ['/Water']
    else other.inGroups.set([...other.inGroups.keys()][0]!, ['/Water'])
    portal.index.settle()
    const undone = await desk.run(['item', 'revert', runId, '--yes', '--json'])
    expect([undone.code, JSON.parse(undone.printed).summary]).toEqual([1, { changed: 249, unchanged: 0, refused: 1 }])
    expect(JSON.parse(undone.printed).refused[0].itemId).toBe(other.id)
    expect(items.map(carried)).toEqual(items.map((item) => (item === other ? ['/Water'] : [])))
    expect(portal.extensionBytes).toBe(0)
  })

  test('what an export writes is read without a change, former categories and formulas in titles too', async () => {
    const { portal, desk, items, written, group, place } = await openStub(kind, owner, 230)
    await using _ = portal
    for (const [at, item] of items.entries()) {
      const paths = [['/Water/Rivers', '/Soil'], ['/Former'], []][at % 3]!
      item.title = at % 2 === 0 ? '=1+1' : 'A, "b"; c'
      item.categories = paths
      item.inGroups.set(group.id, paths)
    }
    portal.index.settle()
    const file = desk.path('export.csv')
    const exported = await desk.run(['item', 'export', '--in', place, '-o', file])
    expect(exported.code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text.split('\r\n')[0]).toBe('id,title,type,owner,modified,categories')
    expect(text).toContain("'=1+1")
    const printed = await desk.run(['item', 'export', '--in', place])
    expect(Buffer.from(printed.bytes).toString()).toBe(text)
    const read = await desk.run(['item', 'categorize', file, '--in', place, '--json'])
    const count = owner === 'org' ? 231 : 230
    expect(JSON.parse(read.printed).summary).toEqual({ changed: 0, unchanged: count, refused: 0 })
    expect(written()).toEqual([])
    const listed = await desk.run(['item', 'uncategorized', '--in', place, '--csv'])
    const ids = Buffer.from(listed.bytes)
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, 32))
    expect(ids.toSorted()).toEqual(items.flatMap(({ id }, at) => (at % 3 === 0 ? [] : id)).toSorted())
    expect(portal.extensionBytes).toBe(0)
  })

  test('cut off at any of its requests, the same command does the rest, and no item is changed twice', async () => {
    let isWhole = false
    for (let request = 1; !isWhole; request += 1) {
      for (const when of ['before', 'after'] as const) {
        const { portal, desk, items, carried, place } = await openStub(kind, owner, 130)
        await using _ = portal
        const changes = new Map<string, number>()
        for (const item of items) {
          let { modified } = item
          Object.defineProperty(item, 'modified', {
            get: () => modified,
            set(time) {
              modified = time
              changes.set(item.id, (changes.get(item.id) ?? 0) + 1)
            },
          })
        }
        const file = desk.file('items.csv', tableOf(items.map(({ id }) => [id, '', '/Soil'])))
        const command = ['item', 'categorize', file, '--in', place, '--retries', '0']
        portal.plan('*', { kind: 'lost', when }, request)
        const first = await desk.run(command)
        isWhole = portal.mend() > 0
        if (first.code !== 0) expect((await desk.run(command)).code, first.complaint).toBe(0)
        expect(new Set(items.map((item) => carried(item).join()))).toEqual(new Set(['/Soil']))
        expect(changes.size).toBe(130)
        expect(
          [...changes.values()].filter((count) => count > 1),
          `request ${request}`,
        ).toEqual([])
      }
    }
  })
})

test('rows that are wrong are named before anything is written, with the category that was meant', async () => {
  const { portal, desk, items, written } = await openStub('online', 'org', 4)
  await using _ = portal
  const [one, two, three, four] = items.map(({ id }) => id)
  items[1]!.categories = ['/Soil']
  portal.index.settle()
  const many = Array.from({ length: 21 }, (_item, at) => `/Water/${at}`).join(' | ')
  const file = desk.file(
    'items.csv',
    tableOf([
      [one!, '', '/Water/Rivrs'],
      [two!, '', ''],
      ['x', '', '/Soil'],
      [three!, '', `"${many}"`],
      [four!, '', '/Soil'],
    ]),
  )
  const report = desk.path('report.csv')
  const ended = await desk.run(['item', 'categorize', file, '--in', 'org', '--report', report])
  expect(ended.code).toBe(1)
  expect(ended.complaint.split('\n')).toEqual([
    '4 rows are refused; nothing was written.',
    `  Row 2: ${one}: Category does not exist: /Water/Rivrs; did you mean /Water/Rivers?`,
    `  Row 3: ${two}: The row has no category; --clear-empty takes those of the item away.`,
    '  Row 4: x: x is no id of an item.',
    `  Row 5: ${three}: Item exceeds max size of 20 categories.`,
  ])
  expect(readFileSync(report, 'utf8').split('\r\n')).toHaveLength(6)
  expect(written()).toEqual([])
})

test('5,000 wrong rows of 100,000 are all named', async () => {
  const { portal, desk, written } = await openStub('online', 'org', 1)
  await using _ = portal
  const idOf = (at: number) => (at * 7_919).toString(16).padStart(32, '0')
  const many = Array.from({ length: 21 }, (_item, at) => `/Soil/${at}`).join('|')
  const wrong = (at: number) => {
    return [
      [idOf(at), '/Water/Rivrs'],
      [`x${at}`, '/Soil'],
      [idOf(at), many],
    ][(at / 20) % 3]!
  }
  const rows = Array.from({ length: 100_000 }, (_row, at) => {
    const [id, paths] = at % 20 === 0 ? wrong(at) : [idOf(at), '/Water | /Soil']
    return `${id};"Flüsse; ""${at}""";${paths}${at % 2 === 0 ? '\r\n' : '\n'}`
  })
  const file = desk.file('items.csv', `\ufeffsep=;\r\nid;title;categories\r\n${rows.join('')}`)
  const ended = await desk.run(['item', 'categorize', file, '--in', 'org', '--json'])
  const { exit, message, refused } = JSON.parse(ended.complaint).error
  expect([ended.code, exit, message]).toEqual([1, 1, '5000 rows are refused; nothing was written.'])
  expect(refused.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: 5_000 }, (_row, number) => 20 * number + 2),
  )
  expect(refused.slice(0, 3)).toEqual([
    { row: 2, itemId: idOf(0), problem: 'Category does not exist: /Water/Rivrs; did you mean /Water/Rivers?' },
    { row: 22, itemId: 'x20', problem: 'x20 is no id of an item.' },
    { row: 42, itemId: idOf(40), problem: 'Item exceeds max size of 20 categories.' },
  ])
  expect(written()).toEqual([])
})

test.each([
  ['id,categories\r\n', [0, /There are no rows\./]],
  ['title,path\na,/Soil\n', [2, /a row has to name the columns id and categories/]],
  [`id,path\n"${'a'.repeat(32)},/Soil\n`, [2, /quote/]],
  ['', [2, /empty/]],
] as const)('a table %j ends the command before the first write', async (text, [code, says]) => {
  const { portal, desk, written } = await openStub('online', 'org', 1)
  await using _ = portal
  const ended = await desk.run(['item', 'categorize', desk.file('items.csv', text), '--in', 'org'])
  expect([ended.code, ended.printed + ended.complaint]).toEqual([code, expect.stringMatching(says)])
  expect(written()).toEqual([])
})

test('rows of one item are one, and categories are added, removed, or taken away', async () => {
  const { portal, desk, items } = await openStub('enterprise', 'org', 1)
  await using _ = portal
  const [item] = items
  const run = async (text: string, ...words: string[]) => {
    const ended = await desk.run(['item', 'categorize', desk.file('items.csv', text), '--in', 'org', ...words])
    return [ended.code, item!.categories]
  }
  const { id } = item!
  expect(await run(`item\tpath\n${id}\t/Soil\n${id}\t/Water\n`)).toEqual([0, ['/Soil', '/Water']])
  expect(await run(`Item ID,Content Category\n${id.toUpperCase()},/water/rivers\n`, '--mode', 'add')).toEqual([
    0,
    ['/Soil', '/Water', '/Water/Rivers'],
  ])
  expect(await run(`id,categories\n${id},/Water | /Soil\n`, '--mode', 'remove')).toEqual([0, ['/Water/Rivers']])
  expect(await run(`id,categories\n${id},\n`, '--mode', 'add', '--clear-empty')).toEqual([2, ['/Water/Rivers']])
  expect(await run(`id,categories\n${id},\n`, '--clear-empty')).toEqual([0, []])
})

test('a path that the portal drops with success, and an item that goes meanwhile, are named', async () => {
  const { portal, desk, items } = await openStub('online', 'org', 3, { drops: (path: string) => path === '/Water' })
  await using _ = portal
  const [kept, dropped, gone] = items
  const file = desk.file(
    'items.csv',
    tableOf([
      [kept!.id, '', '/Soil'],
      [dropped!.id, '', '/Soil | /Water'],
      [gone!.id, '', '/Soil'],
    ]),
  )
  const act = () => {
    portal.items.delete(gone!.id)
    portal.index.settle()
  }
  portal.plan('updateItems', { kind: 'meanwhile', when: 'before', act })
  const ended = await desk.run(['item', 'categorize', file, '--in', 'org'])
  expect(ended.code).toBe(1)
  expect(ended.printed.split('\n').slice(0, 3)).toEqual([
    '1 changed, 0 unchanged, 2 refused.',
    `Row 3: ${dropped!.id}: the portal says success, and its new categories do not read back.`,
    `Row 4: ${gone!.id}: Item does not exist or is inaccessible.`,
  ])
})

test.each([
  [2, [0, '{"format":1,"summary":{"changed":3,"unchanged":0,"refused":0}']],
  [9, [1, 'is too busy to write']],
] as const)('items that the portal is too busy for %d times are no refusal', async (times, [code, says]) => {
  let left: number = times
  const drops = () => {
    left -= 1
    if (left >= 0 && left % 3 !== 2) throw Object.assign(new Error('Busy.'), { code: 503 })
    return false
  }
  const { portal, desk, items } = await openStub('online', 'org', 3, { drops })
  await using _ = portal
  const file = desk.file('items.csv', tableOf(items.map(({ id }) => [id, '', '/Soil'])))
  const command = ['item', 'categorize', file, '--in', 'org', '--json']
  const ended = await desk.run(command)
  expect([ended.code, ended.printed + ended.complaint]).toEqual([code, expect.stringContaining(says)])
  left = 0
  expect((await desk.run(command)).code).toBe(0)
  expect(items.map(({ categories }) => categories)).toEqual([['/Soil'], ['/Soil'], ['/Soil']])
})

test('a portal that answers later than the time-out, and writes then, has each item as the table says', async () => {
  const { portal, desk, items } = await openStub('online', 'org', 3)
  await using _ = portal
  const late = Promise.withResolvers<void>()
  portal.plan('updateItems', { kind: 'slow', until: late.promise })
  const file = desk.file('items.csv', tableOf(items.map(({ id }) => [id, '', '/Soil'])))
  const ended = await desk.run(['item', 'categorize', file, '--in', 'org', '--timeout', '1'])
  expect([ended.code, ended.printed]).toEqual([0, expect.stringMatching(/^3 changed, 0 unchanged, 0 refused\./)])
  late.resolve()
  expect(portal.count('updateItems')).toBe(2)
  expect(items.map(({ categories }) => categories)).toEqual([['/Soil'], ['/Soil'], ['/Soil']])
})

describe('the journal of a job', () => {
  /** A job whose second batch is not done. */
  async function interrupt() {
    const opened = await openStub('enterprise', 'org', 150)
    const { portal, desk, items } = opened
    const file = desk.file('items.csv', tableOf(items.map(({ id }) => [id, '', '/Soil'])))
    const command = ['item', 'categorize', file, '--in', 'org', '--retries', '0']
    portal.plan('updateItems', { kind: 'body', code: 498 }, 2)
    const first = await desk.run(command)
    expect([first.code, first.complaint]).toEqual([
      2,
      expect.stringMatching(/Interrupted after 100 of 150 items; the same command resumes\./),
    ])
    const [journal] = findFiles(desk.home, /\.jsonl$/)
    return { ...opened, file, command, journal: journal! }
  }

  test('is refused where it was cut or altered, and --restart begins without it', async () => {
    const { portal, desk, command, journal, items } = await interrupt()
    await using _ = portal
    const text = readFileSync(journal, 'utf8')
    const lines = text.split('\n')
    for (const wrong of [
      text.slice(0, -20),
      `${lines.slice(0, 2).join('\n')}\n`,
      text.replace('"/Soil"', '"/Mud"'),
      '',
      `{"cartularyJob":1}\n${lines.slice(1).join('\n')}`,
    ]) {
      writeFileSync(journal, wrong)
      const ended = await desk.run(command)
      expect([ended.code, ended.complaint]).toEqual([
        2,
        expect.stringMatching(/was cut or altered since.*move it away\.$/),
      ])
    }
    writeFileSync(journal, text)
    expect((await desk.run([...command, '--restart', '--json'])).printed).toContain('"changed":50,"unchanged":100')
    expect(new Set(items.flatMap(({ categories }) => categories))).toEqual(new Set(['/Soil']))
    expect(readdirSync(join(journal, '..')).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  test('keeps what a kill has cut off for another time, and is gone on with by the same command alone', async () => {
    const { portal, desk, command, journal, items, file } = await interrupt()
    await using _ = portal
    writeFileSync(journal, '{"half', { flag: 'a' })
    const other = await desk.run([...command, '--mode', 'add', '--json'])
    expect(JSON.parse(other.printed).summary).toEqual({ changed: 50, unchanged: 100, refused: 0 })
    // The second batch was done by the other command.
    const ended = await desk.run([...command, '--json'])
    expect(JSON.parse(ended.printed).summary).toEqual({ changed: 150, unchanged: 0, refused: 0 })
    expect(items.every(({ categories }) => categories.join() === '/Soil')).toBe(true)
    writeFileSync(file, `${readFileSync(file, 'utf8')}\r\n`)
    expect((await desk.run(command)).code).toBe(0)
  })

  test.each([
    ['portalId', /is of \S+, organization another, and \S+ is \w+\.$/],
    ['portal', /is of another, organization \w+, and \S+ is \w+\.$/],
    ['command', /is the journal of another command; --restart begins without it\.$/],
    ['place', /is the journal of another command; --restart begins without it\.$/],
    ['digest', /is the journal of another command; --restart begins without it\.$/],
  ])('is refused where its %s is another, and nothing is written', async (member, says) => {
    const { portal, desk, command, journal, written } = await interrupt()
    await using _ = portal
    const sent = written().length
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
    const [head, ...further] = lines.map((line) => JSON.parse(line))
    Journal.begin(journal, { ...head, [member]: 'another' }, further)
    const ended = await desk.run(command)
    expect([ended.code, ended.complaint]).toEqual([2, expect.stringMatching(says)])
    expect(written()).toHaveLength(sent)
  })

  test('is of one machine', async () => {
    const { portal, command, journal } = await interrupt()
    await using _ = portal
    const second = await openStub('enterprise', 'org', 1)
    await using _second = second.portal
    second.desk.file('items.csv', readFileSync(command[2]!))
    const id = journal.match(/([0-9a-f]+-1)\.jsonl$/)![1]!
    // The state of one machine on another one.
    await second.run('item export --in org')
    const unknown = await second.desk.run(['item', 'revert', id, '--yes'])
    expect([unknown.code, unknown.complaint]).toEqual([1, `This machine has no run ${id} of ${second.portal.url}.`])
  })

  test('is written by one command at a time: the same one, and one that takes it back, are refused', async () => {
    const { portal, desk, command, journal, written } = await interrupt()
    await using _ = portal
    const [name] = /[0-9a-f]+-1(?=\.jsonl$)/.exec(journal)!
    const others = Promise.withResolvers<void>()
    portal.plan('updateItems', { kind: 'slow', until: others.promise })
    const first = desk.run(command)
    await until('the second batch is sent', () => portal.count('updateItems') === 3)
    const kept = readFileSync(journal)
    for (const words of [command, ['item', 'revert', name, '--yes']]) {
      const refused = await desk.run(words)
      expect([refused.code, refused.complaint]).toEqual([
        2,
        `Another command does this job at the moment; remove ${journal.replace('-1.jsonl', '.lock')} if none runs.`,
      ])
    }
    expect(readFileSync(journal)).toEqual(kept)
    others.resolve()
    expect([(await first).code, written().length]).toEqual([0, 200])
  })
})

describe('at Cartulary', () => {
  async function open(count: number) {
    const opened = await openCartulary()
    const { portal } = opened
    const admin = await portal.admin()
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: wide })
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) {
      ids.push((await admin.post('/content/users/admin/addItem', { title: `Map ${at}`, type: 'Web Map' })).id)
    }
    const carried = async () => {
      const found: string[] = []
      for (const id of ids) found.push((await admin.get(`/content/items/${id}`)).categories.join())
      return found
    }
    return { ...opened, admin, ids, carried }
  }

  test('a table is an import, whose run is taken back by the portal, from any machine', async () => {
    const { portal, desk, ids, carried, admin } = await open(3)
    await using _ = portal
    const file = desk.file('items.csv', tableOf([...ids.map((id) => [id, '', '/Soil']), ['e'.repeat(32), '', '/Soil']]))
    const ended = await desk.run(['item', 'categorize', file, '--in', 'org', '--json'])
    const { summary, runId, refused } = JSON.parse(ended.printed)
    expect([ended.code, summary]).toEqual([1, { changed: 3, unchanged: 0, refused: 1 }])
    expect(refused[0]).toMatchObject({ row: 5, itemId: 'e'.repeat(32) })
    expect(new Set(await carried())).toEqual(new Set(['/Soil']))
    const { runs } = await admin.get('/content/categories/runs')
    expect(runs[0]).toMatchObject({ id: runId, kind: 'importItemCategories', changes: 3 })
    const exported = await desk.run(['item', 'export'])
    const again = await desk.run([
      'item',
      'categorize',
      desk.file('export.csv', exported.bytes),
      '--in',
      'org',
      '--json',
    ])
    expect(JSON.parse(again.printed).summary).toEqual({ changed: 0, unchanged: 4, refused: 0 })
    const undone = await desk.run(['item', 'revert', runId, '--yes', '--json'])
    expect([undone.code, JSON.parse(undone.printed).summary]).toEqual([0, { changed: 3, unchanged: 0, refused: 0 }])
    expect(new Set(await carried())).toEqual(new Set(['']))
    expect((await desk.run(['item', 'revert', 'f'.repeat(32), '--yes'])).code).toBe(1)
  })

  test('rows that were changed since the export are named', async () => {
    const { portal, desk, ids, carried, admin } = await open(2)
    await using _ = portal
    const exported = Buffer.from((await desk.run(['item', 'export'])).bytes).toString()
    portal.clock.now += 5_000
    await admin.post(`/content/users/admin/items/${ids[0]}/update`, { title: 'Another' })
    const file = desk.file('export.csv', exported.replaceAll(/,\r\n/g, ',/Soil\r\n'))
    const ended = await desk.run(['item', 'categorize', file, '--in', 'org'])
    expect(ended.code).toBe(1)
    expect(ended.printed).toMatch(/^1 changed, 1 unchanged, 1 refused\.\nRow \d: \w+: .*changed since/)
    expect(await carried()).toEqual(['', '/Soil'])
  })
})
