import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/**
 * Turns a HEAD into the GET that it asks about (RFC 9110 §9.3.2), whose header fields it gets. Its response has been made: Node
 * sends no body with that.
 */
export function answerAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return
  request.method = 'GET'
  heads.add(request)
}

/** Whether a GET came as HEAD, which changes nothing. */
export function isHead({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return heads.has(raw)
}
