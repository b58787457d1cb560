import { runJobs } from '../../../src/cli/jobs.ts'
import { houseOf } from '../portal/house.ts'
import type { Application } from './application.ts'

/** Has the portal do the jobs that the page begins, until this is disposed. */
export function doJobs({ page, portal }: Application): AsyncDisposable {
  const house = houseOf(portal)
  let work = Promise.resolve()
  page.on('response', (response) => {
    if (/\/(changeItems|import|revert|transferItems)$/.test(response.url())) work = work.then(() => runJobs(house))
  })
  return { [Symbol.asyncDispose]: () => work }
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
