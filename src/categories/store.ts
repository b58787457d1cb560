import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'

/** Whose schema it is. */
export type SchemaOwner =
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'portal'; readonly portalId: string }

/** The schema that is set now. */
export interface PresentSchema {
  /** JSON text in UTF-8, byte for byte as it is read back. */
  readonly document: Uint8Array
  readonly version: number
  /** Epoch milliseconds. */
  readonly assignedAt: number
}

/** What reads ask of category schemas. */
export interface CategoryReader {
  /** Undefined where no schema is set. */
  findDocument(owner: SchemaOwner): Promise<PresentSchema | undefined>
}

/** What categories need remembered. */
export interface CategoryStore extends CategoryReader {
  /** Makes the document the owner's schema, as a new version. Answers its number. */
  putDocument(owner: SchemaOwner, document: string, author: string, assignedAt: number): Promise<number>
  /** Removes the schema, as a new version without a document. Answers false where none was set. */
  removeDocument(owner: SchemaOwner, author: string, removedAt: number): Promise<boolean>
}

/** The stores of this room's reads, and those of its writes. */
export interface CategoryReaders extends DirectoryReaders {
  readonly categories: CategoryReader
}
export interface CategoryStores extends DirectoryStores {
  readonly categories: CategoryStore
}
