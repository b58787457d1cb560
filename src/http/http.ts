import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  bodyTooLarge,
  formatUnknown,
  type PortalError,
  requestMalformed,
  resourceNotFound,
  tokenInvalid,
  unexpectedError,
} from '../errors.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { PasswordsBusy } from '../tokens/password.ts'
import { type Format, type HttpErrorStatus, sharedFormat, toPortalError } from './answer.ts'
import { type Application, pathsOf } from './application/application.ts'
import { registerApplication } from './application/routes.ts'
import { openContext, parametersOf, tokenOf } from './context.ts'
import { formatOpenApi } from './docs/openapi.ts'
import { type Endpoint, type EndpointSettings, formatsOf, kindOf } from './endpoints/endpoint.ts'
import { endpointTable } from './endpoints/table.ts'
import { letSendersWait } from './fairness/fairness.ts'
import { explain, findMeantPath, hintAtPath, hintAtRoot, postOnly, unknownMethod } from './hints.ts'
import { pageAssets } from './pages/assets.ts'
import { isAskedFirst } from './pages/operation-form.ts'
import { openRefusals } from './refusals.ts'
import { givenBy, makeReplies, sendJson } from './replies.ts'
import { findFormat } from './request/accept.ts'
import type { RequestParameters } from './request/request-parameters.ts'
import type { ServerContext } from './running.ts'
import { registerMetadata } from './sign-in/metadata.ts'
import { pageTable, registerPages } from './sign-in/register-pages.ts'
import { registerHealth } from './telemetry/health.ts'
import { countRecentRequests } from './telemetry/recent-requests.ts'
import { drain } from './transport/client-errors.ts'
import { contextPathOf, isOwnPath } from './transport/context-path.ts'
import { identify, type LoggedCaller, pathOf } from './transport/request-log.ts'
import { summarize } from './transport/summary.ts'
import { createTransport, mostBodyBytes, type TransportSettings } from './transport/transport.ts'
import { limitWritesInFlight, openTokenOwners } from './writes-in-flight.ts'

export interface HttpSettings extends EndpointSettings, TransportSettings {
  readonly httpErrorStatus: HttpErrorStatus
}

/**
 * The HTTP server, not listening yet. `publicUrl` is a function because the port may be known only after listening.
 * `application` is what browsers get at the root; undefined where it is not built.
 */
