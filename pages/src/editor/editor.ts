import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/heading.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import './category-form.ts'
import './draft-notice.ts'
import './limits-bar.ts'
import './move-dialog.ts'
import './schema-tree.ts'
import { Task } from '@lit/task'
import { html, nothing, type PropertyValues } from 'lit'
import type { Draft } from '../drafts/draft-store.ts'
import { loadDraft, removeDraft, saveDraft, watchDraft } from '../drafts/drafts.ts'
import { announce } from '../elements/announce.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { keyOfOwner, limitsOf, ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import { signedIn } from '../session/session.ts'
import type { CategoryForm } from './category-form.ts'
import type { Command } from './command.ts'
import { editorStyle } from './editor-style.ts'
import { type LoadedSchema, type Opened, openSchema, readSchema } from './loaded-schema.ts'
import { countTrees } from './model/counts.ts'
import { Editing, type Outcome } from './model/editing.ts'
import { firstRefused, type Judgement, judgeTrees } from './model/judgement.ts'
import { listNodes, makeKeys, type Trees } from './model/node.ts'
import { draftAfter, openTrees } from './model/open-draft.ts'
import { findByPath, findPlace, pathOf } from './model/places.ts'
import { type Found, listRows, searchTrees } from './model/rows.ts'
import type { MoveDialog } from './move-dialog.ts'
import type { PasteDialog, PastedCategories } from './paste-dialog.ts'
import { exceededText } from './refusals.ts'
import type { SchemaTree } from './schema-tree.ts'
import { t } from './texts.ts'

/** The address follows what is selected after this time, in milliseconds: browsers limit how often it may change. */
const addressPause = 300

/** The category schema of the organization or a group, as a draft that is kept at each edit and published by another screen. */
class Editor extends Screen {
  static override properties = {
    searched: { state: true },
    renaming: { state: true },
    refusal: { state: true },
    isUnsaved: { state: true },
  }

  static override styles = [...Screen.styles, fieldStyle, editorStyle]

  declare searched: string
  declare renaming: string | undefined
  /** Why the last edit was refused. */
  declare refusal: string | undefined
  declare isUnsaved: boolean

  #owner: SchemaOwner = { kind: 'organization' }
  #opened: Opened | undefined
  #published: LoadedSchema | undefined
  #editing: Editing | undefined
  #draft: Draft | undefined
  #closed: ReadonlySet<string> = new Set()
  #judged: { readonly trees: Trees; readonly judgement: Judgement } | undefined
  /** The trees before the title in the tree became a field. */
  #beforeRenaming: Trees | undefined
  #addressTimer: ReturnType<typeof setTimeout> | undefined
  #stopWatching = () => {}
  #isSaving = false

