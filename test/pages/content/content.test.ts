import { expect, test } from 'vitest'
import { planCategories, rangeOf, readItems, sendCategories } from '../../../pages/src/content/categorising.ts'
import { maxCounts, readCounts } from '../../../pages/src/content/counts.ts'
import { changeState, queryOf, readState, searchParameters } from '../../../pages/src/content/state.ts'

const person = { username: 'ada', portalId: '0123456789ABCDEF' }

test('the state of the list is in its address, without what is the default', () => {
  const address = 'q=lakes&category=%2FRegion%2FA%2C+B&show=stale&whose=mine&type=Web+Map&sort=title&start=26'
  const state = readState(new URLSearchParams(address))
  expect(state).toMatchObject({ q: 'lakes', category: '/Region/A, B', special: 'stale', whose: 'mine', start: 26 })
  const written = new URLSearchParams(
    Object.entries(queryOf(state)).flatMap(([name, value]) =>
      value ? [[name, String(value)] as [string, string]] : [],
    ),
  )
  expect(readState(written)).toEqual(state)
  expect(Object.values(queryOf(readState(new URLSearchParams()))).filter(Boolean)).toEqual([])
  expect(readState(new URLSearchParams('start=-3&whose=hers&sort=x&show=y'))).toEqual(readState(new URLSearchParams()))
  expect(changeState(state, { category: undefined })).toMatchObject({ start: 1, q: 'lakes', category: undefined })
})

test('a search says whole values as the language of filters has them', () => {
  const state = readState(new URLSearchParams('type=a"b\\c&tag=x&whose=organization&show=stale&category=%2FA%2C+B'))
  const now = 1_800_000_000_000
  expect(searchParameters(state, person, now)).toEqual({
    q: undefined,
    filter: 'orgid:"0123456789ABCDEF" AND type:"a\\"b\\\\c" AND tags:"x" AND modified:[0 TO 1768464000000]',
    categories: '["/A, B"]',
    uncategorized: undefined,
  })
})

const items = [
  { id: '1', title: 'One', categories: ['/A'] },
  { id: '2', title: 'Two', categories: ['/A', '/B'] },
]

test('categories are added to what there is, or removed from it; what stays is not sent', () => {
  expect(planCategories(items, 'add', ['/B'])).toEqual([{ id: '1', title: 'One', categories: ['/A', '/B'] }])
  expect(planCategories(items, 'remove', ['/B', '/C'])).toEqual([{ id: '2', title: 'Two', categories: ['/A'] }])
})

test('a hundred items go in one request; refusals keep their titles, and a cancelled change stops between requests', async () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ id: `i${at}`, title: `Item ${at}`, categories: [] }))
  const changes = planCategories(many, 'add', ['/A'])
  const sizes: number[] = []
  const reports: number[] = []
  const send = async (text: string) => {
    const ids = (JSON.parse(text) as readonly object[]).flatMap((entry) => Object.keys(entry))
    sizes.push(ids.length)
    return {
      results: ids.map((itemId) =>
        itemId === 'i120' ? { itemId, success: false, error: { message: 'No.' } } : { itemId, success: true },
      ),
    }
  }
  const stop = new AbortController()
  expect(await sendCategories(changes, send, (done) => reports.push(done), stop.signal)).toEqual({
    changed: 249,
    refused: [{ id: 'i120', title: 'Item 120', message: 'No.' }],
  })
  expect([sizes, reports]).toEqual([
    [100, 100, 50],
    [100, 200, 250],
  ])
  const outcome = await sendCategories(changes, send, () => stop.abort(), stop.signal)
  expect(outcome.changed).toBe(100)
})

test('items are read by id in batches; one that is gone is left out', async () => {
  const ids = Array.from({ length: 150 }, (_, at) => `i${at}`)
  const filters: string[] = []
  const found = await readItems(ids, async (filter) => {
    filters.push(filter)
    const wanted = filter.split(' OR ').map((part) => part.slice('id:'.length))
    return { results: wanted.filter((id) => id !== 'i120').map((id) => ({ id })) }
  })
  expect(filters.map((filter) => filter.split(' OR ').length)).toEqual([100, 50])
  expect([...found.keys()]).toEqual(ids.filter((id) => id !== 'i120'))
})

test('a path that was not counted has no items only where all paths were counted', () => {
  const counted = Array.from({ length: maxCounts }, (_, at) => ({ value: `/${at}`, count: at }))
  expect([readCounts(counted)('/7'), readCounts(counted)('/other')]).toEqual([7, undefined])
  expect(readCounts(counted.slice(1))('/other')).toBe(0)
})

test('a range is all between two rows, in either order', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(rangeOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'gone', 'b')).toEqual(['b'])
})
