import { workbookFile } from '../../../support/inputs/workbook-file.ts'
import { type Body, startPortal } from '../../../support/portal/portal.ts'
import { openHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'
import { uploadSchemaFile as upload } from '../../../support/portal/upload-schema-file.ts'

describe('a file that does not fit', () => {
  const nine = Array.from({ length: 9 }, (_, at) => `Theme ${at + 1}`)

  test('gets a root above too many trees, which merging counts with those that are there', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign({ categorySchema: [{ title: 'Categories', categories: [{ title: 'Theme 1' }] }] })
    const { imported, categorySchema } = await upload(portal, holder, nine.join('\n'), { mode: 'merge' })
    expect(categorySchema).toEqual([{ title: 'Categories', categories: nine.map((title) => ({ title })) }])
    expect(imported.notes).toContainEqual({
      message:
        'The file has 9 trees, and at most 5 are allowed: they are below the root “Categories”. below=<title> names it otherwise, below=none leaves it out.',
      file: true,
    })
    const few = await upload(portal, holder, 'path\n/A\n/B\n', { below: 'Themes' })
    expect(few.categorySchema).toEqual([{ title: 'Themes', categories: [{ title: 'A' }, { title: 'B' }] }])
  })

  test('is refused with its branches, of which each can be taken', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    const csv = 'path\n/A/B/C/D/E\n/A/Z\n/F/G\n'
    const { error } = await upload(portal, holder, csv, { withReading: 'true' })
    expect(error).toMatchObject({
      details: [
        'The file would become 8 categories on 5 levels (2, 3, 1, 1, 1); at most 200 on 4 levels are allowed. Branches that fit: B /A/B (4), F /F (2), Z /A/Z (1). root=<id> takes one branch, depth=cut leaves out what is too deep.',
      ],
      branches: [
        { id: '/A/B', label: 'B', levels: 4, categories: 4 },
        { id: '/F', label: 'F', levels: 2, categories: 2 },
        { id: '/A/Z', label: 'Z', levels: 1, categories: 1 },
      ],
      reading: { table: { layout: 'path', headingRow: 1, columns: [{ heading: 'path', role: 'path' }], total: 4 } },
    })
    for (const { id, categories } of error.branches) {
      const taken = await upload(portal, holder, csv, { root: id })
      expect(taken.summary).toMatchObject({ added: taken.categorySchema.length })
      expect(taken.imported.rows).toBe(categories)
    }
    const cut = await upload(portal, holder, csv, { depth: 'cut' })
    expect(cut.imported.notes).toContainEqual({
      row: 2,
      message: 'What is below it (1 categories) is left out: depth=cut.',
    })
  })

  test('has all of its long titles named, and cuts them if so asked', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    const words = Array.from({ length: 29 }, () => 'word').join(' ')
    const csv = `level1,level2\nA,${words}\nA,${words} 2\n`
    const { error } = await upload(portal, holder, csv, { withReading: 'true' })
    expect(error.details).toEqual([
      `Row 2: The title “${words}” has 144 characters; at most 100 are allowed. titles=cut cuts it at a word.`,
      `Row 3: The title “${words} 2” has 146 characters; at most 100 are allowed. titles=cut cuts it at a word.`,
    ])
    expect(error.reading.table.marks.map(({ row }: Body) => row)).toEqual([2, 3])
    const { categorySchema } = await upload(portal, holder, csv, { titles: 'cut' })
    expect(categorySchema[0].categories[0].title).toBe(`${words.slice(0, 99)}…`)
  })
})

