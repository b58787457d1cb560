import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  bodyTooLarge,
  formatUnknown,
  methodNotAllowed,
  type PortalError,
  requestMalformed,
  resourceNotFound,
  unexpectedError,
} from '../errors.ts'
import {
  type Answer,
  entityTag,
  type Format,
  formatEnvelope,
  formatJson,
  httpStatus,
  isNamed,
  toPortalError,
} from './answer.ts'
import { directoryFiles } from './directory-pages/files.ts'
import { formatDirectoryPage, type PageContent } from './directory-pages.ts'
import { registerHealth } from './health.ts'
import { formatOpenApi } from './openapi.ts'
import type { Operation, OperationSettings } from './operation.ts'
import { operationTable } from './operation-table.ts'
import type { Params } from './params.ts'
import type { Ports } from './ports.ts'
import { findFormat, openRequest, readRequestParams } from './request.ts'
import { createTransport, drain, mostBodyBytes, pathOf, type TransportSettings } from './transport.ts'

export interface HttpSettings extends OperationSettings, TransportSettings {
  readonly httpErrorStatus: 'envelope' | 'match'
}

/** Everything that is served, not listening yet. `publicUrl` is asked late: the port may be known only then. */
export async function createHttp(
  ports: Ports,
  settings: HttpSettings,
  publicUrl: () => string,
): Promise<FastifyInstance> {
  const context = new URL(publicUrl()).pathname.replace(/\/+$/, '')
  const base = `${context}/sharing/rest`
  const app = await createTransport(settings, () => ports.random.id())

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
    const tag = entityTag(answer, format)
    if (tag !== undefined && request.method === 'GET') {
      reply.headers({ etag: tag, 'cache-control': askFirst })
      if (isNamed(tag, request.headers['if-none-match'])) return sendUnchanged(reply)
    }
    return sendJson(reply, formatJson(answer, format))
  }

  function sendUnchanged(reply: FastifyReply): FastifyReply {
    reply.outcome = 304
    return reply.code(304).send()
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
    const config = { operation: row.id }
    app.route({ method: ['GET', 'POST'], url, config, handler: (request, reply) => handle(row, request, reply) })
  }

  for (const { name, contentType, text } of directoryFiles) {
    app.get(`${context}/directory/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    )
  }
  // A browser at the server's root, with the context or without, finds the directory.
  for (const url of new Set(['/', `${context}/`])) app.get(url, (_request, reply) => reply.redirect(base))
  let openApi: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    openApi ??= JSON.stringify(formatOpenApi(operationTable, `${publicUrl()}/sharing/rest`), null, 2)
    return sendJson(reply, openApi)
  })
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

/** May be kept, by the caller alone, and is used only after the server said that it still holds: rights change. */
const askFirst = 'private, no-cache'

/** Scripts, styles and requests of our own origin only; nothing inline. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

function isTakenMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'POST'
}
