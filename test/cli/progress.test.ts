import { expect, test } from 'vitest'
import { openProgress } from '../../src/cli/output/progress.ts'
import type { Terminal } from '../../src/cli/output/terminal.ts'

/** A terminal, or standard error in a file; with a clock that tests set. */
function aTerminal(isWatched: boolean) {
  const lines: string[] = []
  const clock = { now: 0 }
  const write = (line: string) => void lines.push(line)
  const terminal: Terminal = {
    environment: {},
    signal: new AbortController().signal,
    print: write,
    printError: write,
    exit: () => undefined,
    ...(isWatched && { redraw: write }),
  }
  return { lines, clock, progress: openProgress(terminal, () => clock.now) }
}

test('a terminal shows a bar, drawn ten times a second at most, that goes away at the end', () => {
  const { lines, clock, progress } = aTerminal(true)
  for (clock.now = 10; clock.now <= 1_000; clock.now += 10) progress.at('Copying', clock.now, 2_000)
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toBe('Copying [###############...............] 1,000 of 2,000 (50 %)')
  progress.end()
  expect(lines.at(-1)).toBe('')
})

test('a file has a plain line a second at most', () => {
  const { lines, clock, progress } = aTerminal(false)
  for (clock.now = 10; clock.now <= 3_500; clock.now += 10) progress.at('Copying', clock.now, 4_000)
  progress.end()
  expect(lines).toEqual([
    'Copying: 1,000 of 4,000 (25 %)',
    'Copying: 2,000 of 4,000 (50 %)',
    'Copying: 3,000 of 4,000 (75 %)',
  ])
})

test.each([true, false])('a step that is done immediately prints nothing', (isWatched) => {
  const { lines, clock, progress } = aTerminal(isWatched)
  clock.now = 50
  progress.at('Copying', 0, 0)
  progress.end()
  expect(lines).toEqual([])
})
