import type { RecordOf } from '../../record.ts'
import type { SchemaOwner } from '../store.ts'
import type { draftProgressFields, SchemaDraft, StoredDraft } from './draft.ts'

/** Who has set the time of a publication. */
export interface Publisher {
  readonly portalId: string
  readonly username: string
}

/** Reading methods of drafts. */
export interface DraftReader {
  /** Undefined if the owner has no such draft. */
  findDraft(owner: SchemaOwner, draftId: string): Promise<StoredDraft | undefined>
  /** All of an owner, the latest change first. */
  listDrafts(owner: SchemaOwner): Promise<readonly SchemaDraft[]>
  /**
   * Drafts that are not open, of the groups that the user owns or manages and, if asked for, of the organization: the latest
   * change of state first; `num` at most.
   */
  listPendingDrafts(
    of: { readonly portalId: string; readonly withPortal: boolean; readonly userId: string },
    num: number,
  ): Promise<readonly SchemaDraft[]>
  /** Who has set times of publication that have come, and the first of these. */
  listDuePublishers(now: number): Promise<readonly (Publisher & { readonly publishAt: number })[]>
  /** The draft of this person whose time of publication came first, of those whose time has come. */
  findDueDraft(now: number, of: Publisher): Promise<SchemaDraft | undefined>
  /** Drafts that were saved and brought into their state before, and wait for no time; with whether a mail said so since then. */
  listUntouchedDrafts(before: number, max: number): Promise<readonly (SchemaDraft & { readonly isReminded: boolean })[]>
}

/** The drafts' store. */
export interface DraftStore extends DraftReader {
  addDraft(draft: StoredDraft): Promise<void>
  putDraft(draft: StoredDraft): Promise<void>
  /** Brings a draft into another state; its content stays. */
  putProgress(draftId: string, progress: RecordOf<typeof draftProgressFields>): Promise<void>
  removeDraft(draftId: string): Promise<void>
  /** Notes that a mail said that the draft ends. */
  noteReminder(draftId: string, at: number): Promise<void>
  removeUntouchedDrafts(before: number, max: number): Promise<void>
}
