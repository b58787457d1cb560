import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../../operations/dependencies.ts'
import type { RequestKind } from '../../operations/recent-requests.ts'
import { searches } from '../../operations/registry.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** Counts what the listener answers from now on, but for probes, in the figures of the last hour. */
export function countRecentRequests(
  app: FastifyInstance,
  table: readonly Pick<Endpoint, 'id' | 'effect'>[],
  { recentRequests, now }: Pick<Dependencies, 'recentRequests' | 'now'>,
): void {
  const kinds = new Map(table.map((row) => [row.id, kindOf(row)]))
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, isProbe } = request.routeOptions.config
    const kind = kinds.get(operation ?? '') ?? 'other'
    if (!isProbe) recentRequests.add(kind, reply.outcome || reply.statusCode, reply.elapsedTime, now())
    done()
  })
}

function kindOf({ id, effect }: Pick<Endpoint, 'id' | 'effect'>): RequestKind {
  if (effect !== 'none') return 'write'
  return id in searches ? 'search' : 'read'
}
