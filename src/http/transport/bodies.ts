import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCodes } from 'fastify'

/** An import would have Node load all that the module exports (`unread-answers.ts`). */
const { IncomingMessage } = process.getBuiltinModule('node:http')

/** Milliseconds in which a body has to come whole, once its request has its turn. */
const bodyTimeout = 10_000

/**
 * Receives the bodies of requests, and frees their memory as soon as it is read. That memory lies outside the heap of V8, which
 * answers every 64 MiB of it with a collection of the whole heap, though there is nothing else to collect: with their pieces, every
 * 32 bodies of 1 MiB would stop the thread for about 10 ms.
 */
export function receiveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Forms are listed too: Fastify caches the parser of a listed type, but parses any other type each time.
  for (const type of ['application/x-www-form-urlencoded', '*']) {
    app.addContentTypeParser(type, ({ headers, raw: { socket }, routeOptions }, payload, done) => {
      const timer = setTimeout(() => app.server.emit('clientError', bodyTimedOut(), socket), bodyTimeout)
      receive(payload, Number(headers['content-length']) || 0, routeOptions.bodyLimit)
        .finally(() => clearTimeout(timer))
        .then((body) => done(null, body), done)
    })
  }
}

/** The error of Node for a request that takes too long: its own timeout would count the time that a body waits for its turn. */
function bodyTimedOut(): Error {
  return Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

/** Bytes of a body that has come. */
export function bodyBytesOf({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0
}

/** Takes the body from the request. Nothing may refer to it afterwards: what was read of it has to be a copy. */
export function releaseBody(request: FastifyRequest): void {
  const { body } = request
  request.body = undefined
  if (Buffer.isBuffer(body)) free(body)
}

/** `announced`: bytes of the whole; 0 if it is not known. */
function receive(payload: NodeJS.ReadableStream, announced: number, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    /** Pieces of a connection are copies, made for this request; those of a request that a program injects are the program's. */
    const isOwn = payload instanceof IncomingMessage
    let body: Buffer = nothing
    let length = 0
    function stop(): void {
      payload.off('data', add).off('end', end).off('error', fail)
    }
    function end(): void {
      stop()
      resolve(body.length === length ? body : resize(body, length))
    }
    /** Rejects for a client that goes away, which is no failure of the server. */
    function fail(error: Error): void {
      stop()
      free(body)
      reject(Object.assign(error, { statusCode: 400 }))
    }
    function add(piece: Buffer): void {
      const needed = length + piece.length
      if (needed > maxBytes) {
        stop()
        free(body)
        reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
        return
      }
      // Nearly always the whole body.
      if (isOwn && length === 0 && piece.length >= announced && ownsMemory(piece)) body = piece
      else {
        // Sized by what came, as a client may announce more than it ever sends.
        if (needed > body.length) body = resize(body, Math.max(needed, Math.min(announced || maxBytes, 4 * needed)))
        piece.copy(body, length)
        if (isOwn) free(piece)
      }
      length = needed
    }
    if (announced > maxBytes) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else payload.on('data', add).on('end', end).on('error', fail)
  })
}

const nothing = Buffer.alloc(0)

/** Bodies of fewer bytes are received immediately: nearly all of them, which come in one piece. */
export const minLongBody = 16 * 1024

/** Bytes of the body that a request announces, `max` where it does not say how many; 0 if they are too few to count. */
export function announcedBytes({ headers }: Pick<FastifyRequest['raw'], 'headers'>, max: number): number {
  if (headers['transfer-encoding'] !== undefined) return max
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes < minLongBody ? 0 : Math.min(bytes, max)
}

function resize(body: Buffer, length: number): Buffer {
  const resized = Buffer.allocUnsafeSlow(length)
  body.copy(resized)
  free(body)
  return resized
}

/** Whether no other buffer has a part of the same memory, as small ones have. */
function ownsMemory({ buffer, length }: Buffer): boolean {
  return length > 0 && buffer.byteLength === length
}

/** Frees the memory now, and not when the collector finds it. */
function free(bytes: Buffer): void {
  if (ownsMemory(bytes)) (bytes.buffer as ArrayBuffer).transfer(0)
}
