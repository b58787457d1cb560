import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPortal, openFilled } from './earlier-database.ts'

async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  for (const [jobId, kind, input, endedAt] of [
    ['running', 'changeItems', '{"change":{"kind":"delete"}}', null],
    ['ended', 'revertItemRun', '{"runId":"some run"}', 2],
  ] as const) {
    await sql`insert into jobs (job_id, portal_id, kind, starter_id, input, state, done, total, failures, position, started_at,
      stepped_at, ended_at) values (${jobId}, 'p', ${kind}, 'u', ${input}, ${jobId === 'running' ? jobId : 'completed'}, 0, 1, '[]',
      '', 1, 1, ${endedAt})`.execute(db)
  }
}

test(`${engine}: an earlier job goes on with its input, and a run that has ended names the one that it undid`, async () => {
  const storage = await openFilled('042', fill)
  const read = (jobId: string) =>
    storage.read(async ({ jobs }) => [(await jobs.findJob(jobId))?.reverts, await jobs.findJobInput(jobId)])
  expect(await read('running')).toEqual([undefined, { change: { kind: 'delete' } }])
  expect(await read('ended')).toEqual(['some run', undefined])
  expect(await storage.write(({ jobs }) => jobs.leaseJob('running', 'a server', 1, 2))).toBe(true)
})
