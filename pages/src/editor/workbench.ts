import { draftPlace, historyPlace } from '../drafts/drafts.ts'
import { announce } from '../elements/announce.ts'
import type { SchemaOwner } from '../owners/owners.ts'
import { EditedSchema } from './edited-schema.ts'
import { loadSchema } from './loaded-schema.ts'
import type { WorkCommand } from './model/command.ts'
import type { Editing, Outcome } from './model/editing.ts'
import { firstRefused } from './model/judgement.ts'
import { listNodes, type Trees } from './model/node.ts'
import type { Opened } from './model/open-draft.ts'
import { findByPath, findPlace, pathOf } from './model/places.ts'
import { searchTrees } from './model/rows.ts'
import type { PastedCategories } from './paste-dialog.ts'
import { exceededText } from './refusals.ts'
import { afterFrame, afterPause } from './schedules.ts'
import { t } from './texts.ts'

/**
 * State of a schema in the editor and of its view: search, closed categories, renaming, and why the last edit was
 * refused. It runs commands, reports their outcome, and does not depend on elements.
 */
export class Workbench {
  readonly schema: EditedSchema
  readonly #onChange: () => void
  #searched = ''
  #renaming: string | undefined
  #refusal: string | undefined
  #closed: ReadonlySet<string> = new Set()
  /** Trees before renaming began. */
  #beforeRenaming: Trees | undefined

  /** `onChange` is called after every visible change. */
  constructor(owner: SchemaOwner, opened: Opened, onChange: () => void) {
    this.#onChange = onChange
    this.schema = new EditedSchema(
      owner,
      opened,
      { onReopened: () => this.#beginAnew(), onChange },
      {
        drafts: draftPlace(owner),
        history: historyPlace(owner),
        loadSchema: () => loadSchema(owner),
        saveLater: afterPause,
        judgeLater: afterFrame,
      },
    )
  }

  get searched(): string {
    return this.#searched
  }

  /** Key of the category whose title is being edited in the tree. */
  get renaming(): string | undefined {
    return this.#renaming
  }

  /** Reason why the last edit was refused. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /** Keys of the closed categories. */
  get closed(): ReadonlySet<string> {
    return this.#closed
  }

  /** Applies an address: its search, and the path of a category. */
  show(searched: string, path: string | null): void {
    this.#searched = searched
    const { trees, place } = this.#editing
    const node = path === null || (place && pathOf(place) === path) ? undefined : findByPath(trees, path)
    if (node) this.#select(node.key)
  }

  do(command: WorkCommand): void {
    if (command.do === 'select') this.#select(command.key)
    else if (command.do === 'search') this.#search(command.text)
    else if (command.do === 'open' || command.do === 'close') this.#setClosed(command.key, command.do === 'close')
    else if (command.do === 'endTyping') this.#endTyping()
    else if (!this.schema.isReadOnly) this.#edit(command)
  }

  paste({ categories, mode }: PastedCategories): void {
    this.#take(this.#editing.paste(categories, mode))
  }

  /**
   * Selects the first category that the server would refuse, and announces the number of problems. Returns false if there are
   * none.
   */
  showRefused(): boolean {
    const { editing } = this.schema
    const judgement = this.schema.judgeNow()
    if (judgement.isValid || editing.trees.length === 0) return false
    const node = firstRefused(editing.trees, judgement)
    if (node) this.#select(node.key)
    this.#refuse(t('refusedFirst', { count: judgement.refused.size + judgement.sentences.length }))
    return true
  }

  discard(): void {
    this.schema.discard()
    announce(t('discarded'))
  }

  get #editing(): Editing {
    return this.schema.editing
  }