describe('a file that was exported before', () => {
  const exported = {
    categorySchema: [{ title: 'A', categories: [{ title: 'B', categories: [{ title: 'C' }] }, { title: 'X' }] }],
  }
  const csv = 'path,id\n/A,/A\n/A/Renamed,/A/B\n/A/B/C,/A/B/C\n/A/New,\n'
  const moves = [{ from: '/A/B', to: '/A/Renamed' }]

  test.for(['replace', 'merge'])('renames by its identifiers, and items follow: %s', async (mode, { portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign(exported)
    const plan = await upload(portal, holder, csv, { mode })
    expect(plan.imported.moves).toEqual(moves)
    expect(plan.changes).toContainEqual(
      expect.objectContaining({ op: 'rename', path: '/A/B', to: '/A/Renamed', declared: true, categories: 2 }),
    )
    expect(plan.summary).toMatchObject({ removed: mode === 'merge' ? 0 : 1, renamed: 1, added: 1 })
    expect((await upload(portal, holder, csv, { mode, moves: '[]' })).imported).not.toHaveProperty('moves')
    const made = await upload(portal, holder, csv, { mode, dryRun: 'false', ifVersion: '1' })
    expect(made.imported.moves).toEqual(moves)
    const { versions } = await holder.client.get(`${holder.path}/categorySchema/versions`)
    expect(versions[0]).toMatchObject({ version: 2, moves: 1 })
  })

  test('renames by declared moves, in a merge too', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign(exported)
    const plan = await upload(portal, holder, 'path\n/A/Renamed/D\n', { mode: 'merge', moves: JSON.stringify(moves) })
    expect(plan.categorySchema).toEqual([
      {
        title: 'A',
        categories: [{ title: 'Renamed', categories: [{ title: 'C' }, { title: 'D' }] }, { title: 'X' }],
      },
    ])
    expect(plan.summary).toMatchObject({ renamed: 1, added: 1, removed: 0 })
  })

  test('renames by the URIs of SKOS that it was exported with', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign(exported)
    const { body } = await holder.client.send(`${holder.path}/categorySchema/export?format=skos`)
    const { imported } = await upload(portal, holder, body.replace('"B"', '"Renamed"'))
    expect(imported.moves).toEqual(moves)
  })
})

test('a file is read in the language of the request', async ({ portal }) => {
  const holder = await openHolder(portal, 'organization')
  const text = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <http://a.example/sea> a skos:Concept ; skos:prefLabel "Sea"@en, "Meer"@de, "Mer"@fr .`
  const read = async (parameters: Readonly<Record<string, string>>, headers = {}) => {
    const { imported, categorySchema } = await upload(portal, holder, text, parameters, headers)
    return [categorySchema[0].title, imported.language]
  }
  expect(await read({})).toEqual(['Sea', 'en'])
  expect(await read({}, { 'accept-language': 'it, de-CH;q=0.8, fr;q=0.5' })).toEqual(['Meer', 'de'])
  expect(await read({ language: 'fr' }, { 'accept-language': 'de' })).toEqual(['Mer', 'fr'])
  // Where the request has none, in that of the user, else of the organization.
  const admin = await portal.admin()
  await admin.post('/portals/self/update', { culture: 'de-CH' })
  expect(await read({})).toEqual(['Meer', 'de'])
  const { username } = await holder.client.get('/community/self')
  await admin.post(`/community/users/${username}/update`, { culture: 'fr' })
  expect(await read({})).toEqual(['Mer', 'fr'])
  expect(await read({}, { 'accept-language': 'en' })).toEqual(['Sea', 'en'])
})

test('a workbook is read, from the sheet that is named, and refused with its cells', async ({ portal }) => {
  const holder = await openHolder(portal, 'organization')
  const rows = [['Data of the town'], ['Theme', 'Topic', 'ID'], ['Town', 'Streets/Places', '1'], ['', 'Houses', '2']]
  const cells = (row: readonly string[]) => row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const xml = `<sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData>`
  const sheets = [
    { name: 'Notes', xml: '<sheetData/>' },
    { name: 'Themes', xml },
  ]
  const workbook = Buffer.from(workbookFile({ sheets }))
  const { imported, categorySchema } = await upload(portal, holder, workbook, { sheet: 'themes', withReading: 'true' })
  expect(categorySchema).toEqual([{ title: 'Town', categories: [{ title: 'Streets∕Places' }, { title: 'Houses' }] }])
  expect(imported).toMatchObject({
    format: 'xlsx',
    reading: { table: { sheet: 'Themes', sheets: ['Notes', 'Themes'], headingRow: 2 } },
  })
  const { error } = await upload(portal, holder, workbook, { sheet: 'Plan' })
  expect(error.details).toEqual([
    'sheet: the workbook has no such sheet; give the name or the number of one of Notes, Themes.',
  ])
})

