import { expect, onTestFinished, test, vi } from 'vitest'
import { openBatches } from '../../../src/http/transport/log.ts'

function openLines() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  return { lines: openBatches((text) => written.push(text)), written }
}

test('lines are written together, 20 milliseconds after the first of them', () => {
  const { lines, written } = openLines()
  lines.write('one\n')
  vi.advanceTimersByTime(19)
  lines.write('two\n')
  expect(written).toEqual([])
  vi.advanceTimersByTime(1)
  expect(written).toEqual(['one\ntwo\n'])
  lines.write('three\n')
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('many lines are written before', () => {
  const { lines, written } = openLines()
  const line = `${'x'.repeat(1_023)}\n`
  for (let number = 0; number < 100; number += 1) lines.write(line)
  expect(written).toEqual([line.repeat(65)])
})

test('the last lines are written when the process exits', () => {
  const before = process.listeners('exit')
  const { lines, written } = openLines()
  const flush = process.listeners('exit').find((listener) => !before.includes(listener))!
  onTestFinished(() => void process.off('exit', flush))
  lines.write('last\n')
  flush(0)
  expect(written).toEqual(['last\n'])
})
