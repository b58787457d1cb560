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
    stream: lines ?? standardOutput(),
  }
}

/** Milliseconds for which a line waits for others (chosen): each write costs as much as a third of a small read. */
const flushInterval = 20
/** Characters that wait at most. */
const maxPending = 64 * 1024

let output: LogLines | undefined

/** Standard output, to which several lines go by one write; the last ones before the process exits. */
function standardOutput(): LogLines {
  output ??= openBatches((text) => void process.stdout.write(text))
  return output
}

/** Lines that are written together. */
export function openBatches(write: (text: string) => void): LogLines {
  let pending = ''
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const text = pending
    pending = ''
    if (text !== '') write(text)
  }

  process.on('exit', flush)
  return {
    write(line) {
      pending += line
      if (pending.length > maxPending) flush()
      else timer ??= setTimeout(flush, flushInterval).unref()
    },
  }
}

/** Without further properties of the error: those of a database driver may have values of rows. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: error.name, message: error.message, ...code, stack: error.stack }
}
