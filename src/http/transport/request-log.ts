import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the answer's body, for log and metrics. */
    outcome: number
  }
}

/** Levels at which requests are logged. */
const logsRequests: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

export function isLogged(logLevel: string): boolean {
  return logsRequests.has(logLevel)
}

export function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info({
    reqId: request.id,
    method: request.method,
    path: printable(pathOf(request)),
    outcome: reply.outcome || reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 100) / 100,
  })
  done()
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
