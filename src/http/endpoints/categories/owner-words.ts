import { groupLimits, portalLimits, type SchemaLimits } from '../../../categories/limits.ts'
import { type OwnerInput, type OwnerKind, type OwnerName, ownerNames } from '../../../categories/owners.ts'
import { exampleIds } from '../../examples/examples.ts'

/** Differences between the rows of one kind of owner and those of another: each row is written once, for all kinds. */
export interface OwnerWords {
  readonly kind: OwnerKind
  /** Kind of owner, as in the ids of operations. */
  readonly name: OwnerName
  /** Kind of owner, as in titles. */
  readonly owner: 'group' | 'organization'
  readonly paths: {
    readonly assign: `${OwnerPath}/assignCategorySchema`
    readonly delete: `${OwnerPath}/deleteCategorySchema`
    readonly schema: `${OwnerPath}/categorySchema`
  }
  /** Id of the owner in these paths. */
  readonly idName: 'groupId' | 'portalId'
  readonly limits: SchemaLimits
  /** Limits of texts, in words. */
  readonly textLimits: string
  readonly mayAssign: string
  readonly mayDelete: string
  readonly mayRead: string
  readonly maySeeVersions: string
  readonly source: { readonly assign: string; readonly delete: string }
  readonly chosen: { readonly delete: readonly string[]; readonly read: readonly string[] }
}

type OwnerPath = '/community/groups/:groupId' | '/portals/:portalId'
type Ids = Readonly<Record<string, string>>

/** The owner that the path of a request names. */
export function ownerOf({ kind, idName }: OwnerWords, ids: Ids): OwnerInput['owner'] {
  return { kind, id: ids[idName]! }
}

/** Ids in the path of an example. */
export function exampleIdsOf({ idName }: OwnerWords): Ids {
  return { [idName]: exampleIds[idName] }
}

/** The path with the ids in it. */
export function fillIn(path: string, ids: Ids): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

const groupManagers = 'Owner and managers of the group'
const schemaAdministrators = 'Default administrators, and custom roles with portal:admin:updateItemCategorySchema'

export const schemaOwners: readonly OwnerWords[] = [
  {
    kind: 'group',
    name: ownerNames.group,
    owner: 'group',
    paths: {
      assign: '/community/groups/:groupId/assignCategorySchema',
      delete: '/community/groups/:groupId/deleteCategorySchema',
      schema: '/community/groups/:groupId/categorySchema',
    },
    idName: 'groupId',
    limits: groupLimits,
    textLimits: 'Titles under 100, descriptions under 300 characters.',
    mayAssign: groupManagers,
    mayDelete: groupManagers,
    mayRead: 'Anyone who can see the group',
    maySeeVersions: `${groupManagers}; default administrators of its organization; apps with portal:admin:viewGroups`,
    source: { assign: 'description §4.1', delete: 'documented' },
    chosen: { delete: [], read: ['Anyone who can see the group can read it.'] },
  },
  {
    kind: 'portal',
    name: ownerNames.portal,
    owner: 'organization',
    paths: {
      assign: '/portals/:portalId/assignCategorySchema',
      delete: '/portals/:portalId/deleteCategorySchema',
      schema: '/portals/:portalId/categorySchema',
    },
    idName: 'portalId',
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
  },
]
