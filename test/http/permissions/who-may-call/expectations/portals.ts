import { type Privilege, userPrivileges } from '../../../../../src/call/privilege.ts'
import { targets } from '../../../../support/portal/actors.ts'
import { adminPassword } from '../../../../support/portal/portal.ts'
import { type Case, type Expectations, inEitherOrganization } from './case.ts'
import {
  anyone,
  type Expected,
  forbidden,
  governors,
  insiders,
  notFound,
  ok,
  openToAnonymous,
  signedOut,
  unable,
} from './outcomes.ts'
import { readersOfOrganization } from './readers.ts'

const self = { ids: () => ({ portalId: 'self' }) }

const linkEnded = unable(
  'set up the organization',
  'secret: the link was used, has ended, or is another one. The operator makes one by "cartulary first-run".',
)

const newUser = { username: 'newcomer', password: adminPassword, role: 'org_user' }

/** Administrators, and custom roles with the privilege; other members of the organization get 403. */
const governed = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors }

const membersOnly = inEitherOrganization({
  on: 'the organization',
  privileges: [],
  expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
})

/** The built-in role only: not even a custom role with every privilege. */
const ofAdministrators = inEitherOrganization({
  on: 'the organization, or a job of the administrator',
  privileges: [],
  expected: { ...signedOut, outsider: notFound, ...insiders(forbidden), administrator: ok },
})

function several(privilege: Privilege): readonly Case[] {
  return inEitherOrganization({
    on: 'users of the organization',
    privileges: [privilege],
    parameters: () => ({ users: targets.user }),
    expected: governed,
  })
}

const byViewers = {
  on: 'the organization',
  privileges: ['portal:user:viewOrgUsers'],
  lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
  expected: { ...signedOut, outsider: notFound, ...insiders(ok), lacking: forbidden },
} as const

/** Lists of the users of an organization. */
const seenByMembers: readonly Case[] = [
  ...inEitherOrganization(byViewers),
  { ...byViewers, on: 'the organization, by the privilege of administrators', privileges: ['portal:admin:viewUsers'] },
]

/** Reads of an organization for those who see it. */
const seenPortals: readonly Case[] = [
  {
    on: 'a private organization',
    privileges: [],
    expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
  },
  {
    on: 'a public organization',
    access: 'public',
    privileges: [],
    expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) },
  },
  { on: 'self', ...self, privileges: [], expected: { ...signedOut, outsider: ok, ...insiders(ok) } },
  {
    on: 'self, in a public organization',
    ...self,
    access: 'public',
    privileges: [],
    expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) },
  },
]

const shownPortals: readonly Case[] = [
  ...readersOfOrganization,
  { on: 'self', ...self, privileges: [], expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) } },
]

/** The server, organizations, and who belongs to them. */
export const portalExpectations: Expectations = {
  readRoot: [{ on: 'the server', privileges: [], expected: anyone }],
  readInfo: [{ on: 'the server', privileges: [], expected: anyone }],
  readLanguages: [{ on: 'the server', privileges: [], expected: anyone }],
  readRegions: [{ on: 'the server', privileges: [], expected: anyone }],
  readPortalAdmin: [{ on: 'the server', privileges: [], expected: anyone }],
  readFirstRun: [
    { on: 'a link of no server', privileges: [], parameters: () => ({ secret: 'A'.repeat(43) }), expected: anyone },
  ],
  // Without the secret; with it: ../../../endpoints/directory/first-run.test.ts.
  completeFirstRun: [
    {
      on: 'an organization that is in use',
      privileges: [],
      expected: Object.fromEntries(Object.keys(anyone).map((caller) => [caller, linkEnded])) as Expected,
    },
  ],
  readPortal: shownPortals,
  readAccount: shownPortals,
  readSubscription: shownPortals,
  readSecurityPolicy: seenPortals,
  // Every caller who sees the organization may check its signatures.
  readPublicKey: seenPortals,
  updatePortal: inEitherOrganization({
    on: 'the organization',
    privileges: ['portal:admin:manageWebsite'],
    parameters: () => ({ name: 'Ministry of Maps and Seas' }),
    expected: governed,
  }),
  listUsers: seenByMembers,
  searchPortalUsers: seenByMembers,
  // In the caller's own organization, whichever that is.
  searchUsers: [{ ...byViewers, expected: { ...byViewers.expected, outsider: ok } }],
  listJobs: membersOnly,
  readJob: ofAdministrators,
  cancelJob: ofAdministrators,
  listPortalHistory: ofAdministrators,
  listCheckedOperations: [{ on: 'the server', privileges: [], expected: anyone }],
  // About oneself; who may ask about others: ../permission-check.test.ts.
  checkPermission: inEitherOrganization({
    on: 'oneself',
    privileges: [],
    parameters: () => ({ operation: 'createGroup' }),
    expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
  }),
  // The organization is the first one.
  readServerFigures: ofAdministrators,
  listPurchases: membersOnly,
  listAppBundles: membersOnly,
  listServers: membersOnly,
  // In the caller's own organization, whichever that is.
  createUser: [
    {
      on: 'the organization of the caller',
      // An inviter may give only roles whose privileges they have.
      privileges: [...userPrivileges, 'portal:admin:inviteUsers'],
      parameters: () => ({ ...newUser }),
      expected: { ...governed, outsider: ok },
    },
  ],
  // The outcome for each user is in the response: ../../../endpoints/directory/users-several.test.ts.
  disableUsers: several('portal:admin:disableUsers'),
  enableUsers: several('portal:admin:disableUsers'),
  removeUsers: several('portal:admin:deleteUsers'),
  inviteUsers: inEitherOrganization({
    on: 'the organization',
    privileges: ['portal:admin:inviteUsers'],
    parameters: () => ({ invitationList: { invitations: [newUser] } }),
    expected: governed,
  }),
  // Which users the caller may govern depends on a parameter: ../input-privileges.test.ts.
  updateUserRole: inEitherOrganization({
    on: 'a user of the organization',
    privileges: ['portal:admin:changeUserRoles'],
    parameters: ({ roleId }) => ({ user: targets.user, role: roleId }),
    expected: governed,
  }),
}
