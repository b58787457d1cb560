import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Category } from '../../../src/categories/schema.ts'
import { kinds, outcome, Stage, tree } from './stage.ts'

const before: readonly Category[] = [tree('Water', 'Rivers', 'Lakes'), tree('Soil')]
const after: readonly Category[] = [tree('Seas', 'Rivers', 'Lakes'), tree('Soil')]
const moves = [{ from: '/Water', to: '/Seas' }]
const lagging = { indexLag: 3, forgetsLostPaths: true }

const both = kinds.flatMap((kind) => (['org', 'group'] as const).map((owner) => [kind, owner] as const))

async function open(kind: (typeof kinds)[number], owner: 'org' | 'group', quirks = {}) {
  const stage = await Stage.open(kind, quirks)
  const place = owner === 'org' ? stage.org : stage.group()
  stage.put(place, before)
  return { stage, place }
}

test.each(both)('no item is left behind where the index lags and forgets lost paths (%s, %s)', async (kind, owner) => {
  const { stage, place } = await open(kind, owner, lagging)
  await using _ = stage
  for (let item = 0; item < 250; item += 1) stage.item(place, item % 2 === 0 ? '/Water/Rivers' : '/Soil')
  stage.stub.index.settle()
  // The index does not have these yet.
  stage.item(place, '/Water', '/Soil')
  const changed = [...stage.stub.items.values()][1]!
  if (owner === 'org') changed.categories = ['/Water/Lakes']
  else changed.inGroups.set(place.groupId!, ['/Water/Lakes'])
  changed.modified = stage.stub.now()
  stage.stub.index.update(changed)

  const change = await stage.change(place, after, moves)
  expect(await outcome(stage.client().apply(change, { items: 'move' }))).toEqual([0])
  const shown = stage.categories(place)
  expect(shown.filter((paths) => paths.some((path) => path.startsWith('/Water')))).toEqual([])
  expect(shown.at(-1)).toEqual(['/Seas', '/Soil'])
  expect(shown[1]).toEqual(['/Seas/Lakes'])
  expect(shown[0]).toEqual(['/Seas/Rivers'])
  // 100 items a call: 125 of the first listing, and those that showed themselves later.
  const calls = stage.stub.calls.filter(({ operation }) => /^update/.test(operation))
  expect(Math.max(...calls.map(({ parameters }) => JSON.parse(parameters.get('items')!).length))).toBe(100)
  expect(stage.stub.extensionBytes).toBe(0)
})

test('an item of another organization is neither counted nor moved', async () => {
  const { stage, place } = await open('online', 'org')
  await using _ = stage
  const own = stage.item(place, '/Water')
  const foreign = stage.stub.addItem({ categories: ['/Water'], orgId: 'AnotherOrgAAAAAA' })
  stage.stub.index.settle()
  const change = await stage.change(place, after, moves)
  expect((await stage.client().plan(change)).impact).toMatchObject({ items: 1, moved: 1 })
  expect(await stage.client().items.count(place)).toBe(1)
  await stage.client().apply(change, { items: 'move' })
  expect([own.categories, foreign.categories]).toEqual([['/Seas'], ['/Water']])
})

test('moves are declared to move items or to leave them, before the first write', async () => {
  const { stage, place } = await open('online', 'org')
  await using _ = stage
  const item = stage.item(place, '/Water')
  const change = await stage.change(place, after, moves)
  const [exit, sentence] = await outcome(stage.client().apply(change, {}))
  expect([exit, sentence]).toEqual([1, expect.stringMatching(/--move-items.*--leave-items/)])
  expect(stage.stub.count('assignPortalSchema')).toBe(0)
  await stage.client().apply(change, { items: 'leave' })
  expect([item.categories, stage.stub.count('updateItems')]).toEqual([['/Water'], 0])
})

test('other categories of an item stay, paths that swap are followed once, and what came together is there once', async () => {
  const { stage, place } = await open('enterprise', 'org')
  await using _ = stage
  const swapped = stage.item(place, '/Water/Rivers', '/Soil')
  const merged = stage.item(place, '/Water/Rivers', '/Water/Lakes')
  const swap = [
    { from: '/Water', to: '/Soil' },
    { from: '/Soil', to: '/Water' },
  ]
  const swappedTrees = [tree('Soil', 'Rivers', 'Lakes'), tree('Water')]
  await stage.client().apply(await stage.change(place, swappedTrees, swap), { items: 'move' })
  expect(swapped.categories).toEqual(['/Soil/Rivers', '/Water'])
  const merge = [{ from: '/Soil/Lakes', to: '/Soil/Rivers' }]
  await stage
    .client()
    .apply(await stage.change(place, [tree('Soil', 'Rivers'), tree('Water')], merge), { items: 'move' })
  expect(merged.categories).toEqual(['/Soil/Rivers'])
  expect(swapped.categories).toEqual(['/Soil/Rivers', '/Water'])
})

