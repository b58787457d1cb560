import type { Draft, DraftPlace } from '../drafts/draft-store.ts'
import { limitsOf, type SchemaOwner } from '../owners/owners.ts'
import { DueWork, type Schedule } from './model/due-work.ts'
import { Editing } from './model/editing.ts'
import { isFaultless, type Judgement, judgeTrees } from './model/judgement.ts'
import { makeKeys } from './model/node.ts'
import { draftAfter, type LoadedSchema, type Opened, openTrees } from './model/open-draft.ts'
import { findByPath, pathOf } from './model/places.ts'

interface Listeners {
  /** Editing begins anew: nothing can be undone then. */
  readonly onReopened: () => void
  /** The draft was stored, or the judgement is another one. */
  readonly onChange: () => void
}

/** What the page does for it. */
interface Surroundings {
  /** Where the draft of the person is, who stays the same: undefined if none is signed in. */
  readonly drafts: DraftPlace | undefined
  /** The schema as it is published now. */
  readonly loadSchema: () => Promise<LoadedSchema>
  /** When what is typed is stored, and when it is judged. */
  readonly saveLater: Schedule
  readonly judgeLater: Schedule
}

/** The schema of one owner while it is edited: what is published, the draft in the storage of the browser, and the edits. */
export class EditedSchema {
  readonly owner: SchemaOwner
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Why the person may not assign it, in the words of the server. */
  readonly refusal: string | undefined

  readonly #listeners: Listeners
  readonly #drafts: DraftPlace | undefined
  readonly #loadSchema: Surroundings['loadSchema']
  readonly #saving: DueWork
  readonly #judging: DueWork
  #published: LoadedSchema
  #draft: Draft | undefined
  #editing: Editing
  #isUnsaved = false
  #isSaving = false
  #judgement: Judgement
  #stopWatching = () => {}

  constructor(
    owner: SchemaOwner,
    { schema, ownerName, refusal }: Opened,
    listeners: Listeners,
    { drafts, loadSchema, saveLater, judgeLater }: Surroundings,
  ) {
    this.owner = owner
    this.ownerName = ownerName
    this.refusal = refusal
    this.#listeners = listeners
    this.#drafts = drafts
    this.#loadSchema = loadSchema
    this.#saving = new DueWork(() => this.#save(), saveLater)
    this.#judging = new DueWork(() => this.#judge(), judgeLater)
    this.#published = schema
    this.#draft = this.#loadDraft()
    this.#editing = this.#beginEditing()
    this.#judgement = judgeTrees(this.#editing.trees, this.#editing.limits)
  }

  get published(): LoadedSchema {
    return this.#published
  }

  /** As it was stored last. */
  get draft(): Draft | undefined {
    return this.#draft
  }

  /** Whether there is a draft, or will be once the last edits are stored. */
  get isEdited(): boolean {
    return this.#draft !== undefined || this.#saving.isDue
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

  /** Of the schema as it was at the last frame. */
  get judgement(): Judgement {
    return this.#judgement
  }

  /** Of the schema as it is. */
  judgeNow(): Judgement {
    this.#judging.doNow()
    return this.#judgement
  }

  /** The same draft may be edited in another tab. */
  watch(): void {
    this.#stopWatching()
    const onChange = () => {
      // What is typed here and not stored yet is the latest.
      if (!this.#isSaving && !this.#saving.isDue && !this.isReadOnly) this.#reopen(this.#loadDraft())
    }
    this.#stopWatching = this.#drafts?.watch(onChange) ?? (() => {})
  }

  unwatch(): void {
    this.saveNow()
    this.#judging.giveUp()
    this.#stopWatching()
  }

  /** Another person may have published meanwhile: without a draft, editing begins anew with that. */
  async refresh(): Promise<void> {
    const schema = await this.#loadSchema().catch(() => undefined)
    if (!schema || schema.version === this.#published.version) return
    // What is typed is of the version before: a draft that names the next one would take back what that has changed.
    this.saveNow()
    this.#published = schema
    if (!this.isEdited) this.#reopen(undefined)
  }

  /** After an edit: the draft is stored and the schema judged when there is time, as both look at all of it. */
  keep(): void {
    this.#saving.ask()
    this.#judging.ask()
  }

  /** Stores at once what is not stored yet: the person goes elsewhere. */
  saveNow(): void {
    this.#saving.doNow()
  }

  discard(): void {
    this.#saving.giveUp()
    this.#drafts?.remove()
  }

  #save(): void {
    this.#draft = draftAfter(this.#editing.trees, this.#published, this.#draft, Date.now())
    this.#isSaving = true
    if (this.#draft) this.#isUnsaved = !this.#drafts?.save(this.#draft)
    else this.#drafts?.remove()
    this.#isSaving = false
    this.#listeners.onChange()
  }

  #judge(): void {
    const before = this.#judgement
    this.#judgement = judgeTrees(this.#editing.trees, this.#editing.limits)
    if (!(isFaultless(before) && isFaultless(this.#judgement))) this.#listeners.onChange()
  }

  #loadDraft(): Draft | undefined {
    return this.isReadOnly ? undefined : this.#drafts?.load()
  }

  /** What is selected stays so by its path. */
  #reopen(draft: Draft | undefined): void {
    const path = this.#editing.place && pathOf(this.#editing.place)
    this.#draft = draft
    this.#editing = this.#beginEditing()
    this.#isUnsaved = false
    const before = path === undefined ? undefined : findByPath(this.#editing.trees, path)
    if (before) this.#editing.select(before.key)
    this.#judging.giveUp()
    this.#judgement = judgeTrees(this.#editing.trees, this.#editing.limits)
    this.#listeners.onReopened()
  }

  #beginEditing(): Editing {
    return new Editing(openTrees(this.#published, this.#draft, makeKeys()), limitsOf(this.owner))
  }
}
