import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'

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

/** Reading methods of the category schemas. */
export interface CategoryReader {
  /** Undefined if no schema is set. */
  findDocument(owner: SchemaOwner): Promise<PresentSchema | undefined>
}

/** The store of category schemas. */
export interface CategoryStore extends CategoryReader {
  /** Makes the document the owner's schema, as a new version; resolves with its number. */
  putDocument(owner: SchemaOwner, document: string, author: string, assignedAt: number): Promise<number>
  /** Removes the schema, as a new version without a document; resolves with false if none was set. */
  removeDocument(owner: SchemaOwner, author: string, removedAt: number): Promise<boolean>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface CategoryReaders extends DirectoryReaders {
  readonly categories: CategoryReader
}
export interface CategoryStores extends DirectoryStores {
  readonly categories: CategoryStore
}
