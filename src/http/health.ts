import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/storage.ts'

/** `/health/live`: the process answers. `/health/ready`: the database does too. */
export function registerHealth(app: FastifyInstance, storage: Storage): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    try {
      await storage.ping()
      return { status: 'ready' }
    } catch {
      reply.code(503)
      return { status: 'unavailable', reason: 'The database does not answer.' }
    }
  })
}