  readonly #load = new Task(this, {
    args: () => [keyOfOwner(ownerOf(this.parameters)), signedIn()?.username] as const,
    task: async (_, { signal }) => {
      const owner = ownerOf(this.parameters)
      const opened = await openSchema(owner, signal)
      this.#open(owner, opened)
      return opened
    },
  })

  constructor() {
    super()
    this.searched = ''
    this.isUnsaved = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('visibilitychange', this.#refresh)
    this.addEventListener('keydown', this.#onKey)
    this.addEventListener('command', this.#onCommand)
    if (this.#opened) this.#watchDraft()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('visibilitychange', this.#refresh)
    this.removeEventListener('keydown', this.#onKey)
    this.removeEventListener('command', this.#onCommand)
    clearTimeout(this.#addressTimer)
    this.#stopWatching()
  }

  #open(owner: SchemaOwner, opened: Opened): void {
    this.#owner = owner
    this.#opened = opened
    this.#published = opened.schema
    this.#watchDraft()
    this.#reopen(opened.refusal === undefined ? loadDraft(owner) : undefined)
    this.#takeQuery()
  }

  /** Begins anew with a draft or what is published: nothing can be undone then. What is selected stays so by its path. */
  #reopen(draft: Draft | undefined): void {
    const path = this.#editing?.place && pathOf(this.#editing.place)
    this.#draft = draft
    this.#editing = new Editing(openTrees(this.#published!, draft, makeKeys()), limitsOf(this.#owner))
    this.#closed = new Set()
    this.renaming = undefined
    this.refusal = undefined
    this.isUnsaved = false
    const before = path === undefined ? undefined : findByPath(this.#editing.trees, path)
    if (before) this.#editing.select(before.key)
    this.requestUpdate()
  }

  /** The same draft may be edited in another tab. */
  #watchDraft(): void {
    this.#stopWatching()
    this.#stopWatching = watchDraft(this.#owner, () => {
      if (!this.#isSaving && this.#opened?.refusal === undefined) this.#reopen(loadDraft(this.#owner))
    })
  }

  /** Another person may have published meanwhile. */
  readonly #refresh = async () => {
    if (document.visibilityState !== 'visible' || !this.#published) return
    const owner = this.#owner
    const schema = await readSchema(owner).catch(() => undefined)
    if (!schema || owner !== this.#owner || schema.version === this.#published?.version) return
    this.#published = schema
    if (this.#draft) this.requestUpdate()
    else this.#reopen(undefined)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('query') && this.#editing) this.#takeQuery()
  }

  #takeQuery(): void {
    const editing = this.#editing!
    this.searched = this.query.get('q') ?? ''
    const path = this.query.get('category')
    const place = editing.place
    if (path === null || (place && pathOf(place) === path)) return
    const node = findByPath(editing.trees, path)
    if (node) this.#select(node.key)
  }

  #tellAddress(): void {
    clearTimeout(this.#addressTimer)
    const { pathname } = window.location
    this.#addressTimer = setTimeout(() => {
      // The next screen, or the same one of another owner, may be on its way.
      if (window.location.pathname !== pathname) return
      const place = this.#editing?.place
      replaceQuery({ category: place && pathOf(place), q: this.searched })
    }, addressPause)
  }

  override render() {
    const { error } = this.#load
    const name = this.#opened?.ownerName
    const isCurrent = this.#opened && keyOfOwner(this.#owner) === keyOfOwner(ownerOf(this.parameters))
    if (error !== undefined) {
      return html`<cartulary-heading text=${t('heading')}></cartulary-heading>
        <cartulary-problem .error=${error} can-retry @retry=${() => this.#load.run()}></cartulary-problem>`
    }
    if (!isCurrent || !this.#editing || !this.#published) {
      return html`<cartulary-heading text=${t('heading')}></cartulary-heading><cartulary-loading></cartulary-loading>`
    }
    return html`<cartulary-heading text=${t('heading')} note=${name ?? ''}>
        <wa-button appearance="outlined" href=${hrefTo(...screenOf(this.#owner, 'History'))}><wa-icon slot="start" name="history"></wa-icon>${t('history')}</wa-button>
        <wa-button appearance="outlined" href=${hrefTo(...screenOf(this.#owner, 'Import'))}><wa-icon slot="start" name="file"></wa-icon>${t('files')}</wa-button>
        ${
          this.#isReadOnly
            ? nothing
            : html`<wa-button id="review" variant="brand" ?disabled=${!this.#draft} @click=${this.#review}>${t('review')}</wa-button>`
        }
      </cartulary-heading>
      ${this.#renderEditor(this.#editing, this.#published)}`
  }

  get #isReadOnly(): boolean {
    return this.#opened?.refusal !== undefined
  }

  get #judgement(): Judgement {
    const { trees, limits } = this.#editing!
    if (this.#judged?.trees !== trees) this.#judged = { trees, judgement: judgeTrees(trees, limits) }
    return this.#judged.judgement
  }

  #renderEditor(editing: Editing, published: LoadedSchema) {
    const { trees, limits } = editing
    const judgement = this.#judgement
    return html`<div class="stack">
      ${
        this.#isReadOnly
          ? html`<wa-callout id="read-only" variant="neutral"><wa-icon slot="icon" name="eye"></wa-icon>
              <strong>${t('readOnly')}</strong><p lang="en" dir="ltr">${this.#opened?.refusal}</p></wa-callout>`
          : html`<cartulary-draft-notice
              .owner=${this.#owner} .draft=${this.#draft} .published=${published} .isUnsaved=${this.isUnsaved} @discard=${this.#discard}
            ></cartulary-draft-notice>`
      }
      <cartulary-limits-bar .counts=${countTrees(trees)} .limits=${limits}></cartulary-limits-bar>
      ${
        judgement.sentences.length === 0 || trees.length === 0
          ? nothing
          : html`<wa-callout variant="danger"><wa-icon slot="icon" name="warning"></wa-icon>
              <ul lang="en" dir="ltr">${judgement.sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></wa-callout>`
      }
      ${this.#renderToolbar(editing)}
      ${this.refusal ? html`<wa-callout id="refusal" variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>${this.refusal}</wa-callout>` : nothing}
      ${trees.length === 0 ? this.#renderEmpty() : this.#renderColumns(editing, judgement)}
    </div>
    <cartulary-move-dialog .editing=${editing}></cartulary-move-dialog>
    <cartulary-paste-dialog .editing=${editing} @pasted=${this.#paste}></cartulary-paste-dialog>`
  }

  #renderToolbar(editing: Editing) {
    const send = (command: Command) => () => this.#do(command)
    return html`<div class="toolbar no-print">
      <label class="search">
        <span class="visually-hidden">${t('search')}</span>
        <wa-icon name="search"></wa-icon>
        <input type="search" placeholder=${t('search')} .value=${this.searched} @input=${this.#search}>
      </label>
      ${
        this.#isReadOnly
          ? nothing
          : html`<div class="row" role="group" aria-label=${t('edit')}>
              <wa-button size="s" appearance="outlined" id="add" @click=${send({ do: 'add', where: 'after' })}><wa-icon slot="start" name="plus"></wa-icon>${t('add')}</wa-button>
              <wa-button size="s" appearance="outlined" id="add-below" ?disabled=${editing.selected === undefined} @click=${send({ do: 'add', where: 'inside' })}
                >${t('addBelow')}</wa-button>
              <wa-button size="s" appearance="outlined" id="paste" @click=${send({ do: 'paste', text: '' })}><wa-icon slot="start" name="clipboard"></wa-icon>${t('paste')}</wa-button>
              <wa-button size="s" appearance="outlined" id="undo" ?disabled=${!editing.canUndo} @click=${send({ do: 'undo' })}><wa-icon name="undo" label=${t('undo')}></wa-icon></wa-button>
              <wa-button size="s" appearance="outlined" id="redo" ?disabled=${!editing.canRedo} @click=${send({ do: 'redo' })}><wa-icon name="redo" label=${t('redo')}></wa-icon></wa-button>
            </div>`
      }
    </div>`
  }

  #renderEmpty() {
    return html`<cartulary-empty icon="tree" heading=${t('empty')} text=${this.#isReadOnly ? t('emptyReadOnly') : t('emptyText')}>
      ${
        this.#isReadOnly
          ? nothing
          : html`<wa-button variant="brand" @click=${() => this.#do({ do: 'add', where: 'after' })}>${t('addFirst')}</wa-button>
              <wa-button appearance="outlined" href=${hrefTo(...screenOf(this.#owner, 'Import'))}>${t('template')}</wa-button>`
      }
    </cartulary-empty>`
  }

  #renderColumns(editing: Editing, judgement: Judgement) {
    const { trees, place, selected, limits } = editing
    const found = searchTrees(trees, this.searched)
    const rows = listRows(trees, this.#closed, found)
    return html`<div class="columns">
      <div class="tree">
        ${found ? html`<p role="status">${t('found', { count: found.matches.length })}</p>` : nothing}
        <cartulary-schema-tree
          label=${t('heading')} .rows=${rows} .selected=${selected} .searched=${found ? this.searched : ''} .judgement=${judgement}
          .renaming=${this.renaming} .isReadOnly=${this.#isReadOnly}
          .tryMove=${this.#tryMove}
        ></cartulary-schema-tree>
        ${this.#isReadOnly ? nothing : this.#renderKeys()}
      </div>
      <div class="form no-print">
        ${
          place
            ? html`<section class="panel" aria-label=${t('category')}><cartulary-category-form
                .place=${place} .verdict=${judgement.verdicts.get(place.node.key)} .limits=${limits} .isReadOnly=${this.#isReadOnly}
              ></cartulary-category-form></section>`
            : nothing
        }
      </div>
    </div>`
  }

  #renderKeys() {
    return html`<details class="no-print"><summary>${t('keys')}</summary><dl>${keys.map(
      ([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`,
    )}</dl></details>`
  }

  readonly #tryMove = (key: string, target: Parameters<Editing['tryMove']>[1]) => this.#editing!.tryMove(key, target)

  readonly #onCommand = (event: Event) => {
    event.stopPropagation()
    this.#do((event as CustomEvent<Command>).detail)
  }

  /** Undo and redo wherever the focus is, but for dialogs and the search, whose texts are no part of the draft. */
  readonly #onKey = (event: KeyboardEvent) => {
    const letter = event.key.toLowerCase()
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (letter !== 'z' && letter !== 'y')) return
    const isElsewhere = event
      .composedPath()
      .some((target) => target instanceof HTMLElement && target.matches('wa-dialog, [type="search"]'))
    if (isElsewhere || this.#isReadOnly) return
    event.preventDefault()
    this.#do({ do: letter === 'y' || event.shiftKey ? 'redo' : 'undo' })
  }

  #do(command: Command): void {
    const editing = this.#editing
    if (!editing) return
    if (command.do === 'select') {
      this.#select(command.key)
      this.#tellAddress()
    } else if (command.do === 'open' || command.do === 'close') this.#setClosed(command.key, command.do === 'close')
    else if (command.do === 'edit') this.#form?.focus()
    else if (command.do === 'endTyping') editing.endTyping()
    else if (this.#isReadOnly) return
    else if (command.do === 'moveTo') this.renderRoot.querySelector<MoveDialog>('cartulary-move-dialog')?.open()
    else if (command.do === 'paste') void this.#openPaste(command.text)
    else this.#edit(editing, command)
  }

  get #form(): CategoryForm | null {
    return this.renderRoot.querySelector<CategoryForm>('cartulary-category-form')
  }

  #edit(editing: Editing, command: Command): void {
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
        editing.endTyping()
        this.#keep()
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
          this.renaming = undefined
          this.#keep()
        }
        announce(isDone ? t(command.do === 'undo' ? 'undone' : 'redone') : t('nothingLeft'))
        return
      }
    }
  }

  #select(key: string): void {
    this.#editing!.select(key)
    this.refusal = undefined
    this.#showSelected()
  }

  /** What is above the selected category is opened. */
  #showSelected(): void {
    const above = this.#editing!.place?.above ?? []
    if (above.some(({ key }) => this.#closed.has(key))) {
      this.#closed = this.#closed.difference(new Set(above.map(({ key }) => key)))
    }
    this.requestUpdate()
  }

  #setClosed(key: string, isClosed: boolean): void {
    const closed = new Set(this.#closed)
    if (isClosed) closed.add(key)
    else closed.delete(key)
    this.#closed = closed
    // What is selected is always to be seen.
    const { place } = this.#editing!
    if (isClosed && place?.above.some((node) => node.key === key)) this.#editing!.select(key)
    this.requestUpdate()
  }

  /** Keeps what an edit has changed, or says why it was refused. */
  #take(outcome: Outcome): boolean {
    if (typeof outcome === 'object') {
      this.refusal = exceededText(outcome.exceeded, this.#editing!.limits)
      announce(this.refusal)
      return false
    }
    if (outcome === 'changed') this.#keep()
    return outcome === 'changed'
  }

  #keep(): void {
    this.refusal = undefined
    this.#draft = draftAfter(this.#editing!.trees, this.#published!, this.#draft, Date.now())
    this.#isSaving = true
    if (this.#draft) this.isUnsaved = !saveDraft(this.#owner, this.#draft)
    else removeDraft(this.#owner)
    this.#isSaving = false
    this.#showSelected()
  }

  #startRenaming(before: Trees): void {
    this.#beforeRenaming = before
    this.renaming = this.#editing!.selected
    this.#showSelected()
  }

  #announcePlace(): void {
    const { place } = this.#editing!
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

  async #openPaste(text: string): Promise<void> {
    // What reads tables is loaded when it is needed.
    await import('./paste-dialog.ts')
    await this.renderRoot.querySelector<PasteDialog>('cartulary-paste-dialog')?.open(text)
  }

  #paste(event: CustomEvent<PastedCategories>): void {
    const { categories, mode } = event.detail
    this.#take(this.#editing!.paste(categories, mode))
  }

  #search(event: Event): void {
    this.searched = (event.target as HTMLInputElement).value
    const found: Found | undefined = searchTrees(this.#editing!.trees, this.searched)
    const [first] = found?.matches ?? []
    if (first !== undefined && !found!.matches.includes(this.#editing!.selected ?? '')) this.#editing!.select(first)
    this.#tellAddress()
  }

  /** Leads to what the server would refuse; to the review where there is nothing of that kind. */
  readonly #review = async () => {
    const editing = this.#editing!
    const judgement = this.#judgement
    if (judgement.isValid || editing.trees.length === 0) {
      goTo(hrefTo(...screenOf(this.#owner, 'Review')))
      return
    }
    const node = firstRefused(editing.trees, judgement)
    this.refusal = t('refusedFirst', { count: judgement.refused.size + judgement.sentences.length })
    announce(this.refusal)
    if (!node) return
    const { refusal } = this
    this.#select(node.key)
    this.refusal = refusal
    await this.updateComplete
    await this.#form?.updateComplete
    this.#form?.focus()
  }

  #discard(): void {
    removeDraft(this.#owner)
    announce(t('discarded'))
    this.renderRoot.querySelector<SchemaTree>('cartulary-schema-tree')?.focusSelected()
  }
}

/** Keys of the tree, and what they do. */
const keys = [
  ['↑ ↓ ← →', 'key_arrows'],
  ['Enter', 'key_enter'],
  ['Shift + Enter', 'key_below'],
  ['F2', 'key_rename'],
  ['Delete', 'key_delete'],
  ['Alt + ↑ ↓ ← →', 'key_move'],
  ['Ctrl + Z / Ctrl + Y', 'key_undo'],
  ['Ctrl + V', 'key_paste'],
  ['A – Z', 'key_type'],
] as const

customElements.define('cartulary-editor', Editor)
