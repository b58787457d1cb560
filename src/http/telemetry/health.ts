import type { FastifyInstance } from 'fastify'
import { DatabaseNewer, type Storage } from '../../storage/storage.ts'
import type { ReportFailure } from '../transport/failure-log.ts'
import { throttled, withTimeout } from './throttle.ts'

const probeInterval = 1_000
const probeTimeout = 2_000

const isProbe = true

const silent = 'The database does not answer.'
const slow = 'The database does not answer within 2 seconds.'
const newer = 'A newer version of Cartulary has migrated the database.'
const ending = 'The server is ending.'

interface HealthOptions {
  readonly contextPath: string
  readonly reportFailure: ReportFailure
  /** Whether the server has been asked to end. */
  readonly isEnding: () => boolean
  /** Monotonic, in milliseconds. */
  readonly clock?: () => number
}

/**
 * `/health/live`: the process answers. `/health/ready`: the database answered at most a second ago, and the server is not
 * shutting down. The database is queried at most once a second, however many probes there are.
 */
export function registerHealth(
  app: FastifyInstance,
  storage: Pick<Storage<never>, 'ping'>,
  { contextPath, reportFailure, isEnding, clock }: HealthOptions,
): void {
  /** Why the database is not ready, undefined if it is. The probe is public, so details are only in the log. */
  async function probe(): Promise<string | undefined> {
    try {
      return await withTimeout(probeTimeout, storage.ping().then(noTrouble), slow)
    } catch (error) {
      const reason = error instanceof DatabaseNewer ? newer : silent
      reportFailure(error, reason)
      return reason
    }
  }
  const findTrouble = throttled(probeInterval, probe, clock)

  app.get(`${contextPath}/health/live`, { config: { isProbe, isHealth: true } }, async () => ({ status: 'live' }))
  app.get(`${contextPath}/health/ready`, { config: { isProbe, isHealth: true } }, async (_request, reply) => {
    const reason = isEnding() ? ending : await findTrouble()
    if (reason === undefined) return { status: 'ready' }
    reply.code(503)
    return { status: 'unavailable', reason }
  })
}

const noTrouble = () => undefined
