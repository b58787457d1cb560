import { targets } from '../../../../support/portal/actors.ts'
import { adminPassword } from '../../../../support/portal/portal.ts'
import type { Expectations } from './case.ts'
import { anyone, insiders, noOneSignedIn, ok, signedOut } from './outcomes.ts'

/** Sign-in and sign-out look at no token of the caller's. */
export const tokenExpectations: Expectations = {
  issueTokens: [
    {
      on: 'a refresh token',
      privileges: [],
      parameters: ({ spareRefreshToken }) => ({
        grant_type: 'refresh_token',
        client_id: 'arcgisonline',
        refresh_token: spareRefreshToken,
      }),
      expected: anyone,
    },
  ],
  readPlatformSelf: [
    {
      on: 'a browser',
      privileges: [],
      expected: noOneSignedIn,
    },
  ],
  validateAppAccess: [
    {
      on: 'a built-in app',
      privileges: [],
      parameters: () => ({ client_id: 'arcgisonline' }),
      expected: { ...signedOut, outsider: ok, ...insiders(ok) },
    },
  ],
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
