/** Whose schema it is. */
export type SchemaOwner =
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'portal'; readonly portalId: string }

/** One version of an owner's schema. Versions are kept for good: nothing that was ever assigned is lost. */
export interface SchemaVersion {
  /** From 1, counting deletions too. */
  readonly version: number
  /** The document as it is read back; undefined where this version is a deletion. */
  readonly document: string | undefined
  readonly author: string
  /** Epoch milliseconds. */
  readonly assignedAt: number
}

/** The schema that is set now. */
export interface PresentSchema {
  /** As it is read back. */
  readonly document: string
  readonly version: number
  /** Epoch milliseconds. */
  readonly assignedAt: number
}

/** What categories need remembered. */
export interface CategoryStore {
  /** Undefined where no schema is set. */
  findDocument(owner: SchemaOwner): Promise<PresentSchema | undefined>
  /** Makes the document the owner's schema, as a new version. Answers its number. */
  putDocument(owner: SchemaOwner, document: string, author: string, assignedAt: number): Promise<number>
  /** Removes the schema, as a new version without a document. Answers false where none was set. */
  removeDocument(owner: SchemaOwner, author: string, removedAt: number): Promise<boolean>
  /** Newest first. */
  listVersions(owner: SchemaOwner): Promise<readonly SchemaVersion[]>
}
