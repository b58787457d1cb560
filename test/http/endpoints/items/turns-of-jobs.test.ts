import { expect, test } from 'vitest'
import { openWorker, runJobs } from '../../../../src/background/jobs.ts'
import { openContent } from '../../../support/portal/content-world.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { houseOf } from '../../../support/portal/house.ts'
import type { Body, Client } from '../../../support/portal/portal.ts'

const tag = { tags: { add: ['water'] } }
const noItem = '0'.repeat(32)

const change = (client: Client, items: readonly string[], given: Body = tag): Promise<Body> =>
  client.post('/content/changeItems', { items: items.join(','), change: JSON.stringify(given) })
const begin = async (client: Client, items: readonly string[]): Promise<string> => (await change(client, items)).jobId
const read = (client: Client, jobId: string): Promise<Body> => client.get(`/portals/self/jobs/${jobId}`)
const stateOf = async (client: Client, jobId: string): Promise<string> => (await read(client, jobId)).state

test('two jobs of a person run, twenty wait, and more are refused; another person has places of their own', async () => {
  await using world = await openContent(1)
  const { portal, admin, anna, ids } = world
  const jobs: string[] = []
  for (let count = 0; count < 22; count += 1) {
    portal.clock.now += 1
    jobs.push(await begin(anna, ids))
  }
  const states = async () => (await anna.get('/portals/self/jobs', { num: 100 })).jobs.map(({ state }: Body) => state)
  expect((await states()).toReversed().slice(0, 3)).toEqual(['running', 'running', 'waiting'])
  expect(await change(anna, ids)).toEqual(
    refused('change items', '20 of your jobs are waiting already; wait for one, or cancel it.'),
  )
  expect(await stateOf(admin, await begin(admin, ids))).toBe('running')
  await anna.post(`/portals/self/jobs/${jobs[1]}/cancel`)
  expect([await stateOf(anna, jobs[2]!), await stateOf(anna, jobs[3]!)]).toEqual(['running', 'waiting'])
  await anna.post(`/portals/self/jobs/${jobs[3]}/cancel`)
  expect(await stateOf(anna, jobs[3]!)).toBe('cancelled')
  await runJobs(houseOf(portal))
  expect(new Set(await states())).toEqual(new Set(['completed', 'cancelled']))
})

test('of the twenty places of an organization, two are left to administrators', async () => {
  await using world = await openContent(1)
  const { portal, admin, anna, ids } = world
  const people = [anna]
  while (people.length < 10) people.push(await admin.invite(`member${people.length}`))
  const jobs: string[] = []
  for (const person of people) for (let count = 0; count < 2; count += 1) jobs.push(await begin(person, [noItem]))
  const states = await Promise.all(jobs.map((jobId) => stateOf(admin, jobId)))
  expect(states).toEqual([...Array(18).fill('running'), 'waiting', 'waiting'])
  const ofAdmin = [await begin(admin, ids), await begin(admin, ids)]
  expect([await stateOf(admin, ofAdmin[0]!), await stateOf(admin, ofAdmin[1]!)]).toEqual(['running', 'running'])
  await runJobs(houseOf(portal))
  expect(await stateOf(admin, jobs[19]!)).toBe('completed_with_failures')
})

test('organizations take turns, then people, then jobs', async () => {
  await using world = await openContent(1)
  const { portal, admin, anna } = world
  const neighbour = await portal.otherOrganization()
  const unknown = Array.from({ length: 60 }, (_, at) => at.toString(16).padStart(32, '0'))
  const jobs = new Map<string, readonly [Client, string]>()
  for (const [name, client] of [
    ['anna 1', anna],
    ['anna 2', anna],
    ['admin', admin],
    ['neighbour', neighbour],
  ] as const) {
    portal.clock.now += 1
    jobs.set(name, [client, await begin(client, unknown)])
  }
  const worker = openWorker(houseOf(portal))
  const done = new Map<string, number>()
  const turns: string[] = []
  for (let count = 0; count < 8; count += 1) {
    await worker.step()
    for (const [name, [client, jobId]] of jobs) {
      const now = (await read(client, jobId)).done
      if (now !== (done.get(name) ?? 0)) turns.push(name)
      done.set(name, now)
    }
  }
  expect(turns).toEqual(['anna 1', 'neighbour', 'admin', 'neighbour', 'anna 2', 'neighbour', 'admin', 'neighbour'])
})

test('a job is stepped by the server that has leased it, until the lease ends with its holder', async () => {
  await using world = await openContent(1)
  const { portal, anna, ids } = world
  const { storage } = portal.server.dependencies
  const jobId = await begin(anna, ids)
  const { execute } = await import('../../../../src/background/housekeeping.ts')
  expect(await execute(houseOf(portal), 'leaseJob', { jobId, holder: 'a server that is killed' })).toEqual({
    isLeased: true,
  })
  expect(await openWorker(houseOf(portal)).step()).toBe(false)
  expect(await storage.read(async ({ jobs }) => (await jobs.findJob(jobId))?.done)).toBe(0)
  portal.clock.now += 10_000
  expect(await openWorker(houseOf(portal)).step()).toBe(true)
  expect(await stateOf(anna, jobId)).toBe('completed')
})

test('ended jobs of a person are kept up to 200, and runs that can be undone beside them', async () => {
  await using world = await openContent(1)
  const { portal, anna, ids } = world
  const first = await begin(anna, ids)
  await runJobs(houseOf(portal))
  for (let count = 0; count < 202; count += 1) {
    portal.clock.now += 1
    await anna.post(`/portals/self/jobs/${await begin(anna, [noItem])}/cancel`)
  }
  expect((await anna.get('/portals/self/jobs')).total).toBe(201)
  expect(await stateOf(anna, first)).toBe('completed')
})
