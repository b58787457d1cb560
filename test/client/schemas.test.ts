import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealPlan } from '../../src/client/files/plan-file.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import type { Client } from '../support/portal/portal.ts'
import { Desk } from './run-client.ts'

let server: ListeningPortal
let admin: Client
let desk: Desk
/** A group of its own for each test, and its place. */
let group: string
let place: string
let groups = 0

beforeAll(async () => {
  server = await startListeningPortal()
  admin = await server.admin()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  desk = new Desk()
  groups += 1
  group = `Rivers and lakes ${groups}`
  place = `group:${(await admin.createGroup(group)).id}`
  expect((await desk.login(server.url)).code).toBe(0)
})

function schemaOf(...titles: readonly string[]) {
  return { categorySchema: [{ title: 'Themes', categories: titles.map((title) => ({ title })) }] }
}

/** Makes the schema of the place; answers the members of `--json`. */
async function applied(schema: object, ...words: readonly string[]) {
  const { code, printed, complaint } = await desk.run([
    'apply',
    desk.file('applied.json', schema),
    '--to',
    place,
    '--yes',
    '--json',
    ...words,
  ])
  expect(code, complaint).toBe(0)
  return JSON.parse(printed)
}

async function present() {
  return JSON.parse((await desk.run(['get', place])).printed)
}

/** An item of the group that carries a category of it. */
async function addItem(path: string): Promise<string> {
  const id = place.slice('group:'.length)
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: path, type: 'Web Map' })
  await admin.post(`/content/users/admin/items/${itemId}/share`, { groups: id })
  const items = [{ [itemId]: { categories: [path] } }]
  const answer = await admin.post(`/content/groups/${id}/updateCategories`, { items })
  expect(answer).not.toHaveProperty('error')
  return itemId
}

