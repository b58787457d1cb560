import { expect, test } from 'vitest'
import { openRecentRequests } from '../../src/operations/recent-requests.ts'

const minute = 60_000
const noon = 1_768_478_400_000

test('requests are counted by minute and kind, refusals and failures among them', () => {
  const recent = openRecentRequests()
  recent.add('read', 200, 1, noon)
  recent.add('read', 404, 1, noon + minute - 1)
  recent.add('write', 503, 1, noon + minute)
  const minutes = recent.listMinutes(noon + minute)
  expect(minutes).toHaveLength(60)
  expect(minutes.map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, place) => noon + (place - 58) * minute))
  expect(minutes.slice(-2)).toEqual([
    { at: noon, requests: 2, refused: 1, failed: 0 },
    { at: noon + minute, requests: 1, refused: 0, failed: 1 },
  ])
  expect(minutes.slice(0, -2).every(({ requests }) => requests === 0)).toBe(true)
  expect(recent.listKinds(noon + minute)).toMatchObject([
    { kind: 'read', requests: 2, refused: 1, failed: 0 },
    { kind: 'search', requests: 0, p50: undefined, p99: undefined },
    { kind: 'write', requests: 1, refused: 0, failed: 1 },
    { kind: 'other', requests: 0 },
  ])
})

test('what is an hour old is gone, by itself and where its place is needed', () => {
  const recent = openRecentRequests()
  recent.add('read', 200, 1, noon)
  const sum = (now: number) => recent.listMinutes(now).reduce((total, { requests }) => total + requests, 0)
  expect([sum(noon + 59 * minute), sum(noon + 60 * minute)]).toEqual([1, 0])
  recent.add('read', 200, 1, noon + 60 * minute)
  expect([sum(noon + 60 * minute), sum(noon)]).toEqual([1, 0])
})

test('quantiles are at most a quarter above the durations', () => {
  const recent = openRecentRequests()
  const durations = Array.from({ length: 1_000 }, (_, place) => 0.05 * 1.015 ** place)
  for (const milliseconds of durations) recent.add('search', 200, milliseconds, noon)
  const [, { p50, p99 } = { p50: 0, p99: 0 }] = recent.listKinds(noon)
  for (const [quantile, exact] of [
    [p50, durations[499]!],
    [p99, durations[989]!],
  ] as const) {
    expect(quantile! / Math.min(exact, 100_000)).toBeGreaterThanOrEqual(0.97)
    expect(quantile! / Math.min(exact, 100_000)).toBeLessThanOrEqual(1.3)
  }
})

test('a duration above all buckets, or of nothing, is in the last or the first one', () => {
  const recent = openRecentRequests()
  recent.add('read', 200, 0, noon)
  recent.add('write', 200, 1e9, noon)
  const [read, , write] = recent.listKinds(noon)
  expect([read!.p50, write!.p99]).toEqual([0.1, 100_000])
})
