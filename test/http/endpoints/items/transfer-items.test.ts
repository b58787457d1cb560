import { describe, expect, test } from 'vitest'
import { openWorker, runJobs } from '../../../../src/background/jobs.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { houseOf } from '../../../support/portal/house.ts'
import { type Body, type Client, startPortal } from '../../../support/portal/portal.ts'

const unable = (detail: string) => refused('transfer items', detail)

/** A leaver with items, an heir, and the administrator. */
async function open(items: number) {
  const portal = await startPortal()
  const admin = await portal.admin()
  const leaver = await admin.invite('leaver')
  const heir = await admin.invite('heir')
  const ids: string[] = []
  for (let at = 0; at < items; at += 1) {
    const { id } = await leaver.post('/content/users/leaver/addItem', { title: `Lake ${at}`, type: 'Web Map' })
    ids.push(id)
  }
  return {
    portal,
    admin,
    leaver,
    heir,
    ids,
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}

const countOf = async (client: Client, username: string): Promise<number> =>
  (await client.get(`/content/users/${username}`, { num: 1 })).total

const transfer = (client: Client, parameters: Readonly<Record<string, string>>): Promise<Body> =>
  client.post('/community/users/leaver/transferItems', parameters)

const read = (client: Client, jobId: string): Promise<Body> => client.get(`/portals/self/jobs/${jobId}`)

describe('items of a leaver', () => {
  test('go to another user in steps, and the log says who gave what', async () => {
    await using world = await open(120)
    const { portal, admin } = world
    const begun = await transfer(admin, { targetUsername: 'heir' })
    expect(begun).toEqual({ jobId: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const started = portal.clock.now
    expect(await read(admin, begun.jobId)).toEqual({
      ...{ id: begun.jobId, kind: 'transferItems', state: 'running', done: 0, total: 120 },
      ...{ failures: [], started, ended: null },
    })
    await openWorker(houseOf(portal)).step()
    expect(await read(admin, begun.jobId)).toMatchObject({ state: 'running', done: 5 })
    portal.clock.now += 1_000
    await runJobs(houseOf(portal))
    const ended = { state: 'completed', done: 120, total: 120, failures: [], started, ended: started + 1_000 }
    expect(await read(admin, begun.jobId)).toMatchObject(ended)
    expect([await countOf(admin, 'leaver'), await countOf(admin, 'heir')]).toEqual([0, 120])

    const { items: entries } = await admin.get('/portals/self/history', { all: 'true', actions: 'reassignItem' })
    expect(entries.flatMap(({ data }: Body) => data.targets).toSorted()).toEqual(world.ids.toSorted())
    expect(new Set(entries.map(({ actor }: Body) => actor))).toEqual(new Set(['admin']))
  })

  test('are deleted, but for those that are protected, which the job names', async () => {
    await using world = await open(60)
    const { portal, admin, leaver, ids } = world
    for (const itemId of ids.slice(0, 2)) await leaver.post(`/content/users/leaver/items/${itemId}/protect`)
    const { jobId } = await transfer(admin, { delete: 'true' })
    await runJobs(houseOf(portal))
    const job = await read(admin, jobId)
    expect(job).toMatchObject({ state: 'completed_with_failures', done: 60, total: 60 })
    expect(job.failures.map(({ itemId, code }: Body) => [itemId, code]).toSorted()).toEqual(
      ids
        .slice(0, 2)
        .map((itemId) => [itemId, 400])
        .toSorted(),
    )
    expect(await countOf(admin, 'leaver')).toBe(2)
  })

  test('of a job that is cancelled, the rest stays', async () => {
    await using world = await open(60)
    const { portal, admin } = world
    const { jobId } = await transfer(admin, { targetUsername: 'heir' })
    await openWorker(houseOf(portal)).step()
    const cancel = () => admin.post(`/portals/self/jobs/${jobId}/cancel`)
    expect(await cancel()).toEqual({ success: true })
    await runJobs(houseOf(portal))
    expect(await read(admin, jobId)).toMatchObject({ state: 'cancelled', done: 5 })
    expect([await countOf(admin, 'leaver'), await countOf(admin, 'heir')]).toEqual([55, 5])
    expect(await cancel()).toEqual(refused('cancel job', 'The job has ended already: it is cancelled.'))
  })

  test('go no further when who began it, or who gets them, may not any more', async () => {
    await using world = await open(110)
    const { portal, admin } = world
    const roleId = await admin.createRole('Mover', ['portal:admin:reassignItems', 'portal:admin:viewUsers'])
    const mover = await admin.invite('mover', roleId)
    const { jobId } = await transfer(mover, { targetUsername: 'heir' })
    expect(await transfer(mover, { delete: 'true' })).toMatchObject({ error: { code: 403 } })
    await openWorker(houseOf(portal)).step()
    await admin.post('/portals/self/updateuserrole', { user: 'mover', role: 'org_user' })
    await runJobs(houseOf(portal))
    const failed = await read(admin, jobId)
    expect(failed).toMatchObject({ state: 'failed', done: 5, failures: [{ code: 403 }] })
    // The user who started it can still read it, and no other user can.
    expect(await read(mover, jobId)).toEqual(failed)
    expect(await mover.get('/portals/self/jobs')).toMatchObject({ total: 1, jobs: [failed] })
    expect(await read(world.heir, jobId)).toMatchObject({ error: { code: 403 } })
    expect(await world.heir.get('/portals/self/jobs')).toMatchObject({ total: 0, jobs: [] })

    const again = await transfer(admin, { targetUsername: 'heir' })
    await admin.post('/community/users/heir/disable')
    await runJobs(houseOf(portal))
    expect(await read(admin, again.jobId)).toMatchObject({
      state: 'failed',
      failures: [{ code: 400, message: 'targetUsername: heir is not another enabled user of the organization.' }],
    })
    expect(await countOf(admin, 'leaver')).toBe(105)
  })

  test('of a server that ended in the midst go on where it was, with the next one', async () => {
    await using world = await open(120)
    const { portal, admin } = world
    const { jobId } = await transfer(admin, { targetUsername: 'heir' })
    await openWorker(houseOf(portal)).step()
    const ended = new AbortController()
    ended.abort()
    await runJobs(houseOf(portal), ended.signal)
    expect(await read(admin, jobId)).toMatchObject({ state: 'running', done: 5 })
    await Promise.all([runJobs(houseOf(portal)), runJobs(houseOf(portal))])
    expect(await read(admin, jobId)).toMatchObject({ state: 'completed', done: 120 })
    expect(await countOf(admin, 'heir')).toBe(120)
  })
})

test('a transfer that could not end well is not begun', async () => {
  await using portal = await startPortal({ isReused: false, environment: { LIMIT_ITEMS_OWNED: '2' } })
  const admin = await portal.admin()
  const leaver = await admin.invite('leaver')
  const heir = await admin.invite('heir')
  for (const [client, name] of [
    [leaver, 'leaver'],
    [leaver, 'leaver'],
    [heir, 'heir'],
  ] as const) {
    await client.post(`/content/users/${name}/addItem`, { title: 'Lake', type: 'Web Map' })
  }
  const either = 'Either targetUsername or delete=true is needed: who gets the items, or that they are deleted.'
  expect(await transfer(admin, {})).toEqual(unable(either))
  expect(await transfer(admin, { targetUsername: 'heir', delete: 'true' })).toEqual(unable(either))
  for (const name of ['leaver', 'unknown']) {
    const detail = `targetUsername: ${name} is not another enabled user of the organization.`
    expect(await transfer(admin, { targetUsername: name })).toEqual(unable(detail))
  }
  expect(await transfer(admin, { targetUsername: 'heir' })).toMatchObject({
    error: { message: 'Unable to transfer items.', details: [expect.stringContaining('heir')] },
  })
})
