import type { Draft, DraftPlace, HistoryPlace } from '../drafts/draft-store.ts'
import { limitsOf, type SchemaOwner } from '../owners/owners.ts'
import { DueWork, type Schedule } from './model/due-work.ts'
import { Editing } from './model/editing.ts'
import { isFaultless, type Judgement, judgeTrees } from './model/judgement.ts'
import { readTimeline, writeTimeline } from './model/kept-timeline.ts'
import { makeKeys } from './model/node.ts'
import { draftAfter, type LoadedSchema, type Opened, openTrees } from './model/open-draft.ts'
import { findByPath, pathOf } from './model/places.ts'

interface Listeners {
  /** Called when editing restarts, which empties the undo history. */
  readonly onReopened: () => void
  /** Called when the draft was stored, or the judgement has changed. */
  readonly onChange: () => void
}

/** Services of the page. */
interface Surroundings {
  /** Stored draft of the person, who stays the same. */
  readonly drafts: DraftPlace
  /** Undo history that is kept beside the draft. */
  readonly history: HistoryPlace | undefined
  /** Loads the published schema; undefined if it has not changed. */
  readonly loadSchema: () => Promise<LoadedSchema | undefined>
  /** Schedules for storing and for judging edits. */
  readonly saveLater: Schedule
  readonly judgeLater: Schedule
}

/** Schema of one owner while it is edited: the published one, the draft in the storage of the browser, and the edits. */
export class EditedSchema {
  readonly owner: SchemaOwner
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Reason why the person may not assign it, as the server gives it. */
  readonly refusal: string | undefined

  published: LoadedSchema
  /** Draft as it was last stored. */
  draft: Draft | undefined
  editing: Editing
  /** Whether the browser failed to store the last edit. */
  isUnsaved = false
  /** Judgement of the schema at the last frame. */
  judgement: Judgement

  readonly #listeners: Listeners
  readonly #around: Surroundings
  readonly #saving: DueWork
  readonly #judging: DueWork
  #isSaving = false
  #stopWatching = () => {}

  constructor(owner: SchemaOwner, { schema, ownerName, refusal }: Opened, listeners: Listeners, around: Surroundings) {
    this.owner = owner
    this.ownerName = ownerName
    this.refusal = refusal
    this.#listeners = listeners
    this.#around = around
    this.#saving = new DueWork(() => this.#save(), around.saveLater)
    this.#judging = new DueWork(() => this.#judge(), around.judgeLater)
    this.published = schema
    this.draft = this.#loadDraft()
    this.editing = this.#beginEditing()
    this.judgement = judgeTrees(this.editing.trees, this.editing.limits)
  }

  /** Whether there is a draft, or will be once the last edits are stored. */
  get isEdited(): boolean {
    return this.draft !== undefined || this.#saving.isDue
  }

  get isReadOnly(): boolean {
    return this.refusal !== undefined
  }

  /** Whether the person sees the versions: true for those who may assign, and where the server names the publisher. */
  get canViewHistory(): boolean {
    return !this.isReadOnly || this.published.modifiedBy !== undefined
  }

  /** Judges the schema immediately if that is due. */
  judgeNow(): Judgement {
    this.#judging.doNow()
    return this.judgement
  }

  /** Watches the stored draft, which may be edited in another tab. */
  watch(): void {
    this.#stopWatching()
    const onChange = () => {
      const stored = this.#loadDraft()
      // It is noted where the server has it.
      if (stored && stored.saved === this.draft?.saved) {
        this.draft = stored
        this.#listeners.onChange()
        return
      }
      // Edits here that are not stored yet take precedence.
      if (!this.#isSaving && !this.#saving.isDue && !this.isReadOnly) this.#reopen(stored)
    }
    this.#stopWatching = this.#around.drafts.watch(onChange)
  }

  unwatch(): void {
    this.saveNow()
    this.#judging.giveUp()
    this.#stopWatching()
  }

  /** Loads the published schema, which another person may have changed: without a draft, editing restarts with it. */
  async refresh(): Promise<void> {
    const schema = await this.#around.loadSchema().catch(() => undefined)
    if (!schema || schema.version === this.published.version) return
    // Unsaved edits are based on the previous version: a draft based on the next one would revert its changes.
    this.saveNow()
    this.published = schema
    if (!this.isEdited) this.#reopen(undefined)
  }

  /** Schedules storing the draft and judging the schema after an edit, as both process all of it. */
  keep(): void {
    this.#saving.ask()
    this.#judging.ask()
  }

  /** Stores unsaved edits immediately, before the person leaves. */
  saveNow(): void {
    this.#saving.doNow()
  }

  discard(): void {
    this.#saving.giveUp()
    this.#around.history?.remove()
    this.#around.drafts.remove()
  }

  #save(): void {
    this.draft = draftAfter(this.editing.trees, this.published, this.draft, Date.now())
    this.#isSaving = true
    if (this.draft) this.isUnsaved = !this.#around.drafts.save(this.draft)
    else this.#around.drafts.remove()
    this.#isSaving = false
    this.#around.history?.save(writeTimeline(this.editing.timeline, this.#baseVersion))
    this.#listeners.onChange()
  }

  #judge(): void {
    const before = this.judgement
    this.judgement = judgeTrees(this.editing.trees, this.editing.limits)
    if (!(isFaultless(before) && isFaultless(this.judgement))) this.#listeners.onChange()
  }

  get #baseVersion(): number {
    return this.draft?.baseVersion ?? this.published.version
  }

  #loadDraft(): Draft | undefined {
    return this.isReadOnly ? undefined : this.#around.drafts.load()
  }

  /** Restarts editing with a draft and keeps the selection by its path. */
  #reopen(draft: Draft | undefined): void {
    const path = this.editing.place && pathOf(this.editing.place)
    this.draft = draft
    this.editing = this.#beginEditing()
    this.isUnsaved = false
    const before = path === undefined ? undefined : findByPath(this.editing.trees, path)
    if (before) this.editing.select(before.key)
    this.#judging.giveUp()
    this.judgement = judgeTrees(this.editing.trees, this.editing.limits)
    this.#listeners.onReopened()
  }

  #beginEditing(): Editing {
    const kept = this.#around.history?.load()
    return new Editing(
      openTrees(this.published, this.draft, makeKeys()),
      limitsOf(this.owner),
      kept === undefined ? undefined : readTimeline(kept, this.#baseVersion),
    )
  }
}
