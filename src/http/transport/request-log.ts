import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHead } from './head.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer's body, for log and metrics. */
    outcome: number
    /** The message code of the error in the body, if it has one. */
    messageCode: string | undefined
    /** User who sent the request, for the log; absent before that is known, and without one. */
    username: string | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route is called all the time by machines: its successes are logged at `debug`. */
    readonly isProbe?: true
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

/** Levels of `LOG_LEVEL` at which some requests are logged. */
const logsRequests: ReadonlySet<string> = new Set(['trace', ...levels])

export function isLogged(logLevel: string): boolean {
  return logsRequests.has(logLevel)
}

/** Members that identify a request, in every line of the log about it. */
export function identify({ id, headers }: FastifyRequest): Readonly<Record<string, string>> {
  return { reqId: id, ...parseTraceparent(headers['traceparent']) }
}

/** Logs a request after its answer. `logLevel` is the least level that is logged. */
export function requestLog(logLevel: string) {
  const min = levels.indexOf(logLevel as Level)

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const outcome = reply.outcome || reply.statusCode
    const { config } = request.routeOptions
    const level = levelOf(outcome, config.isProbe)
    if (levels.indexOf(level) >= min) {
      const line = {
        ...identify(request),
        address: request.ip,
        user: reply.username,
        operation: config.operation,
        method: isHead(request) ? 'HEAD' : request.method,
        path: printable(pathOf(request)),
        outcome,
        status: reply.statusCode,
        messageCode: reply.messageCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      }
      request.log[level](line, 'request')
    }
    done()
  }
}

function levelOf(outcome: number, isProbe: true | undefined): Level {
  if (outcome >= 500) return 'error'
  if (outcome >= 400) return 'warn'
  return isProbe ? 'debug' : 'info'
}

/** Maximum length of a path in the log, in characters: longer than that of any resource. */
const maxPathLength = 256

/** The path without the query, which may contain tokens. */
export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** A path that may be logged: of limited length, and without parts that may be a token. */
function printable(path: string): string {
  const shown = path.length > maxPathLength ? `${path.slice(0, maxPathLength).replace(/[\w%-]+$/, '')}…` : path
  return mayHaveToken.test(shown) ? shown.replace(tokens, '…') : shown
}

/** Texts that have a token if anything does, found in one pass: nearly no path has one. */
const mayHaveToken = /token|(?<![\w%-])[\w%-]{43,}/i

/** Parts that follow the word token, or are as long as a token: 43 characters of base64url, percent-encoded or not. */
const tokens = /(?<=token(?:[/=:]|%2f|%3d|%3a))[^/]+|(?:[\w-]|%[0-9a-f]{2}){43,}/gi

/** Longer than a UUID and shorter than a token, so that no token is taken for an id (chosen). */
const acceptable = /^[\w.:@-]{1,40}$/

/**
 * The id of a request, in its answer, the log and the audit: the proxy's `X-Request-Id` if proxies are trusted, otherwise a
 * new one (chosen).
 */
export function findRequestId({ headers }: IncomingMessage, trustProxy: boolean, makeId: () => string): string {
  const given = headers['x-request-id']
  return trustProxy && typeof given === 'string' && acceptable.test(given) ? given : makeId()
}

/** The trace that a request belongs to. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits: of the span in which the client or proxy sent the request. */
  readonly spanId: string
}

/** version "-" trace-id "-" parent-id "-" trace-flags; later versions may go on after another hyphen. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the header `traceparent`; undefined if it is not valid (documented: W3C Trace Context, 3.2). */
export function parseTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, spanId, rest] = traceparent.exec(header) ?? []
  if (!traceId || !spanId || (version === '00' && rest !== undefined)) return undefined
  return { traceId, spanId }
}
