import { test as base } from 'vitest'
import { startListeningPortal } from './listening-portal.ts'

export { expect } from 'vitest'

/** A test of a client that reaches the server by its address. Only what the test asks for is made. */
export const test = base
  .extend('portal', async ({ onTestFinished }) => {
    const portal = await startListeningPortal()
    onTestFinished(() => portal[Symbol.asyncDispose]())
    return portal
  })
  /** The administrator, signed in by the client. */
  .extend('identity', ({ portal }) => portal.identity())
  /** Name of `identity` in calls of the client. */
  .extend('authentication', ({ identity }) => identity)
  /** The administrator, signed in by a request of the tests. */
  .extend('admin', ({ portal }) => portal.admin())
