import { exampleIds, exampleTime, singlePage } from '../examples/examples.ts'
import { jobShape, jobToWire, type WireJob } from '../shapes/jobs.ts'
import { pageOf, pageToWire } from '../shapes/page.ts'
import { type Endpoint, endpointsOf, runByIds } from './endpoint.ts'
import { pageParameters } from './page-parameters.ts'

const endpoint = endpointsOf('items')

const { portalId, jobId } = exampleIds
const job: WireJob = {
  id: jobId,
  kind: 'transferItems',
  state: 'running',
  done: 0,
  total: 0,
  failures: [],
  started: exampleTime,
  ended: null,
}

const cancelled: WireJob = {
  ...job,
  id: exampleIds.runId,
  kind: 'changeItems',
  state: 'cancelled',
  total: 1,
  ended: exampleTime,
}

const who = 'The user who began it; administrators of the organization'

/** Work that goes on behind the request that began it. */
export const jobRows: readonly Endpoint[] = [
  endpoint({
    id: 'listJobs',
    title: 'Jobs',
    path: '/portals/:portalId/jobs',
    parameters: pageParameters,
    who: 'Members of the organization',
    summary: 'Jobs that the caller began, and for administrators all of the organization; the last that began first.',
    source: 'chosen',
    answers: { json: pageOf('jobs', jobShape) },
    example: { ids: { portalId }, answer: singlePage('jobs', [job, cancelled]) },
    async answer({ ids, input, run }) {
      return { json: pageToWire('jobs', await run({ portalId: ids.portalId, page: input }), jobToWire) }
    },
  }),
  endpoint({
    id: 'readJob',
    title: 'Job',
    goals: ['Clear up after someone who leaves'],
    path: '/portals/:portalId/jobs/:jobId',
    who,
    summary: 'How far a job has come, and what it could not do.',
    source: 'chosen',
    extension: 'jobs',
    chosen: [
      'A job is done in steps, as the user who began it and with the rights that this user has then; it goes on after a restart. It can be read for 30 days after its end, a run for 90; of the jobs of a person, the last 200 that ended, beside runs that can be undone.',
      'Two jobs of a person run, and up to 20 more wait; more are refused with 400. Of the 20 places of an organization, two are left to administrators.',
      'An item at which an unexpected error occurs three times is in the failures with 500, and the id of the request for the operator.',
    ],
    answers: { json: jobShape },
    example: {
      ids: { portalId, jobId },
      answer: job,
    },
    async answer({ ids, run }) {
      return { json: jobToWire(await run(ids)) }
    },
  }),
  endpoint({
    id: 'cancelJob',
    title: 'Cancel job',
    goals: ['Clear up after someone who leaves'],
    path: '/portals/:portalId/jobs/:jobId/cancel',
    who,
    summary: 'Ends the job after its present step. What is done stays done.',
    source: 'chosen',
    example: { ids: { portalId, jobId }, answer: { success: true } },
    answer: runByIds,
  }),
]
