import type { Body } from '../../../support/portal/portal.ts'
import { holderKinds, openHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'
import { uploadSchemaFile as upload } from '../../../support/portal/upload-schema-file.ts'

const present = { categorySchema: [{ title: 'A', categories: [{ title: 'B' }] }] }

function refusal(...details: readonly string[]) {
  return { error: { code: 400, messageCode: 'ORG_1132', message: 'Unable to import categories.', details } }
}

describe.each(holderKinds)('a file becomes the schema of a %s', (kind) => {
  test('after a dry run, which changes nothing', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(present)
    const csv = 'path,description\n/A,all \n/A/C,\n'
    const categorySchema = [{ title: 'A', description: 'all', categories: [{ title: 'C' }] }]
    const imported = {
      format: 'csv',
      rows: 2,
      notes: [{ row: 2, message: 'Blanks around a text were removed; trim=false keeps them.' }],
    }
    const plan = await upload(portal, holder, csv)
    expect(plan).toMatchObject({ success: true, dryRun: true, version: 1, imported, categorySchema })
    expect(plan.changes.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`).sort()).toEqual([
      'add /A/C',
      'change /A',
      'remove /A/B',
    ])
    expect(await holder.versions()).toHaveLength(1)
    expect(await upload(portal, holder, csv, { dryRun: 'false', ifVersion: '1', comment: 'from a sheet' })).toEqual({
      success: true,
      version: 2,
      imported,
      categorySchema,
    })
    expect(JSON.parse(await holder.readText())).toEqual({ categorySchema })
    expect(await holder.client.get(`${holder.path}/categorySchema/versions/2`)).toMatchObject({
      action: 'import',
      comment: 'from a sheet',
      hash: plan.resultHash,
    })
  })

  test('by merging, which removes nothing', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(present)
    const merged = [{ title: 'A', categories: [{ title: 'B' }, { title: 'C' }] }, { title: 'D' }]
    const answer = await upload(portal, holder, 'path\n/A/C\n/D\n', { mode: 'merge', dryRun: 'false', ifVersion: '1' })
    expect(answer).toMatchObject({ success: true, version: 2, categorySchema: merged })
    expect(JSON.parse(await holder.readText())).toEqual({ categorySchema: merged })
    const more = await upload(portal, holder, 'path\n/E\n/F\n/G\n/H\n', { mode: 'merge', below: 'none' })
    expect(more).toEqual(refusal('There are 6 trees (Row 2, Row 3, Row 4, Row 5); at most 5 are allowed.'))
  })

  test('only with the version that it replaces', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    const csv = 'path\n/A\n'
    expect(await upload(portal, holder, csv, { dryRun: 'false' })).toEqual(
      refusal(
        'ifVersion: give the version that the import replaces, as the dry run answers it; or ifHash, or the header If-Match.',
      ),
    )
    expect(await upload(portal, holder, csv, { dryRun: 'false', ifVersion: '3' })).toMatchObject({
      error: { code: 409, details: ['The schema is at version 0, not 3: there never was one.'] },
    })
    expect(await holder.versions()).toEqual([])
    expect(await upload(portal, holder, csv, { dryRun: 'false', ifVersion: '0' })).toMatchObject({ version: 1 })
  })
})

describe('the condition of an import', () => {
  const file = { text: 'path\n/C\n', dryRun: 'false' }

  test('may be the hash', async ({ portal }) => {
    const holder = await openHolder(portal, 'group')
    await holder.assign(present)
    const { hash } = await holder.client.post(`${holder.path}/categorySchema/import`, { text: file.text })
    const send = (ifHash: string) => holder.client.post(`${holder.path}/categorySchema/import`, { ...file, ifHash })
    expect(await send(`sha256:${'0'.repeat(64)}`)).toMatchObject({ error: { code: 409 } })
    expect(await send(hash)).toMatchObject({ success: true, version: 2 })
  })

  test('may be the entity tag, but not any', async ({ portal }) => {
    const holder = await openHolder(portal, 'group')
    await holder.assign(present)
    const { client, path } = holder
    const { headers } = await client.send(`${path}/categorySchema?f=json`)
    const send = async (ifMatch: string) =>
      (await client.send(`${path}/categorySchema/import`, { form: file, headers: { 'if-match': ifMatch } })).json()
    expect(await send('*')).toMatchObject({ error: { code: 400 } })
    expect(await send('"another"')).toMatchObject({ error: { code: 409 } })
    expect(await send(String(headers['etag']))).toMatchObject({ success: true, version: 2 })
  })
})

describe('a file is read', () => {
  test.for([
    ['in JSON', { text: '{"data":{"categorySchema":[{"title":"A","id":1}]}}' }, 'json'],
    ['in CSV of semicolons', { text: 'path;description\n/A;\n' }, 'csv'],
    [
      'in Turtle',
      {
        text: '@prefix skos: <http://www.w3.org/2004/02/skos/core#> . <urn:s> a skos:ConceptScheme . <urn:a> a skos:Concept ; skos:topConceptOf <urn:s> ; skos:prefLabel "A" .',
        roots: 'topConcepts',
      },
      'skos',
    ],
    ['longer than is read on the serving thread', { text: `path,${'x'.repeat(70_000)}\n/A,\n` }, 'csv'],
  ] as const)('%s', async ([what, parameters, format], { portal }) => {
    const { client, path } = await openHolder(portal, 'organization')
    const answer = await client.post(`${path}/categorySchema/import`, parameters)
    if (what.startsWith('longer')) {
      expect(answer).toEqual(refusal('Row 1 has more than 65536 bytes; a quote may be opened and never closed.'))
    } else expect(answer).toMatchObject({ imported: { format, rows: 1 }, categorySchema: [{ title: 'A' }] })
  })

  test('in the encoding that it begins with, or that is given', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    const titles = async (bytes: Buffer<ArrayBuffer>, parameters = {}) =>
      (await upload(portal, holder, bytes, parameters)).categorySchema?.map(({ title }: { title: string }) => title)
    const utf16 = Buffer.from(Buffer.from('\ufeffpath\n/Ä\n', 'utf16le'))
    const windows = Buffer.from(Buffer.from('path\n/Ä\n', 'latin1'))
    expect(await titles(utf16)).toEqual(['Ä'])
    expect(await titles(windows, { encoding: 'windows-1252' })).toEqual(['Ä'])
    expect(await upload(portal, holder, windows)).toEqual(
      refusal('Line 2 is not UTF-8: save the file as UTF-8, or give encoding=windows-1252.'),
    )
  })
})

describe('an import is refused', () => {
  test.for([
    ['without a file', {}, 'file: give a file, or text.'],
    [
      'of a page',
      { text: '<!doctype html><title>Sign in</title>' },
      'The file is HTML, not a file of a table or a vocabulary. Copy the cells or the list as the browser shows them, and paste that.',
    ],
    ['with the row of what cannot be read', { text: 'path\n/A\n/A//B\n' }, 'Row 3: level 2 has no title.'],
  ] as const)('%s', async ([_what, parameters, detail], { portal }) => {
    const { client, path } = await openHolder(portal, 'group')
    expect(await client.post(`${path}/categorySchema/import`, parameters)).toEqual(refusal(detail))
  })

  test('of more than 1 MiB', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    expect(await upload(portal, holder, 'x'.repeat(1024 * 1024))).toMatchObject({ error: { code: 413 } })
  })

  test('of both a file and a text', async ({ portal }) => {
    const holder = await openHolder(portal, 'organization')
    expect(await upload(portal, holder, 'path\n/A\n', { text: 'path\n/B\n' })).toEqual(
      refusal('Give file or text, not both.'),
    )
  })

  test('before the file is looked at, for callers who may not assign', async ({ portal }) => {
    const { path } = await openHolder(portal, 'organization')
    const member = { path, client: await portal.user('member') }
    expect(await upload(portal, member, '"'.repeat(1000), { mode: 'add' })).toMatchObject({ error: { code: 403 } })
  })
})

test('each note has the row or the URI that it is of, or is of the whole file', async ({ portal }) => {
  const holder = await openHolder(portal, 'organization')
  const notesOn = async (text: string, parameters = {}) =>
    (await upload(portal, holder, text, parameters)).imported.notes
  const notes = await notesOn(
    `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <http://a.example/sea> a skos:Concept ; skos:prefLabel "Sea, salt"@en, "Meer, salzig"@de ; skos:altLabel "Ocean"@en .
    [] a skos:Concept ; skos:prefLabel "Ice, dry"@en .`,
  )
  expect(notes.some(({ uri }: Body) => uri !== undefined)).toBe(true)
  expect(notes.some(({ message }: Body) => message.includes('No language was asked for'))).toBe(true)
  for (const text of [
    '{"categorySchema":[{"title":"A","colour":"blue"}]}',
    'path, colour\n/A,blue\n',
    'path\n/A \n/B \n',
  ]) {
    notes.push(...(await notesOn(text)))
  }
  expect(notes.length).toBeGreaterThan(5)
  for (const { message, cause: _, ...place } of notes) {
    const [name, ...others] = Object.keys(place)
    expect({ message, name, others }).toEqual({ message, name: expect.stringMatching(/^(row|uri|file)$/), others: [] })
    if (name === 'file') expect(place.file).toBe(true)
  }
})
