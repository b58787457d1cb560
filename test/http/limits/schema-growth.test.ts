import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { runHousekeeping } from '../../../src/cli/housekeeping.ts'
import { defaultLimits, type Limits } from '../../../src/limits.ts'
import { RawDatabase } from '../../support/databases/raw-database.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { type Body, type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'
import { scrape, seriesOf } from '../../support/portal/scrape.ts'

const done = { success: true }
const day = 86_400_000

/** Trees of about 5 KB each: five are more than an owner may keep in an organization above its limit. */
function largeSchema(name: string, trees = 5) {
  const texts = { description: 'd'.repeat(299), source: 's'.repeat(1_000) }
  const categories = Array.from({ length: 3 }, (_, index) => ({ title: `${name} ${index}`, ...texts }))
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
  await using portal = await start({ schemaVersions: 16 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  for (let number = 1; number <= 36; number += 1) {
    expect(await assign(admin, id, smallSchema(`Number ${number}`))).toEqual(done)
    expect((await keptOf(portal, id))?.versions).toBeLessThanOrEqual(16)
  }
  expect((await keptOf(portal, id))?.versions).toBeGreaterThanOrEqual(15)
  expect(await admin.get(`/community/groups/${id}/categorySchema`)).toMatchObject({
    categorySchema: [{ title: 'Number 36' }],
  })
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

const usageOf = (portal: TestPortal) =>
  portal.server.dependencies.storage.read(({ categories }) => categories.sumUsage())

/** Versions that are kept, the oldest first. */
async function versionsOf(client: Client, groupId: string): Promise<readonly number[]> {
  const { versions } = await client.get(`/community/groups/${groupId}/categorySchema/versions`, { num: 100 })
  return versions.map(({ version }: Body) => version).toReversed()
}

test('of an organization above its quota, the oldest versions go of the group that keeps most, and no present one', async () => {
  await using portal = await start({ schemaBytesOfPortal: 110_000 })
  const admin = await portal.admin()
  const { id: large } = await admin.createGroup('Maps')
  const { id: middle } = await admin.createGroup('Seas')
  const { id: small } = await admin.createGroup('Lakes')
  for (const name of ['one', 'two', 'six']) expect(await assign(admin, large, largeSchema(name))).toEqual(done)
  for (const name of ['one', 'two']) expect(await assign(admin, middle, largeSchema(name))).toEqual(done)
  for (const name of ['one', 'two', 'six']) expect(await assign(admin, small, smallSchema(name))).toEqual(done)
  const [{ bytes: of3 }, { bytes: of2 }] = [(await keptOf(portal, large))!, (await keptOf(portal, middle))!]
  expect(of3 + of2).toBeGreaterThan(110_000)

  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 1, bytes: of3 / 3 })
  expect(await versionsOf(admin, large)).toEqual([2, 3])
  expect(await versionsOf(admin, middle)).toEqual([1, 2])
  expect(await versionsOf(admin, small)).toEqual([1, 2, 3])
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 0 })

  // Two groups with equal bytes: both lose versions before the small one does.
  expect(await assign(admin, small, largeSchema('ten'))).toEqual(done)
  expect(await assign(admin, small, largeSchema('odd', 2))).toEqual(done)
  await runHousekeeping(houseOf(portal))
  expect([await versionsOf(admin, large), await versionsOf(admin, middle)]).toEqual([[3], [2]])
  expect(await versionsOf(admin, small)).toEqual([1, 2, 3, 4, 5])
  expect((await usageOf(portal)).bytes).toBeLessThanOrEqual(110_000)
})

test('no assign is refused where the quota is full, nor its plan, and every present schema stays', async () => {
  await using portal = await start({ schemaBytesOfPortal: 104_857 })
  const admin = await portal.admin()
  const ids: string[] = []
  for (const name of ['one', 'two', 'six', 'ten', 'odd', 'new']) {
    const { id } = await admin.createGroup(name)
    ids.push(id)
    for (const word of ['old', name]) {
      const categorySchema = largeSchema(word)
      const plan = await admin.post(`/community/groups/${id}/categorySchema/plan`, { categorySchema })
      expect(plan).toMatchObject({ dryRun: true })
      expect(await assign(admin, id, categorySchema)).toEqual(done)
    }
    await runHousekeeping(houseOf(portal))
  }
  // The present schemas alone are more than the quota.
  expect((await usageOf(portal)).bytes).toBeGreaterThan(104_857)
  for (const id of ids) expect(await versionsOf(admin, id)).toEqual([2])
  const reached = seriesOf(await scrape(portal.server.app), 'cartulary_limits_reached_total')
  expect(reached['{limit="schemaBytesOfPortal"}'] ?? 0).toBe(0)
})

test('what another organization keeps is not removed', async () => {
  await using portal = await start({ schemaBytesOfPortal: 60_000 })
  const [admin, outsider] = [await portal.admin(), await portal.otherOrganization()]
  const [{ id: own }, { id: other }] = [await admin.createGroup('Maps'), await outsider.createGroup('Elsewhere')]
  for (const name of ['one', 'two', 'six']) await assign(admin, own, largeSchema(name))
  for (const name of ['one', 'two']) await assign(outsider, other, largeSchema(name))
  await runHousekeeping(houseOf(portal))
  expect([await versionsOf(admin, own), await versionsOf(outsider, other)]).toEqual([
    [2, 3],
    [1, 2],
  ])
})

