import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { beginSteps } from '../../../src/http/requests/steps.ts'
import { until } from '../../support/until.ts'

test.each([
  ['at once', 0, 25],
  ['shortly before a moment', 24.9, 25],
  ['at a moment', 25, 50],
  ['after several', 60.5, 75],
])(
  'what is done %s is answered at the next moment, 25 milliseconds apart, and not before',
  async (_when, after, moment) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const begun = performance.now()
    const nextStep = beginSteps()
    vi.advanceTimersByTime(after)
    let isNow = false
    void nextStep().then(() => {
      isNow = true
    })
    const goTo = async (time: number) => {
      vi.advanceTimersByTime(begun + time - performance.now())
      for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    }
    await goTo(moment - 0.05)
    expect(isNow).toBe(false)
    await goTo(moment + 0.05)
    await until('it is the moment', () => isNow)
    expect(vi.getTimerCount()).toBe(0)
  },
)
