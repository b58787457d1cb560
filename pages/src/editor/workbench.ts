import { draftPlace, historyPlace } from '../drafts/drafts.ts'
import { announce } from '../elements/page.ts'
import { offerUndo } from '../elements/undo-message.ts'
import type { SchemaOwner } from '../owners/owners.ts'
import { removeKept } from '../shared-drafts/send-draft.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { EditedSchema } from './edited-schema.ts'
import { afterFrame, afterPause, readerOf } from './loaded-schema.ts'
import { type Choosing, choose } from './model/choice.ts'
import type { WorkCommand } from './model/command.ts'
import type { Editing, Outcome } from './model/editing.ts'
import { listTops } from './model/edits.ts'
import { firstRefused } from './model/judgement.ts'
import { listNodes, type Node, type Trees } from './model/node.ts'
import type { Opened } from './model/open-draft.ts'
import { findByPath, pathOf, type Target } from './model/places.ts'
import { listRows, searchTrees } from './model/rows.ts'
import { exceededText } from './status-lines.ts'

/**
 * State of a schema in the editor and of its view: search, closed categories, renaming, and why the last edit was
 * refused. It runs commands, reports their outcome, and does not depend on elements.
 */
export class Workbench {
  readonly schema: EditedSchema
  readonly #onChange: () => void
  searched = ''
  /** Key of the category whose title is being edited in the tree. */
  renaming: string | undefined
  /** Reason why the last edit was refused. */
  refusal: string | undefined
  /** Keys of the closed categories. */
  closed: ReadonlySet<string> = new Set()
  #chosen: ReadonlySet<string> = new Set()
  /** Key where a range of chosen categories begins. */
  #anchor: string | undefined
  /** Takes the message of the last edit away. */
  #withdraw = () => {}
  /** Trees before renaming began. */
  #beforeRenaming: Trees | undefined