test('items that the portal refuses, or whose path it drops with success, are named', async () => {
  const { stage, place } = await open('online', 'org', { drops: (path: string) => path === '/Seas/Lakes' })
  await using _ = stage
  const full = stage.item(place, '/Water', ...Array.from({ length: 20 }, (_, number) => `/Old ${number}`))
  const dropped = stage.item(place, '/Water/Lakes')
  const moved = stage.item(place, '/Water')
  const refusal = await outcome(stage.client().apply(await stage.change(place, after, moves), { items: 'move' }))
  expect(refusal).toEqual([
    1,
    '2 of 3 items were not moved.',
    `Map (${full.id}): Item exceeds max size of 20 categories.`,
    `Map (${dropped.id}): the portal says success, and its new paths do not read back.`,
  ])
  expect(moved.categories).toEqual(['/Seas'])
})

test.each([
  ['a portal', 'online', 'org', {}],
  ['an index that lags and forgets lost paths', 'enterprise', 'group', lagging],
] as const)(
  'an apply that is cut off at any of its requests is resumed, and moves each item, at %s (%s, %s)',
  async (_, kind, owner, quirks) => {
    let [cuts, isWhole] = [0, false]
    for (let request = 1; !isWhole; request += 1) {
      for (const when of ['before', 'after'] as const) {
        const { stage, place } = await open(kind, owner, quirks)
        await using _stage = stage
        for (let item = 0; item < 130; item += 1) stage.item(place, item % 2 === 0 ? '/Water/Rivers' : '/Water')
        stage.stub.index.settle()
        const change = await stage.change(place, after, moves)
        stage.stub.plan('*', { kind: 'lost', when }, request)
        const [exit] = await outcome(stage.client().apply(change, { items: 'move' }))
        isWhole = stage.stub.mend() > 0
        if (!isWhole) cuts += 1
        const present = await stage.client().read(place)
        if (present.hash === change.before.hash) {
          expect(exit).toBeGreaterThan(0)
          await stage.client().apply(change, { items: 'move' })
        } else await stage.client().resume(place, present, 'move')
        expect(new Set(stage.categories(place).flat())).toEqual(new Set(['/Seas', '/Seas/Rivers']))
        // Nothing is left to resume.
        expect(await stage.client().resume(place, await stage.client().read(place), 'move')).toBe(false)
      }
    }
    // Listing, comparing, writing, reading back, two calls for the items, and two rounds of searching again.
    expect(cuts).toBeGreaterThan(20)
  },
)

test('items of a change that was cut off stay listed where another schema came meanwhile', async () => {
  const { stage, place } = await open('online', 'org')
  await using _ = stage
  const left = stage.item(place, '/Water/Lakes')
  stage.stub.plan('updateItems', { kind: 'lost', when: 'before' })
  const [exit] = await outcome(stage.client().apply(await stage.change(place, after, moves), { items: 'move' }))
  expect(exit).toBeGreaterThan(0)
  stage.stub.mend()
  stage.put(place, [tree('Coasts'), tree('Soil')])
  const change = await stage.change(place, [tree('Coasts'), tree('Earth')], [{ from: '/Soil', to: '/Earth' }])
  expect(await outcome(stage.client().apply(change, { items: 'move' }))).toEqual([0])
  const [, path] = /left 1 of 1 items.* are in (\S+\.jsonl)\.$/m.exec(stage.said.join('\n'))!
  expect(readFileSync(path!, 'utf8')).toContain(left.id)
})

test('a change that moves items is made once at a time: begun twice, the second one is refused', async () => {
  const { stage, place } = await open('online', 'org')
  await using _ = stage
  const item = stage.item(place, '/Water')
  const change = await stage.change(place, after, moves)
  let second: ReturnType<typeof outcome> | undefined
  const act = () => {
    second = outcome(stage.client().apply(change, { items: 'move' }))
  }
  stage.stub.plan('updateItems', { kind: 'meanwhile', when: 'before', act })
  expect(await outcome(stage.client().apply(change, { items: 'move' }))).toEqual([0])
  expect(await second!).toEqual([
    2,
    expect.stringMatching(/^Another command moves the items of org at the moment; remove \S+org\.jsonl\.lock if none/),
  ])
  expect([item.categories, stage.stub.count('updateItems')]).toEqual([['/Seas'], 1])
  expect(await outcome(stage.client().apply(change, { items: 'move' }))).toEqual([0])
})
