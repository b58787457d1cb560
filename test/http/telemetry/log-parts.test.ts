import { describe, expect, test } from 'vitest'
import { formatLogLine } from '../../../src/cli/output/log-line.ts'
import { openFailureLog } from '../../../src/http/transport/failure-log.ts'
import { findRequestId, parseTraceparent } from '../../../src/http/transport/request-log.ts'
import { StorageContended, StorageUnavailable } from '../../../src/storage/storage.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('traceparent', () => {
  test.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-ff`])(
    'names the trace and the span: %s',
    (header) => expect(parseTraceparent(header)).toEqual({ traceId, spanId }),
  )

  test.each([`01-${traceId}-${spanId}-01`, `cc-${traceId}-${spanId}-01-what-the-future-will-be`])(
    'of a later version is read as far as it is known: %s',
    (header) => expect(parseTraceparent(header)).toEqual({ traceId, spanId }),
  )

  test.each([
    undefined,
    '',
    [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-0g`,
    `00-${traceId}-${spanId}-01-`,
    `00-${traceId}-${spanId}-01-more`,
    `01-${traceId}-${spanId}-01more`,
    `ff-${traceId}-${spanId}-01`,
    `0-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}0-01`,
    ` 00-${traceId}-${spanId}-01`,
  ])('is ignored if it is not valid: %s', (header) => expect(parseTraceparent(header)).toBeUndefined())
})

describe('the id of a request', () => {
  const find = (given: string | string[] | undefined, trustProxy = true) =>
    findRequestId({ headers: { 'x-request-id': given } } as never, trustProxy, () => 'made')

  test.each(['7d1c2b8e90a34f5d8c6b7a8f9e0d1c2b', '1f0c8f0e-6f43-4f0b-9a58-7c1f9e6c1a11', 'a', 'a'.repeat(40)])(
    'is that of a trusted proxy: %s',
    (given) => {
      expect(find(given)).toBe(given)
      expect(find(given, false)).toBe('made')
    },
  )

  test.each([undefined, '', 'a'.repeat(41), 'a b', 'a,b', 'a"b', 'é', 'a\n', ['a', 'b']])(
    'is made where the proxy gives none that may be one: %s',
    (given) => expect(find(given)).toBe('made'),
  )
})

describe('failures in the log', () => {
  function openLog() {
    const lines: [object, string][] = []
    const clock = { now: 0 }
    const log = { error: (members: object, message: string) => void lines.push([members, message]) }
    return { lines, clock, report: openFailureLog(log as never, () => clock.now) }
  }

  test('of the database are a line for each cause and minute, with their number and no stack', () => {
    const { lines, clock, report } = openLog()
    const full = new StorageUnavailable('database or disk is full')
    for (let times = 0; times < 1_000; times += 1) report(full, 'request failed', { reqId: String(times) })
    report(new StorageUnavailable('The write queue is full.'), 'request failed')
    report(full, 'audit failed')
    expect(lines).toEqual([
      [{ cause: 'database or disk is full', times: 1 }, 'request failed'],
      [{ cause: 'The write queue is full.', times: 1 }, 'request failed'],
      [{ cause: 'database or disk is full', times: 1 }, 'audit failed'],
    ])
    clock.now = 60_000
    report(full, 'request failed')
    expect(lines.slice(3)).toEqual([[{ cause: 'database or disk is full', times: 1_000 }, 'request failed']])
  })

  test('that are contention are a warning', () => {
    const warnings: string[] = []
    const report = openFailureLog({ warn: (_: object, message: string) => warnings.push(message) } as never)
    report(new StorageContended('Too much contention on the same rows.'), 'request failed')
    expect(warnings).toEqual(['request failed'])
  })

  test('that are bugs are a line each, with the id of the request and the error', () => {
    const { lines, report } = openLog()
    const bug = new TypeError('x is not a function')
    for (const reqId of ['1', '2']) report(bug, 'request failed', { reqId })
    expect(lines).toEqual([
      [{ reqId: '1', error: bug }, 'request failed'],
      [{ reqId: '2', error: bug }, 'request failed'],
    ])
  })
})

describe('on a terminal, a line of the log', () => {
  const time = '2026-11-20T12:00:00.123Z'
  const format = (members: object) => formatLogLine(`${JSON.stringify({ time, ...members })}\n`)

  test('of a request begins with what was asked for and answered', () => {
    const request = {
      reqId: 'r1',
      address: '::1',
      operation: 'readSelf',
      method: 'GET',
      path: '/a',
      message: 'request',
    }
    expect(format({ level: 'warn', ...request, outcome: 499, status: 200, milliseconds: 1.5 })).toBe(
      '12:00:00.123 WARN  GET /a 200 (499), 1.5 ms reqId=r1 address=::1 operation=readSelf',
    )
    expect(format({ level: 'info', ...request, outcome: 200, status: 200, milliseconds: 1 })).toContain(
      'GET /a 200, 1 ms',
    )
  })

  test('of an outage has its cause, and that of a bug its stack on lines of their own', () => {
    expect(format({ level: 'error', cause: 'disk is full', times: 2, message: 'request failed' })).toBe(
      '12:00:00.123 ERROR request failed cause="disk is full" times=2',
    )
    const error = { type: 'Error', message: 'x', stack: 'Error: x\n    at y' }
    expect(format({ level: 'error', error, message: 'request failed' })).toBe(
      '12:00:00.123 ERROR request failed\n  Error: x\n      at y',
    )
  })

  test('has nothing that the terminal would obey', () => {
    const error = { stack: 'Error: \u001b[2J\u009b2J' }
    const line = format({ level: 'error', user: '\u001b[2Jx', path: 'a\u202eb', error, message: 'request failed' })
    expect(line).toContain('user="\\u001b[2Jx"')
    expect(line.replaceAll('\n', '')).not.toMatch(/[\p{Cc}]/u)
  })
})
