import { test as base } from 'vitest'
import { openVisit } from './browser.ts'

export { expect } from 'vitest'

/** A test of a person at a browser, before the directory of a portal of their own. */
export const test = base
  .extend('visit', async ({ onTestFinished }) => {
    const visit = await openVisit()
    onTestFinished(() => visit[Symbol.asyncDispose]())
    return visit
  })
  .extend('page', ({ visit }) => visit.page)
  .extend('portal', ({ visit }) => visit.portal)
