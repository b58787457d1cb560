import type { FastifyInstance } from 'fastify'
import type { Storage } from '../../storage/storage.ts'
import { throttled, withTimeout } from './throttle.ts'

const betweenProbes = 1_000
const longestProbe = 2_000

const silent = 'The database does not answer.'
const slow = 'The database does not answer within 2 seconds.'
const ending = 'The server is ending.'

/**
 * `/health/live`: the process answers. `/health/ready`: the database does too, as of a second ago at most, and the
 * server goes on taking requests. However many ask, the database is asked once a second.
 */
export function registerHealth(
  app: FastifyInstance,
  storage: Pick<Storage<never>, 'ping'>,
  clock?: () => number,
): void {
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
  })

  /** What keeps the database from its work, in words without secrets: anybody may ask. The log has the rest. */
  async function probe(): Promise<string | undefined> {
    try {
      return await withTimeout(longestProbe, storage.ping().then(noTrouble), slow)
    } catch (error) {
      app.log.warn({ err: error }, silent)
      return silent
    }
  }
  const findTrouble = throttled(betweenProbes, probe, clock)

  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const reason = isEnding ? ending : await findTrouble()
    if (reason === undefined) return { status: 'ready' }
    reply.code(503)
    return { status: 'unavailable', reason }
  })
}

const noTrouble = () => undefined
