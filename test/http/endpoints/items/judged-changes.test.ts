import { expect, test } from 'vitest'
import { openContent } from '../../../support/portal/content-world.ts'
import type { Body } from '../../../support/portal/portal.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`)

test('tags that an item may not have come by no way', async () => {
  await using world = await openContent(1)
  const { anna, doJobs } = world
  const [id] = world.ids as [string]
  const change = (tags: Body): Promise<Body> =>
    anna.post('/content/changeItems', { items: id, change: JSON.stringify({ tags }) })
  const update = (tags: readonly string[]): Promise<Body> =>
    anna.post(`/content/users/anna/items/${id}/update`, { tags: JSON.stringify(tags) })
  const tagsOf = async () => (await anna.get(`/content/items/${id}`)).tags

  await update(numbered(128))
  const { jobId } = await change({ add: ['one more'] })
  await doJobs()
  const tooMany = 'tags: has 129 entries; at most 128 are allowed.'
  expect(await anna.get(`/portals/self/jobs/${jobId}`)).toMatchObject({
    state: 'completed_with_failures',
    failures: [{ itemId: id, code: 400, message: tooMany }],
  })
  expect(await tagsOf()).toEqual(numbered(128))

  // Undoing the first of two changes would give the tags of both.
  await update(['x'])
  await update(['x', ...numbered(127).map((tag) => `new ${tag}`)])
  const { history } = await anna.get(`/content/items/${id}/history`)
  const undone = await anna.post(`/portals/self/history/${history[1].id}/revert`)
  expect(undone).toMatchObject({
    results: [{ success: false, error: { message: expect.stringMatching(/^tags: has 255/) } }],
  })
})

test('a group that gives control of its items gets them only where that is confirmed', async () => {
  await using world = await openContent(1)
  const { admin, anna, doJobs } = world
  const [id] = world.ids as [string]
  const { id: group } = await admin.createGroup('Team', { capabilities: 'updateitemcontrol' })
  await admin.post(`/community/groups/${group}/addUsers`, { users: 'anna' })
  const change = async (more: Body = {}) => {
    const given = { items: id, change: JSON.stringify({ groups: { add: [group] } }), ...more }
    const { jobId } = await anna.post('/content/changeItems', given)
    await doJobs()
    return anna.get(`/portals/self/jobs/${jobId}`)
  }
  expect(await change()).toMatchObject({
    failures: [{ code: 400, message: expect.stringContaining('confirmItemControl has to be true') }],
  })
  expect(await change({ confirmItemControl: true })).toMatchObject({ state: 'completed', failures: [] })
})