describe('a plan', () => {
  test('shows what an apply does, and after it is empty', async () => {
    await applied(schemaOf('Water', 'Soil'))
    const file = desk.file('next.json', schemaOf('Water', 'Air'))
    const plan = await desk.run(['plan', file, '--to', place, '--detailed-exitcode'])
    expect(plan.code).toBe(3)
    expect(plan.printed).toContain('+ add /Themes/Air\n- remove /Themes/Soil\n1 added, 1 removed, 0 renamed')
    expect(await present()).toEqual(schemaOf('Water', 'Soil'))
    const made = await desk.run(['apply', file, '--to', place, '--yes'])
    expect(made).toMatchObject({ code: 0, printed: `${place}: version 2.` })
    expect(await desk.run(['plan', file, '--to', place, '--detailed-exitcode'])).toMatchObject({
      code: 0,
      printed: 'No change.',
    })
  })

  test('in a file is applied as it was reviewed, once', async () => {
    const file = desk.file('a.json', schemaOf('Water'))
    const output = desk.path('plan.json')
    const plan = await desk.run(['plan', file, '--to', place, '-o', output])
    expect([plan.code, plan.complaint]).toEqual([
      0,
      `${output} is a plan; cartulary schema apply ${output} makes the change.`,
    ])
    const kept = JSON.parse(readFileSync(output, 'utf8'))
    expect(kept).toMatchObject({ cartularyPlan: 1, kind: 'cartulary', place, empty: false, vanishing: 'keep' })
    // A formatter may lay it out again.
    writeFileSync(output, JSON.stringify(Object.fromEntries(Object.entries(kept).reverse())))
    expect(await desk.run(['apply', output])).toMatchObject({ code: 0, printed: `${place}: version 1.` })
    expect(await desk.run(['apply', output])).toMatchObject({ code: 0, printed: `${place}: Nothing to do.` })
    expect((await desk.run(['plan', file, '--to', place, '-o', output])).complaint).toContain('an empty plan')
    expect((await desk.run(['get', output])).printed).toBe(JSON.stringify(schemaOf('Water'), null, 2))
  })

  test.each<[what: string, forged: object]>([
    ['with another schema than that of its hash', { result: { hash: 'x', document: schemaOf('Soil') } }],
    ['without a base', { base: undefined }],
    ['of a place that is none', { place: 5 }],
  ])('sealed again %s is refused, and nothing is written', async (_, forged) => {
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('a.json', schemaOf('Water')), '--to', place, '-o', output])
    const { cartularyPlan: _version, digest: _digest, ...kept } = JSON.parse(readFileSync(output, 'utf8'))
    desk.file('plan.json', sealPlan(JSON.parse(JSON.stringify({ ...kept, ...forged }))))
    const { code, complaint } = await desk.run(['apply', output])
    expect([code, complaint]).toEqual([2, `${output} has been altered since it was made; plan again.`])
    expect(await present()).toEqual({ categorySchema: [] })
  })

  test.each<[what: string, change: (plan: Record<string, unknown>) => unknown, sentence: string]>([
    ['was altered', (plan) => ({ ...plan, result: { ...(plan['result'] as object), hash: '' } }), 'has been altered'],
    ['is of another version', (plan) => ({ ...plan, cartularyPlan: 2 }), 'another version'],
    ['is cut', (plan) => JSON.stringify(plan).slice(0, -9), 'no whole plan file'],
  ])('that %s is refused, and nothing is written', async (_, change, sentence) => {
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('a.json', schemaOf('Water')), '--to', place, '-o', output])
    desk.file('plan.json', change(JSON.parse(readFileSync(output, 'utf8'))))
    const { code, complaint } = await desk.run(['apply', output])
    expect([code, complaint]).toEqual([2, expect.stringContaining(sentence)])
    expect(await present()).toEqual({ categorySchema: [] })
  })

  test('is no source of another change, which would lose its moves', async () => {
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('a.json', schemaOf('Water')), '--to', place, '-o', output])
    const { code, complaint } = await desk.run(['apply', output, '--to', place, '--yes'])
    expect([code, complaint]).toEqual([2, expect.stringContaining('is a plan, with a place and moves of its own')])
    expect(await present()).toEqual({ categorySchema: [] })
  })

  test('that the portal would refuse has no file, and each violation its place', async () => {
    const file = desk.file('bad.json', schemaOf('Water/Ice', 'x'.repeat(100)))
    const { code, complaint } = await desk.run(['plan', file, '--to', place, '-o', desk.path('plan.json')])
    expect(code).toBe(1)
    expect(complaint).toContain('/categorySchema/0/categories/0')
    expect(complaint).toContain('/categorySchema/0/categories/1')
    expect(existsSync(desk.path('plan.json'))).toBe(false)
  })

  test('refuses, where asked to, that an item loses its category', async () => {
    await applied(schemaOf('Water', 'Soil'))
    await addItem('/Themes/Soil')
    const file = desk.file('a.json', schemaOf('Water'))
    const refused = await desk.run(['plan', file, '--to', place, '--vanishing', 'refuse'])
    expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining('/Themes/Soil')])
    const kept = await desk.run(['plan', file, '--to', place])
    expect(kept.printed).toContain('Items of /Themes/Soil, which is removed: 1')
  })

  test('with moves takes the items along; malformed ones are 2, refused ones 1', async () => {
    await applied(schemaOf('Water', 'Soil'))
    const item = await addItem('/Themes/Soil')
    const file = desk.file('a.json', schemaOf('Water', 'Ground'))
    const plan = (moves: unknown) => desk.run(['plan', file, '--to', place, '--moves', desk.file('m.json', moves)])
    expect((await plan('nothing')).code).toBe(2)
    expect((await plan([{ from: '/Themes/Soil' }])).code).toBe(2)
    const refused = await plan([{ from: '/Themes/Soil', to: '/Nowhere' }])
    expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining('moves/0')])
    expect((await plan([{ from: '/Themes/Soil', to: '/Themes/Ground' }])).printed).toContain(
      'Items that follow a move: 1',
    )
    expect((await desk.run(['plan', file, '--to', place])).printed).toContain(
      'Surely moved: /Themes/Soil to /Themes/Ground',
    )
    await applied(schemaOf('Water', 'Ground'), '--accept-suggestions', 'sure')
    const id = place.slice('group:'.length)
    const { items } = await admin
      .get(`/content/groups/${id}/search`, { q: `id:${item}` })
      .then(({ results }) => ({ items: results }))
    expect(items[0].groupCategories).toEqual(['/Themes/Ground'])
  })
})

test('a version that is not there is named', async () => {
  const { code, complaint } = await desk.run(['get', 'org@99'])
  const sentence = 'Version 99 of org does not exist; cartulary schema history org lists those that do.'
  expect([code, complaint]).toEqual([1, sentence])
})

