import { startJobs } from '../../../src/background/jobs.ts'
import { houseOf } from '../portal/house.ts'
import type { Application } from './application.ts'

/** Has the portal do the jobs that there are, as a server does, until this is disposed. */
export function doJobs({ portal }: Application): AsyncDisposable {
  return { [Symbol.asyncDispose]: startJobs(houseOf(portal)) }
}

/** Keeps messages with Undo until `passTime`, however long a test takes. */
export async function holdMessages({ page }: Application): Promise<{ passTime(): Promise<void> }> {
  await page.addInitScript(`{
    const start = window.setTimeout
    window.setTimeout = (work, delay, ...more) =>
      delay === 10_000 ? ((window.passTime = work), 0) : start(work, delay, ...more)
  }`)
  return { passTime: () => page.evaluate('void window.passTime()') }
}
