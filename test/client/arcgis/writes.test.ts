import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Category } from '../../../src/categories/schema.ts'
import type { Fault } from '../../support/arcgis/arcgis-portal.ts'
import type { Quirks, Schema } from '../../support/arcgis/world.ts'
import { outcome, Stage, tree } from './stage.ts'

const before: readonly Category[] = [tree('Water', 'Rivers')]
const after: readonly Category[] = [tree('Water', 'Rivers', { title: 'Lakes', description: 'Still', categories: [] })]

async function open(quirks: Quirks = {}) {
  const stage = await Stage.open('online', quirks)
  stage.put(stage.org, before)
  return { stage, place: stage.org, change: await stage.change(stage.org, after) }
}

test.each<[string, Quirks]>([
  ['empty lists are lost', { losesEmptyLists: true }],
  ['members have another order', { reordersMembers: true }],
  ['members come that were not sent', { addsMembers: true }],
])('the same schema is read back where %s', async (_, quirks) => {
  const { stage, place, change } = await open(quirks)
  await using _stage = stage
  expect(await outcome(stage.client().apply(change, {}))).toEqual([0])
  expect((await stage.client().plan(await stage.change(place, after))).changes).toEqual([])
})

test('what a portal keeps in place of the schema, with success, is named', async () => {
  const keepsInstead = ({ categorySchema: [first] }: Schema) => ({
    categorySchema: [{ ...first!, title: 'Waters' }],
  })
  const { stage, change } = await open({ keepsInstead })
  await using _ = stage
  expect(await outcome(stage.client().apply(change, {}))).toEqual([
    1,
    'What reads back differs:',
    '+ add /Waters (3 categories)',
    '- remove /Water (3 categories)',
    '1 added, 1 removed, 0 renamed, 0 moved, 0 merged, 0 changed, 0 reordered',
  ])
})

const unknown = /^It is not known whether org was written; run schema plan again\.$/
const theirs = { categorySchema: [{ title: 'Theirs' }] }

/** Faults of one request, and the exit code; then the title of what is there. */
const faults: [string, string, Fault, number, RegExp, string][] = [
  ['the answer is lost', 'assignPortalSchema', { kind: 'lost', when: 'after' }, 0, /^$/, 'Lakes'],
  ['the request is lost', 'assignPortalSchema', { kind: 'lost', when: 'before' }, 2, /Nothing was written/, 'none'],
  ['the answer is a page', 'assignPortalSchema', { kind: 'html' }, 2, /HTML.*Nothing was written/, 'none'],
  ['the answer is a list', 'assignPortalSchema', { kind: 'list' }, 2, /Nothing was written/, 'none'],
  ['503 as status', 'assignPortalSchema', { kind: 'status', code: 503 }, 2, /Nothing was written/, 'none'],
  ['503 in the body', 'assignPortalSchema', { kind: 'body', code: 503 }, 2, /Nothing was written/, 'none'],
  ['429 for longer than is waited', 'portalSchema', { kind: 'body', code: 429, retryAfter: 90 }, 2, /busy/, 'none'],
  ['the token ended', 'assignPortalSchema', { kind: 'body', code: 498 }, 2, /cartulary login/, 'none'],
  ['it is refused', 'assignPortalSchema', { kind: 'body', code: 403 }, 1, /busy/, 'none'],
  [
    'it is redirected elsewhere',
    'assignPortalSchema',
    { kind: 'redirect', to: 'https://x.invalid/' },
    2,
    /x\.invalid/,
    'none',
  ],
]

test.each(faults)('a write of which %s', async (_, operation, fault, exit, sentence, there) => {
  const { stage, place, change } = await open()
  await using _stage = stage
  stage.stub.plan(operation, fault)
  const [code, message = ''] = await outcome(stage.client().apply(change, {}))
  expect([code, message]).toEqual([exit, expect.stringMatching(sentence)])
  stage.stub.mend()
  const { schema } = await stage.client().read(place)
  expect(schema.categorySchema[0]!.categories!.at(1)?.title ?? 'none').toBe(there)
})

test('a lost answer beside the change of another is not known to be written', async () => {
  const { stage, change } = await open()
  await using _ = stage
  stage.stub.plan('assignPortalSchema', { kind: 'lost', when: 'after' })
  // The read that compares is the first, that which reads back the second.
  const act = () => stage.stub.schemas.set(stage.stub.id, theirs)
  stage.stub.plan('portalSchema', { kind: 'meanwhile', when: 'before', act }, 2)
  expect(await outcome(stage.client().apply(change, {}))).toEqual([
    1,
    expect.stringMatching(unknown),
    expect.anything(),
  ])
})

test('another has written since the plan: nothing is written', async () => {
  const { stage, place, change } = await open()
  await using _ = stage
  stage.put(place, theirs.categorySchema)
  expect((await outcome(stage.client().apply(change, {})))[0]).toBe(4)
  expect([stage.stub.schemas.get(stage.stub.id), stage.stub.count('assignPortalSchema')]).toEqual([theirs, 0])
  // The very same is no conflict.
  stage.put(place, after)
  expect(await outcome(stage.client().apply(change, {}))).toEqual([0])
  expect(stage.stub.count('assignPortalSchema')).toBe(0)
})

