import { expect, test } from 'vitest'
import type { Job } from '../../../src/jobs/job.ts'
import { addPeople, aJob, anId, noon, type OpenStorage } from './records.ts'

/** Work that is done in steps. */
export function jobsContract(open: OpenStorage): void {
  async function openWith(...jobs: readonly Job[]) {
    const storage = await open()
    await addPeople(storage)
    for (const job of jobs) await storage.write((stores) => stores.jobs.addJob(job))
    return {
      storage,
      find: (jobId: string) => storage.read((stores) => stores.jobs.findJob(jobId)),
      next: async () => (await storage.read((stores) => stores.jobs.findNextJob()))?.jobId,
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

  test('next is the running job whose last step was longest ago', async () => {
    const { storage, next } = await openWith(
      aJob({ jobId: anId(500), steppedAt: noon + 2 }),
      aJob({ jobId: anId(501), steppedAt: noon + 1 }),
      aJob({ jobId: anId(502), state: 'completed', endedAt: noon }),
    )
    expect(await next()).toBe(anId(501))
    await storage.write((stores) => stores.jobs.putJob(aJob({ jobId: anId(501), steppedAt: noon + 3 })))
    expect(await next()).toBe(anId(500))
    for (const jobId of [anId(500), anId(501)]) {
      await storage.write((stores) => stores.jobs.putJob(aJob({ jobId, state: 'cancelled', endedAt: noon + 4 })))
    }
    expect(await next()).toBeUndefined()
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

  test('running jobs of an organization are counted', async () => {
    const { storage } = await openWith(aJob(), aJob({ jobId: anId(501) }), aJob({ jobId: anId(502), endedAt: noon }))
    const count = (portalId: string) => storage.read((stores) => stores.jobs.countRunningJobs(portalId))
    expect(await count(aJob().portalId)).toBe(2)
    expect(await count('another portal')).toBe(0)
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