test('more versions than one write removes go in one round', async () => {
  await using portal = await start({ schemaBytesOfPortal: 30_000 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  for (let number = 1; number <= 140; number += 1) await assign(admin, id, smallSchema(`Number ${number}`))
  expect(await assign(admin, id, largeSchema('one'))).toEqual(done)
  expect(await assign(admin, id, largeSchema('two'))).toEqual(done)
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 141 })
  expect(await versionsOf(admin, id)).toEqual([142])
})

test('the schema of a deleted group counts, goes where it is the largest, and after as many days as the limit says', async () => {
  await using portal = await start({ schemaBytesOfPortal: 60_000, deletedGroupDays: 10 })
  const admin = await portal.admin()
  const [first, second, third] = [
    await admin.createGroup('A'),
    await admin.createGroup('B'),
    await admin.createGroup('C'),
  ]
  await assign(admin, first.id, largeSchema('one'))
  await assign(admin, second.id, largeSchema('one', 4))
  for (const { id } of [first, second]) await admin.post(`/community/groups/${id}/delete`)
  const bytes = async () => Promise.all([first, second].map(async ({ id }) => (await keptOf(portal, id))?.bytes))
  const [ofFirst, ofSecond] = await bytes()
  expect((await usageOf(portal)).bytes).toBe(ofFirst! + ofSecond!)
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 0 })
  await assign(admin, third.id, largeSchema('six'))
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 1, bytes: ofFirst })
  expect(await bytes()).toEqual([undefined, ofSecond])
  portal.clock.now += 10 * day + 1
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ versions: 1, bytes: ofSecond, entries: 0 })
  expect(await bytes()).toEqual([undefined, undefined])
  expect(await usageOf(portal)).toEqual({ versions: 1, bytes: (await keptOf(portal, third.id))!.bytes })
})

test('counts agree after assigns, restores, deletions, removals and deleted groups', async () => {
  await using portal = await start({ schemaVersions: 16, schemaBytesOfPortal: 40_000, deletedGroupDays: 1 })
  let admin = await portal.admin()
  const random = seededRandom(5)
  const below = (end: number) => Math.floor(random() * end)
  const places = ['/portals/self']
  const seen = new Map<string, number>()
  for (let run = 0; run < 130; run += 1) {
    const place = places[below(places.length)]!
    const { version = 0 } = await admin.get(`${place}/categorySchema`, { withVersion: 'true' })
    const change = ['assign', 'assign', 'note', 'restore', 'delete', 'create', 'remove', 'house'][below(8)]!
    const name = String.fromCharCode(65 + below(26))
    let answer: Body
    if (change === 'assign')
      answer = await admin.post(`${place}/assignCategorySchema`, { categorySchema: largeSchema(name, 1) })
    else if (change === 'note') {
      const given = { categorySchema: smallSchema(name), comment: 'é'.repeat(1 + below(99)) }
      answer = await admin.post(`${place}/assignCategorySchema`, given)
    } else if (change === 'restore')
      answer = await admin.post(`${place}/categorySchema/versions/${version - below(3)}/restore`)
    else if (change === 'delete') answer = await admin.post(`${place}/deleteCategorySchema`)
    else if (change === 'create' && places.length < 5)
      places.push(`/community/groups/${(await admin.createGroup(`Group ${run}`)).id}`)
    else if (change === 'remove' && places.length > 1) answer = await admin.post(`${places.pop()}/delete`)
    else if (change === 'house') {
      portal.clock.now += below(3) * (day / 4)
      admin = await portal.admin()
      await runHousekeeping(houseOf(portal))
      expect((await usageOf(portal)).bytes).toBeLessThanOrEqual(40_000)
    }
    if (!answer?.error) seen.set(change, (seen.get(change) ?? 0) + 1)
    expect(await usageOf(portal), `run ${run}: ${change}`).toEqual(await storedIn(portal))
  }
  expect(Math.min(...seen.values()), JSON.stringify([...seen])).toBeGreaterThan(2)
})

/** Versions in the database and the bytes of their texts, as they are there. */
async function storedIn(portal: TestPortal) {
  const [row] = await new RawDatabase(portal).rows(`select count(*) as versions, coalesce(sum(
    coalesce(octet_length(document), 0) + coalesce(octet_length(comment), 0) + coalesce(octet_length(moves), 0)
    + coalesce(octet_length(path_moves), 0)), 0) as bytes from category_schema_versions`)
  return { versions: Number(row!['versions']), bytes: Number(row!['bytes']) }
}

test('housekeeping removes audit entries that are older than the limit, and expired tokens, and writes no entry', async () => {
  await using portal = await start({ auditDays: 5 })
  const admin = await portal.admin()
  await admin.createGroup('Maps')
  const count = () => portal.server.dependencies.storage.read(({ audit }) => audit.countEntries(portal.clock.now + 1))
  const before = await count()
  expect(before).toBeGreaterThan(1)
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ entries: 0 })
  expect(await count()).toBe(before)
  portal.clock.now += 5 * day + 1
  expect(await runHousekeeping(houseOf(portal))).toMatchObject({ entries: before })
  expect(await count()).toBe(0)
})
