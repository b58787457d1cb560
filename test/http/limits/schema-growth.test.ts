import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { defaultLimits, type Limits } from '../../../src/limits.ts'
import { RawDatabase } from '../../support/databases/raw-database.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { housekeep } from '../../support/portal/house.ts'
import { type Body, type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'

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
  const { bytes } = await storedIn(portal)
  for (let times = 1; times <= 5; times += 1) await assign(admin, id, largeSchema('same'))
  expect(await storedIn(portal)).toEqual({ versions: 6, bytes })
})

const countKept = (portal: TestPortal) =>
  portal.server.dependencies.storage.read(({ categories }) => categories.countVersions())

test('the schema of a deleted group counts, and goes after as many days as the limit says', async () => {
  await using portal = await start({ deletedGroupDays: 10 })
  const admin = await portal.admin()
  const { id } = await admin.createGroup('A')
  await assign(admin, id, largeSchema('one'))
  await admin.post(`/community/groups/${id}/delete`)
  const stored = await storedIn(portal)
  expect([await countKept(portal), await accountOf(portal)]).toEqual([stored.versions, stored.bytes])
  expect(await housekeep(portal)).toMatchObject({ versions: 0 })
  portal.clock.now += 10 * day + 1
  expect(await housekeep(portal)).toMatchObject({ versions: 1, entries: 0 })
  expect([await accountOf(portal), await countKept(portal)]).toEqual([0, 0])
})

test('counts agree after assigns, restores, deletions, removals and deleted groups', async () => {
  await using portal = await start({ schemaVersions: 16, deletedGroupDays: 1 })
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
      await housekeep(portal)
    }
    if (!answer?.error) seen.set(change, (seen.get(change) ?? 0) + 1)
    const { versions, bytes } = await storedIn(portal)
    expect([await countKept(portal), await accountOf(portal)], `run ${run}: ${change}`).toEqual([versions, bytes])
  }
  expect(Math.min(...seen.values()), JSON.stringify([...seen])).toBeGreaterThan(2)
})

/** Versions in the database and the bytes of their texts, as they are there. */
async function storedIn(portal: TestPortal) {
  const [row] = await new RawDatabase(portal).rows(`select count(*) as versions, coalesce(sum(
    coalesce(octet_length(document), 0) + coalesce(octet_length(comment), 0) + coalesce(octet_length(moves), 0)
    + coalesce(octet_length(path_moves), 0) + coalesce(octet_length(draft), 0)), 0) as bytes from category_schema_versions`)
  return { versions: Number(row!['versions']), bytes: Number(row!['bytes']) }
}

/** Bytes that count for all accounts: there is nothing but versions here. */
async function accountOf(portal: TestPortal): Promise<number> {
  const [row] = await new RawDatabase(portal).rows(`select coalesce(sum(bytes), 0) as bytes from (
    select bytes from item_counts where owner_kind = 'user' union all select bytes from item_count_changes) as counted`)
  return Number(row!['bytes'])
}

test('housekeeping removes audit entries that are older than the limit, and expired tokens, and writes no entry', async () => {
  await using portal = await start({ auditDays: 5 })
  const admin = await portal.admin()
  await admin.createGroup('Maps')
  const count = () => portal.server.dependencies.storage.read(({ audit }) => audit.countEntries(portal.clock.now + 1))
  const before = await count()
  expect(before).toBeGreaterThan(1)
  expect(await housekeep(portal)).toMatchObject({ entries: 0 })
  expect(await count()).toBe(before)
  portal.clock.now += 5 * day + 1
  expect(await housekeep(portal)).toMatchObject({ entries: before })
  expect(await count()).toBe(0)
})
