import { setTimeout as delay } from 'node:timers/promises'

/** The longest that anything may take; no machine should be so slow. */
const patience = 300_000
const lookInterval = 10
/** Also while a test has set the clock. */
const now = performance.now.bind(performance)

/** Waits for something that has to come about, however slow the machine is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const latest = now() + patience
  while (!(await isSo())) {
    if (now() > latest) throw new Error(`It is not so after ${patience / 1_000} seconds: ${what}.`)
    await delay(lookInterval)
  }
}