export async function createHttp(
  dependencies: Dependencies,
  settings: HttpSettings,
  publicUrl: () => string,
  application?: Application,
): Promise<FastifyInstance> {
  const contextPath = contextPathOf(publicUrl())
  const base = `${contextPath}/sharing/rest`
  const findOwner = openTokenOwners(dependencies)
  const transport = { ...settings, pathsOfApplication: pathsOf(application), findUser }
  const app = await createTransport(transport, dependencies)
  const runWrite = limitWritesInFlight(dependencies.limits, findOwner)
  const refusals = openRefusals(dependencies, findOwner, (error) => app.reportFailure(error, 'audit failed'))
  app.addHook('onClose', () => refusals.close())
  countRecentRequests(app, endpointTable, dependencies)
  const { takeTurn, begin } = letSendersWait(app, dependencies, findOwner)
  const warnBusy = summarize(betweenWarnings, (times) => {
    app.log.warn({ times }, 'too many passwords wait to be hashed; requests were answered 503')
  })

  const { answerBytes } = dependencies.limits
  const { httpErrorStatus } = settings
  const replies = makeReplies({ base, contextPath, answerBytes, httpErrorStatus, server: serverContext })

  /** The user of a request, for the log. */
  async function findUser({ tokenHash, signedInAs }: LoggedCaller, outcome: number): Promise<string | undefined> {
    // Neither asks an unavailable database once more, nor for each of many invalid tokens.
    if (tokenHash === undefined || outcome === tokenInvalid().code || outcome === 503) return signedInAs()
    return (await findOwner(tokenHash))?.username
  }

  async function handle(row: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const turn = takeTurn(request)
    if (turn) await turn
    let format: Format = 'json'
    let parameters: RequestParameters | undefined
    let recordRefusal: ((refusal: unknown) => Promise<void>) | undefined
    if (row.token !== 'none') reply.header('vary', variesByCaller)
    try {
      parameters = await parametersOf(request, row.bareBody)
      const server = serverContext()
      const token = tokenOf(request, parameters, server)
      const place = begin(request, reply, token.hash)
      if (place) await place
      const wanted = row.isAlwaysJson ? 'json' : findFormat(parameters, request.headers.accept, formatsOf(row))
      if (request.method === 'GET') {
        if (wanted === 'html' && isAskedFirst(row, givenBy(parameters))) {
          return await replies.sendForm(reply, { request, row, parameters })
        }
        if (kindOf(row) === 'operation' && !row.isCalledByGet) throw postOnly(row)
      }
      if (!wanted) throw formatUnknown(formatsOf(row))
      format = sharedFormat(wanted)
      const context = openContext(row, request, parameters, token, wanted, server)
      recordRefusal = context.recordRefusal
      reply.caller = { tokenHash: context.tokenHash, signedInAs: context.signedInAs }
      const answer = await row.answer(context.api)
      // A page of hundreds of entries takes as long to write as to read.
      const turnOfPage = format === 'html' ? takeTurn(request) : undefined
      if (turnOfPage) await turnOfPage
      return await replies.sendAnswer(reply, { request, row, parameters }, answer, format)
    } catch (thrown) {
      const failure = explain(toPortalError(thrown, row.task, request.id), row, request.headers)
      if (failure.limit) dependencies.limitCounts.add(failure.limit)
      if (thrown instanceof PasswordsBusy) warnBusy(dependencies.now())
      else if (failure.code >= 500) reportError(request, thrown, 'request failed')
      await recordRefusal?.(thrown).catch((error: unknown) => reportError(request, error, 'audit failed'))
      return replies.sendError(reply, { request, row, parameters }, failure, format)
    } finally {
      reply.endRequest?.()
    }
  }

  function serverContext(): ServerContext {
    return { dependencies, publicUrl: publicUrl(), settings, runWrite, refusals, takeTurn }
  }

  /** Answers a request without an endpoint: another method or path, or a body that cannot be read. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, failure: PortalError): Promise<FastifyReply> {
    const parameters = await parametersOf(request, undefined)
    return replies.sendError(reply, { request }, failure, sharedFormat(findFormat(parameters, request.headers.accept)))
  }

  for (const row of endpointTable) {
    const config = { operation: row.id, ...(row.isRateLimited && { checksPassword: true as const }) }
    for (const url of urlsOf(row)) {
      app.route({ method: ['GET', 'POST'], url, config, handler: (request, reply) => handle(row, request, reply) })
    }
  }

  registerPages(app, {
    contextPath,
    publicUrl,
    server: serverContext,
    reportError,
  })

  /** Clients use both bases in one sign-in (observed). */
  function urlsOf({ path }: Endpoint): readonly string[] {
    if (path === '/') return [base]
    return path.startsWith('/oauth2/') ? [`${base}${path}`, `${contextPath}/sharing${path}`] : [`${base}${path}`]
  }

  for (const { name, contentType, text } of pageAssets) {
    app.get(`${contextPath}/directory/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    )
  }
  const sendNoScreen = registerApplication(app, application, { contextPath, directory: base, publicUrl })
  let openApi: string | undefined
  app.get(`${contextPath}/openapi.json`, (_request, reply) => {
    openApi ??= JSON.stringify(formatOpenApi(endpointTable, `${publicUrl()}/sharing/rest`, pageTable), null, 2)
    return sendJson(reply, openApi)
  })
  registerMetadata(app, contextPath, publicUrl)
  registerHealth(app, dependencies.storage, { contextPath, reportFailure: app.reportFailure })

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request).replace(/\/{2,}/g, '/')
    const lowerCase = path.toLowerCase()
    if (lowerCase === base.toLowerCase() || lowerCase.startsWith(`${base.toLowerCase()}/`)) {
      const unknown = () => resourceNotFound(hintAtPath(endpointTable, base, path))
      return refuse(request, reply, isSupportedMethod(request) ? unknown() : unknownMethod(request.method))
    }
    reply.code(404)
    const root = `${publicUrl()}/sharing/rest`
    const isOfApi = isOwnPath(contextPath, lowerCase) || findMeantPath(endpointTable, root, path) !== undefined
    const failure = resourceNotFound(hintAtRoot(endpointTable, root, path))
    return (!isOfApi && sendNoScreen(request, reply)) || replies.sendErrorOutside(reply, request, failure)
  })

  app.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      reply.removeHeader('connection')
      await drain(request.raw)
      return refuse(request, reply, bodyTooLarge(mostBodyBytes))
    }
    if ((error.statusCode ?? 500) < 500) {
      const failure = requestMalformed(400, 'The request cannot be read.')
      return refuse(request, reply, isSupportedMethod(request) ? failure : unknownMethod(request.method))
    }
    reportError(request, error, 'request failed')
    return refuse(request, reply, unexpectedError(request.id))
  })
  return app
}

/** Milliseconds between two lines in the log about passwords that were not hashed (chosen). */
const betweenWarnings = 60_000

/** What an answer depends on besides its address, where it depends on the caller; `Origin` for CORS. */
const variesByCaller = 'Origin, Authorization, X-Esri-Authorization'

function reportError(request: FastifyRequest, error: unknown, text: string): void {
  request.server.reportFailure(error, text, identify(request))
}

function isSupportedMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'POST'
}
