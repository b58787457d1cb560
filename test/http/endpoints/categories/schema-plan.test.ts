import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { rejection } from '../../../support/portal/schema-holder.ts'

let portal: TestPortal
let admin: Client
const home = '/portals/self'

const treeOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }],
})
const pathOf = (title: string) => `/Categories/${title}`
const move = (from: string, to: string) => ({ from: pathOf(from), to: pathOf(to) })

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
})

const assign = (categorySchema: unknown, options = {}) =>
  admin.post(`${home}/assignCategorySchema`, { categorySchema, ...options })
const plan = (categorySchema: unknown, options = {}) =>
  admin.post(`${home}/categorySchema/plan`, { categorySchema, ...options })

async function addItem(...titles: readonly string[]): Promise<string> {
  const categories = titles.map(pathOf).join()
  const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map', categories })
  return id
}
const categoriesOf = async (id: string) => (await admin.get(`/content/items/${id}`)).categories

test('a plan shows what changes, and what that means for items', async () => {
  await assign(treeOf('Water', 'Misc', 'Roads'))
  for (const titles of [['Water'], ['Water', 'Misc'], ['Misc'], ['Roads']]) await addItem(...titles)
  const planned = await plan(treeOf('Hydrology', 'Roads'), { moves: [move('Water', 'Hydrology')], ifVersion: '1' })
  expect(planned).toMatchObject({ success: true, dryRun: true, version: 1, warnings: [] })
  expect(planned.changes).toMatchObject([
    { op: 'rename', path: pathOf('Water'), to: pathOf('Hydrology'), declared: true, items: 2 },
    { op: 'remove', path: pathOf('Misc'), items: 2 },
  ])
  expect(planned.impact).toEqual({
    ...{ items: 3, moved: 2, vanishing: 2, unrecognizedBefore: 0, unrecognizedAfter: 2 },
    byPath: [{ path: pathOf('Misc'), items: 2 }],
  })
})

test('the hash of the result is that of the schema after the assign', async () => {
  await assign(treeOf('Water'))
  const { resultHash } = await plan(treeOf('Soil'))
  await assign(treeOf('Soil'))
  expect((await admin.get(`${home}/categorySchema`, { withVersion: 'true' })).hash).toBe(resultHash)
  expect(await plan(treeOf('Soil'))).toMatchObject({ hash: resultHash, resultHash, changes: [] })
})

test('siblings of one title are a warning, and a likely move a suggestion with its items', async () => {
  await assign(treeOf('Water'))
  await addItem('Water')
  const planned = await plan(treeOf('Waters', 'Roads', 'Roads'))
  expect(planned.warnings).toEqual(['Two categories have the path /Categories/Roads; items cannot tell them apart.'])
  expect(planned.suggestions).toMatchObject([{ ...move('Water', 'Waters'), items: 1 }])
})

test('items follow moves, merge, and come back by a restore', async () => {
  await assign(treeOf('Water', 'Lakes', 'Roads'))
  const [one, other] = [await addItem('Water'), await addItem('Lakes')]
  const moves = [move('Water', 'Hydrology'), move('Lakes', 'Hydrology')]
  expect(await assign(treeOf('Hydrology', 'Roads'), { moves })).toEqual({ success: true, version: 2 })
  expect(await categoriesOf(one)).toEqual([pathOf('Hydrology')])
  expect(await categoriesOf(other)).toEqual([pathOf('Hydrology')])
  expect(await admin.get(`${home}/categorySchema/versions/2`)).toMatchObject({ moves })
  const restore = (options = {}) => admin.post(`${home}/categorySchema/versions/1/restore`, options)
  expect(await restore({ dryRun: 'true' })).toMatchObject({ dryRun: true, version: 2, impact: { moved: 2 } })
  expect(await categoriesOf(one)).toEqual([pathOf('Hydrology')])
  expect(await restore({ ifVersion: '2', comment: 'Back' })).toEqual({ success: true, version: 3 })
  expect(await categoriesOf(one)).toEqual([pathOf('Water')])
  expect(await categoriesOf(other)).toEqual([pathOf('Lakes')])
  // The restore of a restore: together again.
  await admin.post(`${home}/categorySchema/versions/2/restore`)
  expect(await categoriesOf(other)).toEqual([pathOf('Hydrology')])
})

