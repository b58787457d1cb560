import type { FastifyBaseLogger } from 'fastify'
import { DamagedDocument, DatabaseNewer, StorageContended, StorageUnavailable } from '../../storage/storage.ts'

/** Reports what failed; `about` has members of the line, such as the id of the request. */
export type ReportFailure = (error: unknown, message: string, about?: Readonly<Record<string, unknown>>) => void

/** Milliseconds between two lines about the same outage (chosen). */
const lineInterval = 60_000
/** Maximum number of causes that are remembered: a message may have a number or an address in it. */
const maxCauses = 100

/**
 * Reports failures to the log. A bug is a line with its stack each time. Contention is a warning. An outage of the database fails every request, and a
 * damaged document each that reads it: each cause is one line, repeated after a minute at the earliest with the number of times, and no stack. `clock` is
 * monotonic, in milliseconds.
 */
export function openFailureLog(
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  clock: () => number = () => performance.now(),
): ReportFailure {
  const causes = new Map<string, (now: number) => void>()

  function summaryOf(error: Error, message: string): (now: number) => void {
    const level = error instanceof StorageContended ? 'warn' : 'error'
    return summarize(lineInterval, (times) => log[level]({ cause: error.message, times }, message))
  }

  return (error, message, about) => {
    if (!(error instanceof StorageUnavailable || error instanceof DamagedDocument)) {
      log.error({ ...about, error }, message)
      return
    }
    // It fails every request: one line says so.
    const text = error instanceof DatabaseNewer ? 'This server takes no writes any more.' : message
    const key = `${text} ${error.message}`
    if (causes.size >= maxCauses) causes.clear()
    const report = causes.get(key) ?? summaryOf(error, text)
    causes.set(key, report)
    report(clock())
  }
}

/**
 * Reports an event that may come thousands of times a second: the first immediately, later ones as a number, at most once in
 * `milliseconds`. The clock is the caller's.
 */
export function summarize(milliseconds: number, report: (times: number) => void): (now: number) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (now) => {
    times += 1
    // A clock that was set back reports too.
    if (Math.abs(now - reportedAt) < milliseconds) return
    report(times)
    reportedAt = now
    times = 0
  }
}
