import type { IncomingMessage, ServerResponse as Response } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { LimitCounts, LimitName, Limits } from '../../limits.ts'

/** An import would have Node load all that the module exports, the client of WebSockets with it: a tenth of a start. */
const { ServerResponse } = process.getBuiltinModule('node:http')

const checkInterval = 1_000

/** An answer that waits in the memory of the process, as its client reads slowly or not at all. */
interface UnreadAnswer {
  readonly bytes: number
  /** Bytes of it that the system has not accepted. */
  queued: number
  /** When `queued` last changed, by a monotonic clock in milliseconds. */
  changedAt: number
}

/**
 * Bounds the memory of answers that clients do not read: in bytes, for all connections together, and in time without
 * progress. When there are too many bytes, connections are closed that have made no progress for the longest time.
 */
export class UnreadAnswers {
  readonly #answers = new Map<Socket, UnreadAnswer>()
  readonly #maxBytes: number
  readonly #maxMilliseconds: number
  readonly #limitCounts: LimitCounts
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ unreadBytes, unreadSeconds }: Limits, limitCounts: LimitCounts) {
    this.#maxBytes = unreadBytes
    this.#maxMilliseconds = unreadSeconds * 1000
    this.#limitCounts = limitCounts
  }

  /** A response that reports what the system has not accepted when it ends: nearly always nothing. */
  get responseClass(): typeof Response {
    const answers = this
    return class<Request extends IncomingMessage> extends ServerResponse<Request> {
      override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
        const { socket } = this
        super.end(chunk, encoding as BufferEncoding, callback as () => void)
        if (socket && socket.writableLength > 0) answers.#add(socket, chunk)
        return this
      }
    }
  }

  watch(app: FastifyInstance): void {
    app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
      if (this.#answers.size > 0) this.#remove(socket)
      done()
    })
    app.addHook('onClose', async () => clearInterval(this.#timer))
  }

  #add(socket: Socket, chunk: unknown): void {
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : socket.writableLength
    this.#answers.set(socket, { bytes, queued: queuedBytes(socket), changedAt: performance.now() })
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes) this.#makeRoom()
    this.#timer ??= setInterval(() => this.#check(), checkInterval).unref()
  }

  #remove(socket: Socket): void {
    this.#bytes -= this.#answers.get(socket)?.bytes ?? 0
    this.#answers.delete(socket)
  }

  /** An answer that is the only one may have any size, as its own limit allows. */
  #makeRoom(): void {
    this.#update()
    const byProgress = [...this.#answers].sort(([, one], [, other]) => one.changedAt - other.changedAt)
    for (const [socket] of byProgress.slice(0, -1)) {
      if (this.#bytes <= this.#maxBytes) return
      this.#cut(socket, 'unreadBytes')
    }
  }

  #check(): void {
    this.#update()
    const latest = performance.now() - this.#maxMilliseconds
    for (const [socket, { changedAt }] of this.#answers) if (changedAt <= latest) this.#cut(socket, 'unreadSeconds')
    if (this.#answers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Notes progress, and forgets connections that have closed. */
  #update(): void {
    const now = performance.now()
    for (const [socket, answer] of this.#answers) {
      const queued = queuedBytes(socket)
      if (socket.destroyed) this.#remove(socket)
      else if (queued !== answer.queued) Object.assign(answer, { queued, changedAt: now })
    }
  }

  /** Resets it, so that the system frees its buffers as well. */
  #cut(socket: Socket, limit: LimitName): void {
    this.#limitCounts.add(limit)
    this.#remove(socket)
    lowest(socket).resetAndDestroy()
  }
}

/** Undocumented fields of a socket of Node. */
interface Inner {
  /** Below TLS, the connection. */
  readonly _parent?: Socket | null
  readonly _handle?: { readonly writeQueueSize?: number } | null
}

/**
 * Bytes of the connection that the system has not accepted. `writableLength` counts a write until the last byte of it is
 * accepted, so it shows no progress within an answer, which is one write; no documented property does.
 */
function queuedBytes(socket: Socket): number {
  return (lowest(socket) as Inner)._handle?.writeQueueSize ?? 0
}

function lowest(socket: Socket): Socket {
  return (socket as Inner)._parent ?? socket
}
