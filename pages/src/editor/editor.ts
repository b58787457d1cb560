import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/heading.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import './category-form.ts'
import '../drafts/damaged-draft.ts'
import './draft-notice.ts'
import './editor-toolbar.ts'
import './limits-bar.ts'
import './move-dialog.ts'
import './schema-tree.ts'
import './tree-keys.ts'
import { Task } from '@lit/task'
import { html, nothing, type PropertyValues } from 'lit'
import { announce } from '../elements/announce.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { keyOfOwner, ownerOf, screenOf } from '../owners/owners.ts'
import { signedIn } from '../session/session.ts'
import type { CategoryForm } from './category-form.ts'
import type { Command } from './command.ts'
import { EditedSchema } from './edited-schema.ts'
import { editorStyle } from './editor-style.ts'
import { openSchema } from './loaded-schema.ts'
import { countTrees } from './model/counts.ts'
import type { Editing, Outcome } from './model/editing.ts'
import { firstRefused } from './model/judgement.ts'
import { listNodes, type Trees } from './model/node.ts'
import { findByPath, findPlace, pathOf } from './model/places.ts'
import { listRows, searchTrees } from './model/rows.ts'
import type { MoveDialog } from './move-dialog.ts'
import type { PasteDialog, PastedCategories } from './paste-dialog.ts'
import { exceededText } from './refusals.ts'
import type { SchemaTree } from './schema-tree.ts'
import { t } from './texts.ts'

/** The address follows what is selected after this time, in milliseconds: browsers limit how often it may change. */
const addressPause = 300

const paper = window.matchMedia('print')

/** The category schema of the organization or a group, as a draft that is kept at each edit and published by another screen. */
class Editor extends Screen {
  static override properties = {
    searched: { state: true },
    renaming: { state: true },
    refusal: { state: true },
  }

  static override styles = [...Screen.styles, editorStyle]

  declare searched: string
  declare renaming: string | undefined
  /** Why the last edit was refused. */
  declare refusal: string | undefined

  #schema: EditedSchema | undefined
  #closed: ReadonlySet<string> = new Set()
  /** The trees before the title in the tree became a field. */
  #beforeRenaming: Trees | undefined
  #addressTimer: ReturnType<typeof setTimeout> | undefined

