import type { Terminal } from './terminal.ts'

/** Shows how far something is. */
export interface Progress {
  at(what: string, done: number, total: number): void
  /** Removes the bar. */
  end(): void
}

const width = 30
const drawMilliseconds = 100
const lineMilliseconds = 1_000

/** A bar on a terminal, and otherwise a line each second. */
export function openProgress({ printError, redraw }: Terminal, now: () => number = () => performance.now()): Progress {
  const pause = redraw ? drawMilliseconds : lineMilliseconds
  let last = now()
  let drawn = false
  return {
    at(what, done, total) {
      if (now() - last < pause) return
      last = now()
      if (!redraw) return printError(`${what}: ${formatShare(done, total)}`)
      drawn = true
      const filled = Math.round((width * done) / Math.max(1, total))
      redraw(`${what} [${'#'.repeat(filled).padEnd(width, '.')}] ${formatShare(done, total)}`)
    },
    end() {
      if (drawn) redraw?.('')
    },
  }
}

function formatShare(done: number, total: number): string {
  const percent = Math.floor((100 * done) / Math.max(1, total))
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${percent} %)`
}
