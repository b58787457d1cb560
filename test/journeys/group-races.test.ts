import { expect, test } from 'vitest'
import { itemNotFound } from '../support/portal/envelopes.ts'
import { type Body, type Client, isReplicated, startPortal } from '../support/portal/portal.ts'

/** Answers to what may happen once only, and changes of who sees what while it is shared: on one server, and on several. */

/** Number of concurrent races; where servers share a database, conflicts take their time. */
const lanes = isReplicated ? 4 : 8
const heats = isReplicated ? 2 : 1

interface World {
  readonly admin: Client
  readonly anna: Client
  readonly bert: Client
}

/** Runs concurrent races, each on a group of bert of its own, in several heats; resolves with the final state of each. */
async function race<Outcome>(run: (world: World, groupId: string) => Promise<Outcome>): Promise<readonly Outcome[]> {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const world = { admin, anna: await admin.invite('anna'), bert: await admin.invite('bert') }
  const outcomes: Outcome[] = []
  for (let heat = 0; heat < heats; heat += 1) {
    const groups = await Promise.all(
      Array.from({ length: lanes }, () => world.bert.createGroup('Maps', { access: 'org' })),
    )
    outcomes.push(...(await Promise.all(groups.map(({ id }) => run(world, id)))))
  }
  expect(outcomes).toHaveLength(lanes * heats)
  return outcomes
}

const winners = (answers: readonly Body[]) => answers.filter(({ success }) => success).length

const isMember = async ({ anna }: World, groupId: string) =>
  (await anna.get(`/community/groups/${groupId}`)).userMembership.memberType === 'member'

/** Questions that one asks the other, each with who answers and the path of the answers. */
const questions = {
  'an invitation to a group': async ({ anna, bert }: World, groupId: string) => {
    await bert.post(`/community/groups/${groupId}/invite`, { users: 'anna', role: 'group_member' })
    const { userInvitations } = await anna.get('/community/users/anna/invitations')
    const { id } = userInvitations.find((one: Body) => one.targetId === groupId)
    return [anna, `/community/users/anna/invitations/${id}`] as const
  },
  'a request to join a group': async ({ anna, bert }: World, groupId: string) => {
    expect(await anna.post(`/community/groups/${groupId}/join`)).toMatchObject({ success: true })
    return [bert, `/community/groups/${groupId}/applications/anna`] as const
  },
}

test.each(Object.entries(questions))('%s is accepted or declined, and that once', async (_, put) => {
  await race(async (world, groupId) => {
    const [client, path] = await put(world, groupId)
    const answers = await Promise.all(
      ['accept', 'decline', 'accept', 'decline'].map((verb) => client.post(`${path}/${verb}`)),
    )
    expect(winners(answers)).toBe(1)
    expect(await isMember(world, groupId)).toBe(winners([answers[0]!, answers[2]!]) === 1)
  })
})

/** An item of anna, a member of the group. */
async function addItem({ anna, bert }: World, groupId: string): Promise<string> {
  await bert.post(`/community/groups/${groupId}/addUsers`, { users: 'anna' })
  return (await anna.post('/content/users/anna/addItem', { title: 'Lakes', type: 'Web Map' })).id
}

const share = ({ anna }: World, id: string, groups: string) =>
  anna.post(`/content/users/anna/items/${id}/share`, { groups })

const isShared = ({ notSharedWith }: Body) => notSharedWith.length === 0

test.each([
  ['with a group that is removed meanwhile', 'delete', { success: true }],
  ['with the group of a member who is removed meanwhile', 'removeUsers', { notRemoved: [] }],
])('nothing stays shared %s', async (_, operation, done) => {
  await race(async (world, groupId) => {
    const ids = [await addItem(world, groupId), await addItem(world, groupId)]
    const [before, removed, after] = await Promise.all([
      share(world, ids[0]!, groupId),
      world.bert.post(`/community/groups/${groupId}/${operation}`, operation === 'delete' ? {} : { users: 'anna' }),
      share(world, ids[1]!, groupId),
    ])
    expect(removed).toMatchObject(done)
    for (const answer of [before, after]) expect([true, false]).toContain(isShared(answer))
    for (const id of ids) {
      const { item, sharing } = await world.anna.get(`/content/users/anna/items/${id}`)
      expect([item.access, sharing]).toEqual(['private', { access: 'private', groups: [] }])
      expect(await world.bert.get(`/content/items/${id}`)).toEqual(itemNotFound)
      expect(await world.admin.get('/search', { q: `id:${id} access:shared` })).toMatchObject({ total: 0 })
      expect(await world.bert.get('/search', { q: `group:${groupId}` })).toMatchObject({ total: 0 })
    }
  })
})

test('of a group that is opened and an item of the organization that a manager shares there, one comes first', async () => {
  await race(async (world, groupId) => {
    const { id } = await world.anna.post('/content/users/anna/addItem', { title: 'Lakes', type: 'Web Map' })
    await world.anna.post(`/content/users/anna/items/${id}/share`, { org: 'true' })
    const [opened, shared] = await Promise.all([
      world.bert.post(`/community/groups/${groupId}/update`, { membershipAccess: 'none' }),
      world.bert.post(`/content/items/${id}/share`, { groups: groupId }),
    ])
    expect([opened.success === true, isShared(shared)].filter(Boolean)).toHaveLength(1)
  })
})
