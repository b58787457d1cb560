import { groupLimits, portalLimits, type SchemaLimits } from '../../../categories/limits.ts'
import { type EditableOwner, groupOwners, portalOwners } from '../../../categories/owners.ts'
import type { Query } from '../../../operations/registry.ts'
import {
  type ExportedSchema,
  type ExportInput,
  exportGroupCategorySchema,
  exportPortalCategorySchema,
} from '../../../schema-files/export-operations.ts'
import { exampleIds } from '../../examples/examples.ts'
import type { Link } from '../endpoint.ts'

/**
 * What the rows of one kind of owner have in place of those of the other. Both kinds have the same operations, with the same
 * inputs but for the ids of the path: each row is written once, and the compiler sees it as one of groups.
 */
export interface OwnerWords {
  /** In the ids of operations. */
  readonly name: 'Group' | 'Portal'
  /** In titles. */
  readonly owner: 'group' | 'organization'
  readonly path: GroupPath
  readonly ids: GroupIds
  readonly limits: SchemaLimits
  /** Limits of texts, in words. */
  readonly textLimits: string
  readonly mayAssign: string
  readonly mayDelete: string
  readonly mayRead: string
  readonly maySeeVersions: string
  readonly source: { readonly assign: string; readonly delete: string }
  readonly chosen: { readonly delete: readonly string[]; readonly read: readonly string[] }
  /** The log of the owner. */
  history(ids: Readonly<Record<string, string>>): Link
  /** Refuses callers who may not assign. */
  readonly requireAssignable: Query<GroupIds, EditableOwner>
  /** The schema, for those who may read it. */
  readonly findExported: Query<GroupIds & ExportInput, ExportedSchema>
}

type GroupPath = '/community/groups/:groupId'
interface GroupIds {
  readonly groupId: string
}

/** The id of an operation, seen as that of groups. */
export function operationOf<const Before extends string, const After extends string>(
  { name }: OwnerWords,
  before: Before,
  after: After,
): `${Before}Group${After}` {
  return `${before}${name}${after}` as `${Before}Group${After}`
}

/** The path with the ids in it. */
export function fillIn(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

const groupManagers = 'Owner and managers of the group'
const schemaAdministrators = 'Default administrators, and custom roles with portal:admin:updateItemCategorySchema'

export const schemaOwners: readonly OwnerWords[] = [
  {
    name: 'Group',
    owner: 'group',
    path: '/community/groups/:groupId',
    ids: { groupId: exampleIds.groupId },
    limits: groupLimits,
    textLimits: 'Titles under 100, descriptions under 300 characters.',
    mayAssign: groupManagers,
    mayDelete: groupManagers,
    mayRead: 'Anyone who can see the group',
    maySeeVersions: `${groupManagers}; default administrators of its organization`,
    source: { assign: 'description §4.1', delete: 'documented' },
    chosen: { delete: [], read: ['Anyone who can see the group can read it.'] },
    history: ({ groupId = '' }) => ({ path: '/portals/self/history', query: { types: 'g', id: groupId } }),
    requireAssignable: groupOwners.requireAssignable,
    findExported: exportGroupCategorySchema,
  },
  {
    name: 'Portal',
    owner: 'organization',
    path: '/portals/:portalId' as GroupPath,
    ids: { portalId: exampleIds.portalId } as unknown as GroupIds,
    limits: portalLimits,
    textLimits: 'Titles up to 100, descriptions up to 300 characters.',
    mayAssign: schemaAdministrators,
    mayDelete: 'Default administrators only',
    mayRead: 'Members of the organization; anyone if it is public',
    maySeeVersions: schemaAdministrators,
    source: { assign: 'description §4.2', delete: 'description §4.3' },
    chosen: {
      delete: ['The privilege to assign is not sufficient to delete. Deleting where no schema is set is 404.'],
      read: ['Anonymous callers can read it if the organization is public.'],
    },
    history: ({ portalId = '' }) => ({ path: `/portals/${portalId}/history`, query: { types: 'a' } }),
    requireAssignable: portalOwners.requireAssignable as unknown as OwnerWords['requireAssignable'],
    findExported: exportPortalCategorySchema as unknown as OwnerWords['findExported'],
  },
]