describe('an apply', () => {
  test('asks a person, and without one or --yes writes nothing', async () => {
    const words = ['apply', desk.file('a.json', schemaOf('Water')), '--to', place]
    const alone = await desk.run(words)
    expect([alone.code, alone.complaint]).toEqual([2, expect.stringContaining('--yes')])
    expect((await desk.run(words, { isPerson: true, typed: 'n' })).code).toBe(1)
    expect((await desk.run([...words, '--no-input'], { isPerson: true, typed: 'y' })).code).toBe(2)
    expect(await present()).toEqual({ categorySchema: [] })
    expect((await desk.run(words, { isPerson: true, typed: 'y' })).code).toBe(0)
    expect(await present()).toEqual(schemaOf('Water'))
  })

  test('of a schema that has changed since the plan is refused with what both changed', async () => {
    await applied(schemaOf('Water', 'Soil'))
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('mine.json', schemaOf('Water', 'Ground')), '--to', place, '-o', output])
    await applied(schemaOf('Water', 'Earth'))
    const { code, complaint } = await desk.run(['apply', output])
    expect(code).toBe(4)
    const parts = [
      'Since the plan:',
      '+ add /Themes/Earth',
      'The plan:',
      '+ add /Themes/Ground',
      'Both touch:',
      '/Themes/Soil',
    ]
    let after = 0
    for (const part of parts) {
      expect(complaint.indexOf(part, after), part).toBeGreaterThanOrEqual(after)
      after = complaint.indexOf(part, after)
    }
    // An empty plan has a line too, and long lists leave room for one another.
    const empty = desk.path('empty.json')
    await desk.run(['plan', place, '--to', place, '-o', empty])
    await applied(schemaOf('Water', ...'ABCDEFGHIJKLMNOP'))
    const blank = (await desk.run(['apply', empty])).complaint.split('\n')
    expect(blank.slice(0, 8)).toEqual([
      expect.stringContaining('has changed since the plan'),
      '  Since the plan:',
      expect.stringContaining('+ add /Themes/A'),
      expect.stringContaining('+ add /Themes/B'),
      '    and 15 more; --json has all',
      '  The plan:',
      '    nothing',
      '  Both touch:',
    ])
    await applied(schemaOf('Water', 'Earth'))
    const { error } = JSON.parse((await desk.run(['apply', output, '--json'])).complaint)
    expect(error).toMatchObject({ exit: 4, conflict: { both: ['/Themes/Soil'] } })
    // Both have removed it: --merge takes that once, and adds both.
    expect((await desk.run(['apply', output, '--merge'])).code).toBe(0)
  })

  test('with --merge puts both changes together where they do not touch', async () => {
    await applied(schemaOf('Water', 'Soil'))
    const output = desk.path('plan.json')
    const mine = {
      categorySchema: [{ title: 'Themes', categories: [{ title: 'Water', description: 'Wet' }, { title: 'Soil' }] }],
    }
    await desk.run(['plan', desk.file('mine.json', mine), '--to', place, '-o', output])
    await applied(schemaOf('Water', 'Soil', 'Air'))
    expect((await desk.run(['apply', output])).code).toBe(4)
    expect((await desk.run(['apply', output, '--merge'])).code).toBe(0)
    expect((await present()).categorySchema[0].categories).toEqual([
      { title: 'Water', description: 'Wet' },
      { title: 'Soil' },
      { title: 'Air' },
    ])
    await desk.run([
      'plan',
      desk.file('mine.json', {
        categorySchema: [{ title: 'Themes', categories: [{ title: 'Water', description: 'Ice' }] }],
      }),
      '--to',
      place,
      '-o',
      output,
    ])
    await applied({ categorySchema: [{ title: 'Themes', categories: [{ title: 'Water', description: 'Rain' }] }] })
    expect((await desk.run(['apply', output, '--merge'])).code).toBe(4)
  })

  test('finds no conflict where it was changed and changed back', async () => {
    await applied(schemaOf('Water'))
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('mine.json', schemaOf('Ice')), '--to', place, '-o', output])
    await applied(schemaOf('Air'))
    await applied(schemaOf('Water'))
    expect((await desk.run(['apply', output])).code).toBe(0)
  })

  test('of two concurrent ones, one wins', async () => {
    await applied(schemaOf('Water'))
    const plans = await Promise.all(
      ['Ice', 'Snow'].map(async (title) => {
        const output = desk.path(`${title}.plan.json`)
        await desk.run(['plan', desk.file(`${title}.json`, schemaOf(title)), '--to', place, '-o', output])
        return output
      }),
    )
    const ended = await Promise.all(plans.map((output) => desk.run(['apply', output])))
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 4])
  })

  test('with --only changes one branch, and leaves what others did outside it', async () => {
    await applied({
      categorySchema: [...schemaOf('Water').categorySchema, { title: 'Places', categories: [{ title: 'Alps' }] }],
    })
    const wanted = {
      categorySchema: [...schemaOf('Ice').categorySchema, { title: 'Places', categories: [{ title: 'Andes' }] }],
    }
    await applied(wanted, '--only', '/Places')
    expect((await present()).categorySchema).toEqual([
      ...schemaOf('Water').categorySchema,
      { title: 'Places', categories: [{ title: 'Andes' }] },
    ])
    const file = desk.file('a.json', wanted)
    const none = await desk.run(['plan', file, '--to', place, '--only', '/Nothing'])
    expect([none.code, none.complaint]).toEqual([2, '--only /Nothing is in neither schema.'])
    const moves = desk.file('m.json', [{ from: '/Themes/Water', to: '/Places/Andes' }])
    expect((await desk.run(['plan', file, '--to', place, '--only', '/Themes', '--moves', moves])).code).toBe(1)
    const output = desk.path('plan.json')
    await desk.run(['plan', file, '--to', place, '--only', '/Themes/Ice', '-o', output])
    expect((await desk.run(['apply', output, '--only', '/Themes'])).code).toBe(2)
  })

  test('of a plan of another organization is refused', async () => {
    const output = desk.path('plan.json')
    await desk.run(['plan', desk.file('a.json', schemaOf('Water')), '--to', 'org', '-o', output])
    const other = await server.otherOrganization(`Seas ${groups}`, `outsider${groups}`)
    await desk.login(server.url, other.username, ['--profile', 'other'])
    const { code, complaint } = await desk.run(['apply', output, '--profile', 'other'])
    expect([code, complaint]).toEqual([2, expect.stringMatching(/^The plan is for http.*, organization .* and http/)])
  })
})

