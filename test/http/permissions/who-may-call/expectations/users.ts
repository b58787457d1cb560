import type { Privilege } from '../../../../../src/call/privilege.ts'
import { targets } from '../../../../support/portal/actors.ts'
import { adminPassword } from '../../../../support/portal/portal.ts'
import type { Case, Expectations } from './case.ts'
import { forbidden, governors, insiders, ok, openToAnonymous, signedOut, userNotFound } from './outcomes.ts'

const newPassword = { newPassword: 'another long password' }
const herald = { on: 'a user with a public profile', ids: () => ({ username: targets.public }) }
const hermit = { on: 'a user with a private profile', ids: () => ({ username: targets.private }) }
const chief = { on: 'an administrator', ids: () => ({ username: targets.administrator }) }
const deputy = { on: 'a user who administers more', ids: () => ({ username: 'everything' }) }
const oneself = { on: 'oneself', ids: (_scene: unknown, username: string) => ({ username }) }

const everybodyForOneself = { ...signedOut, outsider: ok, ...insiders(ok) } as const

/** Operations that govern people: a privilege, which reaches no user who administers more than the caller. */
function governing(privilege: Privilege, parameters: Pick<Case, 'parameters'> = {}): readonly Case[] {
  const enough: readonly Privilege[] = ['portal:user:viewOrgUsers', privilege]
  const insidersRefused = insiders(forbidden)
  return [
    {
      on: 'a user',
      ...parameters,
      privileges: enough,
      expected: { ...signedOut, outsider: userNotFound, ...insidersRefused, ...governors },
    },
    {
      ...deputy,
      ...parameters,
      privileges: enough,
      lacking: ['portal:admin:viewItems'],
      expected: { ...signedOut, outsider: userNotFound, ...insidersRefused, everything: ok, administrator: ok },
    },
    {
      on: 'a user, without seeing users',
      ...parameters,
      privileges: [privilege],
      lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
      expected: {
        ...signedOut,
        outsider: userNotFound,
        ...insidersRefused,
        ...governors,
        holder: userNotFound,
        lacking: userNotFound,
      },
    },
    {
      ...herald,
      ...parameters,
      privileges: enough,
      expected: { ...signedOut, outsider: forbidden, ...insidersRefused, ...governors },
    },
    {
      ...hermit,
      ...parameters,
      privileges: ['portal:admin:viewUsers', ...enough],
      expected: {
        ...signedOut,
        outsider: userNotFound,
        ...insiders(userNotFound),
        ...governors,
        // Sees the profile, and may not govern.
        lacking: forbidden,
      },
    },
    {
      ...chief,
      ...parameters,
      privileges: enough,
      expected: { ...signedOut, outsider: userNotFound, ...insidersRefused, administrator: ok },
    },
  ]
}

/** Callers who may make others choose a password: default administrators. */
const passwordGivers: readonly Case[] = [
  ...[{ on: 'a user' }, chief].map((whom) => ({
    ...whom,
    privileges: ['portal:user:viewOrgUsers', 'portal:admin:updateUsers'] as const,
    expected: { ...signedOut, outsider: userNotFound, ...insiders(forbidden), administrator: ok } as const,
  })),
  {
    ...herald,
    privileges: [],
    expected: { ...signedOut, outsider: forbidden, ...insiders(forbidden), administrator: ok },
  },
]

/** Changes of passwords; `present` is the parameter of the present one. */
function passwordCases(present: string): readonly Case[] {
  return [
    ...[{ on: 'a user' }, chief].map((whom) => ({
      ...whom,
      parameters: () => newPassword,
      privileges: ['portal:user:viewOrgUsers', 'portal:admin:updateUsers'] as const,
      expected: { ...signedOut, outsider: userNotFound, ...insiders(forbidden), administrator: ok } as const,
    })),
    {
      ...herald,
      parameters: () => newPassword,
      privileges: [],
      expected: { ...signedOut, outsider: forbidden, ...insiders(forbidden), administrator: ok },
    },
    {
      ...oneself,
      parameters: () => ({ ...newPassword, [present]: adminPassword }),
      privileges: [],
      expected: everybodyForOneself,
    },
  ]
}

/** The given cases, and for oneself everybody. */
function sessionCases(cases: readonly Case[]): readonly Case[] {
  return [...cases, { ...oneself, privileges: [], expected: everybodyForOneself }]
}

/** People. */
/** Reads of users for every caller who sees them. */
const seenUsers: readonly Case[] = [
  {
    on: 'a user',
    privileges: ['portal:user:viewOrgUsers'],
    lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
    expected: { ...signedOut, outsider: userNotFound, ...insiders(ok), lacking: userNotFound },
  },
  { ...herald, privileges: [], expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) } },
  {
    ...hermit,
    privileges: ['portal:admin:viewUsers'],
    expected: { ...signedOut, outsider: userNotFound, ...insiders(userNotFound), ...governors },
  },
  { ...oneself, apps: userNotFound, privileges: [], expected: everybodyForOneself },
]

export const userExpectations: Expectations = {
  readSelf: [{ ...oneself, privileges: [], expected: everybodyForOneself }],
  readUser: seenUsers,
  // A user whose items the caller does not see has no tags.
  listUserTags: seenUsers,
  updateUser: [
    ...governing('portal:admin:updateUsers', { parameters: () => ({ fullName: 'Anna Atlas' }) }),
    { ...oneself, parameters: () => ({ fullName: 'Anna Atlas' }), privileges: [], expected: everybodyForOneself },
  ],
  expirePassword: passwordGivers,
  makePasswordLink: passwordGivers,
  changePassword: passwordCases('oldPassword'),
  resetUser: passwordCases('password'),
  listSessions: sessionCases(governing('portal:admin:disableUsers')),
  // Only of users whose session the fixture knows.
  endSession: governing('portal:admin:disableUsers').filter(({ ids }) => ids === undefined),
  endSessions: sessionCases(governing('portal:admin:disableUsers')),
  disableUser: governing('portal:admin:disableUsers'),
  enableUser: governing('portal:admin:disableUsers'),
  deleteUser: governing('portal:admin:deleteUsers'),
  reassignUser: governing('portal:admin:reassignUsers', { parameters: () => ({ targetUsername: 'owner' }) }),
}
