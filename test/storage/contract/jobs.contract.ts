import { expect } from 'vitest'
import type { Job } from '../../../src/jobs/job.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, aJob, anId, noon, type OpenStorage, testOn, totalAnd } from './records.ts'

/** Work that is done in steps. */
export function jobsContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  async function add({ jobs }: WorkStorage, ...given: readonly Job[]): Promise<void> {
    for (const job of given) await jobs.addJob(job, { of: job.jobId })
  }

  test('running jobs are listed, the one whose last step was longest ago first', async ({ jobs, storage }) => {
    const running = async () => (await jobs.listRunningJobs()).map(({ jobId }) => jobId)
    await add(
      storage,
      aJob({ jobId: anId(500), steppedAt: noon + 2 }),
      aJob({ jobId: anId(501), steppedAt: noon + 1 }),
      aJob({ jobId: anId(502), state: 'completed', endedAt: noon }),
      aJob({ jobId: anId(503), state: 'waiting' }),
    )
    expect(await running()).toEqual([anId(501), anId(500)])
    const figures = () => jobs.countJobs()
    expect(await figures()).toEqual({ running: 2, waiting: 1, oldestStep: noon + 1 })
    await jobs.startJob(anId(503), noon + 3)
    expect(await running()).toEqual([anId(501), anId(500), anId(503)])
    for (const jobId of [anId(500), anId(501), anId(503)]) {
      await jobs.failJob(jobId, { code: 500, message: 'No.' }, noon + 4)
    }
    expect(await running()).toEqual([])
    expect(await figures()).toEqual({ running: 0, waiting: 0, oldestStep: undefined })
  })

  test('the input goes with the end of the job, and its rows with it', async ({ jobs, storage }) => {
    await add(storage, aJob())
    await jobs.addJobItems(anId(500), [{ row: 1, data: { itemId: anId(7) } }])
    const kept = async () => [await jobs.findJobInput(anId(500)), await jobs.listJobItems(anId(500), 0, 9)]
    expect(await kept()).toEqual([{ of: anId(500) }, [{ row: 1, data: { itemId: anId(7) } }]])
    expect(await jobs.findJobRow(anId(500), 0)).toEqual({ row: 1, itemId: anId(7) })
    await jobs.putJob(aJob({ state: 'completed', endedAt: noon }))
    expect(await kept()).toEqual([undefined, []])
  })

  test('a job is leased to one server, until its step is stored, failed, or late', async ({ jobs, storage }) => {
    await add(storage, aJob())
    const lease = (holder: string, now: number) => jobs.leaseJob(anId(500), holder, now, now + 10)
    expect([await lease('one', 0), await lease('other', 9), await lease('one', 9)]).toEqual([true, false, true])
    expect([await lease('other', 19), await lease('one', 20)]).toEqual([true, false])
    expect(await jobs.addFailedStep(anId(500))).toBe(1)
    expect(await lease('one', 20)).toBe(true)
    expect(await jobs.addFailedStep(anId(500))).toBe(2)
    await jobs.putJob(aJob())
    expect(await jobs.addFailedStep(anId(500))).toBe(1)
    expect(await lease('other', 20)).toBe(true)
  })

  test('a waiting job is found for a place that its starter may have', async ({ jobs, storage }) => {
    await add(
      storage,
      aJob(),
      aJob({ jobId: anId(501), state: 'waiting' }),
      aJob({ jobId: anId(502), state: 'waiting', starterId: anId(2), startedAt: noon + 1 }),
      aJob({ jobId: anId(503), state: 'waiting', starterId: anId(3), startedAt: noon + 2, byAdministrator: true }),
    )
    const find = (maxOfPerson: number, byAdministrator = false) =>
      jobs.findWaitingJob(aJob().portalId, { maxOfPerson, byAdministrator })
    expect([await find(2), await find(1), await find(1, true), await find(0)]).toEqual([
      anId(501),
      anId(502),
      anId(503),
      undefined,
    ])
    expect(await jobs.countUnendedJobs(aJob().portalId, anId(1))).toEqual({
      running: 1,
      ofPerson: { running: 1, waiting: 1 },
    })
  })

  test('jobs are listed by who began them, the last that began first', async ({ jobs, storage }) => {
    await add(
      storage,
      aJob(),
      aJob({ jobId: anId(501), startedAt: noon + 1 }),
      aJob({ jobId: anId(502), startedAt: noon + 2, starterId: anId(2) }),
    )
    const list = async (starterId: string | undefined, page = { start: 1, num: 10 }) =>
      totalAnd(await jobs.listJobs(aJob().portalId, starterId, page), ({ jobId }) => jobId)
    expect(await list(undefined)).toEqual([3, anId(502), anId(501), anId(500)])
    expect(await list(anId(1))).toEqual([2, anId(501), anId(500)])
    expect(await list(undefined, { start: 2, num: 1 })).toEqual([3, anId(501)])
  })

  test('of the ended jobs of a person, the oldest above a number are removed', async ({ jobs, storage }) => {
    await add(
      storage,
      aJob(),
      ...[501, 502, 503].map((id) => aJob({ jobId: anId(id), state: 'completed', endedAt: noon + id })),
      aJob({ jobId: anId(504), state: 'completed', endedAt: noon, starterId: anId(2) }),
    )
    await jobs.removeExcessJobs(anId(1), 1)
    const left = await Promise.all([500, 501, 502, 503, 504].map((id) => jobs.findJob(anId(id))))
    expect(left.map((job) => job?.jobId)).toEqual([anId(500), undefined, undefined, anId(503), anId(504)])
  })

  test('jobs that ended before a time are removed, and no others', async ({ jobs, storage }) => {
    await add(
      storage,
      aJob(),
      aJob({ jobId: anId(501), state: 'completed', endedAt: noon }),
      aJob({ jobId: anId(502), state: 'completed', endedAt: noon + 1 }),
      aJob({ jobId: anId(503), kind: 'changeItems', state: 'completed', endedAt: noon - 1 }),
      aJob({ jobId: anId(504), kind: 'changeItems', state: 'completed', endedAt: noon - 2 }),
    )
    await jobs.removeJobs(noon + 1, noon - 1)
    const left = await Promise.all([500, 501, 502, 503, 504].map((number) => jobs.findJob(anId(number))))
    expect(left.map((job) => job?.jobId)).toEqual([anId(500), undefined, anId(502), anId(503), undefined])
  })
}
