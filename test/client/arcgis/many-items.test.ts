import { expect, test } from 'vitest'
import { Stage, tree } from './stage.ts'

test('more items than one query finds are listed by their time of creation, none left out or twice', async () => {
  await using stage = await Stage.open('online', { hasUnstableOrder: true })
  const place = stage.org
  stage.put(place, [tree('Water')])
  // Many were created at one time, also where a window of 10,000 ends.
  for (let item = 0; item < 10_230; item += 1) {
    stage.stub.addItem({ categories: ['/Water'], created: 1_700_000_000_000 + Math.floor(item / 60) * 1_000 })
  }
  stage.stub.index.settle()
  const change = await stage.change(place, [tree('Seas')], [{ from: '/Water', to: '/Seas' }])
  expect((await stage.client().plan(change)).impact.moved).toBe(10_230)
  // More paths than one search takes: the items are listed.
  const paths = ['/Water', ...Array.from({ length: 8 }, (_, number) => `/Other ${number}`)]
  expect(await stage.client().items.countCarrying(place, paths, () => true)).toBe(10_230)
  await stage.client().apply(change, { items: 'move' })
  expect(new Set(stage.categories(place).flat())).toEqual(new Set(['/Seas']))
  const written = stage.stub.calls.filter(({ operation }) => operation === 'updateItems')
  const ids = written.flatMap(({ parameters }) => JSON.parse(parameters.get('items')!).flatMap(Object.keys))
  expect([ids.length, new Set(ids).size]).toEqual([10_230, 10_230])
})
