import type { ServerOptions } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Limits } from '../../limits.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { receiveBodies } from './bodies.ts'
import { clientErrorHandler } from './client-errors.ts'
import { Connections } from './connections.ts'
import { rewriteToContext } from './context-path.ts'
import { openDraining } from './draining.ts'
import { openFailureLog, type ReportFailure } from './failure-log.ts'
import { guardRequests } from './guards.ts'
import { answerAsGet } from './head.ts'
import { type LogLines, loggerOptions } from './log.ts'
import { findRequestId, isLogged, requestLog } from './request-log.ts'
import { UnreadAnswers } from './unread-answers.ts'

/** HTTP below the API: limits, time-outs, CORS, logs, and malformed requests. */

/** Limits on requests (contract §1). */
export const maxBodyBytes = 1024 * 1024
const maxHeaderBytes = 256 * 1024
const headersTimeout = 5_000
/** For a request to come whole: a long body waits for its turn, and has ten seconds then. */
const requestTimeout = 75_000
/** For TLS. */
const handshakeTimeout = 5_000

/** No route has a schema of Fastify's: without compilers of its own, each start would load Ajv. */
const noCompiler = () => () => {
  throw new Error('Routes have no schemas; the table of endpoints describes them.')
}
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler }

export interface TransportSettings {
  readonly trustProxy: boolean
  readonly logLevel: string
  /** Undefined for standard output. */
  readonly logLines?: LogLines | undefined
  /** Undefined if nothing is known of a proxy. */
  readonly publicUrl: string | undefined
  /** First segments of the paths of the application in the browser. */
  readonly pathsOfApplication?: readonly string[]
  readonly limits: Limits
  /** Origins that browsers may call from; undefined for all. */
  readonly allowedOrigins: readonly string[] | undefined
  /** PEM; undefined for plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly reportFailure: ReportFailure
  }
}

/** A server without routes. */
export async function createTransport(
  settings: TransportSettings,
  { random, limitCounts }: Pick<Dependencies, 'random' | 'limitCounts'>,
): Promise<FastifyInstance> {
  const headers = headersOf(settings)
  const rewrite = rewriteToContext(settings.publicUrl, settings.pathsOfApplication)
  const connections = new Connections(settings.limits.connections, limitCounts)
  const unread = new UnreadAnswers(settings.limits, limitCounts)
  const options: ServerOptions = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout,
    connectionsCheckingInterval: 1_000,
    // Refused by `guardRequests`, with the envelope.
    requireHostHeader: false,
    ServerResponse: unread.responseClass,
  }
  const app = Fastify({
    ...(settings.tls ? { https: { ...settings.tls, ...options, handshakeTimeout } } : { http: options }),
    bodyLimit: maxBodyBytes,
    requestTimeout,
    // The last address was added by the proxy; those before it are sent by the client and not trusted.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: (request) => findRequestId(request, settings.trustProxy, () => random.id()),
    // One logger for all requests: making one for each costs more than the few lines that need its id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    logger: loggerOptions(settings.logLevel, settings.logLines),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Clients write operations so: updateuserrole, removeusers (observed). Ids keep their case.
      caseSensitive: false,
      maxParamLength: maxHeaderBytes,
      // The query is parsed with the body, and as strictly.
      querystringParser: () => notParsed,
    },
    schemaController: { compilersFactory: noCompilers },
    rewriteUrl(request) {
      answerAsGet(request)
      return rewrite(withReadablePath(request.url ?? ''))
    },
    exposeHeadRoutes: false,
    clientErrorHandler: clientErrorHandler(headers, connections),
  }) as unknown as FastifyInstance
  // Another expectation than 100-continue is refused by `guardRequests`, with the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  receiveBodies(app)

  connections.watch(app)
  unread.watch(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
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
      'Prefer',
      'Traceparent',
      'Tracestate',
      'X-Esri-Authorization',
      'X-Requested-With',
    ],
    exposedHeaders: ['Content-Disposition', 'ETag', 'Retry-After', 'X-Next-Key', 'X-Request-Id'],
    maxAge: 3600,
    strictPreflight: false,
  })
  // Health and metrics are for the operator, and not for the pages that a visitor of an intranet opens.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isProbe) removeGrants(reply)
    done()
  })
  app.addHook('onRequest', guardRequests(settings.publicUrl))
  app.decorate('draining', openDraining(app, connections))
  if (isLogged(settings.logLevel)) app.addHook('onResponse', requestLog(settings.logLevel))
  app.decorateReply('outcome', 0)
  app.decorateReply('messageCode', undefined)
  app.decorateReply('username', undefined)
  app.decorate('reportFailure', openFailureLog(app.log))
  return app
}

const notParsed = {}

/** Removes the headers by which a browser lets a page of another origin read an answer. */
export function removeGrants(reply: Pick<FastifyReply, 'removeHeader'>): void {
  for (const name of ['allow-origin', 'allow-credentials', 'expose-headers']) {
    reply.removeHeader(`access-control-${name}`)
  }
}

/** The headers of every answer. */
function headersOf({ publicUrl, tls }: TransportSettings): Readonly<Record<string, string>> {
  const isSecure = tls !== undefined || publicUrl?.startsWith('https:')
  return isSecure ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' } : securityHeaders
}

const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
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
