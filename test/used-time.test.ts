import { expect, test } from 'vitest'
import { UsedTime } from '../src/used-time.ts'

test('used time counts half after thirty seconds', () => {
  const used = new UsedTime()
  used.add('anna', 800)
  const now = performance.now()
  expect(used.of('anna', now + 30_000) / used.of('anna', now)).toBeCloseTo(0.5)
})