  #beginAnew(): void {
    this.#closed = new Set()
    this.#renaming = undefined
    this.#refusal = undefined
    this.#onChange()
  }

  #edit(command: WorkCommand): void {
    const editing = this.#editing
    const before = editing.trees
    switch (command.do) {
      case 'add': {
        const key = editing.selected
        this.#searched = ''
        if (this.#take(editing.add(key === undefined ? { where: 'end' } : { where: command.where, key }))) {
          this.#startRenaming(before)
        }
        return
      }
      case 'rename':
        editing.endTyping()
        editing.select(command.key)
        this.#startRenaming(before)
        return
      case 'endRenaming':
        if (!command.isKept && this.#beforeRenaming) editing.undoTo(this.#beforeRenaming)
        this.#renaming = undefined
        this.#keep()
        this.#endTyping()
        return
      case 'change':
        this.#take(editing.change(command.key, command.texts))
        return
      case 'remove': {
        const node = findPlace(before, command.key)?.node
        if (!node || !this.#take(editing.remove(command.key))) return
        announce(t('removed', { title: node.title || t('untitled'), below: listNodes(node.below).length }))
        return
      }
      case 'duplicate':
        this.#take(editing.duplicate(command.key))
        return
      case 'step':
        if (this.#take(editing.step(command.key, command.step))) this.#announcePlace()
        return
      case 'move':
        if (this.#take(editing.move(command.key, command.target))) this.#announcePlace()
        return
      case 'undo':
      case 'redo': {
        const isDone = command.do === 'undo' ? editing.undo() : editing.redo()
        if (isDone) {
          this.#renaming = undefined
          this.#keep()
        }
        announce(isDone ? t(command.do === 'undo' ? 'undone' : 'redone') : t('nothingLeft'))
        return
      }
    }
  }

  #select(key: string): void {
    this.#editing.select(key)
    this.#refusal = undefined
    this.#showSelected()
  }

  /** Opens the ancestors of the selected category. */
  #showSelected(): void {
    const above = this.#editing.place?.above ?? []
    if (above.some(({ key }) => this.#closed.has(key))) {
      this.#closed = this.#closed.difference(new Set(above.map(({ key }) => key)))
    }
    this.#onChange()
  }

  #setClosed(key: string, isClosed: boolean): void {
    const closed = new Set(this.#closed)
    if (isClosed) closed.add(key)
    else closed.delete(key)
    this.#closed = closed
    // The selection stays visible: closing an ancestor selects that ancestor.
    const { place } = this.#editing
    if (isClosed && place?.above.some((node) => node.key === key)) this.#editing.select(key)
    this.#onChange()
  }

  #search(text: string): void {
    this.#searched = text
    const { trees, selected } = this.#editing
    const matches = searchTrees(trees, text)?.matches ?? []
    const [first] = matches
    if (first !== undefined && !matches.includes(selected ?? '')) this.#editing.select(first)
    this.#onChange()
  }

  /** Stores typed text before the person leaves the field. */
  #endTyping(): void {
    this.#editing.endTyping()
    this.schema.saveNow()
  }

  /** Keeps the changes of an edit, or shows why it was refused. */
  #take(outcome: Outcome): boolean {
    if (typeof outcome === 'object') {
      this.#refuse(exceededText(outcome.exceeded, this.#editing.limits))
      return false
    }
    if (outcome === 'changed') this.#keep()
    return outcome === 'changed'
  }

  #refuse(refusal: string): void {
    this.#refusal = refusal
    announce(refusal)
    this.#onChange()
  }

  #keep(): void {
    this.#refusal = undefined
    this.schema.keep()
    this.#showSelected()
  }

  #startRenaming(before: Trees): void {
    this.#beforeRenaming = before
    this.#renaming = this.#editing.selected
    this.#showSelected()
  }

  #announcePlace(): void {
    const { place } = this.#editing
    if (!place) return
    const { above, position, siblings } = place
    const parent = above.at(-1)
    announce(
      t(parent ? 'movedInto' : 'movedToTop', {
        title: place.node.title || t('untitled'),
        parent: parent?.title || t('untitled'),
        position: position + 1,
        of: siblings.length,
      }),
    )
  }
}
