import type { IncomingMessage, ServerOptions } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import {
  bodyTooLarge,
  formatUnknown,
  methodNotAllowed,
  type PortalError,
  requestMalformed,
  resourceNotFound,
  unexpectedError,
} from '../errors.ts'
import { type Answer, type Format, formatEnvelope, formatJson, httpStatus, toPortalError } from './answer.ts'
import { directoryFiles } from './directory-pages/files.ts'
import { formatDirectoryPage, type PageContent } from './directory-pages.ts'
import { registerHealth } from './health.ts'
import { formatOpenApi } from './openapi.ts'
import type { Operation, OperationSettings } from './operation.ts'
import { operationTable } from './operation-table.ts'
import type { Params } from './params.ts'
import type { Ports } from './ports.ts'
import { findFormat, openRequest, readRequestParams } from './request.ts'

/** Every limit on what a client may send (contract §1). */
const mostBodyBytes = 1024 * 1024
const mostHeaderBytes = 256 * 1024
const headersTimeout = 5_000
const requestTimeout = 10_000
/** Time for a refused client to read the answer. */
const lingerMilliseconds = 1_000

export interface HttpSettings extends OperationSettings {
  readonly httpErrorStatus: 'envelope' | 'match'
  readonly trustProxy: boolean
  readonly logLevel: string
  /** PEM; undefined for plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

/** Everything that is served, not listening yet. `publicUrl` is asked late: the port may be known only then. */
export async function createHttp(
  ports: Ports,
  settings: HttpSettings,
  publicUrl: () => string,
): Promise<FastifyInstance> {
  const context = new URL(publicUrl()).pathname.replace(/\/+$/, '')
  const base = `${context}/sharing/rest`
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
    genReqId: () => ports.random.id(),
    logController: new LogController({ disableRequestLogging: true }),
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: mostHeaderBytes },
    rewriteUrl: ({ url = '' }) => withReadablePath(url),
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance
  // An expectation that nobody knows is no reason to refuse.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id })
  })
  await app.register(cors, {
    // A function, as a list would still grant credentials to those that are not on it.
    origin: (origin, done) => done(null, settings.allowedOrigins?.includes(origin ?? '') ?? true),
    credentials: true,
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Esri-Authorization', 'X-Requested-With'],
    exposedHeaders: ['Content-Disposition', 'Retry-After', 'X-Request-Id'],
    maxAge: 3600,
    strictPreflight: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.host !== undefined || request.raw.httpVersion !== '1.1') return
    await reply.code(400).send(formatEnvelope(requestMalformed(400, 'The request has no Host header.')))
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      path: pathOf(request).slice(0, longestPath),
      outcome: reply.outcome || reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
    })
  })
  app.decorateReply('outcome', 0)

  function sendJson(reply: FastifyReply, text: string): FastifyReply {
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  }

  function sendHtml(reply: FastifyReply, html: string): FastifyReply {
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .send(html)
  }

  function answerError(
    reply: FastifyReply,
    request: FastifyRequest,
    failure: PortalError,
    format: Format,
    row?: Operation,
    params?: Params,
  ): FastifyReply {
    reply.outcome = failure.code
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
    reply.code(httpStatus(failure.code, settings.httpErrorStatus))
    const envelope = formatEnvelope(failure)
    if (format === 'html') return sendHtml(reply, page(request, row, params, { envelope }))
    return sendJson(reply, JSON.stringify(envelope, null, format === 'pjson' ? 2 : 0))
  }

  function page(
    request: FastifyRequest,
    row: Operation | undefined,
    params: Params | undefined,
    outcome: Pick<PageContent, 'answer' | 'envelope'>,
  ): string {
    const ids = (request.params ?? {}) as Record<string, string>
    const given = (name: string) => {
      const found = params?.find(name)
      return found && 'text' in found ? found.text : undefined
    }
    return formatDirectoryPage({ table: operationTable, base, context, row, ids, given, ...outcome })
  }

  function sendAnswer(
    reply: FastifyReply,
    request: FastifyRequest,
    row: Operation,
    params: Params,
    answer: Answer,
    format: Format,
  ): FastifyReply {
    reply.outcome = 200
    if ('file' in answer) {
      reply.header('content-disposition', `attachment; filename="${answer.fileName}"`)
      return sendJson(reply, answer.file)
    }
    if (format === 'html') return sendHtml(reply, page(request, row, params, { answer }))
    return sendJson(reply, formatJson(answer, format))
  }

  async function handle(row: Operation, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    let format: Format = 'json'
    let params: Params | undefined
    let recordRefusal: ((refusal: unknown) => Promise<void>) | undefined
    try {
      params = await readRequestParams(request, row.bareBody)
      const wanted = findFormat(params, request.headers.accept)
      if (row.kind === 'operation' && request.method === 'GET') {
        // A browser that follows a link to an operation gets its form, and changes nothing (chosen).
        if (wanted === 'html') return sendHtml(reply, page(request, row, params, {}))
        if (!row.isCalledByGet) throw methodNotAllowed()
      }
      if (!wanted) throw formatUnknown()
      format = wanted
      const open = openRequest(row, request, params, { ports, publicUrl: publicUrl(), settings })
      recordRefusal = open.recordRefusal
      return sendAnswer(reply, request, row, params, await row.answer(open.api), format)
    } catch (thrown) {
      const failure = toPortalError(thrown, row.task, request.id)
      if (failure.code >= 500) request.log.error({ err: thrown }, 'request failed')
      await recordRefusal?.(thrown).catch((error: unknown) => request.log.error({ err: error }, 'audit failed'))
      return answerError(reply, request, failure, format, row, params)
    }
  }

  /** What reaches no row: another method, another path, a body that cannot be read. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, failure: PortalError): Promise<FastifyReply> {
    const params = await readRequestParams(request, undefined)
    return answerError(reply, request, failure, findFormat(params, request.headers.accept) ?? 'json')
  }

  for (const row of operationTable) {
    const url = row.path === '/' ? base : `${base}${row.path}`
    app.route({ method: ['GET', 'POST'], url, handler: (request, reply) => handle(row, request, reply) })
  }

  for (const { name, contentType, text } of directoryFiles) {
    app.get(`${context}/directory/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    )
  }
  // A browser at the server's root, with the context or without, finds the directory.
  for (const url of new Set(['/', `${context}/`])) app.get(url, (_request, reply) => reply.redirect(base))
  app.get('/openapi.json', (_request, reply) =>
    sendJson(reply, JSON.stringify(formatOpenApi(operationTable, `${publicUrl()}/sharing/rest`), null, 2)),
  )
  registerHealth(app, ports.storage)

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request).replace(/\/{2,}/g, '/')
    if (path === base || path.startsWith(`${base}/`)) {
      return refuse(request, reply, isTakenMethod(request) ? resourceNotFound() : methodNotAllowed())
    }
    return sendJson(reply.code(404), JSON.stringify(formatEnvelope(resourceNotFound())))
  })

  app.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      reply.removeHeader('connection')
      await drain(request.raw)
      return refuse(request, reply, bodyTooLarge(mostBodyBytes))
    }
    if ((error.statusCode ?? 500) < 500) {
      const failure = requestMalformed(400, 'The request cannot be read.')
      return refuse(request, reply, isTakenMethod(request) ? failure : methodNotAllowed())
    }
    request.log.error({ err: error }, 'request failed')
    return refuse(request, reply, unexpectedError(request.id))
  })
  return app
}

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer as the body tells it, for the log. */
    outcome: number
  }
}

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Scripts, styles and requests of our own origin only; nothing inline. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Of a path in the log, in characters. */
const longestPath = 512

/** Without the query: tokens may be in it. */
function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!
}

function isTakenMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'POST'
}

/** A path whose percent-encoding is broken stands for itself; so it is just one more that leads nowhere. */
function withReadablePath(url: string): string {
  const end = url.includes('?') ? url.indexOf('?') : url.length
  try {
    decodeURIComponent(url.slice(0, end))
    return url
  } catch {
    return url.slice(0, end).replaceAll('%', '%25') + url.slice(end)
  }
}

/** Reads and drops what is still to come, for a while: a client that is cut off while it sends never sees the answer. */
function drain(request: IncomingMessage): Promise<void> {
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