test('another who writes between reading and writing is overwritten: that is said before', async () => {
  const { stage, place, change } = await open()
  await using _ = stage
  const act = () => stage.put(place, theirs.categorySchema)
  stage.stub.plan('assignPortalSchema', { kind: 'meanwhile', when: 'before', act })
  expect(await outcome(stage.client().apply(change, {}))).toEqual([0])
  expect(stage.said).toEqual([expect.stringMatching(/what another writes in between is lost/)])
})

test.each(['html', 'text', 'list'] as const)('a schema that is %s is no schema', async (kind) => {
  await using stage = await Stage.open('enterprise')
  stage.stub.plan('portalSchema', { kind })
  expect((await outcome(stage.client().read(stage.org)))[0]).toBe(2)
  stage.stub.schemas.set(stage.stub.id, { categorySchema: [7] } as never)
  expect((await outcome(stage.client().read(stage.org)))[0]).toBe(2)
})

test('a schema, moves and choices that this kind does not take are refused before any write', async () => {
  const { stage, place, change } = await open()
  await using _ = stage
  const client = stage.client()
  const plans = [
    { ...change, after: { categorySchema: [] } },
    { ...change, moves: [{ from: '/Air', to: '/Water' }] },
    { ...change, vanishing: 'clear' as const },
  ]
  const outcomes: number[] = []
  for (const plan of plans) outcomes.push((await outcome(client.plan(plan)))[0])
  expect(outcomes).toEqual([1, 1, 2])
  stage.item(place, '/Water/Rivers')
  const lost = { ...(await stage.change(place, [tree('Water')])), vanishing: 'refuse' as const }
  expect(await outcome(client.plan(lost))).toEqual([1, expect.anything(), expect.stringMatching(/\/Water\/Rivers/)])
  expect(stage.stub.count('assignPortalSchema')).toBe(0)
})

test('versions are snapshots of this machine, and a restore takes items back', async () => {
  const { stage, place } = await open()
  await using _ = stage
  const item = stage.item(place, '/Water/Rivers')
  const moves = [{ from: '/Water', to: '/Seas' }]
  const moved = await stage.change(place, [tree('Seas', 'Rivers')], moves)
  expect(await stage.client().apply(moved, { items: 'move', comment: 'Seas' })).toBe(2)
  expect(await stage.client().listVersions(place)).toMatchObject([
    { version: 2, action: 'assign', comment: 'Seas', categories: 2 },
    { version: 1, action: 'found', comment: null, categories: 2 },
  ])
  expect(await stage.client().readVersion(place, 1)).toEqual({ categorySchema: before })
  const now = await stage.client().read(place)
  const back = await stage.client().changeBack(place, now, { version: 1, items: 'follow' })
  expect((await stage.client().plan(back)).impact).toMatchObject({ moved: 1, vanishing: 0 })
  expect(await stage.client().apply(back, { items: 'move' })).toBe(3)
  expect([item.categories, stage.stub.schemas.get(stage.stub.id)]).toEqual([
    ['/Water/Rivers'],
    { categorySchema: before },
  ])

  await stage.client().apply(await stage.change(place, []), {})
  expect(stage.stub.schemas.has(stage.stub.id)).toBe(false)
  expect((await stage.client().listVersions(place))[0]).toMatchObject({ version: 4, action: 'delete', categories: 0 })
  const [missing, deleted] = [9, 4].map((version) => outcome(stage.client().readVersion(place, version)))
  expect([(await missing)![0], (await deleted)![0]]).toEqual([1, 1])
})

test('snapshots and journals are of their owner alone', async () => {
  const { stage, change } = await open()
  await using _ = stage
  stage.item(stage.org, '/Water')
  const moved = { ...change, after: { categorySchema: [tree('Seas')] }, moves: [{ from: '/Water', to: '/Seas' }] }
  // The journal stays where the command does not end.
  stage.stub.plan('updateItems', { kind: 'body', code: 498 })
  const [exit, sentence] = await outcome(stage.client().apply(moved, { items: 'move' }))
  expect([exit, sentence]).toEqual([
    2,
    expect.stringMatching(/0 of 1 items have their new paths; the same command resumes/),
  ])
  const files = readdirSync(stage.folder, { recursive: true, withFileTypes: true })
  const modes = files.map((file) => {
    const path = join(file.parentPath, file.name)
    return [file.isFile() ? 'file' : 'folder', (statSync(path).mode & 0o777).toString(8)].join(' ')
  })
  expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
  // Two snapshots, the journal, and its seal.
  expect(modes.filter((mode) => mode.startsWith('file'))).toHaveLength(4)
})

test('portals of one id are distinguished by their addresses', async () => {
  await using first = await Stage.open('enterprise')
  await using second = await Stage.open('enterprise')
  first.put(first.org, before)
  await first.client().apply(await first.change(first.org, after), {})
  expect(await first.client().listVersions(first.org)).toHaveLength(2)
  expect(await second.client('', first.folder).listVersions(second.org)).toEqual([])
})
