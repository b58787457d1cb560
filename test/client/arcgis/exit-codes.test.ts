import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ArcgisPortal, type Fault } from '../../support/arcgis/arcgis-portal.ts'
import type { Quirks } from '../../support/arcgis/world.ts'
import { Desk } from '../run-client.ts'

const water = { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }] }
const seas = { categorySchema: [{ title: 'Seas', categories: [{ title: 'Rivers' }] }] }
const moves = [{ from: '/Water', to: '/Seas' }]

/** A portal of that kind with a schema, an item and two groups, and a person who is signed in. */
async function open(kind: 'online' | 'enterprise', quirks: Quirks = {}) {
  const portal = await ArcgisPortal.open(kind, quirks)
  portal.schemas.set(portal.id, structuredClone(water))
  portal.addItem({ categories: ['/Water/Rivers'] })
  portal.addItem({ categories: ['/Water/Rivers'], orgId: 'AnotherOrgAAAAAA' })
  portal.addGroup('Maps', 'anna')
  portal.addGroup('Maps of rivers', 'anna')
  portal.addGroup('Twins', 'anna')
  portal.addGroup('Twins', 'anna')
  portal.index.settle()
  const desk = new Desk()
  const words = ['login', '--url', portal.url, '--username', 'anna', '--password-stdin']
  expect(await desk.run(words, { typed: 'password of anna' })).toMatchObject({ code: 0 })
  const files = {
    water: desk.file('water.json', { ...water, tests: [{ expect: '/Water', items: '= 1' }] }),
    seas: desk.file('seas.json', seas),
    moves: desk.file('moves.json', moves),
    failing: desk.file('failing.json', { ...seas, tests: [{ expect: '/Seas', items: '>= 9' }] }),
    plain: desk.file('plain.json', water),
    six: desk.file('six.json', { categorySchema: [...'ABCDEF'].map((title) => ({ title })) }),
    empty: desk.file('empty.json', { categorySchema: [] }),
    broken: desk.file('broken.json', '{'),
    plan: desk.path('plan.json'),
  }
  const spell = (line: string) =>
    line.split(' ').map((word) => (word.startsWith('%') ? files[word.slice(1) as keyof typeof files] : word))
  const run = (line: string) => desk.run(spell(line))
  return { portal, desk, run, files }
}

/** Commands one after the other at one portal, with exit code and a part of what is said. */
const story: readonly (readonly [line: string, code: number, says: RegExp])[] = [
  ['whoami', 0, /anna/],
  ['schema get org', 0, /Rivers/],
  ['schema get group:Maps', 0, /categorySchema/],
  ['schema get group:Map', 1, /no group Map/],
  ['schema get group:Twins', 2, /group:[0-9a-f]{32}, group:[0-9a-f]{32}/],
  ['schema get org@1', 1, /no snapshot/],
  ['schema inspect org', 0, /\/Water\s+1\n\/Water\/Rivers\s+1/],
  ['schema diff org %seas --detailed-exitcode', 3, /\/Seas/],
  ['schema diff org %water --detailed-exitcode', 0, /No change/],
  ['schema test %water --to org', 0, /./],
  ['schema plan %water --to org --detailed-exitcode', 0, /No change/],
  ['schema plan %broken --to org', 2, /broken\.json/],
  ['schema plan %empty --to org', 2, /empty/],
  ['schema plan %six --to org', 1, /6 trees/],
  ['schema plan %failing --to org --moves %moves', 1, /test fails/],
  ['schema plan %seas --to org --vanishing clear', 2, /Cartulary only/],
  ['schema plan %seas --to org --vanishing refuse', 1, /\/Water\/Rivers/],
  ['schema plan %seas --to org --moves %moves --detailed-exitcode -o %plan', 3, /follow a move: 1/],
  ['schema propose %plan', 2, /Cartulary only/],
  ['schema apply %seas --to org', 2, /--yes/],
  ['schema apply %plan', 1, /--move-items.*--leave-items/],
  ['schema apply %plan --move-items', 0, /written|version 2/],
  ['schema apply %plan --move-items', 0, /Nothing to do/],
  ['schema plan %seas --to org --detailed-exitcode', 0, /No change/],
  ['schema apply %water --to org --yes', 1, /test fails/],
  ['schema apply %plain --to org --yes', 0, /written|version 3/],
  ['schema apply %plan --move-items', 0, /written|version 4/],
  ['schema history org', 0, /found/],
  ['schema restore org@9 --yes', 1, /no snapshot/],
  ['schema restore org@1 --yes --move-items', 0, /version 1/],
  ['schema delete org --yes', 0, /deleted/],
  ['schema delete org --yes', 0, /no schema/],
  ['schema apply %plan --move-items', 4, /Since the plan/],
  ['webhook list', 2, /webhook/],
  ['logout', 0, /./],
  ['schema get org', 2, /cartulary login/],
]

