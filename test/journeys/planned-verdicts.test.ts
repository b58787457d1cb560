import { RewindableDatabase } from '../support/databases/rewindable-database.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { isReplicated } from '../support/portal/portal.ts'
import { expect, test } from '../support/portal/test.ts'

const treeOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }],
})
const pathOf = (title: string) => `/Categories/${title}`
const move = (from: string, to: string) => ({ from: pathOf(from), to: pathOf(to) })

const titles = ['A', 'B', 'C', 'D']
const count = countOf({ sample: isReplicated ? 100 : 500, long: 100_000 })

test('a plan is refused as the change would be and writes nothing, and a change goes as it was planned', {
  timeout: timeoutOf(count, 400),
}, async ({ portal, admin }) => {
  const [manager, member] = [await portal.user('manager'), await portal.user('member')]
  const group = await admin.createGroup('Maps')
  await admin.post(`/community/groups/${group.id}/addUsers`, { admins: 'manager', users: 'member' })
  const place = `/community/groups/${group.id}`
  await admin.post(`${place}/assignCategorySchema`, { categorySchema: treeOf('A', 'B') })
  for (const [index, title] of ['A', 'B', 'A'].entries()) {
    const { id } = await admin.post('/content/users/admin/addItem', { title: `Item ${index}`, type: 'Web Map' })
    await admin.post(`/content/items/${id}/share`, { groups: group.id })
    const items = JSON.stringify([{ [id]: { categories: [pathOf(title)] } }])
    const { results } = await admin.post(`/content/groups/${group.id}/updateCategories`, { items })
    expect(results).toEqual([{ itemId: id, success: true }])
  }
  await using database = new RewindableDatabase(portal)
  await database.keep()
  // Refusals that repeat are counted, and written later; so may be one of the change before, of its time.
  const isOfNow = ({ target, happened_at }: Readonly<Record<string, unknown>>) =>
    Number(happened_at) === portal.clock.now && !/ and \d+ more$/.test(String(target))
  const random = seededRandom(7)
  const below = (end: number) => Math.floor(random() * end)
  const chance = (share: number) => random() < share
  const oneOf = <Value>(values: readonly Value[]) => values[below(values.length)]!
  const some = () => titles.filter(() => chance(0.5))
  const seen = { accepted: 0, refused: 0 }
  for (let run = 0; run < count; run += 1) {
    // A document is remembered by its version and time, and the versions begin again.
    portal.clock.now += 1
    const caller = oneOf([admin, manager, member, portal.anonymous])
    const categorySchema = chance(0.1) ? 'nonsense' : treeOf(...some())
    const moves = some().map((title) => move(title, oneOf(titles)))
    const given = {
      categorySchema,
      ...(chance(0.5) && { moves }),
      ...(chance(0.5) && { ifVersion: String(below(3)) }),
      ...(chance(0.5) && { vanishing: oneOf(['keep', 'refuse', 'clear', 'other']) }),
    }
    const planned = await caller.post(`${place}/categorySchema/plan`, given)
    const dry = await caller.post(`${place}/assignCategorySchema`, { ...given, dryRun: 'true' })
    const { audit, ...written } = await database.changes()
    expect(written, JSON.stringify(given)).toEqual({})
    expect(audit?.added.filter(isOfNow) ?? [], JSON.stringify(given)).toEqual([])
    const made = await caller.post(`${place}/assignCategorySchema`, { ...given, dryRun: 'false' })
    // A busy machine may answer none of them in time, which says nothing about the change.
    if ([planned, dry, made].some(({ error }) => error?.code === 503)) {
      await database.rewind()
      continue
    }
    expect(dry).toEqual(planned)
    if (made.error) expect(planned, JSON.stringify(given)).toEqual(made)
    else {
      const after = await admin.get(`${place}/categorySchema`, { withVersion: 'true' })
      expect(planned).toMatchObject({ success: true, resultHash: after.hash, version: after.version - 1 })
    }
    seen[made.error ? 'refused' : 'accepted'] += 1
    await database.rewind()
  }
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(count / 20)
})