describe('a merge that would have too many categories', () => {
  const rows = (tree: string, count: number) =>
    Array.from({ length: count }, (_, at) => `/${tree}/${at < 100 ? 'low' : 'high'}/${at}\n`).join('')

  test('says how many are there, and proposes the branches that fit beside them', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign({
      categorySchema: [{ title: 'A', categories: Array.from({ length: 90 }, (_, at) => ({ title: `${at}` })) }],
    })
    const csv = `path\n${rows('B', 140)}`
    const { error } = await upload(portal, holder, csv, { mode: 'merge' })
    expect(error.details[0]).toMatch(/^With the 91 categories that are there, the file would become 234 categories/)
    expect(error.details[0]).toContain('mode=replace puts the file in the place of what is there.')
    expect(error.branches).toEqual(
      [
        { id: '/B/low', label: 'low', levels: 2, categories: 101 },
        { id: '/B/high', label: 'high', levels: 2, categories: 41 },
      ].toSorted((one, other) => (one.label < other.label ? -1 : 1)),
    )
    for (const { id } of error.branches) {
      expect(await upload(portal, holder, csv, { mode: 'merge', root: id })).toMatchObject({ success: true })
    }
  })

  test('counts what identifiers rename once', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    const titles = Array.from({ length: 119 }, (_, at) => `${at}`)
    await holder.assign({ categorySchema: [{ title: 'A', categories: titles.map((title) => ({ title })) }] })
    const csv = `path,id\n/New,/A\n${titles.map((title) => `/New/${title},/A/${title}\n`).join('')}`
    const { imported, summary } = await upload(portal, holder, csv, { mode: 'merge' })
    expect(imported.moves).toEqual([{ from: '/A', to: '/New' }])
    expect(summary).toMatchObject({ renamed: 1, added: 0, removed: 0 })
  })

  test('has the only tree that is there as the root that is made', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    await holder.assign({ categorySchema: [{ title: 'Themes', categories: [{ title: 'A' }] }] })
    const { categorySchema } = await upload(portal, holder, 'A\nB\nC\nD\nE\nF\n', { mode: 'merge' })
    const titles = ['A', 'B', 'C', 'D', 'E', 'F'].map((title) => ({ title }))
    expect(categorySchema).toEqual([{ title: 'Themes', categories: titles }])
  })
})

describe('items follow by identifiers', () => {
  const present = {
    categorySchema: [
      {
        title: 'A',
        categories: [
          { title: 'B', description: 'b' },
          { title: 'D', categories: [{ title: 'E' }] },
        ],
      },
    ],
  }

  async function planned(csv: string, parameters: Readonly<Record<string, string>> = {}) {
    await using portal = await startPortal()
    const holder = await openHolder(portal, 'organization')
    await holder.assign(present)
    const { imported, categorySchema } = await upload(portal, holder, csv, parameters)
    return { moves: imported.moves, notes: imported.notes, categorySchema }
  }

  test('but not where another category gets the name; those below go by themselves', async () => {
    const { moves, notes } = await planned('path,id\n/Old,/A\n/Old/B,/A/B\n/Old/D,/A/D\n/Old/D/E,/A/D/E\n/A,\n')
    expect(moves).toEqual([
      { from: '/A/B', to: '/Old/B' },
      { from: '/A/D', to: '/Old/D' },
    ])
    expect(notes).toContainEqual({
      message: 'Items of /A do not follow to /Old: the file has another category /A.',
      file: true,
    })
  })

  test('where two titles are exchanged, with what is below them', async () => {
    const { moves, categorySchema } = await planned('path,id\n/A,/A\n/A/D,/A/B\n/A/B,/A/D\n/A/D/E,/A/D/E\n')
    expect(categorySchema[0].categories).toEqual([{ title: 'D' }, { title: 'B', categories: [{ title: 'E' }] }])
    expect(moves).toEqual([
      { from: '/A/B', to: '/A/D' },
      { from: '/A/D', to: '/A/B' },
    ])
  })

  test('not in a merge of one branch, which is a copy; and no text is lost where two become one', async () => {
    const csv = 'path,id\n/A,/A\n/A/B,/A/B\n'
    expect((await planned(csv, { mode: 'merge', root: '/A/B' })).moves).toBeUndefined()
    const { categorySchema } = await planned('path,id\n/A/D,/A/B\n', { mode: 'merge' })
    expect(categorySchema[0].categories).toEqual([{ title: 'D', description: 'b', categories: [{ title: 'E' }] }])
  })
})
