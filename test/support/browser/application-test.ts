import { test as base } from 'vitest'
import { openApplication } from './application.ts'

export { expect } from 'vitest'

/** A test of a person at a browser, before the application of a portal of their own. */
export const test = base
  .extend('application', async ({ onTestFinished }) => {
    const application = await openApplication()
    onTestFinished(() => application[Symbol.asyncDispose]())
    return application
  })
  .extend('page', ({ application }) => application.page)
  .extend('portal', ({ application }) => application.portal)
  .extend('origin', ({ application }) => application.origin)
  .extend('context', ({ application }) => application.context)
