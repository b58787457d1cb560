import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { LimitCounts, Limits } from '../../limits.ts'

/** Bodies of fewer bytes are not counted: nearly all of them, which come in one piece. */
const leastCounted = 16 * 1024

/** Bytes of the body that a request announces, `most` where it does not say how many; 0 if they are too few to count. */
export function announcedBytes({ headers }: IncomingMessage, most: number): number {
  if (headers['transfer-encoding'] !== undefined) return most
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes < leastCounted ? 0 : Math.min(bytes, most)
}

/** What is kept of a request until it is answered. */
interface Kept {
  bytes: number
  isComplete: boolean
}

/**
 * Bounds the memory of bodies that are received, for all connections together. Beyond it, connections are closed whose
 * body has been incomplete for the longest time: a client that sends is soon done.
 */
export class UnfinishedRequests {
  /** In the order in which they began. */
  readonly #requests = new Map<IncomingMessage, Kept>()
  readonly #most: number
  readonly #limitCounts: LimitCounts
  #bytes = 0

  constructor({ requestBytes }: Limits, limitCounts: LimitCounts) {
    this.#most = requestBytes
    this.#limitCounts = limitCounts
  }

  watch(app: FastifyInstance): void {
    app.addHook('preParsing', ({ raw }, reply, payload, done) => {
      if (announcedBytes(raw, this.#most) > 0 && !reply.raw.closed) this.#add(raw, reply.raw)
      done(null, payload)
    })
  }

  #add(request: IncomingMessage, response: ServerResponse): void {
    const kept: Kept = { bytes: 0, isComplete: false }
    this.#requests.set(request, kept)
    request.on('data', ({ length }: Buffer) => {
      if (!this.#requests.has(request)) return
      kept.bytes += length
      this.#bytes += length
      if (this.#bytes > this.#most) this.#makeRoom()
    })
    request.once('end', () => {
      kept.isComplete = true
    })
    // Also where the client has gone before it was answered: Fastify calls no hook then.
    response.once('close', () => this.#remove(request))
  }

  #remove(request: IncomingMessage): void {
    this.#bytes -= this.#requests.get(request)?.bytes ?? 0
    this.#requests.delete(request)
  }

  #makeRoom(): void {
    for (const [request, { isComplete }] of this.#requests) {
      if (this.#bytes <= this.#most) return
      if (!isComplete) this.#cut(request)
    }
  }

  #cut(request: IncomingMessage): void {
    this.#limitCounts.add('requestBytes')
    this.#remove(request)
    request.socket.destroy()
  }
}
