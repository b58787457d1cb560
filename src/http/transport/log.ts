import type { FastifyServerOptions } from 'fastify'

type LoggerOptions = NonNullable<FastifyServerOptions['logger']>

/** Takes the lines of the log, each with its end of line. */
export interface LogLines {
  write(line: string): void
}

/** A logger that writes one JSON object per line; to standard output unless `lines` is given. */
export function loggerOptions(level: string, lines: LogLines | undefined): LoggerOptions {
  if (level === 'silent') return false
  return {
    level,
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
    ...(lines && { stream: lines }),
  }
}

/** Without further properties of the error: those of a database driver may have values of rows. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: error.name, message: error.message, ...code, stack: error.stack }
}