describe('versions', () => {
  test('are listed, read, restored and deleted', async () => {
    await applied(schemaOf('Water'), '--comment', 'first\tone')
    await applied(schemaOf('Ice'))
    const { printed } = await desk.run(['schema', 'history', place])
    const rows = printed.split('\n').map((line) => line.split('\t'))
    expect(rows.map((row) => row.length)).toEqual([6, 6, 6])
    expect(rows[2]).toEqual([
      '1',
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
      'admin',
      'assign',
      '2',
      'first one',
    ])
    const terminal = await desk.run(['schema', 'history', place], { columns: 40 })
    const help = await desk.run(['help', 'schema', 'apply'], { columns: 40 })
    for (const line of `${terminal.printed}\n${help.printed}`.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
    expect((await desk.run(['diff', `${place}@1`, place, '--detailed-exitcode'])).code).toBe(3)
    expect((await desk.run(['get', `${place}@9`])).code).toBe(1)
    expect((await desk.run(['schema', 'restore', `${place}@1`])).code).toBe(2)
    expect((await desk.run(['schema', 'restore', `${place}@1`, '--yes'])).code).toBe(0)
    expect(await present()).toEqual(schemaOf('Water'))
    expect((await desk.run(['schema', 'restore', `${place}@1`, '--yes'])).printed).toBe('Nothing to do.')
    const wrong = await desk.run(['schema', 'delete', place], { isPerson: true, typed: 'something' })
    expect(wrong.code).toBe(1)
    expect((await desk.run(['schema', 'delete', place], { isPerson: true, typed: group })).code).toBe(0)
    expect(await desk.run(['schema', 'delete', place])).toMatchObject({ code: 0, printed: 'There is no schema.' })
  })

  test('of whom may not change the schema are refused by the portal', async () => {
    await server.user(`viewer${groups}`, 'org_viewer')
    await desk.login(server.url, `viewer${groups}`)
    const { code, complaint } = await desk.run([
      'apply',
      desk.file('a.json', schemaOf('Water')),
      '--to',
      'org',
      '--yes',
      '--json',
    ])
    expect([code, JSON.parse(complaint).error]).toEqual([1, expect.objectContaining({ code: 403, exit: 1 })])
  })
})

describe('a second person', () => {
  test('is named where the organization asks for one, and gets the change as a draft', async () => {
    await admin.post('/portals/self/update', { categoryApproval: 'all' })
    try {
      const file = desk.file('a.json', schemaOf('Water'))
      const refused = await desk.run(['apply', file, '--to', place, '--yes'])
      expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining('cartulary schema propose')])
      const proposed = await desk.run(['schema', 'propose', file, '--to', place, '--name', 'Waters', '--note', 'Look'])
      expect(proposed, proposed.complaint).toMatchObject({
        code: 0,
        printed: `The draft Waters is proposed for the group ${group}.`,
      })
      // One person may change a group, where only changes of the organization need a second one.
      await admin.post('/portals/self/update', { categoryApproval: 'organization' })
      const ofOrganization = await desk.run(['apply', file, '--to', 'org', '--yes'])
      expect([ofOrganization.code, ofOrganization.complaint]).toEqual([1, expect.stringContaining('schema propose')])
      expect((await desk.run(['apply', file, '--to', place, '--yes'])).code).toBe(0)
      const { drafts } = await admin.get(`/community/groups/${place.slice(6)}/categorySchema/drafts`)
      expect(drafts).toMatchObject([{ name: 'Waters', state: 'proposed', note: 'Look' }])
    } finally {
      await admin.post('/portals/self/update', { categoryApproval: 'none' })
    }
  })
})