test.each(['online', 'enterprise'] as const)(
  'every command has its exit code, and nothing of ours is sent (%s)',
  async (kind) => {
    const { portal, run } = await open(kind)
    await using _ = portal
    const seen: unknown[] = []
    for (const [line, , says] of story) {
      const ended = await run(line)
      const isSaid = says.test(`${ended.printed}\n${ended.complaint}`)
      seen.push([line, ended.code, isSaid ? says : `${ended.printed}\n${ended.complaint}`])
    }
    expect(seen).toEqual(story)
    expect(portal.extensions).toEqual([])
  },
)

const faults: readonly (readonly [what: string, operation: string, fault: Fault, code: number])[] = [
  ['HTML in place of the first answer', 'info', { kind: 'html' }, 2],
  ['a list', 'portal', { kind: 'list' }, 2],
  ['a redirect elsewhere', 'info', { kind: 'redirect', to: 'https://x.invalid/sharing/rest/info' }, 2],
  ['429 for longer than is waited', 'portalSchema', { kind: 'status', code: 429, retryAfter: 90 }, 2],
  ['503 once', 'portalSchema', { kind: 'body', code: 503 }, 0],
  ['a lost connection once', 'portalSchema', { kind: 'lost', when: 'before' }, 0],
  ['a token that ended', 'portalSchema', { kind: 'body', code: 498 }, 2],
  ['a refusal', 'assignPortalSchema', { kind: 'body', code: 403 }, 1],
  ['a lost answer', 'assignPortalSchema', { kind: 'lost', when: 'after' }, 0],
]

test.each(faults)('the exit code of an apply that meets %s', async (_, operation, fault, code) => {
  const { portal, run } = await open('enterprise', { hasErrorStatus: true })
  await using _portal = portal
  portal.plan(operation, fault)
  const ended = await run('schema apply %seas --to org --yes')
  expect(ended, ended.complaint).toMatchObject({ code })
  expect(portal.extensions).toEqual([])
})

test('what becomes of items is to be chosen before a question is asked', async () => {
  const { portal, desk, run, files } = await open('online')
  await using _ = portal
  const words = ['schema', 'apply', files.seas, '--to', 'org', '--moves', files.moves]
  const ended = await desk.run(words, { isPerson: true, typed: 'y' })
  expect([ended.code, ended.complaint]).toEqual([1, expect.stringMatching(/--leave-items/)])
  expect(ended.complaint).not.toContain('[y/N]')
  const planned = await run('schema plan %seas --to org --moves %moves -o %plan')
  expect(planned.complaint).toContain(`cartulary schema apply ${files.plan} --move-items makes the change.`)
})

test('the same command resumes moves of items that were cut off', async () => {
  const { portal, run } = await open('online')
  await using _ = portal
  for (const line of [
    'schema apply %seas --to org --moves %moves --yes --move-items',
    'schema apply %plan --move-items',
  ]) {
    portal.schemas.set(portal.id, structuredClone(water))
    const [item] = [...portal.items.values()]
    item!.categories = ['/Water']
    portal.index.settle()
    await run('schema plan %seas --to org --moves %moves -o %plan')
    portal.plan('updateItems', { kind: 'body', code: 498 })
    expect(await run(line)).toMatchObject({ code: 2, complaint: expect.stringMatching(/the same command resumes/) })
    expect(item!.categories).toEqual(['/Water'])
    const unasked = await run('schema apply %seas --to org --yes')
    expect(unasked).toMatchObject({ code: 0, complaint: expect.stringMatching(/left items: --move-items/) })
    expect(await run(line)).toMatchObject({ code: 0 })
    expect(item!.categories).toEqual(['/Seas'])
    expect(await run(line)).toMatchObject({ code: line.includes('%plan') ? 0 : 1 })
  }
})

test('a plan file of one ArcGIS Enterprise is refused by another, though their ids are the same', async () => {
  const first = await open('enterprise')
  await using _first = first.portal
  const second = await open('enterprise')
  await using _second = second.portal
  await first.run('schema plan %seas --to org -o %plan')
  const ended = await second.desk.run(['schema', 'apply', first.files.plan])
  expect([ended.code, ended.complaint]).toEqual([2, expect.stringContaining(first.portal.url)])
  expect(second.portal.count('assignPortalSchema')).toBe(0)
})

test('a token shows in no output, plan file, journal or snapshot, and is kept for its owner alone', async () => {
  const { portal, desk, run, files } = await open('online')
  await using _ = portal
  await run('schema plan %seas --to org --moves %moves -o %plan --verbose')
  await run('schema apply %plan --move-items --verbose')
  const [token] = [...portal.tokens.keys()]
  expect(readFileSync(join(desk.home, 'cartulary', 'tokens.json'), 'utf8')).toContain(token)
  expect([desk.said, readFileSync(files.plan, 'utf8')].some((text) => text.includes(token!))).toBe(false)
  expect(portal.calls.filter(({ address }) => address.includes(token!))).toEqual([])
  chmodSync(join(desk.home, 'cartulary', 'tokens.json'), 0o644)
  expect(await run('whoami')).toMatchObject({ code: 2, complaint: expect.stringContaining('chmod') })
})
