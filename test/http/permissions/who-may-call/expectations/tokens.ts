import { targets } from '../../../../support/portal/actors.ts'
import { adminPassword } from '../../../../support/portal/portal.ts'
import type { Expectations } from './case.ts'
import { anyone } from './outcomes.ts'

/** Sign-in and sign-out look at no token of the caller's. */
export const tokenExpectations: Expectations = {
  generateToken: [
    {
      on: 'right credentials',
      privileges: [],
      parameters: () => ({ username: targets.user, password: adminPassword }),
      expected: anyone,
    },
  ],
  revokeToken: [
    {
      on: "somebody's token",
      privileges: [],
      parameters: ({ spareToken }) => ({ auth_token: spareToken }),
      expected: anyone,
    },
  ],
}
