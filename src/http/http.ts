import type { ServerOptions } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import {
  bodyTooLarge,
  methodNotAllowed,
  type PortalError,
  requestMalformed,
  resourceNotFound,
  unexpectedError,
} from '../errors.ts'
import { type Answer, type Format, formatEnvelope, formatJson, httpStatus, toPortalError } from './answer.ts'
import { directoryFiles, formatDirectoryPage } from './directory-pages.ts'
import { registerHealth } from './health.ts'
import { formatOpenApi } from './openapi.ts'
import type { Operation, OperationSettings } from './operation.ts'
import { operationTable } from './operation-table.ts'
import type { Ports } from './ports.ts'
import { openRequest, prefersHtml, readFormat, readRequestParams } from './request.ts'

/** Every limit on what a client may send (contract §1). */
const mostBodyBytes = 1024 * 1024
const mostHeaderBytes = 256 * 1024
const headersTimeout = 5_000
const requestTimeout = 10_000

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
  const options: ServerOptions = { maxHeaderSize: mostHeaderBytes, headersTimeout, connectionsCheckingInterval: 1_000 }
  const app = Fastify({
    ...(settings.tls ? { https: { ...settings.tls, ...options } } : { http: options }),
    bodyLimit: mostBodyBytes,
    requestTimeout,
    trustProxy: settings.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => ports.random.id(),
    logController: new LogController({ disableRequestLogging: true }),
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1_000 },
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      answerError(reply, request, resourceNotFound(), 'json')
    },
  }) as unknown as FastifyInstance

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id })
  })
  await app.register(cors, {
    origin: settings.allowedOrigins === undefined ? true : [...settings.allowedOrigins],
    credentials: true,
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Esri-Authorization', 'X-Requested-With'],
    exposedHeaders: ['Content-Disposition', 'Retry-After', 'X-Request-Id'],
    maxAge: 3600,
    strictPreflight: false,
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      path: pathOf(request),
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
  ): FastifyReply {
    reply.outcome = failure.code
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
    reply.code(httpStatus(failure.code, settings.httpErrorStatus))
    const envelope = formatEnvelope(failure)
    if (format === 'html') return sendHtml(reply, page(request, row, { envelope }))
    return sendJson(reply, JSON.stringify(envelope, null, format === 'pjson' ? 2 : 0))
  }

  function page(
    request: FastifyRequest,
    row: Operation | undefined,
    content: { readonly answer?: Answer; readonly envelope?: object },
  ): string {
    const ids = (request.params ?? {}) as Record<string, string>
    return formatDirectoryPage({ table: operationTable, base, context, row, ids, path: pathOf(request), ...content })
  }

  function sendAnswer(reply: FastifyReply, request: FastifyRequest, row: Operation, answer: Answer, format: Format) {
    reply.outcome = 200
    if ('file' in answer) {
      reply.header('content-disposition', `attachment; filename="${answer.fileName}"`)
      return sendJson(reply, answer.file)
    }
    if (format === 'html') return sendHtml(reply, page(request, row, { answer }))
    return sendJson(reply, formatJson(answer, format))
  }

  async function handle(row: Operation, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    let format: Format = 'json'
    let recordRefusal: ((refusal: unknown) => Promise<void>) | undefined
    try {
      const params = await readRequestParams(request, row.bareBody)
      format = readFormat(params, request.headers.accept)
      if (row.kind === 'operation' && request.method === 'GET') {
        // A browser that follows a link to an operation gets its form, and changes nothing (chosen).
        if (format === 'html') return sendHtml(reply, page(request, row, {}))
        if (!row.isCalledByGet) throw methodNotAllowed()
      }
      const open = openRequest(row, request, params, { ports, publicUrl: publicUrl(), settings })
      recordRefusal = open.recordRefusal
      return sendAnswer(reply, request, row, await row.answer(open.api), format)
    } catch (thrown) {
      const failure = toPortalError(thrown, row.task, request.id)
      if (failure.code >= 500) request.log.error({ err: thrown }, 'request failed')
      await recordRefusal?.(thrown).catch((error: unknown) => request.log.error({ err: error }, 'audit failed'))
      return answerError(reply, request, failure, format, row)
    }
  }

  /** What no row takes: another method, another path. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, failure: PortalError, row?: Operation) {
    try {
      const params = await readRequestParams(request, undefined)
      return answerError(reply, request, failure, readFormat(params, request.headers.accept), row)
    } catch (thrown) {
      return answerError(reply, request, toPortalError(thrown, 'answer', request.id), 'json')
    }
  }

  for (const row of operationTable) {
    const url = row.path === '/' ? base : `${base}${row.path}`
    app.route({ method: ['GET', 'POST'], url, handler: (request, reply) => handle(row, request, reply) })
    const handler = (request: FastifyRequest, reply: FastifyReply) => refuse(request, reply, methodNotAllowed(), row)
    app.route({ method: otherMethods, url, handler })
  }

  for (const { name, contentType, text } of directoryFiles) {
    app.get(`${context}/directory/${name}`, (_request, reply) => reply.header('content-type', contentType).send(text))
  }
  app.get('/openapi.json', (_request, reply) =>
    sendJson(reply, JSON.stringify(formatOpenApi(operationTable, `${publicUrl()}/sharing/rest`), null, 2)),
  )
  registerHealth(app, ports.storage)

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request).replace(/\/{2,}/g, '/')
    if (path === base || path.startsWith(`${base}/`)) return refuse(request, reply, resourceNotFound())
    return sendJson(reply.code(404), JSON.stringify(formatEnvelope(resourceNotFound())))
  })

  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const format = prefersHtml(request.headers.accept) ? 'html' : 'json'
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      // The rest of the body is not read; a connection in the middle of it is of no further use.
      reply.header('connection', 'close')
      return answerError(reply, request, bodyTooLarge(mostBodyBytes), format)
    }
    const status = error.statusCode ?? 500
    if (status < 500) {
      reply.code(status)
      return sendJson(reply, JSON.stringify(formatEnvelope(requestMalformed(status, 'The request cannot be read.'))))
    }
    request.log.error({ err: error }, 'request failed')
    return answerError(reply, request, unexpectedError(request.id), format)
  })
  return app
}

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer as the body tells it, for the log. */
    outcome: number
  }
}

const otherMethods = ['HEAD', 'PUT', 'PATCH', 'DELETE']

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Scripts, styles and requests of our own origin only; nothing inline. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Without the query: tokens may be in it. */
function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!
}

/** Bytes that are no HTTP request, or come too slowly: answered by hand, as no route has seen them. */
function answerClientError(
  error: Error & { code?: string },
  socket: { readonly writable: boolean; end(text: string): void; destroy(): void },
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
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
