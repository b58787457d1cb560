import { describe, expect, onTestFinished, test } from 'vitest'
import { htmlGiven } from '../../../../src/schema-files/decode.ts'
import { workbookType } from '../../../../src/schema-files/written-rows.ts'
import { inlineRows, sheetFile, workbookFile } from '../../../support/inputs/workbook-file.ts'
import { openContent, themes } from '../../../support/portal/content-world.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import type { Body, Client } from '../../../support/portal/portal.ts'
import { uploadFile } from '../../../support/portal/upload-schema-file.ts'

const categoriesOf = async (client: Client, id: string): Promise<string[]> =>
  (await client.get(`/content/items/${id}`)).categories
async function exported(client: Client, parameters = {}): Promise<string> {
  const query = new URLSearchParams({ format: 'csv', ...parameters, token: client.token! })
  const { body } = await client.portal.inject({ url: `/content/categories/export?${query}` })
  return body.replace(/^\ufeff/, '')
}
const send = (client: Client, text: string, parameters: Readonly<Record<string, string>> = {}): Promise<Body> =>
  client.post('/content/categories/import', { text, ...parameters })
const upload = (client: Client, bytes: Uint8Array, sheet = ''): Promise<Body> =>
  uploadFile(client.portal, client, '/content/categories/import', bytes, { sheet })
const apply = (client: Client, text: string, parameters: Readonly<Record<string, string>> = {}): Promise<Body> =>
  send(client, text, { ...parameters, dryRun: 'false' })

