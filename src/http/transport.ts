import type { IncomingMessage, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { requestMalformed } from '../errors.ts'
import { formatEnvelope } from './answer.ts'

/** HTTP below the API: limits, time-outs, CORS, logs, and malformed requests. */

/** Limits on requests (contract §1). */
export const mostBodyBytes = 1024 * 1024
const mostHeaderBytes = 256 * 1024
const headersTimeout = 5_000
const requestTimeout = 10_000
/** Most unanswered requests on one connection: clients send one at a time, or a few (chosen). */
const mostUnanswered = 32
/** Time for a refused client to read the answer before the connection is closed. */
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
    // The last address was added by the proxy; those before it are sent by the client and not trusted.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: nextRequestId,
    // One logger for all requests: making one for each costs more than the few lines that need its id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: mostHeaderBytes,
      // The query is parsed with the body, and as strictly.
      querystringParser: () => notParsed,
    },
    rewriteUrl: ({ url = '' }) => withReadablePath(url),
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance
  // An unknown expectation is ignored rather than refused.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  // Forms are listed too: Fastify caches the parser of a listed type, but parses any other type each time.
  for (const type of ['application/x-www-form-urlencoded', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  }

  limitUnanswered(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
  const allowed = settings.allowedOrigins
  await app.register(cors, {
    // A function, as a list would still grant credentials to origins that are not in it.
    origin: allowed === undefined ? true : (origin, done) => done(null, allowed.includes(origin ?? '')),
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

/** Closes a connection with too many unanswered requests: answers that are not read fill the memory. */
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
    /** Code of the answer's body, for log and metrics. */
    outcome: number
  }
}

const notParsed = {}

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Levels at which requests are logged. */
const logsRequests: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info({
    reqId: request.id,
    method: request.method,
    path: pathOf(request).slice(0, longestPath),
    outcome: reply.outcome || reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 100) / 100,
  })
  done()
}

/** Longest path in the log, in characters. */
const longestPath = 512

/** The path without the query, which may contain tokens. */
export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!
}

/** Escapes a path whose percent-encoding is invalid, so that it is answered like any other unknown path. */
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

/** Reads and discards the rest of a body, for a limited time: a client that is cut off while sending misses the answer. */
export function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lingerMilliseconds).unref()
    request.once('end', resolve).once('close', resolve).resume()
  })
}

/** Answers malformed or slow requests, which Node rejects before they reach a route. */
function answerClientError(
  error: Error & { code?: string },
  socket: { readonly writable: boolean; readonly writableEnded: boolean; end(text: string): void; destroy(): void },
): void {
  // Each following chunk is malformed too; the first was answered.
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // As in `drain`.
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