  /** `onChange` is called after every visible change. */
  constructor(owner: SchemaOwner, opened: Opened, onChange: () => void) {
    this.#onChange = onChange
    this.schema = new EditedSchema(
      owner,
      opened,
      { onReopened: () => this.#restart(), onChange },
      {
        drafts: draftPlace(owner),
        history: historyPlace(owner),
        loadSchema: readerOf(owner),
        saveLater: afterPause,
        judgeLater: afterFrame,
      },
    )
  }

  /** Keys of the categories that are chosen together, the selected one among them; in the order of the document. */
  get chosen(): readonly string[] {
    const { trees, selected } = this.#editing
    if (selected === undefined) return []
    if (!this.#chosen.has(selected)) return [selected]
    return listNodes(trees)
      .map(({ key }) => key)
      .filter((key) => this.#chosen.has(key))
  }

  /** Applies an address: its search, and the path of a category. */
  show(searched: string, path: string | null): void {
    this.searched = searched
    const { trees, place } = this.#editing
    const node = path === null || (place && pathOf(place) === path) ? undefined : findByPath(trees, path)
    if (node) this.#select(node.key)
  }

  do(command: WorkCommand): void {
    if (command.do === 'select') this.#select(command.key)
    else if (command.do === 'choose') this.#choose(command.key, command.how)
    else if (command.do === 'openTo') this.#openTo(command.level)
    else if (command.do === 'search') this.#search(command.text)
    else if (command.do === 'open' || command.do === 'close') this.#setClosed(command.key, command.do === 'close')
    else if (command.do === 'endTyping') this.#endTyping()
    else if (!this.schema.isReadOnly) this.#edit(command)
  }

  /** Outcome of a move of a category, and of those that are chosen together with it. */
  readonly tryMove = (key: string, target: Target) => this.#editing.tryMove(this.#togetherWith(key), target)

  /** Takes the message of the last edit away when the person leaves: undo waits in the editor. */
  leave(): void {
    this.#withdraw()
    this.schema.unwatch()
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
    this.#refuse(t('refusedFirst', { count: judgement.refused.size + judgement.general.length }))
    return true
  }

  discard(): void {
    const kept = this.schema.draft?.kept
    this.schema.discard()
    if (kept?.isOwn) void removeKept(this.schema.owner, kept)
    announce(t('discarded'))
  }

  get #editing(): Editing {
    return this.schema.editing
  }

  #restart(): void {
    this.closed = new Set()
    this.renaming = undefined
    this.refusal = undefined
    this.#onChange()
  }

  #edit(command: WorkCommand): void {
    const editing = this.#editing
    const before = editing.trees
    switch (command.do) {
      case 'add': {
        const key = editing.selected
        this.searched = ''
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
        this.renaming = undefined
        this.#keep()
        this.#endTyping()
        return
      case 'change':
        this.#take(editing.change(command.key, command.texts))
        return
      case 'remove': {
        const tops = listTops(before, new Set(this.#togetherWith(command.key)))
        if (!this.#take(editing.remove(...tops.map(({ key }) => key)))) return
        const [title, count] = [titleOf(tops[0]), tops.length]
        const below = listNodes(tops.flatMap((node) => node.below)).length
        this.#offerUndo(count === 1 ? t('removed', { title, below }) : t('removedSeveral', { count, below }))
        return
      }
      case 'merge': {
        const keys = this.#togetherWith(command.key)
        const tops = listTops(before, new Set(keys)).filter(({ key }) => key !== command.into)
        if (!this.#take(editing.merge(keys, command.into, command.mode))) return
        const into = titleOf(editing.place?.node)
        const text = command.mode === 'whole' ? 'mergedInto' : 'itemsGiven'
        this.#offerUndo(t(text, { title: titleOf(tops[0]), count: tops.length, into }))
        return
      }
      case 'insert':
        this.#take(editing.paste(command.categories, command.mode))
        return
      case 'duplicate':
        this.#take(editing.duplicate(command.key))
        return
      case 'step':
        if (this.#take(editing.step(command.key, command.step))) announce(this.#placeText(1))
        return
      case 'move': {
        const keys = this.#togetherWith(command.key)
        if (this.#take(editing.move(keys, command.target))) this.#offerUndo(this.#placeText(keys.length))
        return
      }
      case 'undo':
      case 'redo': {
        const isDone = command.do === 'undo' ? editing.undo() : editing.redo()
        if (isDone) {
          this.renaming = undefined
          this.#keep()
          if (this.#editing.selected !== undefined) this.#select(this.#editing.selected)
        }
        announce(isDone ? t(command.do === 'undo' ? 'undone' : 'redone') : t('nothingLeft'))
        return
      }
    }
  }

  #select(key: string): void {
    this.#editing.select(key)
    this.#chosen = new Set([key])
    this.#anchor = key
    this.refusal = undefined
    this.#showSelected()
  }

  #choose(key: string, how: Choosing): void {
    const before = new Set(this.chosen)
    const anchor = this.#anchor !== undefined && before.has(this.#anchor) ? this.#anchor : this.#editing.selected
    const { trees } = this.#editing
    const rows = listRows(trees, this.closed, searchTrees(trees, this.searched))
    const chosen = choose(rows, { chosen: before, anchor }, key, how)
    if (how === 'range') this.#anchor = anchor
    if (how === 'toggle') this.#anchor = key
    // The one that was taken out is not the selected one any more.
    this.#editing.select(chosen.has(key) ? key : [...chosen].at(-1))
    this.#chosen = chosen
    this.refusal = undefined
    if (chosen.size > 1) announce(t('chosen', { count: chosen.size }))
    this.#onChange()
  }

  /** The category, or all that are chosen together with it. */
  #togetherWith(key: string): readonly string[] {
    const { chosen } = this
    return chosen.includes(key) ? chosen : [key]
  }

  #openTo(level: number): void {
    this.closed = new Set(
      listRows(this.#editing.trees, new Set()).flatMap((row) => (row.level >= level ? row.node.key : [])),
    )
    const { place } = this.#editing
    const top = place?.above.find(({ key }) => this.closed.has(key))
    if (top) this.#select(top.key)
    this.#onChange()
  }

  /** Shows what was done, with a button that undoes it for as long as nothing else is done. */
  #offerUndo(text: string): void {
    const { trees } = this.#editing
    this.#withdraw = offerUndo(text, async () => {
      if (this.#editing.trees === trees) this.#edit({ do: 'undo' })
    })
  }

  /** Opens the ancestors of the selected category. */
  #showSelected(): void {
    const above = this.#editing.place?.above ?? []
    if (above.some(({ key }) => this.closed.has(key))) {
      this.closed = this.closed.difference(new Set(above.map(({ key }) => key)))
    }
    this.#onChange()
  }

  #setClosed(key: string, isClosed: boolean): void {
    const own = new Set([key])
    this.closed = isClosed ? this.closed.union(own) : this.closed.difference(own)
    // The selection stays visible: closing an ancestor selects that ancestor.
    const { place } = this.#editing
    if (isClosed && place?.above.some((node) => node.key === key)) this.#editing.select(key)
    this.#onChange()
  }

  #search(text: string): void {
    this.searched = text
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
    this.refusal = refusal
    announce(refusal)
    this.#onChange()
  }

  #keep(): void {
    this.#withdraw()
    this.refusal = undefined
    this.schema.keep()
    this.#showSelected()
  }

  #startRenaming(before: Trees): void {
    this.#beforeRenaming = before
    this.renaming = this.#editing.selected
    this.#showSelected()
  }

  /** Place of the selected category after it was moved, alone or with others. */
  #placeText(count: number): string {
    const { above = [], position = 0, siblings = [], node } = this.#editing.place ?? {}
    const parent = above.at(-1)
    if (count > 1) return t('movedSeveral', { count })
    return t(parent ? 'movedInto' : 'movedToTop', {
      title: titleOf(node),
      parent: titleOf(parent),
      position: position + 1,
      of: siblings.length,
    })
  }
}

function titleOf(node: Node | undefined): string {
  return node?.title || t('untitled')
}
