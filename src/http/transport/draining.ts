import { setImmediate as untilPolled, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serverEnding } from '../../errors.ts'
import type { Connections } from './connections.ts'

/**
 * Milliseconds at the end of a drain in which what a proxy can send elsewhere is refused (chosen): nginx asks no
 * `/health/ready`, and learns from such an answer alone that it has to use another server before the port closes.
 */
const refusingMilliseconds = 1_500

/** Milliseconds at most for requests on connections that clients keep open (chosen): a proxy may have sent one when the port closed. */
const openMilliseconds = 500
const lookInterval = 20

/** Turns of the event loop at most for connections that wait: as many as the system lets wait (chosen). */
const maxTurns = 1_000

/** How a server ends that others go on for: it is not ready first, and serves on until a proxy has noticed. */
export interface Draining {
  /** Whether the server has been asked to end. */
  isBegun(): boolean
  /** Aborted when the server is asked to end: what only waits is answered. */
  readonly begin: AbortSignal
  /** Not ready from now on; after so many milliseconds it closes the port, and answers what comes on open connections. */
  drain(milliseconds: number, closePort: () => void): Promise<void>
  readonly connections: Pick<Connections, 'open' | 'closeUnused'>
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly draining: Draining
  }
}

/** Has each answer close its connection from the drain on: clients and proxies open the next one where it is served. */
export function openDraining(app: FastifyInstance, connections: Connections): Draining {
  let isBegun = false
  let isRefusing = false
  const begun = new AbortController()
  const ended = new AbortController()
  /** Waits until no connection waits for the process, which would be reset: in a turn of the event loop, Node accepts one. */
  async function acceptAll(): Promise<void> {
    for (let turns = 0, before = -1; before !== connections.accepted && turns < maxTurns; turns += 1) {
      before = connections.accepted
      await untilPolled()
    }
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isRefusing && isSentElsewhere(request)) done(serverEnding())
    else done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isBegun) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    isBegun = true
    begun.abort()
    ended.abort()
  })
  return {
    isBegun: () => isBegun,
    begin: begun.signal,
    connections,
    async drain(milliseconds, closePort) {
      begun.abort()
      // A server that closes its port immediately does so while proxies still have connections, and open no others.
      isBegun = milliseconds > 0
      const pause = (time: number) => wait(time, undefined, { signal: ended.signal }).catch(() => undefined)
      await pause(Math.max(0, milliseconds - refusingMilliseconds))
      isRefusing = milliseconds > 0
      await pause(Math.min(milliseconds, refusingMilliseconds))
      await acceptAll()
      closePort()
      isBegun = true
      // Measured by the clock: HAProxy tries again after a second, and takes the connections that are left, if there are any.
      const until = performance.now() + openMilliseconds
      while (connections.open > 0 && performance.now() < until && !ended.signal.aborted) await pause(lookInterval)
    },
  }
}

/** Whether a proxy has passed it on that may send it to another server. */
function isSentElsewhere({ method, headers, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && headers['x-forwarded-for'] !== undefined && routeOptions.config.isHealth !== true
}
