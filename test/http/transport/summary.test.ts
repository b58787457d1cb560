import { expect, test } from 'vitest'
import { summarize } from '../../../src/http/transport/failure-log.ts'

function openSummary() {
  const reports: number[] = []
  return { reports, happen: summarize(60_000, (times) => reports.push(times)) }
}

test('an event is reported immediately, ten thousand more as one number a minute later', () => {
  const { reports, happen } = openSummary()
  happen(1_000)
  expect(reports).toEqual([1])
  for (let time = 0; time < 10_000; time += 1) happen(60_999)
  expect(reports).toEqual([1])
  happen(61_000)
  expect(reports).toEqual([1, 10_001])
})

test('a clock that is set back does not silence it', () => {
  const { reports, happen } = openSummary()
  happen(3_600_000)
  happen(0)
  expect(reports).toEqual([1, 1])
})
