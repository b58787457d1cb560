import type { Case, Expectations } from './case.ts'
import { forbidden, governors, insiders, itemNotFound, notFound, ok, signedOut, userNotFound } from './outcomes.ts'

const privileges = ['portal:admin:manageSecurity'] as const
const governed = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors } as const
const anApp: Case = { on: 'an app', privileges, expected: { ...governed, owner: ok } }

/** Each organization has its own switch. */
const builtIn: Case = {
  on: 'a built-in app',
  ids: () => ({ clientId: 'arcgisonline' }),
  privileges,
  expected: { ...governed, outsider: ok },
}

/** Apps, and the items that they are registered for. */
export const appExpectations: Expectations = {
  listApps: [{ on: 'their own organization', privileges, expected: { ...governed, outsider: ok } }],
  registerApp: [
    {
      on: 'an item of type Application',
      parameters: ({ applications }) => ({ itemId: applications.free, redirect_uris: '["https://app.example.com/"]' }),
      privileges,
      expected: { ...governed, outsider: itemNotFound, owner: ok },
    },
  ],
  readApp: [anApp, builtIn],
  updateApp: [
    { ...anApp, parameters: () => ({ redirect_uris: '["https://app.example.com/"]' }) },
    { ...builtIn, parameters: () => ({ disabled: 'true' }) },
  ],
  confirmApp: [
    {
      on: 'an app',
      privileges: [],
      expected: { ...signedOut, outsider: notFound, ...insiders(forbidden), administrator: ok },
    },
  ],
  unregisterApp: [anApp],
  renewAppSecret: [anApp],
  endFormerAppSecret: [anApp],
  readItemApp: [
    {
      on: 'an item of type Application',
      ids: ({ applications }) => ({ username: 'owner', itemId: applications.registered }),
      privileges: ['portal:user:viewOrgItems', ...privileges],
      expected: { ...governed, outsider: userNotFound, owner: ok },
    },
  ],
}
