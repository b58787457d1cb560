import { seededRandom } from '../support/inputs/seeded-random.ts'
import { HookReader } from '../support/portal/hook-reader.ts'
import type { Body, Client } from '../support/portal/portal.ts'
import { expect, test } from '../support/portal/test.ts'

/** Changes that conflict, on one server and on several: each that was made is reported once, in the order of its object, and nothing else. */

const schemaOf = (title: string) => [{ title: 'Categories', categories: [{ title }] }]

/** Number of changes that are asked for at the same time. */
const atOnce = 8
const rounds = 12

test('each change of an object is reported once and in order, whichever user makes it meanwhile', async ({
  admin,
  anna,
}) => {
  const random = seededRandom(56)
  const groups = [await admin.createGroup('Lakes', { access: 'org' }), await admin.createGroup('Rivers')]
  for (const { id } of groups) await admin.post(`/community/groups/${id}/addUsers`, { admins: 'anna' })
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Map', type: 'Web Map' })
  const all = await HookReader.make(admin, '/')
  const one = await HookReader.make(admin, `/groups/${groups[0]!.id}`, 'One group')

  const titles = new Map<string, string[]>(groups.map(({ id }) => [id, []]))
  const itemTitles: string[] = []
  let assigned = 0
  for (let round = 0; round < rounds; round += 1) {
    const works = Array.from({ length: atOnce }, async (_, at) => {
      const client: Client = random() < 0.5 ? admin : anna
      const group = groups[Math.floor(random() * groups.length)]!
      const kind = random()
      const word = `${round} ${at}`
      if (kind < 0.4) {
        const categorySchema = schemaOf(word)
        const path = `/community/groups/${group.id}/assignCategorySchema`
        if ((await client.post(path, { categorySchema })).success) assigned += 1
      } else if (kind < 0.7) {
        const { success } = await client.post(`/community/groups/${group.id}/update`, { title: word })
        if (success) titles.get(group.id)!.push(word)
      } else if (kind < 0.9) {
        const { success } = await admin.post(`/content/users/admin/items/${itemId}/update`, { title: word })
        if (success) itemTitles.push(word)
      } else {
        // Refused, after its permission was checked.
        await client.post(`/community/groups/${group.id}/assignCategorySchema`, { categorySchema: '[]' })
        await anna.post(`/content/users/admin/items/${itemId}/update`, { title: word })
      }
    })
    await Promise.all(works)
  }

  const events = await all.events()
  const of = (id: string, operation: string): readonly Body[] =>
    events.filter((event) => event.id === id && event.operation === operation)
  let reported = 0
  for (const { id } of groups) {
    const { versions } = await admin.get(`/community/groups/${id}/categorySchema/versions`, { num: '100' })
    const made = versions.map(({ version }: Body) => version).toReversed()
    expect(of(id, 'assignCategorySchema').map(({ properties }) => properties.version)).toEqual(made)
    reported += made.length
    const renamed = of(id, 'update').map(({ properties }) => properties.title)
    expect(renamed.toSorted()).toEqual(titles.get(id)!.toSorted())
    if (renamed.length > 0) expect((await admin.get(`/community/groups/${id}`)).title).toBe(renamed.at(-1))
  }
  expect(reported).toBe(assigned)
  const itemsTold = of(itemId, 'update').map(({ properties }) => properties.title)
  expect(itemsTold.toSorted()).toEqual(itemTitles.toSorted())
  expect((await admin.get(`/content/items/${itemId}`)).title).toBe(itemsTold.at(-1))
  expect(events).toHaveLength(reported + itemTitles.length + [...titles.values()].flat().length)

  const ofOne = await one.events()
  const ids = (some: readonly Body[]) => some.map(({ eventId }) => eventId)
  expect(ids(ofOne)).toEqual(ids(events.filter(({ id, source }) => source === 'group' && id === groups[0]!.id)))
})

test('two readers share the deliveries, each of which is fetched by one of them', async ({ admin }) => {
  const { id } = await HookReader.make(admin, '/groups/add')
  for (let at = 0; at < 12; at += 1) await admin.createGroup(`Group ${at}`)
  const pull = () => admin.post(`/portals/self/webhooks/${id}/pull`, { max: '4' })
  const answers = await Promise.all([pull(), pull(), pull(), pull()])
  const fetched = answers.flatMap(({ deliveries = [] }) => deliveries.map((delivery: Body) => delivery.id))
  expect(new Set(fetched).size).toBe(fetched.length)
  expect(fetched).toHaveLength(12)
})
