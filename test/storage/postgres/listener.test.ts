import { expect, onTestFinished, test, vi } from 'vitest'
import { openListener } from '../../../src/storage/postgres/listener.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'

test('a listener is sure of what it has received for three quarters of a second after each trial, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const listener = await openListener(await emptyDatabase(), {
    channel: 'cartulary_test',
    onNotification: () => undefined,
    onGap: () => undefined,
  })
  try {
    await listener.catchUp()
    vi.advanceTimersByTime(749)
    expect(listener.isSubscribed()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(listener.isSubscribed()).toBe(false)
    await listener.catchUp()
    expect(listener.isSubscribed()).toBe(true)
  } finally {
    await listener.close()
  }
})

// Once for each process: after another test has caused the warning, this one does not see it.
test('many may ask concurrently that it catches up, and the driver does not warn', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const listener = await openListener(await emptyDatabase(), {
    channel: 'cartulary_test',
    onNotification: () => undefined,
    onGap: () => undefined,
  })
  try {
    await Promise.all(Array.from({ length: 5 }, () => listener.catchUp()))
    await new Promise(setImmediate)
  } finally {
    await listener.close()
  }
  expect(warnings).toEqual([])
})
