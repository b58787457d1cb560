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

test('an invitation to a group is accepted or declined, and that once', async () => {
  const outcomes = await race(async (world, groupId) => {
    await world.bert.post(`/community/groups/${groupId}/invite`, { users: 'anna', role: 'group_member' })
    const { userInvitations } = await world.anna.get('/community/users/anna/invitations')
    const { id } = userInvitations.find((one: Body) => one.targetId === groupId)
    const answer = (verb: string) => world.anna.post(`/community/users/anna/invitations/${id}/${verb}`)
    const answers = await Promise.all([answer('accept'), answer('decline'), answer('accept'), answer('decline')])
    return { answers, isMember: await isMember(world, groupId) }
  })
  for (const { answers, isMember: joined } of outcomes) {
    expect(winners(answers)).toBe(1)
    expect(joined).toBe(winners([answers[0]!, answers[2]!]) === 1)
  }
})

test('a request to join a group is accepted or declined, and that once', async () => {
  const outcomes = await race(async (world, groupId) => {
    expect(await world.anna.post(`/community/groups/${groupId}/join`)).toMatchObject({ success: true })
    const answer = (verb: string) => world.bert.post(`/community/groups/${groupId}/applications/anna/${verb}`)
    const answers = await Promise.all([answer('accept'), answer('decline'), answer('accept'), answer('decline')])
    return { answers, isMember: await isMember(world, groupId) }
  })
  for (const { answers, isMember: joined } of outcomes) {
    expect(winners(answers)).toBe(1)
    expect(joined).toBe(winners([answers[0]!, answers[2]!]) === 1)
  }
})

/** An item of anna, a member of the group. */
async function addItem({ anna, bert }: World, groupId: string): Promise<string> {
  await bert.post(`/community/groups/${groupId}/addUsers`, { users: 'anna' })
  return (await anna.post('/content/users/anna/addItem', { title: 'Lakes', type: 'Web Map' })).id
}

const share = ({ anna }: World, id: string, groups: string) =>
  anna.post(`/content/users/anna/items/${id}/share`, { groups })

const isShared = ({ notSharedWith }: Body) => notSharedWith.length === 0

test('nothing stays shared with a group that is removed meanwhile', async () => {
  await race(async (world, groupId) => {
    const ids = [await addItem(world, groupId), await addItem(world, groupId)]
    const [before, removed, after] = await Promise.all([
      share(world, ids[0]!, groupId),
      world.bert.post(`/community/groups/${groupId}/delete`),
      share(world, ids[1]!, groupId),
    ])
    expect(removed).toMatchObject({ success: true })
    for (const answer of [before, after]) expect([true, false]).toContain(isShared(answer))
    for (const id of ids) {
      const { item, sharing } = await world.anna.get(`/content/users/anna/items/${id}`)
      expect([item.access, sharing]).toEqual(['private', { access: 'private', groups: [] }])
      expect(await world.bert.get(`/content/items/${id}`)).toEqual(itemNotFound)
      expect(await world.admin.get('/search', { q: `id:${id} access:shared` })).toMatchObject({ total: 0 })
    }
  })
})

test('nothing of a member who is removed meanwhile stays shared with the group', async () => {
  await race(async (world, groupId) => {
    const ids = [await addItem(world, groupId), await addItem(world, groupId)]
    const [before, removed, after] = await Promise.all([
      share(world, ids[0]!, groupId),
      world.bert.post(`/community/groups/${groupId}/removeUsers`, { users: 'anna' }),
      share(world, ids[1]!, groupId),
    ])
    expect(removed).toEqual({ notRemoved: [] })
    for (const answer of [before, after]) expect([true, false]).toContain(isShared(answer))
    for (const id of ids) {
      const { item, sharing } = await world.anna.get(`/content/users/anna/items/${id}`)
      expect([item.access, sharing.groups]).toEqual(['private', []])
      expect(await world.bert.get(`/content/items/${id}`)).toEqual(itemNotFound)
    }
    expect(await world.bert.get('/search', { q: `group:${groupId}` })).toMatchObject({ total: 0 })
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
