import { test as base } from 'vitest'
import { hostCollaboration } from './collaboration-host.ts'
import { startPortal } from './portal.ts'

export { describe, expect } from 'vitest'

/** A test that may ask for a server on an empty database, and for its first callers. Only what it asks for is made. */
export const test = base
  .extend('portal', async ({ onTestFinished }) => {
    const portal = await startPortal()
    onTestFinished(() => portal[Symbol.asyncDispose]())
    return portal
  })
  /** The organization's first administrator, signed in. */
  .extend('admin', ({ portal }) => portal.admin())
  /** A user of the organization. */
  .extend('anna', ({ admin }) => admin.invite('anna'))
  /** The administrator of a second organization. */
  .extend('outsider', ({ portal }) => portal.otherOrganization())
  /** The administrator with a collaboration of one workspace. */
  .extend('host', ({ portal, admin }) => hostCollaboration(portal, admin))