describe('files', () => {
  test.each(['json', 'csv', 'text', 'xlsx', 'skos-ttl', 'skos-jsonld'])(
    'as %s are read back as they were written',
    async (format) => {
      await applied(schemaOf('Wetlands, "deep"'.replace(',', ''), '=Sum'))
      const output = desk.path(format === 'text' ? 'schema.txt' : 'schema')
      expect(await desk.run(['get', place, '--format', format, '-o', output])).toMatchObject({ code: 0, printed: '' })
      const back = await desk.run(['plan', output, '--to', place])
      expect([back.code, back.printed, back.complaint]).toEqual([0, 'No change.', expect.any(String)])
    },
  )

  test('are written through a link, with the rights that were there, and not at all where the portal fails', async () => {
    const target = desk.file('target.json', 'before')
    symlinkSync(target, desk.path('link.json'))
    const { mode } = statSync(target)
    expect((await desk.run(['get', 'group:nothing', '-o', desk.path('link.json')])).code).toBe(1)
    expect(readFileSync(target, 'utf8')).toBe('before')
    await desk.run(['get', 'template:inspire', '-o', desk.path('link.json')])
    expect(JSON.parse(readFileSync(target, 'utf8')).categorySchema[0].title).toBe('INSPIRE themes')
    expect(statSync(target).mode).toBe(mode)
    const arrived = server.arrivals.length
    expect((await desk.run(['get', place, '-o', desk.folder])).code).toBe(2)
    expect((await desk.run(['get', place, '-o', desk.path('none/x.json')])).code).toBe(2)
    expect(server.arrivals.length).toBe(arrived)
  })

  test('of standard input and templates are sources, too', async () => {
    const piped = await desk.run(['plan', '-', '--to', place], { piped: JSON.stringify(schemaOf('Water')) })
    expect(piped.printed).toContain('+ add /Themes (2 categories)')
    expect((await desk.run(['plan', 'template:iso19115', '--to', place])).printed).toContain('(20 categories)')
    const unknown = await desk.run(['plan', 'template:iso19116', '--to', place])
    expect([unknown.code, unknown.complaint]).toEqual([1, expect.stringContaining('did you mean iso19115?')])
  })
})

