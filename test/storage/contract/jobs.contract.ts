import { expect, test } from 'vitest'
import type { Job } from '../../../src/jobs/job.ts'
import { addPeople, aJob, anId, noon, type OpenStorage } from './records.ts'

/** Work that is done in steps. */
export function jobsContract(open: OpenStorage): void {
  async function openWith(...jobs: readonly Job[]) {
    const storage = await open()
    await addPeople(storage)
    for (const job of jobs) await storage.write((stores) => stores.jobs.addJob(job, { of: job.jobId }))
    return {
      storage,
      find: (jobId: string) => storage.read((stores) => stores.jobs.findJob(jobId)),
      running: async () => (await storage.read((stores) => stores.jobs.listRunningJobs())).map(({ jobId }) => jobId),
    }
  }

  test('a job is found as it was last put', async () => {
    const { storage, find } = await openWith(aJob())
    expect(await find(anId(500))).toStrictEqual(aJob())
    expect(await find(anId(501))).toBeUndefined()
    const failures = [
      { itemId: anId(7), code: 400, message: 'Unable to delete item.' },
      { code: 403, message: 'No.' },
    ]
    const ended = {
      state: 'failed',
      done: 2,
      failures,
      position: anId(7),
      steppedAt: noon + 1,
      endedAt: noon + 1,
    } as const
    await storage.write((stores) => stores.jobs.putJob(aJob(ended)))
    expect(await find(anId(500))).toStrictEqual(aJob(ended))
  })

  test('running jobs are listed, the one whose last step was longest ago first', async () => {
    const { storage, running } = await openWith(
      aJob({ jobId: anId(500), steppedAt: noon + 2 }),
      aJob({ jobId: anId(501), steppedAt: noon + 1 }),
      aJob({ jobId: anId(502), state: 'completed', endedAt: noon }),
      aJob({ jobId: anId(503), state: 'waiting' }),
    )
    expect(await running()).toEqual([anId(501), anId(500)])
    const figures = () => storage.read((stores) => stores.jobs.countJobs())
    expect(await figures()).toEqual({ running: 2, waiting: 1, oldestStep: noon + 1 })
    await storage.write((stores) => stores.jobs.startJob(anId(503), noon + 3))
    expect(await running()).toEqual([anId(501), anId(500), anId(503)])
    for (const jobId of [anId(500), anId(501), anId(503)]) {
      await storage.write((stores) => stores.jobs.failJob(jobId, { code: 500, message: 'No.' }, noon + 4))
    }
    expect(await running()).toEqual([])
    expect(await figures()).toEqual({ running: 0, waiting: 0, oldestStep: undefined })
  })

  test('the input goes with the end of the job, and its rows with it', async () => {
    const { storage } = await openWith(aJob())
    await storage.write((stores) => stores.jobs.addJobItems(anId(500), [{ row: 1, data: { itemId: anId(7) } }]))
    const kept = () =>
      storage.read(async ({ jobs }) => [await jobs.findJobInput(anId(500)), await jobs.listJobItems(anId(500), 0, 9)])
    expect(await kept()).toEqual([{ of: anId(500) }, [{ row: 1, data: { itemId: anId(7) } }]])
    expect(await storage.read((stores) => stores.jobs.findJobRow(anId(500), 0))).toEqual({ row: 1, itemId: anId(7) })
    await storage.write((stores) => stores.jobs.putJob(aJob({ state: 'completed', endedAt: noon })))
    expect(await kept()).toEqual([undefined, []])
  })

  test('a job is leased to one server, until its step is stored, failed, or late', async () => {
    const { storage } = await openWith(aJob())
    const lease = (holder: string, now: number) =>
      storage.write((stores) => stores.jobs.leaseJob(anId(500), holder, now, now + 10))
    expect([await lease('one', 0), await lease('other', 9), await lease('one', 9)]).toEqual([true, false, true])
    expect([await lease('other', 19), await lease('one', 20)]).toEqual([true, false])
    expect(await storage.write((stores) => stores.jobs.addFailedStep(anId(500)))).toBe(1)
    expect(await lease('one', 20)).toBe(true)
    expect(await storage.write((stores) => stores.jobs.addFailedStep(anId(500)))).toBe(2)
    await storage.write((stores) => stores.jobs.putJob(aJob()))
    expect(await storage.write((stores) => stores.jobs.addFailedStep(anId(500)))).toBe(1)
    expect(await lease('other', 20)).toBe(true)
  })

  test('a waiting job is found for a place that its starter may have', async () => {
    const { storage } = await openWith(
      aJob(),
      aJob({ jobId: anId(501), state: 'waiting' }),
      aJob({ jobId: anId(502), state: 'waiting', starterId: anId(2), startedAt: noon + 1 }),
      aJob({ jobId: anId(503), state: 'waiting', starterId: anId(3), startedAt: noon + 2, byAdministrator: true }),
    )
    const find = (maxOfPerson: number, byAdministrator = false) =>
      storage.read((stores) => stores.jobs.findWaitingJob(aJob().portalId, { maxOfPerson, byAdministrator }))
    expect([await find(2), await find(1), await find(1, true), await find(0)]).toEqual([
      anId(501),
      anId(502),
      anId(503),
      undefined,
    ])
    expect(await storage.read((stores) => stores.jobs.countUnendedJobs(aJob().portalId, anId(1)))).toEqual({
      running: 1,
      ofPerson: { running: 1, waiting: 1 },
    })
  })

  test('jobs are listed by who began them, the last that began first', async () => {
    const { storage } = await openWith(
      aJob(),
      aJob({ jobId: anId(501), startedAt: noon + 1 }),
      aJob({ jobId: anId(502), startedAt: noon + 2, starterId: anId(2) }),
    )
    const list = async (starterId: string | undefined, page = { start: 1, num: 10 }) => {
      const { total, entries } = await storage.read((stores) => stores.jobs.listJobs(aJob().portalId, starterId, page))
      return [total, ...entries.map(({ jobId }) => jobId)]
    }
    expect(await list(undefined)).toEqual([3, anId(502), anId(501), anId(500)])
    expect(await list(anId(1))).toEqual([2, anId(501), anId(500)])
    expect(await list(undefined, { start: 2, num: 1 })).toEqual([3, anId(501)])
  })

  test('of the ended jobs of a person, the oldest above a number are removed', async () => {
    const { storage, find } = await openWith(
      aJob(),
      ...[501, 502, 503].map((id) => aJob({ jobId: anId(id), state: 'completed', endedAt: noon + id })),
      aJob({ jobId: anId(504), state: 'completed', endedAt: noon, starterId: anId(2) }),
    )
    await storage.write((stores) => stores.jobs.removeExcessJobs(anId(1), 1))
    const left = await Promise.all([500, 501, 502, 503, 504].map((id) => find(anId(id))))
    expect(left.map((job) => job?.jobId)).toEqual([anId(500), undefined, undefined, anId(503), anId(504)])
  })

  test('jobs that ended before a time are removed, and no others', async () => {
    const { storage, find } = await openWith(
      aJob(),
      aJob({ jobId: anId(501), state: 'completed', endedAt: noon }),
      aJob({ jobId: anId(502), state: 'completed', endedAt: noon + 1 }),
      aJob({ jobId: anId(503), kind: 'changeItems', state: 'completed', endedAt: noon - 1 }),
      aJob({ jobId: anId(504), kind: 'changeItems', state: 'completed', endedAt: noon - 2 }),
    )
    await storage.write((stores) => stores.jobs.removeJobs(noon + 1, noon - 1))
    const left = await Promise.all([500, 501, 502, 503, 504].map((number) => find(anId(number))))
    expect(left.map((job) => job?.jobId)).toEqual([anId(500), undefined, anId(502), anId(503), undefined])
  })
}