describe('categories of items as a table', () => {
  test('come back as they went out: nothing changes, in every form of the file', async () => {
    await using world = await openContent(3)
    const { anna, ids } = world
    const items = JSON.stringify([
      { [ids[0]!]: ['/Themes/Water', '/Themes/=Odd | and more;'] },
      { [ids[1]!]: ['/Themes/Roads'] },
    ])
    await anna.post('/content/updateItems', { items })
    for (const form of [{}, { layout: 'wide' }, { delimiter: 'semicolon' }, { delimiter: 'tab', layout: 'wide' }]) {
      const text = await exported(anna, form)
      expect(await send(anna, text)).toMatchObject({
        ...{ dryRun: true, changes: [], refused: [], unknownPaths: [] },
        summary: { rows: 3, changed: 0, unchanged: 3, stale: 0, refused: 0, unknownPaths: 0 },
      })
    }
    const [first, second] = (await exported(anna, { format: 'ndjson' })).trim().split('\n')
    expect(JSON.parse(first!)).toEqual({
      ...{ id: ids[0], title: 'Lake 0', type: 'Web Map', owner: 'anna', modified: world.portal.clock.now, version: 1 },
      categories: ['/Themes/Water', '/Themes/=Odd | and more;'],
    })
    expect(JSON.parse(second!).id).toBe(ids[1])
    expect((await exported(anna)).split('\r\n')[0]).toBe('id,title,type,owner,modified,version,categories')
  })

  test('are applied row by row, in a run that is undone but for what has changed since', async () => {
    await using world = await openContent(5)
    const { portal, admin, anna, ids, doJobs } = world
    const [water, unknown, stale, foreign, other] = ids as [string, string, string, string, string]
    const rows = (await exported(anna)).trim().split('\r\n')
    portal.clock.now += 1_000
    await anna.post('/content/updateItems', { items: JSON.stringify([{ [stale]: ['/Themes/Roads'] }]) })
    await admin.post(`/content/users/anna/items/${foreign}/reassign`, { targetUsername: 'admin' })
    const fill = (row: string, path: string) => `${row.replace(/,$/, '')},${path}`
    const text = [
      rows[0],
      fill(rows[1]!, '/themes/WATER'),
      fill(rows[2]!, '/Other/Roads'),
      fill(rows[3]!, '/Themes/Water'),
      fill(rows[4]!, '/Themes/Water'),
      fill(rows[5]!, '/Themes/Water | /Themes/Roads'),
      fill(rows[5]!, '/Themes/Water'),
      ',no id,,,,,/Themes/Water',
    ].join('\n')
    const plan = await send(anna, text)
    expect(plan).toEqual({
      dryRun: true,
      summary: { rows: 7, changed: 2, unchanged: 0, stale: 1, refused: 3, unknownPaths: 1 },
      changes: [
        { row: 2, itemId: water, title: 'Lake 0', from: [], to: ['/Themes/Water'] },
        { row: 6, itemId: other, title: 'Lake 4', from: [], to: ['/Themes/Water', '/Themes/Roads'] },
      ],
      refused: [
        expect.objectContaining({
          row: 3,
          itemId: unknown,
          stale: false,
          problem: expect.stringContaining('/Other/Roads'),
        }),
        { row: 4, itemId: stale, stale: true, problem: 'The item was changed since the export, by anna.' },
        { row: 5, itemId: foreign, stale: false, problem: 'Item does not exist or is inaccessible.' },
        { row: 8, itemId: '', stale: false, problem: 'The row has no id.' },
      ],
      unknownPaths: [{ path: '/Other/Roads', rows: 1, meant: '/Themes/Roads' }],
      notes: [],
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await apply(anna, text, { plan: '0'.repeat(64) })).toMatchObject({ error: { code: 400 } })
    const { id: run, total } = await apply(anna, text, { plan: plan.id })
    expect(total).toBe(5)
    expect(await apply(anna, text)).toMatchObject({ error: { code: 409 } })
    await doJobs()
    expect(await anna.get(`/portals/self/jobs/${run}`)).toMatchObject({
      ...{ kind: 'importItemCategories', state: 'completed_with_failures', done: 5 },
      failures: [{ itemId: unknown }, { itemId: stale }, { itemId: foreign }],
    })
    // Its rows would be the whole file again, for 90 days.
    const { storage } = world.portal.server.dependencies
    expect(await storage.read(({ jobs }) => jobs.listJobItems(run, 0, 10))).toEqual([])
    expect(await categoriesOf(anna, water)).toEqual(['/Themes/Water'])
    expect(await categoriesOf(anna, stale)).toEqual(['/Themes/Roads'])
    // Once more: rows that are applied are unchanged, whatever their time of change says.
    expect((await send(anna, text)).summary).toMatchObject({ changed: 0, unchanged: 2, stale: 1 })

    await anna.post('/content/updateItems', { items: JSON.stringify([{ [other]: ['/Themes/Roads'] }]) })
    const { jobId } = await anna.post(`/content/categories/runs/${run}/revert`)
    await doJobs()
    expect(await anna.get(`/portals/self/jobs/${jobId}`)).toMatchObject({
      state: 'completed_with_failures',
      failures: [{ itemId: other, message: expect.stringContaining('have changed since') }],
    })
    expect(await categoriesOf(anna, water)).toEqual([])
    expect(await categoriesOf(anna, other)).toEqual(['/Themes/Roads'])
  })

  test('are added or removed, unknown ones left out, and of a group', async () => {
    await using world = await openContent(2)
    const { anna, ids, doJobs } = world
    const [one, other] = ids as [string, string]
    const done = async (text: string, parameters: Readonly<Record<string, string>>) => {
      await apply(anna, text, parameters)
      await doJobs()
      return [await categoriesOf(anna, one), await categoriesOf(anna, other)]
    }
    const file = (path: string) => `id;category 1;category 2\n${one};${path};/Themes/Roads\n${other};;/Nowhere\n`
    expect(await done(file('/Themes/Water'), { mode: 'add', onUnknown: 'skip' })).toEqual([
      ['/Themes/Water', '/Themes/Roads'],
      [],
    ])
    expect(await done(`ID,Categories\n${one},/Themes/Water`, { mode: 'remove' })).toEqual([['/Themes/Roads'], []])

    const { id: group } = await anna.createGroup('Lakes')
    await anna.post(`/community/groups/${group}/assignCategorySchema`, { categorySchema: JSON.stringify(themes) })
    await anna.post(`/content/users/anna/items/${one}/share`, { groups: group })
    const ofGroup = `id,categories\n${one},/Themes/Water\n${other},/Themes/Water`
    expect(await send(anna, ofGroup, { group })).toMatchObject({
      changes: [{ itemId: one, from: [], to: ['/Themes/Water'] }],
      refused: [{ itemId: other, problem: 'Item does not exist or is inaccessible.' }],
    })
    await apply(anna, ofGroup, { group })
    await doJobs()
    expect(await exported(anna, { group })).toContain(`${one},Lake 0`)
    expect(await exported(anna, { group, categories: '/Themes/Water' })).toContain(one)
    const bert = await world.admin.invite('bert')
    expect(await send(bert, ofGroup, { group })).toMatchObject({ error: { code: 400 } })
  })

  test('have every unreadable file refused by one sentence', async () => {
    await using world = await openContent(0)
    const { anna } = world
    const first = 'a row has to name the columns id and categories'
    // For each of these cells, an expression that looks for blanks before a sign takes a second or more.
    const blanks = `/A${' '.repeat(60_000)}b`
    const many = Array.from({ length: 6 }, (_, at) => `${at},"${blanks}|\n /B\n\n${'\n'.repeat(3_000)}/C"`)
    expect(await send(anna, `id,categories\n${many.join('\n')}`)).toMatchObject({ summary: { refused: 6 } })
    const cases: readonly [string, string][] = [
      ['\n', `The file is empty: ${first}.`],
      [
        'name,path\na,b',
        `Row 1 is "name, path": ${first}, as an export of items does; or columns says which they are.`,
      ],
      ['<!doctype html><table><tr><td>id', htmlGiven],
      [`id,categories\n${'a,b\n'.repeat(20_001)}`, 'The file has more than 20000 rows.'],
    ]
    for (const [text, detail] of cases) {
      expect(await send(anna, text)).toMatchObject({ error: { code: 400, details: [detail] } })
    }
    expect(await send(anna, `id,modified,categories\nx,tomorrow,/A`)).toMatchObject({
      refused: [{ row: 2, problem: expect.stringMatching(/^modified has no time/) }],
      notes: ['Rows that are not applied, as they have no time in modified: 1.'],
    })
  })

  test('are read as other programs name and split them, and at the precision that they leave of a time', async () => {
    await using world = await openContent(2)
    const { anna, ids, portal } = world
    const [one] = ids as [string]
    const [water, roads] = ['/Themes/Water', '/Themes/Roads']
    const both = [{ itemId: one, to: [water, roads] }]
    const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [`Title,Item ID,Content Category\nLake,${one},${water} | ${roads} |`, {}],
      [`A list\nof 2026\nitem_id;proposed\n${one};${water}\n${one};${roads}`, { columns: '{"categories":"proposed"}' }],
      [`itemid\tpath\n${one}\t${water}\n${one}\t${roads}`, {}],
      [
        `${one},${water},${roads}\nsum,2,`,
        { columns: '{"id":1,"categories":[2,3]}', ignoreRows: '2', header: 'false' },
      ],
    ]
    for (const [text, parameters] of forms) expect(await send(anna, text, parameters)).toMatchObject({ changes: both })

    portal.clock.now = Math.floor(portal.clock.now / 60_000) * 60_000 + 65_123
    await anna.post('/content/updateItems', { items: JSON.stringify([{ [one]: [water] }]) })
    const stale = async (modified: string) =>
      (await send(anna, `id,"modified",categories\n${one},"${modified}",${roads}`)).summary.stale
    const exact = new Date(portal.clock.now).toISOString()
    const [day, month, year] = [exact.slice(8, 10), exact.slice(5, 7), exact.slice(0, 4)]
    const time = exact.slice(11, 16)
    const zoned = new Date(portal.clock.now + 7_200_000).toISOString().replace('.123Z', '+02:00')
    const cut = [
      exact.replace('.123', ''),
      exact.slice(0, 16),
      exact.slice(0, 10),
      exact.slice(0, 19).replace('T', ' '),
    ]
    const local = [
      `${day}.${month}.${year} ${time}`,
      `${month}/${day}/${year} ${time}`,
      `${day}/${month}/${year}, ${time}`,
    ]
    for (const same of [exact, ...cut, ...local, zoned, String(portal.clock.now)]) {
      expect([same, await stale(same)]).toEqual([same, 0])
    }
    const other = [
      exact.replace('123', '124'),
      exact.replace('05.123', '06'),
      zoned.replace('+02', '+01'),
      '2020-01-01',
    ]
    for (const one of other) expect([one, await stale(one)]).toEqual([one, 1])
  })

  test('go out as a workbook, and come in as one from any of its sheets', async () => {
    await using world = await openContent(2)
    const { anna, ids } = world
    const query = new URLSearchParams({ format: 'xlsx', layout: 'wide', token: anna.token! })
    const { rawPayload, headers } = await world.portal.inject({ url: `/content/categories/export?${query}` })
    expect(headers['content-type']).toBe(workbookType)
    expect(headers['content-disposition']).toContain('item-categories.xlsx')
    expect(await upload(anna, rawPayload)).toMatchObject({ summary: { rows: 2, unchanged: 2, stale: 0 }, notes: [] })

    const rows = inlineRows([
      ['Item ID', 'Category'],
      [ids[1]!, '/Themes/Water'],
    ])
    const sheets = Array.from({ length: 20 }, (_, at) => ({ name: `S${at}`, xml: at === 17 ? rows : '<sheetData/>' }))
    const [first, last] = [
      await upload(anna, workbookFile({ sheets })),
      await upload(anna, workbookFile({ sheets }), 'S17'),
    ]
    expect(first.error.details).toEqual([
      expect.stringMatching(/^The file is empty/),
      expect.stringMatching(/^Only the sheet S0 was read; sheet= names another one: S1, S2,/),
    ])
    expect(last).toMatchObject({ changes: [{ itemId: ids[1], to: ['/Themes/Water'] }] })
    expect(last.notes).toEqual([expect.stringMatching(/^Only the sheet S17 was read/)])
    const sealed = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...Buffer.from('EncryptedPackage', 'utf16le')])
    for (const [bytes, sentence] of [
      [sealed, 'The workbook has a password: save it without one.'],
      [sheetFile('<sheetData><row><c r="A1"><f>1+1</f></c></row></sheetData>'), 'A1 has a formula without a value'],
      [
        sheetFile(`<sheetData>${'<row/>'.repeat(1_000_000)}</sheetData>`),
        'The sheet has more than 500000 rows and cells',
      ],
      [new Uint8Array([0x80, 0x81, 0x82, 0]), 'The file is no text: give CSV or an Excel workbook (.xlsx).'],
    ] as const) {
      expect((await upload(anna, bytes)).error.details[0]).toContain(sentence)
    }
  })
})

test('a long table is read by a thread of its own, and answered as a short one', async () => {
  await using world = await openContent(2)
  const { anna, ids } = world
  const rows = [`${ids[0]},/Themes/Water`, `${ids[1]},/Nowhere`]
  // The thread of searches has begun.
  await send(anna, ['id,categories', ...rows].join('\n'))
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  onTestFinished(() => {
    process.off('worker', count)
  })
  const short = await send(anna, ['id,categories', ...rows].join('\n'))
  expect([short.summary.rows, threads]).toEqual([2, 0])
  const absent = Array.from({ length: 1_000 }, (_, at) => `${at},/Themes/Water`)
  const long = await send(anna, ['id,categories', ...rows, ...absent].join('\n'))
  expect([long.summary.rows, threads]).toEqual([1_002, 1])
  expect(long.changes).toEqual(short.changes)
  expect(long.refused.slice(0, 1)).toEqual(short.refused)
  expect(await send(anna, `id,categories\n${'a,b\n'.repeat(20_001)}`)).toEqual(
    refused('import categories of items', 'The file has more than 20000 rows.'),
  )
})