test('items stay where they are if a restore says so', async () => {
  await assign(treeOf('Water'))
  const id = await addItem('Water')
  await assign(treeOf('Hydrology'), { moves: [move('Water', 'Hydrology')] })
  await admin.post(`${home}/categorySchema/versions/1/restore`, { items: 'stay' })
  expect(await categoriesOf(id)).toEqual([pathOf('Hydrology')])
})

test('what vanishes is kept, refuses the change, or is cleared and comes back by a restore', async () => {
  await assign(treeOf('Water', 'Misc'))
  const id = await addItem('Water', 'Misc')
  const refusal = rejection('vanishing: items carry /Categories/Misc, which the new category schema does not have.')
  expect(await assign(treeOf('Water'), { vanishing: 'refuse' })).toEqual(refusal)
  expect(await plan(treeOf('Water'), { vanishing: 'refuse' })).toEqual(refusal)
  expect(await plan(treeOf('Water'), { vanishing: 'clear' })).toMatchObject({
    impact: { vanishing: 1, unrecognizedAfter: 0 },
  })
  await assign(treeOf('Water'), { vanishing: 'clear' })
  expect(await categoriesOf(id)).toEqual([pathOf('Water')])
  await admin.post(`${home}/categorySchema/versions/1/restore`)
  expect(await categoriesOf(id)).toEqual([pathOf('Water'), pathOf('Misc')])
  await assign(treeOf('Water'))
  expect(await categoriesOf(id)).toEqual([pathOf('Water'), pathOf('Misc')])
  expect(await assign(treeOf('Water', 'Soil'), { vanishing: 'refuse' })).toMatchObject({ success: true })
})

test('what is below a category that moves is cleared where it has moved to, and comes back where it was', async () => {
  const inner = (title: string, ...below: readonly string[]) => ({
    categorySchema: [
      { title: 'Categories', categories: [{ title, categories: below.map((one) => ({ title: one })) }] },
    ],
  })
  await assign(inner('Water', 'Wells'))
  const id = await addItem('Water', 'Water/Wells')
  await assign(inner('Hydrology'), { moves: [move('Water', 'Hydrology')], vanishing: 'clear' })
  expect(await categoriesOf(id)).toEqual([pathOf('Hydrology')])
  await admin.post(`${home}/categorySchema/versions/1/restore`)
  expect(await categoriesOf(id)).toEqual([pathOf('Water'), pathOf('Water/Wells')])
})

test('moves of several versions are taken back, the last one first', async () => {
  await assign(treeOf('Water'))
  await assign(treeOf('Hydrology'), { moves: [move('Water', 'Hydrology')] })
  await assign(treeOf('Hydrography'), { moves: [move('Hydrology', 'Hydrography')] })
  expect(await admin.post(`${home}/categorySchema/versions/1/restore`, { dryRun: true })).toMatchObject({
    summary: { renamed: 1, added: 0, removed: 0 },
  })
})

test('a stale path is moved to one that the schema has', async () => {
  await assign(treeOf('Water'))
  const id = await addItem('Water')
  await assign(treeOf('Hydrology'))
  const moves = [move('Water', 'Hydrology')]
  expect(await plan(treeOf('Hydrology'), { moves })).toMatchObject({
    impact: { moved: 1, unrecognizedBefore: 1, unrecognizedAfter: 0 },
  })
  await assign(treeOf('Hydrology'), { moves })
  expect(await categoriesOf(id)).toEqual([pathOf('Hydrology')])
})

test('a move that the new schema cannot have is input, before the version; one that only the version explains is not', async () => {
  await assign(treeOf('Water'))
  const at = { ifVersion: '7' }
  const details = async (moves: unknown) => {
    const answer = await assign(treeOf('Hydrology'), { moves: JSON.stringify(moves), ...at })
    expect(await plan(treeOf('Hydrology'), { moves: JSON.stringify(moves), ...at })).toEqual(answer)
    return [answer.error.code, answer.error.details[0]]
  }
  const to = '/Categories/Hydrology'
  expect(await details([{}])).toEqual([400, 'moves/0: has no texts from and to.'])
  expect(await details([{ from: 'Water', to }])).toEqual([400, 'moves/0: from "Water" is not a category path.'])
  expect(await details([move('Lakes', 'Rivers')])).toEqual([
    400,
    'moves/0: to "/Categories/Rivers" is not in the new category schema.',
  ])
  expect(await details([move('Lakes', 'Hydrology')])).toEqual([409, expect.stringContaining('not 7')])
})
