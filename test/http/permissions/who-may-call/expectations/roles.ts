import { type Case, type Expectations, inEitherOrganization } from './case.ts'
import { forbidden, governors, insiders, notFound, ok, signedOut } from './outcomes.ts'

const members = { ...signedOut, outsider: notFound, ...insiders(ok) } as const
const governed = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors } as const

/** The role's id below another organization: not found there for any caller. */
const elsewhere: Case = {
  on: 'the role of another organization',
  ids: ({ otherPortalId }) => ({ portalId: otherPortalId }),
  privileges: ['portal:admin:manageRoles'],
  expected: { ...signedOut, outsider: notFound, ...insiders(notFound) },
}

const inOrganization = { on: 'the organization', privileges: ['portal:admin:manageRoles'] } as const
const aRole = { on: 'a role', privileges: ['portal:admin:manageRoles'] } as const

/** Custom roles. */
export const roleExpectations: Expectations = {
  listRoles: inEitherOrganization({ ...inOrganization, expected: members }),
  createRole: inEitherOrganization({ ...inOrganization, parameters: () => ({ name: 'Keeper' }), expected: governed }),
  readRole: [{ ...aRole, expected: members }, elsewhere],
  readRolePrivileges: [{ ...aRole, expected: members }, elsewhere],
  setRolePrivileges: [
    {
      ...aRole,
      parameters: () => ({ privileges: { privileges: ['portal:user:createGroup'] } }),
      expected: { ...signedOut, outsider: notFound, ...insiders(forbidden), administrator: ok },
    },
    elsewhere,
  ],
  updateRole: [
    { ...aRole, parameters: () => ({ description: 'Keeps the categories' }), expected: governed },
    elsewhere,
  ],
  deleteRole: [{ ...aRole, expected: governed }, elsewhere],
}
