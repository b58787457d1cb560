import type { Belonging, DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { SchemaSize } from './limits.ts'

/** Owner of a schema. */
export type SchemaOwner =
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'portal'; readonly portalId: string }

/** The schema that is set now. */
export interface PresentSchema {
  /** JSON text in UTF-8, sent as it is. */
  readonly document: Uint8Array
  readonly version: number
  /** Epoch milliseconds. */
  readonly assignedAt: number
}

/** The schema of an owner, undefined if none is set. */
export interface OwnedSchema {
  readonly owner: SchemaOwner
  readonly present: PresentSchema | undefined
}

/** A group for one user, and its schema, undefined if none is set. */
export interface GroupSchema extends Belonging {
  readonly present: PresentSchema | undefined
}

/** Versions of an owner that have to be removed: so many, and all that were replaced before a time. */
export interface Excess {
  readonly versions: number
  readonly replacedBefore?: number | undefined
}

/** Number and age above which versions are removed; undefined where they are kept, or are not asked for. */
export interface Bounds {
  readonly moreVersionsThan?: number | undefined
  readonly replacedBefore?: number | undefined
  /** For all versions of a deleted group. */
  readonly deletedBefore?: number | undefined
}

/** Versions that are kept of one owner's schema. */
export interface KeptOfOwner {
  readonly owner: SchemaOwner
  readonly versions: number
  /** Time of deletion of the group that owned it; undefined if the owner exists. */
  readonly deletedAt: number | undefined
  /** When the oldest version was replaced that can be removed; undefined if there is none. */
  readonly replacedAt: number | undefined
}

/** Reading methods of the category schemas. */
export interface CategoryReader {
  /** Undefined if no schema is set. */
  findDocument(owner: SchemaOwner): Promise<PresentSchema | undefined>
  /** A group with the membership of the user, and its schema, in one look-up; undefined if there is no such group. */
  findGroupSchema(groupId: string, userId: string | undefined): Promise<GroupSchema | undefined>
  findKept(owner: SchemaOwner): Promise<KeptOfOwner | undefined>
  /** Owners with versions above one of the bounds, `num` at most for each. Without `moreVersionsThan`, reads these only. */
  listOutdated(bounds: Bounds, num: number): Promise<readonly KeptOfOwner[]>
  /** Versions that all organizations keep together. Reads the rows of all owners. */
  countVersions(): Promise<number>
}

/** The store of category schemas. */
export interface CategoryStore extends CategoryReader {
  /** Makes the document, of this size, the owner's schema, as a new version. Resolves with its number, and with how many are kept. */
  putDocument(
    owner: SchemaOwner,
    document: string,
    author: string,
    assignedAt: number,
    size?: SchemaSize,
  ): Promise<{ readonly version: number; readonly versions: number }>
  /** Removes the schema, as a new version without a document; resolves with its number, or undefined if none was set. */
  removeDocument(owner: SchemaOwner, author: string, removedAt: number): Promise<number | undefined>
  /**
   * Removes the oldest versions until so many are removed, but never the latest, nor a document of a
   * version that stays; of a deleted group, all of them. Resolves with how many this call removed, which is bounded: 0 if
   * nothing more can be removed.
   */
  removeOldVersions(owner: SchemaOwner, excess: Excess): Promise<number>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface CategoryReaders extends DirectoryReaders {
  readonly categories: CategoryReader
}
export interface CategoryStores extends DirectoryStores {
  readonly categories: CategoryStore
}
