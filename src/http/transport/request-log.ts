import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseTraceparent } from './trace-context.ts'

/**
 * Whose request it is. No function that is made in the handler of the request: by such a one, each request kept the next of its
 * connection until a full garbage collection (measured).
 */
export interface LoggedCaller {
  /** Undefined for a request without a token, or one whose token does not count. */
  readonly tokenHash: string | undefined
  /** The user as whom the request signed in. */
  signedInAs(): string | undefined
}

/** Finds the username of a caller; `outcome` is the code of the answer. */
export type FindUser = (caller: LoggedCaller, outcome: number) => Promise<string | undefined>

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer's body, for log and metrics. */
    outcome: number
    /** The message code of the error in the body, if it has one. */
    messageCode: string | undefined
    /** Whose request it is, for the log; absent before that is known. */
    caller: LoggedCaller | undefined
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

/** What identifies a request in the log, in every line about it. */
export function identify({ id, headers }: FastifyRequest): Readonly<Record<string, string>> {
  return { reqId: id, ...parseTraceparent(headers['traceparent']) }
}

/** Logs a request after its answer. `logLevel` is the least level that is logged. */
export function requestLog(logLevel: string, findUser: FindUser) {
  const least = levels.indexOf(logLevel as Level)

  async function log(request: FastifyRequest, reply: FastifyReply, level: Level, outcome: number): Promise<void> {
    const milliseconds = Math.round(reply.elapsedTime * 100) / 100
    const user = reply.caller && (await findUser(reply.caller, outcome).catch(() => undefined))
    request.log[level](
      {
        ...identify(request),
        address: request.ip,
        user,
        operation: request.routeOptions.config.operation,
        method: request.method,
        path: printable(pathOf(request)),
        outcome,
        status: reply.statusCode,
        messageCode: reply.messageCode,
        milliseconds,
      },
      'request',
    )
  }

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const outcome = reply.outcome || reply.statusCode
    const level = levelOf(outcome, request.routeOptions.config.isProbe)
    if (levels.indexOf(level) >= least) void log(request, reply, level, outcome)
    done()
  }
}

function levelOf(outcome: number, isProbe: true | undefined): Level {
  if (outcome >= 500) return 'error'
  if (outcome >= 400) return 'warn'
  return isProbe ? 'debug' : 'info'
}

/** Longest path in the log, in characters: longer than that of any resource. */
const longestPath = 256

/** The path without the query, which may contain tokens. */
export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!
}

/** A path that may be logged: of limited length, and without what may be a token. */
function printable(path: string): string {
  const shown = path.length > longestPath ? `${path.slice(0, longestPath).replace(/[\w%-]+$/, '')}…` : path
  return shown.replace(tokens, '…')
}

/** What follows the word token, and what is as long as a token: 43 characters of base64url, percent-encoded or not. */
const tokens = /(?<=token(?:[/=:]|%2f|%3d|%3a))[^/]+|(?:[\w-]|%[0-9a-f]{2}){43,}/gi
