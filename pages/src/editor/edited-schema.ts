import type { Draft } from '../drafts/draft-store.ts'
import { loadDraft, removeDraft, saveDraft, watchDraft } from '../drafts/drafts.ts'
import { limitsOf, type SchemaOwner } from '../owners/owners.ts'
import { type LoadedSchema, loadSchema, type Opened } from './loaded-schema.ts'
import { Editing } from './model/editing.ts'
import { type Judgement, judgeTrees } from './model/judgement.ts'
import { makeKeys, type Trees } from './model/node.ts'
import { draftAfter, openTrees } from './model/open-draft.ts'
import { findByPath, pathOf } from './model/places.ts'

/** The schema of one owner while it is edited: what is published, the draft in the storage of the browser, and the edits. */
export class EditedSchema {
  readonly owner: SchemaOwner
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Why the person may not assign it, in the words of the server. */
  readonly refusal: string | undefined

  readonly #onReopened: () => void
  #published: LoadedSchema
  #draft: Draft | undefined
  #editing: Editing
  #isUnsaved = false
  #isSaving = false
  #judged: { readonly trees: Trees; readonly judgement: Judgement } | undefined
  #stopWatching = () => {}

  /** `onReopened` is called each time that editing begins anew: nothing can be undone then. */
  constructor(owner: SchemaOwner, { schema, ownerName, refusal }: Opened, onReopened: () => void) {
    this.owner = owner
    this.ownerName = ownerName
    this.refusal = refusal
    this.#onReopened = onReopened
    this.#published = schema
    this.#draft = this.#loadDraft()
    this.#editing = this.#beginEditing()
  }

  get published(): LoadedSchema {
    return this.#published
  }

  get draft(): Draft | undefined {
    return this.#draft
  }

  get editing(): Editing {
    return this.#editing
  }

  get isReadOnly(): boolean {
    return this.refusal !== undefined
  }

  /** Whether the versions are shown to the person: those who may assign, and those to whom the server says who published. */
  get seesHistory(): boolean {
    return !this.isReadOnly || this.#published.modifiedBy !== undefined
  }

  /** The browser has not stored the last edit. */
  get isUnsaved(): boolean {
    return this.#isUnsaved
  }

  get judgement(): Judgement {
    const { trees, limits } = this.#editing
    if (this.#judged?.trees !== trees) this.#judged = { trees, judgement: judgeTrees(trees, limits) }
    return this.#judged.judgement
  }

  /** The same draft may be edited in another tab. */
  watch(): void {
    this.#stopWatching()
    this.#stopWatching = watchDraft(this.owner, () => {
      if (!this.#isSaving && !this.isReadOnly) this.#reopen(this.#loadDraft())
    })
  }

  unwatch(): void {
    this.#stopWatching()
  }

  /** Another person may have published meanwhile: without a draft, editing begins anew with that. */
  async refresh(): Promise<void> {
    const schema = await loadSchema(this.owner).catch(() => undefined)
    if (!schema || schema.version === this.#published.version) return
    this.#published = schema
    if (!this.#draft) this.#reopen(undefined)
  }

  /** Stores the draft as it is after an edit. */
  keep(): void {
    this.#draft = draftAfter(this.#editing.trees, this.#published, this.#draft, Date.now())
    this.#isSaving = true
    if (this.#draft) this.#isUnsaved = !saveDraft(this.owner, this.#draft)
    else removeDraft(this.owner)
    this.#isSaving = false
  }

  discard(): void {
    removeDraft(this.owner)
  }

  #loadDraft(): Draft | undefined {
    return this.isReadOnly ? undefined : loadDraft(this.owner)
  }

  /** What is selected stays so by its path. */
  #reopen(draft: Draft | undefined): void {
    const path = this.#editing.place && pathOf(this.#editing.place)
    this.#draft = draft
    this.#editing = this.#beginEditing()
    this.#isUnsaved = false
    const before = path === undefined ? undefined : findByPath(this.#editing.trees, path)
    if (before) this.#editing.select(before.key)
    this.#onReopened()
  }

  #beginEditing(): Editing {
    return new Editing(openTrees(this.#published, this.#draft, makeKeys()), limitsOf(this.owner))
  }
}
