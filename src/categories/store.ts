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

/** How much is kept: versions, and the bytes of their documents, comments and moves in UTF-8. Equal documents in a row are kept once. */
export interface Kept {
  readonly versions: number
  readonly bytes: number
}

/** What has to be removed of an owner's versions: so many, so many bytes, and all that were replaced before a time. */
export interface Excess extends Kept {
  readonly replacedBefore?: number | undefined
}

/** What is kept of one owner's schema. */
export interface KeptOfOwner extends Kept {
  readonly owner: SchemaOwner
  /** Undefined for a group that was deleted by an earlier version of the program. */
  readonly portalId: string | undefined
  /** Of the group that owned it; undefined if the owner exists. */
  readonly deletedAt: number | undefined
  /** Who owned that group; undefined if it was deleted by an earlier version of the program. */
  readonly formerOwnerId: string | undefined
  /** When the oldest version was replaced that can be removed; undefined if there is none, or if that was not asked for. */
  readonly replacedAt?: number | undefined
}

/** What is kept of the deleted groups of one user. */
export interface Former {
  readonly bytes: number
  /** The group that was deleted first. */
  readonly oldest: KeptOfOwner | undefined
}

/** A new version, and what is kept with it. */
export interface PutSchema extends Kept {
  readonly version: number
  /** Bytes that the version added; its document counts nothing if it equals the one before. */
  readonly addedBytes: number
}

/** Reading methods of the category schemas. */
export interface CategoryReader {
  /** Undefined if no schema is set. */
  findDocument(owner: SchemaOwner): Promise<PresentSchema | undefined>
  /** A group with the membership of the user, and its schema, in one look-up; undefined if there is no such group. */
  findGroupSchema(groupId: string, userId: string | undefined): Promise<GroupSchema | undefined>
  /** `needsAge`: with `replacedAt`. */
  findKept(owner: SchemaOwner, needsAge?: boolean): Promise<KeptOfOwner | undefined>
  /** Bytes of the version whose document is the present one; 0 if none is set. */
  findPresentBytes(owner: SchemaOwner): Promise<number>
  /** The next owners with versions, `num` at most, in the order of a key; those of deleted groups included. */
  listKept(after: SchemaOwner | undefined, num: number, needsAge?: boolean): Promise<readonly KeptOfOwner[]>
  /** What is kept of the deleted groups that a user owned. */
  findFormer(userId: string): Promise<Former>
  /** The owners with the most bytes, the largest first. Reads every owner. */
  listLargest(num: number): Promise<readonly KeptOfOwner[]>
  /** Bytes of all other groups together that the owner of the group owns. */
  sumBytesBeside(groupId: string): Promise<number>
  /** What an organization and its groups keep, as last counted. */
  findUsage(portalId: string): Promise<Kept>
  /** Ids of the organizations that were counted. */
  listCounted(): Promise<readonly string[]>
  /** What all organizations keep, as last counted. */
  sumUsage(): Promise<Kept>
}

/** The store of category schemas. */
export interface CategoryStore extends CategoryReader {
  /** Makes the document, of this size, the owner's schema, as a new version. */
  putDocument(
    owner: SchemaOwner,
    document: string,
    author: string,
    assignedAt: number,
    size?: SchemaSize,
  ): Promise<PutSchema>
  /** Removes the schema, as a new version without a document; resolves with its number, or undefined if none was set. */
  removeDocument(owner: SchemaOwner, author: string, removedAt: number): Promise<number | undefined>
  /**
   * Removes the oldest versions until so many versions and bytes are removed, but never the latest, nor a document of a
   * version that stays; of a deleted group, all of them. Resolves with what was removed by this call, which is bounded: 0
   * versions if nothing more can be removed.
   */
  removeOldVersions(owner: SchemaOwner, excess: Excess): Promise<Kept>
  putUsage(portalId: string, usage: Kept): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface CategoryReaders extends DirectoryReaders {
  readonly categories: CategoryReader
}
export interface CategoryStores extends DirectoryStores {
  readonly categories: CategoryStore
}
