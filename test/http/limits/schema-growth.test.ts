import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { keepHouse } from '../../../src/cli/housekeeping.ts'
import { defaultLimits, type Limits } from '../../../src/limits.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'
import { scrape, seriesOf } from '../../support/portal/scrape.ts'

const done = { success: true }
const day = 86_400_000

/** Trees of about 56 KB each: five are more than an owner may keep in an organization beyond its limit. */
function largeSchema(name: string, trees = 5) {
  const texts = { description: 'd'.repeat(299), source: 's'.repeat(1_000) }
  const categories = Array.from({ length: 39 }, (_, index) => ({ title: `${name} ${index}`, ...texts }))
  return aSchema(...Array.from({ length: trees }, (_, index) => ({ title: `${name} ${index}`, ...texts, categories })))
}

const smallSchema = (name: string) => aSchema({ title: name })

const assign = (client: Client, groupId: string, categorySchema: unknown) =>
  client.post(`/community/groups/${groupId}/assignCategorySchema`, { categorySchema })

const start = (limits: Partial<Limits>) =>
  startPortal({ config: { limits: { ...defaultLimits, ...limits } }, isReused: false })

function keptOf({ server }: TestPortal, groupId: string) {
  const owner: SchemaOwner = { kind: 'group', groupId }
  return server.dependencies.storage.read(({ categories }) => categories.findKept(owner))
}

const signInLimit = { failures: 10, minutes: 15 }
const houseOf = ({ server }: TestPortal) => ({ ...server.dependencies, settings: { signInLimit } })

