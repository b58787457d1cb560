import { runHousekeeping } from '../../../src/background/housekeeping.ts'
import type { TestPortal } from './portal.ts'

/** Needs of housekeeping and jobs of a portal, which run when the test says so. */
export const houseOf = ({ server }: Pick<TestPortal, 'server'>) => ({
  ...server.dependencies,
  publicUrl: server.publicUrl,
  settings: { signInLimit: { failures: 10, minutes: 15 } },
})

export const housekeep = (portal: TestPortal) => runHousekeeping(houseOf(portal))
