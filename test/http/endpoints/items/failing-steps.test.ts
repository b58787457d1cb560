import { expect, test } from 'vitest'
import { openWorker, runJobs } from '../../../../src/background/jobs.ts'
import type { WriteCommand } from '../../../../src/operations/command.ts'
import { StorageUnavailable } from '../../../../src/storage/storage.ts'
import { RawDatabase } from '../../../support/databases/raw-database.ts'
import { openContent } from '../../../support/portal/content-world.ts'
import { houseOf } from '../../../support/portal/house.ts'
import type { Body, Client } from '../../../support/portal/portal.ts'

const begin = async (client: Client, items: readonly string[], change: object): Promise<string> =>
  (await client.post('/content/changeItems', { items: items.join(','), change: JSON.stringify(change) })).jobId
const read = (client: Client, jobId: string): Promise<Body> => client.get(`/portals/self/jobs/${jobId}`)

const tags = { tags: { add: ['water'] } }
const categories = { categories: { add: ['/Themes/Water'] } }
const unexpected = { code: 500, message: expect.stringMatching(/^An unexpected error .* request [0-9a-f]{32}\.$/) }

/** Damage to what a step reads, by the ids of the job and of the second of three items. */
const harms: readonly (readonly [string, object, (jobId: string, itemId: string) => string, 'item' | 'job'])[] = [
  ['an item', tags, (_, itemId) => `update items set title = 'Other' where item_id = '${itemId}'`, 'item'],
  ['an item', categories, (_, itemId) => `update items set title = 'Other' where item_id = '${itemId}'`, 'item'],
  [
    'a row of the job',
    tags,
    (jobId, itemId) => `update job_items set data = '{"itemId":"${itemId}"' where job_id = '${jobId}' and row = 2`,
    'item',
  ],
  ['the input', tags, (jobId) => `update job_items set data = '{' where job_id = '${jobId}' and row = 0`, 'job'],
  ['the failures', tags, (jobId) => `update jobs set failures = '{' where job_id = '${jobId}'`, 'job'],
]

test.each(harms)('%s that is damaged fails alone, and other jobs go on', async (...given) => {
  const [, change, harm, failing] = given
  await using world = await openContent(3)
  const { portal, anna, ids } = world
  const jobId = await begin(anna, ids, change)
  const other = await begin(anna, [ids[0]!], { access: 'org' })
  await new RawDatabase(portal).run(harm(jobId, ids[1]!))
  const reported: unknown[] = []
  const onFailure = (_: unknown, __: string, about?: Body) => reported.push(about.requestId)
  await runJobs(houseOf(portal), undefined, openWorker(houseOf(portal), { onFailure, onPause: () => undefined }))
  expect(await read(anna, other)).toMatchObject({ state: 'completed' })
  const job = await read(anna, jobId)
  if (failing === 'job') expect(job).toMatchObject({ state: 'failed', failures: [unexpected] })
  else {
    expect(job).toMatchObject({ state: 'completed_with_failures', done: 3 })
    expect(job.failures).toEqual([{ itemId: ids[1], ...unexpected }])
  }
  expect(reported).toContain(job.failures[0].message.slice(-33, -1))
})

test('a damaged change of a run is left, and the others are undone', async () => {
  await using world = await openContent(3)
  const { portal, anna, ids } = world
  const runId = await begin(anna, ids, tags)
  await runJobs(houseOf(portal))
  await new RawDatabase(portal).run(`update item_history set change = '{' where item_id = '${ids[1]}'`)
  const { jobId } = await anna.post(`/content/categories/runs/${runId}/revert`)
  await runJobs(houseOf(portal))
  expect((await read(anna, jobId)).failures).toEqual([{ itemId: ids[1], ...unexpected }])
  expect((await anna.get(`/content/items/${ids[0]}`)).tags).toEqual([])
})

test('items that all fail for one reason end the job, before each of them has failed', async () => {
  await using world = await openContent(12)
  const { portal, anna, ids } = world
  const jobId = await begin(anna, ids, tags)
  await new RawDatabase(portal).run(`update items set title = 'Other'`)
  await runJobs(houseOf(portal))
  const { state, done, failures } = await read(anna, jobId)
  expect([state, done, failures.length]).toEqual(['failed', 10, 11])
})

test('a database that goes away while a failure is counted loses neither the job nor the count', async () => {
  await using world = await openContent(2)
  const { portal, anna, ids } = world
  const needs = houseOf(portal)
  const { storage } = needs
  const jobId = await begin(anna, ids, tags)
  await new RawDatabase(portal).run(`update items set title = 'Other' where item_id = '${ids[0]}'`)
  let isAway = true
  const write = async (command: WriteCommand) => {
    if (command.operation === 'recordFailedStep' && isAway)
      throw new StorageUnavailable('The database does not answer.')
    return storage.write(command)
  }
  const worker = openWorker({ ...needs, storage: { ...storage, write } })
  for (let count = 0; count < 4; count += 1) await expect(worker.step()).rejects.toBeInstanceOf(StorageUnavailable)
  isAway = false
  await runJobs(needs, undefined, worker)
  expect(await read(anna, jobId)).toMatchObject({ state: 'completed_with_failures', done: 2, failures: [unexpected] })
})

test('a draft that fails unexpectedly has failed after the third time, and jobs take turns with it', async () => {
  await using world = await openContent(1)
  const { portal, admin, anna, ids } = world
  const path = '/portals/self/categorySchema/drafts'
  const categorySchema = JSON.stringify({ categorySchema: [{ title: 'Next', categories: [] }] })
  const { draftId: id } = await admin.post(path, { name: 'Next', categorySchema })
  await admin.post(`${path}/${id}/publish`, { publishAt: String(portal.clock.now + 1_000) })
  await new RawDatabase(portal).run(`update schema_drafts set moves = '{', checksum = null`)
  portal.clock.now += 1_000
  const jobId = await begin(anna, ids, tags)
  const worker = openWorker(houseOf(portal))
  await worker.step()
  await worker.step()
  expect(await read(anna, jobId)).toMatchObject({ state: 'completed' })
  await runJobs(houseOf(portal), undefined, worker)
  const { drafts } = await admin.get(path)
  expect(drafts).toMatchObject([{ id, state: 'failed', note: unexpected.message }])
})

test('while the disk is nearly full, jobs pause and say so', async () => {
  await using world = await openContent(1)
  const { portal, anna, ids } = world
  const jobId = await begin(anna, ids, tags)
  const needs = houseOf(portal)
  const limits = { ...needs.limits, freePercent: 100 }
  const said: boolean[] = []
  const reports = { onFailure: () => undefined, onPause: (pauses: boolean) => said.push(pauses) }
  const worker = openWorker(
    {
      ...needs,
      get limits() {
        return { ...limits }
      },
    },
    reports,
  )
  expect([await worker.step(), await worker.step(), said]).toEqual([false, false, [true]])
  expect(await read(anna, jobId)).toMatchObject({ state: 'running', done: 0 })
})