describe('advice', () => {
  test('counts items that keep a former category, below one of the schema, as those without any', async () => {
    await applied(schemaOf('Water', 'Soil'))
    for (const path of ['/Themes/Soil', '/Themes/Water']) await addItem(path)
    await applied(schemaOf('Water'))
    const inspected = JSON.parse((await desk.run(['schema', 'inspect', place, '--json'])).printed)
    expect(inspected).toMatchObject({ items: 2, uncategorized: 1, unrecognized: [{ items: 1 }] })
    const file = desk.file('a.json', { ...schemaOf('Water'), tests: [{ uncategorized: '= 1' }] })
    expect((await desk.run(['schema', 'test', file, '--to', place])).printed).toContain('1 passed')
  })

  test('counts items by category', async () => {
    await applied(schemaOf('Water', 'Soil'))
    await addItem('/Themes/Soil')
    const { printed } = await desk.run(['schema', 'inspect', place, '--json'])
    expect(JSON.parse(printed)).toMatchObject({
      version: 1,
      items: 1,
      uncategorized: 0,
      categories: [{ itemsBelow: 1 }, { itemsBelow: 0 }, { itemsBelow: 1 }],
      findings: [
        { rule: 'unused', path: '/Themes/Water' },
        { rule: 'over-full', path: '/Themes/Soil' },
      ],
    })
  })
})

describe('tests of a schema', () => {
  test('hold or refuse a plan, and an apply once more', async () => {
    await applied(schemaOf('Water', 'Soil'))
    await addItem('/Themes/Soil')
    const withTests = (...tests: readonly object[]) => desk.file('a.json', { ...schemaOf('Water', 'Ground'), tests })
    const plan = (...words: readonly string[]) => desk.run(['plan', desk.path('a.json'), '--to', place, ...words])
    withTests({ expect: '/Themes/Ground', items: '>= 1' }, { forbid: '/Themes/Soil' }, { uncategorized: '= 0' })
    const left = await plan('-o', desk.path('plan.json'))
    expect([left.code, left.complaint]).toEqual([
      1,
      expect.stringContaining('failed: expect /Themes/Ground items >= 1, found 0'),
    ])
    expect(left.complaint).toContain('failed: uncategorized = 0, found 1')
    expect(existsSync(desk.path('plan.json'))).toBe(false)
    expect((await plan('--accept-suggestions', 'sure', '-o', desk.path('plan.json'))).printed).toContain(
      '3 tests passed.',
    )
    desk.file('a.json.tests.json', { tests: [{ expect: '/Nothing' }] })
    expect((await plan('--accept-suggestions', 'sure')).complaint).toContain('expect /Nothing, it is not there')
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'x', type: 'Web Map' })
    await admin.post(`/content/users/admin/items/${itemId}/share`, { groups: place.slice('group:'.length) })
    const later = await desk.run(['apply', desk.path('plan.json')])
    expect([later.code, later.complaint]).toEqual([1, expect.stringContaining('uncategorized = 0, found 1')])
    expect(await present()).toEqual(schemaOf('Water', 'Soil'))
  })
})

describe('a repository', () => {
  test('plans, applies and watches all of its places', async () => {
    desk.file('g.json', schemaOf('Water'))
    desk.file('cartulary.json', {
      format: 1,
      places: { [place]: 'g.json' },
      tests: { [place]: [{ expect: '/Themes' }] },
    })
    expect((await desk.run(['schema', 'drift'])).code).toBe(3)
    const output = desk.path('plans.json')
    const plan = await desk.run(['plan', '--all', '-o', output])
    expect(plan.printed).toBe(
      `${place}:\n+ add /Themes (2 categories)\n1 added, 0 removed, 0 renamed, 0 moved, 0 merged, 0 changed, 0 reordered\n1 tests passed.`,
    )
    expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ cartularyPlans: 1, plans: [{ place }] })
    expect((await desk.run(['apply', output])).code).toBe(0)
    expect(await desk.run(['schema', 'drift'])).toMatchObject({
      code: 0,
      printed: `${place}: no change\n1 tests passed.`,
    })
    expect((await desk.run(['apply', '--all', '--yes', '--json'])).printed).toContain('"places":[{')
  })

  test('writes nothing where one place fails, and says which', async () => {
    desk.file('g.json', schemaOf('Water'))
    desk.file('cartulary.json', { format: 1, places: { [place]: 'g.json', org: 'gone.json' } })
    const { code, complaint } = await desk.run(['apply', '--all', '--yes'])
    expect([code, complaint]).toEqual([2, expect.stringContaining('org: There is no file')])
    expect(complaint).toContain('1 of 2 places cannot be planned; nothing was written.')
    expect((await desk.run(['schema', 'drift'])).complaint).toContain('1 of 2 places cannot be planned.\n')
    expect(await present()).toEqual({ categorySchema: [] })
  })
})
