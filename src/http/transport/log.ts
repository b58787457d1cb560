import { write, writeSync } from 'node:fs'
import { Socket } from 'node:net'
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
/** Characters that wait at most for others. */
const maxPending = 64 * 1024
/** Characters that wait at most while a write does not end, as a pipe is full or a disk slow (chosen). */
const maxWaiting = 1024 * 1024

/** Target of the lines. */
export interface LogOutput {
  /** Never waits. `done` gets what could not be written: the end of the text, empty where all of it was. */
  write(text: string, done: (unwritten: string) => void): void
  /** Writes synchronously, or not at all: the process exits. */
  writeLast(text: string): void
}

/** Lines that are written together. */
export interface LogBatches extends LogLines {
  /** Lines that could not be written. */
  readonly dropped: number
}

let output: LogBatches | undefined

/** Standard output, to which several lines go by one write; the last ones before the process exits. */
function standardOutput(): LogLines {
  output ??= openBatches(process.stdout instanceof Socket ? toStream : toFile)
  return output
}

/** Lines that could not be written to standard output since the process started. */
export function countDroppedLines(): number {
  return output?.dropped ?? 0
}

/** Output to a pipe: what it does not take waits in the process. */
const toStream: LogOutput = {
  write: (text, done) => void process.stdout.write(text, (error) => done(error ? text : '')),
  writeLast: (text) => void process.stdout.write(text),
}

/** Output to a file, by a thread of Node's, as a disk may be slow; the stream of standard output would throw where it is full. */
const toFile: LogOutput = {
  write(text, done) {
    const bytes = Buffer.from(text)
    const writeFrom = (begin: number): void =>
      write(1, bytes, begin, (error, written) => {
        if (error) done(bytes.toString('utf8', begin))
        else if (begin + written < bytes.length) writeFrom(begin + written)
        else done('')
      })
    writeFrom(0)
  },
  writeLast(text) {
    try {
      writeSync(1, text)
    } catch {
      // There is no other place to say so.
    }
  },
}

/** Lines that are written together, one write at a time; lines that cannot be written are dropped, and counted in a later line. */
export function openBatches({ write, writeLast }: LogOutput): LogBatches {
  let pending = ''
  let pendingLines = 0
  let timer: NodeJS.Timeout | undefined
  let isWriting = false
  let dropped = 0
  let reported = 0
  /** Whether the last line that was written lacks its end. */
  let isTorn = false

  function takePending(): string {
    const text = `${isTorn ? '\n' : ''}${dropped > reported ? formatDropped(dropped - reported) : ''}${pending}`
    pending = ''
    pendingLines = 0
    return text
  }

  function flush(): void {
    // Before all else: while a write does not end, the end of that one schedules the next.
    clearTimeout(timer)
    timer = undefined
    if (isWriting || pending === '') return
    const [lines, counted] = [pendingLines, dropped]
    const text = takePending()
    isWriting = true
    write(text, (unwritten) => {
      isWriting = false
      if (unwritten === '') reported = counted
      else dropped += Math.min(lines, unwritten.split('\n').length - 1)
      if (unwritten !== text) isTorn = unwritten !== '' && !text.endsWith(`\n${unwritten}`)
      schedule()
    })
  }

  function schedule(): void {
    if (pending.length > maxPending) flush()
    else if (pending !== '') timer ??= setTimeout(flush, flushInterval).unref()
  }

  process.on('exit', () => {
    // Behind a write that has not ended: Node's threads end what waits for them, in its order.
    const last = isWriting ? write : writeLast
    if (pending !== '') last(takePending(), () => undefined)
  })
  return {
    get dropped() {
      return dropped
    },
    write(line) {
      if (pending.length > maxWaiting) {
        dropped += 1
        return
      }
      pending += line
      pendingLines += 1
      schedule()
    },
  }
}

function formatDropped(lines: number): string {
  const message = 'Lines of the log were dropped, as standard output could not be written.'
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), message, lines })}\n`
}

/** Leaves out further properties of the error: those of a database driver may have values of rows. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: error.name, message: error.message, ...code, stack: error.stack }
}
