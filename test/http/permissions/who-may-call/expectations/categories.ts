import { type Case, type Expectations, inEitherOrganization } from './case.ts'
import { onEachGroup, readOnEachGroup } from './groups.ts'
import { anyone, forbidden, governors, insiders, notFound, ok, signedOut } from './outcomes.ts'
import { readersOfOrganization } from './readers.ts'

const categorySchema = () => ({ categorySchema: { categorySchema: [{ title: 'Land cover' }] } })

/** A file that replaces the first version. */
const importedFile = () => ({ text: 'path\n/Land cover\n', dryRun: 'false', ifVersion: '1' })

/** Owner or managers of the group and no other caller: no privilege reaches into a group's categories. */
const ownersAndManagersOnly = {
  privilege: 'portal:admin:updateGroups',
  onlookers: forbidden,
  governors: forbidden,
  owner: ok,
  manager: ok,
  member: forbidden,
} as const

const refused = { ...signedOut, outsider: notFound, ...insiders(forbidden) } as const

/** The versions of a group's schema: for those who may assign it, and for administrators of the organization. */
const groupHistory: readonly Case[] = onEachGroup({ ...ownersAndManagersOnly, but: { administrator: ok } })
  .map(withVersion)
  // An app that sees every group of the organization.
  .map((one) => ({ ...one, mightyApp: ok }))

/** The versions have a number in the path. */
function withVersion(one: Case): Case {
  return { ...one, ids: (fixture, username) => ({ ...one.ids?.(fixture, username), version: '1' }) }
}

const self = { on: 'self', ids: () => ({ portalId: 'self' }) }

const assign: Omit<Case, 'on'> = {
  privileges: ['portal:admin:updateItemCategorySchema'],
  parameters: categorySchema,
  expected: { ...refused, ...governors },
}

/** Versions, for those who may assign the schema. An outsider's own organization has no version: 404 there too. */
const portalHistory: readonly Case[] = inEitherOrganization({
  on: 'the organization',
  ...assign,
  parameters: () => ({}),
}).map(withVersion)

/** Administrators only: the privilege to assign is not enough, and neither is every privilege together. */
const deletion: Omit<Case, 'on'> = {
  privileges: ['portal:admin:updateItemCategorySchema'],
  expected: { ...refused, administrator: ok },
}

const portalReaders: readonly Case[] = [
  ...readersOfOrganization,
  {
    ...self,
    privileges: [],
    expected: { ...signedOut, outsider: ok, ...insiders(ok) },
  },
]

/** Templates of the organization, for its members alone. */
const ofMembers = inEitherOrganization({
  on: 'the organization',
  privileges: [],
  expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
})

function ofAssigners(parameters: NonNullable<Case['parameters']> = () => ({})): readonly Case[] {
  return inEitherOrganization({ on: 'the organization', ...assign, parameters })
}

/** A draft of each group, with parameters that suit the operation. */
function onDrafts(
  parameters: NonNullable<Case['parameters']> = () => ({}),
  cases = onEachGroup({ ...ownersAndManagersOnly, parameters }),
): readonly Case[] {
  return cases.map((one) => ({
    ...one,
    ids(fixture, username) {
      const ids = one.ids?.(fixture, username) ?? {}
      const access = (['private', 'org', 'public'] as const).find((of) => fixture.groups[of] === ids['groupId'])!
      return { ...ids, draftId: fixture.drafts[access] }
    },
  }))
}

const aDraft = () => ({ name: 'Next', ...categorySchema() })

/** Category schemas of groups and of the organization. */
export const categoryExpectations: Expectations = {
  listCategorySchemaTemplates: [{ on: 'the server', privileges: [], expected: anyone }],
  readCategorySchemaTemplate: [
    { on: 'the server', ids: () => ({ templateName: 'inspire' }), privileges: [], expected: anyone },
  ],
  listPortalSchemaTemplates: ofMembers,
  readPortalSchemaTemplate: ofMembers,
  createPortalSchemaTemplate: ofAssigners(() => ({ name: 'land-cover', title: 'Land cover', ...categorySchema() })),
  deletePortalSchemaTemplate: ofAssigners(),
  listPendingSchemaDrafts: ofMembers,
  listPortalSchemaDrafts: ofAssigners(),
  createPortalSchemaDraft: ofAssigners(aDraft),
  readPortalSchemaDraft: ofAssigners(),
  updatePortalSchemaDraft: ofAssigners(() => ({ name: 'Later' })),
  proposePortalSchemaDraft: ofAssigners(),
  returnPortalSchemaDraft: ofAssigners(() => ({ note: 'Not yet' })),
  publishPortalSchemaDraft: ofAssigners(),
  deletePortalSchemaDraft: ofAssigners(),
  listGroupSchemaDrafts: groupHistory,
  createGroupSchemaDraft: onEachGroup({ ...ownersAndManagersOnly, parameters: aDraft }),
  readGroupSchemaDraft: onDrafts(undefined, groupHistory),
  updateGroupSchemaDraft: onDrafts(() => ({ name: 'Later' })),
  proposeGroupSchemaDraft: onDrafts(),
  returnGroupSchemaDraft: onDrafts(() => ({ note: 'Not yet' })),
  publishGroupSchemaDraft: onDrafts(),
  deleteGroupSchemaDraft: onDrafts(),
  assignGroupCategorySchema: onEachGroup({ ...ownersAndManagersOnly, parameters: categorySchema }),
  deleteGroupCategorySchema: onEachGroup(ownersAndManagersOnly),
  importGroupCategorySchema: onEachGroup({ ...ownersAndManagersOnly, parameters: importedFile }),
  planGroupCategorySchema: onEachGroup({ ...ownersAndManagersOnly, parameters: categorySchema }),
  restoreGroupSchemaVersion: onEachGroup(ownersAndManagersOnly).map(withVersion),
  readGroupCategorySchema: readOnEachGroup(),
  assignPortalCategorySchema: [
    ...inEitherOrganization({ on: 'the organization', ...assign }),
    { ...assign, ...self, expected: { ...assign.expected, outsider: ok } },
  ],
  deletePortalCategorySchema: [
    ...inEitherOrganization({ on: 'the organization', ...deletion }),
    { ...deletion, ...self, expected: { ...deletion.expected, outsider: ok } },
  ],
  listGroupSchemaVersions: groupHistory,
  readGroupSchemaVersion: groupHistory,
  diffGroupSchemaVersions: groupHistory,
  importPortalCategorySchema: ofAssigners(importedFile),
  planPortalCategorySchema: ofAssigners(categorySchema),
  restorePortalSchemaVersion: portalHistory,
  listPortalSchemaVersions: portalHistory,
  readPortalSchemaVersion: portalHistory,
  diffPortalSchemaVersions: portalHistory,
  readPortalCategorySchema: portalReaders,
  exportPortalCategorySchema: portalReaders,
  exportGroupCategorySchema: readOnEachGroup(),
}
