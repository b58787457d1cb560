import type { StartNotices } from '../../storage/storage.ts'
import { announce } from './announce.ts'
import type { Terminal } from './terminal.ts'

/** Milliseconds between two lines about a start that takes long (chosen). */
const lineInterval = 10_000

/** Lines of a start that takes long: what it does or waits for, every ten seconds. `onFirst` is called before the first one. */
export function openStartLines(terminal: Terminal, onFirst: () => void): StartNotices & { end(): void } {
  let timer: NodeJS.Timeout | undefined
  let present: string | undefined
  return {
    signal: terminal.signal,
    say(sentence) {
      if (!timer) {
        onFirst()
        timer = setInterval(() => present && announce(terminal, present), lineInterval)
      }
      announce(terminal, sentence)
    },
    doing(sentence) {
      present = sentence
    },
    end: () => clearInterval(timer),
  }
}