test('of many versions of a schema, as many are kept as the limit says', async () => {
  await using portal = await start({ schemaVersions: 32 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  for (let number = 1; number <= 70; number += 1) {
    expect(await assign(admin, id, smallSchema(`Number ${number}`))).toEqual(done)
    expect((await keptOf(portal, id))?.versions).toBeLessThanOrEqual(32)
  }
  expect((await keptOf(portal, id))?.versions).toBeGreaterThanOrEqual(30)
  expect(await admin.get(`/community/groups/${id}/categorySchema`)).toMatchObject({
    categorySchema: [{ title: 'Number 70' }],
  })
})

test('of large versions of a schema, as many bytes are kept as the limit says', async () => {
  await using portal = await start({ schemaBytesOfOwner: 1_000_000 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
    expect(await assign(admin, id, largeSchema(name))).toEqual(done)
    expect((await keptOf(portal, id))?.bytes).toBeLessThanOrEqual(1_000_000)
  }
  expect((await keptOf(portal, id))?.versions).toBe(3)
})

test('the same schema again and again takes no bytes', async () => {
  await using portal = await start({})
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  await assign(admin, id, largeSchema('same'))
  const { bytes } = (await keptOf(portal, id))!
  for (let times = 1; times <= 5; times += 1) await assign(admin, id, largeSchema('same'))
  expect(await keptOf(portal, id)).toMatchObject({ versions: 6, bytes })
})

test('an organization beyond its limit keeps no more bytes, but every group may replace its schema', async () => {
  await using portal = await start({ schemaBytesOfPortal: 500_000 })
  const admin = await portal.admin()
  const { id: first } = await admin.createGroup('Maps')
  const { id: second } = await admin.createGroup('Seas')
  for (const name of ['one', 'two']) expect(await assign(admin, first, largeSchema(name))).toEqual(done)
  await keepHouse(houseOf(portal))

  const sentence =
    'The category schemas of the organization and its groups, with earlier versions, have more than 500,000 bytes.'
  expect(await assign(admin, second, largeSchema('three'))).toEqual(refused('assign category schema', sentence))
  expect(await keptOf(portal, second)).toBeUndefined()
  const reached = seriesOf(await scrape(portal.server.app), 'cartulary_limits_reached_total')
  expect(reached['{limit="schemaBytesOfPortal"}']).toBe(1)
  expect(await assign(admin, second, smallSchema('Small'))).toEqual(done)

  const { bytes } = (await keptOf(portal, first))!
  for (const name of ['six', 'ten', 'odd', 'new']) {
    expect(await assign(admin, first, largeSchema(name))).toEqual(done)
    expect((await keptOf(portal, first))!.bytes).toBeLessThanOrEqual(bytes)
  }
  const outsider = await portal.otherOrganization()
  const { id: elsewhere } = await outsider.createGroup('Elsewhere')
  expect(await assign(outsider, elsewhere, largeSchema('eight'))).toEqual(done)
})

/** An organization beyond its limit, and a group of it without a schema. */
async function openFull() {
  const portal = await start({ schemaBytesOfPortal: 100_000 })
  const admin = await portal.admin()
  const { id: full } = await admin.createGroup('Maps')
  const { id } = await admin.createGroup('Seas')
  await assign(admin, full, largeSchema('one'))
  await keepHouse(houseOf(portal))
  return { admin, id, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('a plan is refused for want of room where the change would be', async () => {
  await using world = await openFull()
  const { admin, id } = world
  const random = seededRandom(5)
  const below = (end: number) => Math.floor(random() * end)
  const place = `/community/groups/${id}`
  const seen = { accepted: 0, refused: 0 }
  for (let run = 0; run < 200; run += 1) {
    const { categorySchema, version } = await admin.get(`${place}/categorySchema`, { withVersion: 'true' })
    const [present] = categorySchema
    const name = below(3) === 0 && present ? present.title.slice(0, 1) : String.fromCharCode(65 + below(26))
    const from = present && !present.title.startsWith(name) ? present.title : undefined
    const moves = from && [{ from: `/${from}`, to: `/${name} 0` }]
    const many =
      from &&
      present.categories.map(({ title }: { title: string }, at: number) => {
        return { from: `/${from}/${title}`, to: `/${name} 0/${name} ${at}` }
      })
    const given = {
      categorySchema: largeSchema(name, 1 + below(5)),
      ...(below(3) === 0 && { comment: 'c'.repeat(1 + below(500)) }),
      ...(from && below(3) === 0 && { moves: below(2) === 0 ? moves : many }),
    }
    const restored = `${place}/categorySchema/versions/${1 + below(version)}/restore`
    const isRestore = version > 0 && below(3) === 0
    const [planned, made] = isRestore
      ? [await admin.post(restored, { dryRun: 'true' }), await admin.post(restored)]
      : [
          await admin.post(`${place}/categorySchema/plan`, given),
          await admin.post(`${place}/assignCategorySchema`, given),
        ]
    expect(planned.error, `run ${run}`).toEqual(made.error)
    if (JSON.stringify(made.error ?? '').includes('100,000 bytes')) seen.refused += 1
    else if (!made.error) seen.accepted += 1
    if (below(12) === 0) await admin.post(`${place}/deleteCategorySchema`)
  }
  expect(Math.min(seen.accepted, seen.refused), JSON.stringify(seen)).toBeGreaterThan(20)
})

test('a comment counts for the room as the document does, also where the document is the present one', async () => {
  await using world = await openFull()
  const { admin, id } = world
  // An owner always has room for 256 KiB: 250 bytes are left of it.
  const text = JSON.stringify(largeSchema('two'))
  let tooMany = text.length - (256 * 1024 - 250)
  const categorySchema = text.replace(/s{1000}/g, (source) => {
    const shorter = source.slice(Math.min(tooMany, source.length))
    tooMany -= source.length - shorter.length
    return shorter
  })
  const place = `/community/groups/${id}`
  const both = async (comment: string) => [
    await admin.post(`${place}/categorySchema/plan`, { categorySchema, comment }),
    await admin.post(`${place}/assignCategorySchema`, { categorySchema, comment }),
  ]
  const isFull = { error: { details: [expect.stringContaining('more than 100,000 bytes')] } }
  expect(await both('c'.repeat(251))).toMatchObject([isFull, isFull])
  expect(await both('c'.repeat(200))).toMatchObject([{ dryRun: true }, { version: 1 }])
  expect(await both('c'.repeat(51))).toMatchObject([isFull, isFull])
  expect(await both('c'.repeat(49))).toMatchObject([{ dryRun: true }, { version: 2 }])
})

test('all groups of a user have a limit of bytes together, and other users their own', async () => {
  await using portal = await start({ schemaBytesOfUser: 500_000 })
  const [member, other] = [await portal.user('mary'), await portal.user('olga')]
  const [first, second] = [await member.createGroup('Maps'), await member.createGroup('Seas')]
  expect(await assign(member, first.id, largeSchema('one'))).toEqual(done)

  const sentence =
    'The category schemas of all groups of the owner of this group, with earlier versions, have more than 500,000 bytes.'
  const categorySchema = largeSchema('two')
  const plan = await member.post(`/community/groups/${second.id}/categorySchema/plan`, { categorySchema })
  expect(plan.error.details).toEqual([sentence])
  expect(await assign(member, second.id, categorySchema)).toEqual(refused('assign category schema', sentence))
  expect(await keptOf(portal, second.id)).toBeUndefined()
  const reached = seriesOf(await scrape(portal.server.app), 'cartulary_limits_reached_total')
  expect(reached['{limit="schemaBytesOfUser"}']).toBe(2)
  for (const name of ['six', 'ten']) expect(await assign(member, first.id, largeSchema(name))).toEqual(done)
  expect(await assign(member, second.id, smallSchema('Small'))).toEqual(done)

  const { id } = await other.createGroup('Lakes')
  expect(await assign(other, id, largeSchema('three'))).toEqual(done)
  const admin = await portal.admin()
  await admin.post(`/community/groups/${first.id}/delete`)
  expect(await assign(member, second.id, largeSchema('two'))).toEqual(done)
})

test('of assigns beyond the limit of a user, few have to remove versions', async () => {
  await using portal = await start({ schemaBytesOfUser: 400_000 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  const categories = Array.from({ length: 39 }, (_, index) => ({ title: `${index}`, description: 'd'.repeat(99) }))
  let [kept, removing] = [0, 0]
  for (let number = 1; number <= 160; number += 1) {
    expect(await assign(admin, id, aSchema({ title: `Number ${number}`, categories }))).toEqual(done)
    const { versions } = (await keptOf(portal, id))!
    if (versions <= kept) removing += 1
    kept = versions
  }
  expect(removing).toBeGreaterThan(0)
  expect(removing).toBeLessThan(20)
})

test('of the deleted groups of a user, those deleted first are forgotten when all keep more than groups of one user may', async () => {
  await using portal = await start({ schemaBytesOfUser: 450_000 })
  const member = await portal.user('anna')
  const groups: string[] = []
  for (const name of ['one', 'two', 'six', 'ten']) {
    portal.clock.now += 1
    const { id } = await member.createGroup(name)
    expect(await assign(member, id, largeSchema(name))).toEqual(done)
    await member.post(`/community/groups/${id}/delete`)
    groups.push(id)
  }
  const keptBytes = async () => Promise.all(groups.map(async (id) => (await keptOf(portal, id))?.bytes))
  const [each] = await keptBytes()
  expect(await keptBytes()).toEqual(Array(4).fill(each))
  await keepHouse(houseOf(portal))
  const left = Math.floor(450_000 / each!)
  expect(left).toBeGreaterThan(0)
  expect(await keptBytes()).toEqual([...Array(4 - left).fill(undefined), ...Array(left).fill(each)])
})

test('the schema of a deleted group counts until it is removed, after as many days as the limit says', async () => {
  await using portal = await start({ schemaBytesOfPortal: 250_000, deletedGroupDays: 10 })
  const admin = await portal.admin()
  const { id: first } = await admin.createGroup('Maps')
  const { id: second } = await admin.createGroup('Seas')
  await assign(admin, first, largeSchema('one'))
  await admin.post(`/community/groups/${first}/delete`)
  await keepHouse(houseOf(portal))
  expect(await assign(admin, second, largeSchema('two'))).toHaveProperty('error')
  portal.clock.now += 10 * day + 1
  const again = await portal.admin()
  expect(await keepHouse(houseOf(portal))).toMatchObject({ versions: 1, entries: 0 })
  expect(await keptOf(portal, first)).toBeUndefined()
  await keepHouse(houseOf(portal))
  expect(await assign(again, second, largeSchema('two'))).toEqual(done)
})

test('housekeeping removes audit entries that are older than the limit, and expired tokens, and writes no entry', async () => {
  await using portal = await start({ auditDays: 5 })
  const admin = await portal.admin()
  await admin.createGroup('Maps')
  const count = () => portal.server.dependencies.storage.read(({ audit }) => audit.countEntries(portal.clock.now + 1))
  const before = await count()
  expect(before).toBeGreaterThan(1)
  expect(await keepHouse(houseOf(portal))).toMatchObject({ entries: 0 })
  expect(await count()).toBe(before)
  portal.clock.now += 5 * day + 1
  expect(await keepHouse(houseOf(portal))).toMatchObject({ entries: before })
  expect(await count()).toBe(0)
})