  readonly #load = new Task(this, {
    args: () => [keyOfOwner(ownerOf(this.parameters)), signedIn()?.username] as const,
    task: async (_, { signal }) => {
      const owner = ownerOf(this.parameters)
      const opened = await openSchema(owner, signal)
      this.#open(new EditedSchema(owner, opened, this.#beginAnew))
    },
  })

  constructor() {
    super()
    this.searched = ''
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('visibilitychange', this.#refresh)
    this.addEventListener('keydown', this.#onKey)
    this.addEventListener('command', this.#onCommand)
    paper.addEventListener('change', this.#onPaper)
    this.#schema?.watch()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('visibilitychange', this.#refresh)
    this.removeEventListener('keydown', this.#onKey)
    this.removeEventListener('command', this.#onCommand)
    paper.removeEventListener('change', this.#onPaper)
    clearTimeout(this.#addressTimer)
    this.#schema?.unwatch()
  }

  #open(schema: EditedSchema): void {
    this.#schema?.unwatch()
    this.#schema = schema
    if (this.isConnected) schema.watch()
    this.#beginAnew()
    this.#takeQuery()
  }

  readonly #onPaper = () => this.requestUpdate()

  readonly #beginAnew = () => {
    this.#closed = new Set()
    this.renaming = undefined
    this.refusal = undefined
    this.requestUpdate()
  }

  readonly #refresh = async () => {
    if (document.visibilityState !== 'visible') return
    await this.#schema?.refresh()
    this.requestUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('query') && this.#schema) this.#takeQuery()
  }

  #takeQuery(): void {
    const editing = this.#editing
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
      const place = this.#schema?.editing.place
      replaceQuery({ category: place && pathOf(place), q: this.searched })
    }, addressPause)
  }

  override render() {
    const { error } = this.#load
    const schema = this.#schema
    if (error !== undefined) {
      return html`<cartulary-heading text=${t('heading')}></cartulary-heading>
        <cartulary-problem .error=${error} can-retry @retry=${() => this.#load.run()}></cartulary-problem>`
    }
    if (!schema || keyOfOwner(schema.owner) !== keyOfOwner(ownerOf(this.parameters))) {
      return html`<cartulary-heading text=${t('heading')}></cartulary-heading><cartulary-loading></cartulary-loading>`
    }
    return html`<cartulary-heading text=${t('heading')} note=${schema.ownerName}>
        ${
          schema.seesHistory
            ? html`<wa-button appearance="outlined" href=${hrefTo(...screenOf(schema.owner, 'History'))}
                ><wa-icon slot="start" name="history"></wa-icon>${t('history')}</wa-button>`
            : nothing
        }
        <wa-button appearance="outlined" href=${hrefTo(...screenOf(schema.owner, 'Import'))}><wa-icon slot="start" name="file"></wa-icon>${t('files')}</wa-button>
        ${
          schema.isReadOnly
            ? nothing
            : html`<wa-button id="review" variant="brand" ?disabled=${!schema.draft} @click=${() => this.#review(schema)}>${t('review')}</wa-button>`
        }
      </cartulary-heading>
      ${this.#renderEditor(schema)}`
  }

  #renderEditor(schema: EditedSchema) {
    const { editing, judgement, isReadOnly } = schema
    const { trees, limits, selected, canUndo, canRedo } = editing
    return html`<div class="stack">
      <cartulary-damaged-draft .owner=${schema.owner}></cartulary-damaged-draft>
      ${
        isReadOnly
          ? html`<wa-callout id="read-only" variant="neutral"><wa-icon slot="icon" name="eye"></wa-icon>
              <strong>${t('readOnly')}</strong><p lang="en" dir="ltr">${schema.refusal}</p></wa-callout>`
          : html`<cartulary-draft-notice
              .owner=${schema.owner} .draft=${schema.draft} .published=${schema.published} .isUnsaved=${schema.isUnsaved}
              @discard=${() => this.#discard(schema)}
            ></cartulary-draft-notice>`
      }
      <cartulary-limits-bar .counts=${countTrees(trees)} .limits=${limits}></cartulary-limits-bar>
      ${
        judgement.sentences.length === 0 || trees.length === 0
          ? nothing
          : html`<wa-callout variant="danger"><wa-icon slot="icon" name="warning"></wa-icon>
              <ul lang="en" dir="ltr">${judgement.sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></wa-callout>`
      }
      <cartulary-editor-toolbar
        class="no-print" .searched=${this.searched} .isReadOnly=${isReadOnly} .hasSelected=${selected !== undefined}
        .canUndo=${canUndo} .canRedo=${canRedo}
      ></cartulary-editor-toolbar>
      ${this.refusal ? html`<wa-callout id="refusal" variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>${this.refusal}</wa-callout>` : nothing}
      ${trees.length === 0 ? this.#renderEmpty(schema) : this.#renderColumns(schema)}
    </div>
    <cartulary-move-dialog .editing=${editing}></cartulary-move-dialog>
    <cartulary-paste-dialog .editing=${editing} @pasted=${this.#paste}></cartulary-paste-dialog>`
  }

  #renderEmpty({ owner, isReadOnly }: EditedSchema) {
    return html`<cartulary-empty icon="tree" heading=${t('empty')} text=${isReadOnly ? t('emptyReadOnly') : t('emptyText')}>
      ${
        isReadOnly
          ? nothing
          : html`<wa-button variant="brand" @click=${() => this.#do({ do: 'add', where: 'after' })}>${t('addFirst')}</wa-button>
              <wa-button appearance="outlined" href=${hrefTo(...screenOf(owner, 'Import'))}>${t('template')}</wa-button>`
      }
    </cartulary-empty>`
  }

  #renderColumns({ editing, judgement, isReadOnly }: EditedSchema) {
    const { trees, place, selected, limits } = editing
    const found = searchTrees(trees, this.searched)
    // What is closed to save room on the screen would be missing on paper.
    const rows = listRows(trees, paper.matches ? new Set() : this.#closed, paper.matches ? undefined : found)
    return html`<div class="columns">
      <div class="tree">
        ${found ? html`<p role="status">${t('found', { count: found.matches.length })}</p>` : nothing}
        <cartulary-schema-tree
          label=${t('heading')} .rows=${rows} .selected=${selected} .searched=${found ? this.searched : ''} .judgement=${judgement}
          .renaming=${this.renaming} .isReadOnly=${isReadOnly}
          .tryMove=${this.#tryMove}
        ></cartulary-schema-tree>
        ${isReadOnly ? nothing : html`<cartulary-tree-keys class="no-print"></cartulary-tree-keys>`}
      </div>
      <div class="form no-print">
        ${
          place
            ? html`<section class="panel" aria-label=${t('category')}><cartulary-category-form
                .place=${place} .verdict=${judgement.verdicts.get(place.node.key)} .limits=${limits} .isReadOnly=${isReadOnly}
              ></cartulary-category-form></section>`
            : nothing
        }
      </div>
    </div>`
  }

  readonly #tryMove = (key: string, target: Parameters<Editing['tryMove']>[1]) => this.#editing.tryMove(key, target)

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
    if (isElsewhere || this.#schema?.isReadOnly) return
    event.preventDefault()
    this.#do({ do: letter === 'y' || event.shiftKey ? 'redo' : 'undo' })
  }

  #do(command: Command): void {
    const schema = this.#schema
    if (!schema) return
    if (command.do === 'select') {
      this.#select(command.key)
      this.#tellAddress()
    } else if (command.do === 'search') this.#search(command.text)
    else if (command.do === 'open' || command.do === 'close') this.#setClosed(command.key, command.do === 'close')
    else if (command.do === 'edit') this.#form?.focus()
    else if (command.do === 'endTyping') this.#editing.endTyping()
    else if (schema.isReadOnly) return
    else if (command.do === 'moveTo') this.renderRoot.querySelector<MoveDialog>('cartulary-move-dialog')?.open()
    else if (command.do === 'paste') void this.#openPaste(command.text)
    else this.#edit(command)
  }

  /** Of the schema that is open. */
  get #editing(): Editing {
    return this.#schema!.editing
  }

  get #form(): CategoryForm | null {
    return this.renderRoot.querySelector<CategoryForm>('cartulary-category-form')
  }

  #edit(command: Command): void {
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
    this.#editing.select(key)
    this.refusal = undefined
    this.#showSelected()
  }

  /** What is above the selected category is opened. */
  #showSelected(): void {
    const above = this.#editing.place?.above ?? []
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
    const { place } = this.#editing
    if (isClosed && place?.above.some((node) => node.key === key)) this.#editing.select(key)
    this.requestUpdate()
  }

  /** Keeps what an edit has changed, or says why it was refused. */
  #take(outcome: Outcome): boolean {
    if (typeof outcome === 'object') {
      this.refusal = exceededText(outcome.exceeded, this.#editing.limits)
      announce(this.refusal)
      return false
    }
    if (outcome === 'changed') this.#keep()
    return outcome === 'changed'
  }

  #keep(): void {
    this.refusal = undefined
    this.#schema!.keep()
    this.#showSelected()
  }

  #startRenaming(before: Trees): void {
    this.#beforeRenaming = before
    this.renaming = this.#editing.selected
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

  async #openPaste(text: string): Promise<void> {
    // What reads tables is loaded when it is needed.
    await import('./paste-dialog.ts')
    await this.renderRoot.querySelector<PasteDialog>('cartulary-paste-dialog')?.open(text)
  }

  #paste(event: CustomEvent<PastedCategories>): void {
    const { categories, mode } = event.detail
    this.#take(this.#editing.paste(categories, mode))
  }

  #search(text: string): void {
    this.searched = text
    const { trees, selected } = this.#editing
    const matches = searchTrees(trees, text)?.matches ?? []
    const [first] = matches
    if (first !== undefined && !matches.includes(selected ?? '')) this.#editing.select(first)
    this.#tellAddress()
  }

  /** Leads to what the server would refuse; to the review where there is nothing of that kind. */
  async #review({ owner, editing, judgement }: EditedSchema): Promise<void> {
    if (judgement.isValid || editing.trees.length === 0) {
      goTo(hrefTo(...screenOf(owner, 'Review')))
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

  #discard(schema: EditedSchema): void {
    schema.discard()
    announce(t('discarded'))
    this.renderRoot.querySelector<SchemaTree>('cartulary-schema-tree')?.focusSelected()
  }
}

customElements.define('cartulary-editor', Editor)
