import type { IncomingMessage, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { requestMalformed } from '../errors.ts'
import { formatEnvelope } from './answer.ts'

/** HTTP below the API: limits, time-outs, origins, logs, and bytes that are no request at all. */

/** Every limit on what a client may send (contract §1). */
export const mostBodyBytes = 1024 * 1024
const mostHeaderBytes = 256 * 1024
const headersTimeout = 5_000
const requestTimeout = 10_000
/** Requests on one connection that wait for their answers: clients send one at a time, or a few (chosen). */
const mostUnanswered = 32
/** Time for a refused client to read the answer. */
const lingerMilliseconds = 1_000

export interface TransportSettings {
  readonly trustProxy: boolean
  readonly logLevel: string
  /** Origins that browsers may call from; undefined for all. */
  readonly allowedOrigins: readonly string[] | undefined
  /** PEM; undefined for plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

/** A server without routes. */
export async function createTransport(
  settings: TransportSettings,
  nextRequestId: () => string,
): Promise<FastifyInstance> {
  const options: ServerOptions = {
    maxHeaderSize: mostHeaderBytes,
    headersTimeout,
    connectionsCheckingInterval: 1_000,
    // Refused below, with the envelope.
    requireHostHeader: false,
  }
  const app = Fastify({
    ...(settings.tls ? { https: { ...settings.tls, ...options } } : { http: options }),
    bodyLimit: mostBodyBytes,
    requestTimeout,
    // The last address is what the proxy saw; those before it are the client's own words.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: nextRequestId,
    logController: new LogController({ disableRequestLogging: true }),
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: mostHeaderBytes,
      // Read with the body's parameters, and as strictly.
      querystringParser: () => unread,
    },
    rewriteUrl: ({ url = '' }) => withReadablePath(url),
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance
  // An expectation that nobody knows is no reason to refuse.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  // The form is named too: Fastify remembers which parser a type has, but for `*` takes the type apart each time.
  for (const type of ['application/x-www-form-urlencoded', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  }

  limitUnanswered(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
  await app.register(cors, {
    // A function, as a list would still grant credentials to those that are not on it.
    origin: (origin, done) => done(null, settings.allowedOrigins?.includes(origin ?? '') ?? true),
    credentials: true,
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'If-Match',
      'If-None-Match',
      'X-Esri-Authorization',
      'X-Requested-With',
    ],
    exposedHeaders: ['Content-Disposition', 'ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 3600,
    strictPreflight: false,
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion !== '1.1') return done()
    reply.code(400).send(formatEnvelope(requestMalformed(400, 'The request has no Host header.')))
  })
  if (logsRequests.has(settings.logLevel)) app.addHook('onResponse', logRequest)
  app.decorateReply('outcome', 0)
  return app
}

/** Cuts a connection on which requests pile up: whoever sends thousands and reads no answer fills the memory. */
function limitUnanswered(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number): number => {
    const now = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, now)
    return now
  }
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (count(raw.socket, 1) <= mostUnanswered) return done()
    reply.hijack()
    raw.socket.destroy()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    count(raw.socket, -1)
    done()
  })
}

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer as the body tells it, for the log. */
    outcome: number
  }
}

const unread = {}

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** At which a request is told. */
const logsRequests: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info({
    method: request.method,
    path: pathOf(request).slice(0, longestPath),
    outcome: reply.outcome || reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 100) / 100,
  })
  done()
}

/** Of a path in the log, in characters. */
const longestPath = 512

/** Without the query: tokens may be in it. */
export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!
}

/** A path whose percent-encoding is broken stands for itself; so it is just one more that leads nowhere. */
function withReadablePath(url: string): string {
  if (!url.includes('%')) return url
  const end = url.includes('?') ? url.indexOf('?') : url.length
  try {
    decodeURIComponent(url.slice(0, end))
    return url
  } catch {
    return url.slice(0, end).replaceAll('%', '%25') + url.slice(end)
  }
}

/** Reads and drops what is still to come, for a while: a client that is cut off while it sends never sees the answer. */
export function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lingerMilliseconds).unref()
    request.once('end', resolve).once('close', resolve).resume()
  })
}

/** Bytes that are no HTTP request, or come too slowly: answered by hand, as no route has seen them. */
function answerClientError(
  error: Error & { code?: string },
  socket: { readonly writable: boolean; readonly writableEnded: boolean; end(text: string): void; destroy(): void },
): void {
  // The bytes behind the first bad one are bad again: that is answered already.
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // As above.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  const [code, message] = clientErrors[error.code ?? ''] ?? ([400, 'Bad Request'] as const)
  const body = JSON.stringify(formatEnvelope(requestMalformed(code, 'The request cannot be read.')))
  socket.end(
    `HTTP/1.1 ${code} ${message}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}
