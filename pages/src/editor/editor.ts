import { button, Screen } from '../elements/page.ts'
import './category-form.ts'
import '../shared-drafts/keep-draft.ts'
import '../elements/bottom-bar.ts'
import './schema-tree.ts'
import { Task } from '@lit/task'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { query } from 'lit/decorators.js'
import { goTo, hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { ownerOf, screenOf } from '../owners/owners.ts'
import { signedIn } from '../session/session.ts'
import { readDraft } from '../shared-drafts/requests.ts'
import { type EndedDraft, listOwnDrafts, settleDraft, takeUp } from '../shared-drafts/send-draft.ts'
import { renderEnded } from '../shared-drafts/state.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { CategoryForm } from './category-form.ts'
import type { EditedSchema } from './edited-schema.ts'
import { editorStyle } from './editor-style.ts'
import { countItemsOf, loadItemCounts, openSchema } from './loaded-schema.ts'
import type { Command } from './model/command.ts'
import { pathOf } from './model/places.ts'
import { listRows, searchTrees } from './model/rows.ts'
import type { SchemaTree } from './schema-tree.ts'
import { findingText, renderDraftLine, renderLimits, renderMovedOn } from './status-lines.ts'
import { renderToolbar } from './toolbar.ts'
import { Workbench } from './workbench.ts'

/** Delay until the address follows the selection, in milliseconds: browsers limit how often it may change. */
const addressPause = 300

/** Interval at which the published schema is asked for while the page is visible, in milliseconds (chosen). */
const liveInterval = 20_000

const paper = window.matchMedia('print')
/** Whether the window is too narrow for the form of a category beside the tree. */
const narrow = window.matchMedia('(max-width: 40rem)')

/** A dialog that is opened by a command. */
interface CommandDialog extends Element {
  open(command: Command): Promise<void>
}

/** Category schema of the organization or a group, as a draft that is stored at each edit and published by another screen. */
class Editor extends Screen {
  static override styles = editorStyle

  @query('cartulary-category-form') form!: CategoryForm | null
  @query('dialog') sheet!: HTMLDialogElement | null

  #bench: Workbench | undefined
  /** Draft of this browser that another person has published or deleted. */
  #ended: EndedDraft | undefined
  #addressTimer: ReturnType<typeof setTimeout> | undefined
  #liveTimer: ReturnType<typeof setInterval> | undefined
  #left = new AbortController()

  readonly #load = new Task(this, {
    args: () => [ownerOf(this.parameters), signedIn()?.username] as const,
    task: async ([owner], { signal }) => {
      this.#ended = await settleDraft(owner, signal)
      const opened = await openSchema(owner, signal)
      this.#open(new Workbench(owner, opened, this.#update))
    },
  })

  /** Drafts that the person began elsewhere, where there is none here; a failure leaves them out. */
  readonly #elsewhere = new Task(this, {
    args: () => [this.#bench] as const,
    task: async ([bench], { signal }) =>
      bench && !bench.schema.isReadOnly && !bench.schema.draft ? listOwnDrafts(bench.schema.owner, signal) : [],
  })

  /** Counts of items, shown once they are there; a failure leaves them out. */
  readonly #counts = new Task(this, {
    args: () => [ownerOf(this.parameters), signedIn()?.username] as const,
    task: ([owner], { signal }) => loadItemCounts(owner, signal),
  })

  override connectedCallback(): void {
    super.connectedCallback()
    this.#left = new AbortController()
    const { signal } = this.#left
    document.addEventListener('visibilitychange', this.#onVisibility, { signal })
    window.addEventListener('pagehide', this.#saveNow, { signal })
    this.addEventListener('keydown', this.#onKey, { signal })
    this.addEventListener('command', this.#onCommand, { signal })
    for (const media of [paper, narrow]) media.addEventListener('change', this.#update, { signal })
    this.#liveTimer = setInterval(this.#refresh, liveInterval)
    this.#bench?.schema.watch()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#left.abort()
    clearInterval(this.#liveTimer)
    clearTimeout(this.#addressTimer)
    this.#bench?.leave()
  }

  #open(bench: Workbench): void {
    this.#bench?.leave()
    this.#bench = bench
    if (this.isConnected) bench.schema.watch()
    this.#takeQuery(bench)
    this.requestUpdate()
  }

  readonly #update = () => this.requestUpdate()

  readonly #saveNow = () => this.#bench?.schema.saveNow()

  /** Saves when hidden, as the page may not return, and refreshes when visible, as another version may be published. */
  readonly #onVisibility = async () => {
    if (document.visibilityState !== 'visible') this.#saveNow()
    else await this.#refresh()
  }

  readonly #refresh = async () => {
    if (document.visibilityState !== 'visible') return
    await this.#bench?.schema.refresh()
    this.requestUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('query') && this.#bench) this.#takeQuery(this.#bench)
  }

  #takeQuery(bench: Workbench): void {
    bench.show(this.query.get('q') ?? '', this.query.get('category'))
  }

  #syncUrl(): void {
    clearTimeout(this.#addressTimer)
    const { pathname } = window.location
    this.#addressTimer = setTimeout(() => {
      // Skipped after navigation to another screen, or to this one for another owner.
      if (window.location.pathname !== pathname) return
      const place = this.#bench?.schema.editing.place
      replaceQuery({ category: place && pathOf(place), q: this.#bench?.searched })
    }, addressPause)
  }

  override render() {
    const { error } = this.#load
    const bench = this.#bench
    const isLoaded = error === undefined && bench?.schema.owner === ownerOf(this.parameters)
    // One heading for all states: it has the focus from the beginning.
    return html`<cartulary-heading text=${t('heading')} .note=${isLoaded ? bench.schema.ownerName : undefined}>
        ${isLoaded ? this.#renderLinks(bench.schema) : nothing}
      </cartulary-heading>
      ${
        error !== undefined
          ? html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#load.run()}></cartulary-problem>`
          : isLoaded
            ? this.#renderEditor(bench)
            : html`<cartulary-loading></cartulary-loading>`
      }`
  }

  #renderLinks(schema: EditedSchema) {
    return html`${
      schema.canViewHistory
        ? html`${button(t('history'), { icon: 'history', href: hrefTo(...screenOf(schema.owner, 'History')) })}
              ${button(t('drafts'), { icon: 'pencil', id: 'drafts', href: hrefTo(...screenOf(schema.owner, 'Drafts')) })}`
        : nothing
    }
        ${button(t('files'), { icon: 'file', href: hrefTo(...screenOf(schema.owner, 'Import')) })}`
  }

  #renderEditor(bench: Workbench) {
    const { schema } = bench
    const { editing, isReadOnly } = schema
    const { trees, limits } = editing
    return html`<div class="stack" @tapped=${() => this.#openSheet()}>
      ${
        isReadOnly
          ? html`<wa-callout id="read-only" variant="neutral"><wa-icon slot="icon" name="eye"></wa-icon>
              <strong>${t('readOnly')}</strong><p>${t('readOnlyText')}</p></wa-callout>`
          : html`${renderEnded(schema.owner, this.#ended)} ${this.#renderDraft(bench)}`
      }
      ${renderToolbar(bench, this.#do)}
      ${trees.length === 0 ? this.#renderEmpty(schema) : this.#renderColumns(bench)}
      <cartulary-bottom-bar class="no-print">
        ${this.#renderAlert(bench)}
        ${renderLimits(trees, limits)}
        ${schema.draft && !isReadOnly ? html`<cartulary-keep-draft .owner=${schema.owner} .draft=${schema.draft}></cartulary-keep-draft>` : nothing}
        ${isReadOnly ? nothing : button(t('review'), { id: 'review', class: 'end', variant: 'brand', size: 's', disabled: !schema.isEdited, onClick: () => this.#review(bench) })}
      </cartulary-bottom-bar>
    </div>
    <cartulary-target-dialog .editing=${editing} .chosen=${bench.chosen}></cartulary-target-dialog>
    <cartulary-paste-dialog .editing=${editing} .owner=${schema.owner}></cartulary-paste-dialog>`
  }

  #renderDraft(bench: Workbench) {
    const { draft, published } = bench.schema
    if (draft) {
      const discard = button(t('discard'), {
        class: 'no-print',
        appearance: 'plain',
        size: 's',
        onClick: () => this.openDialog('#discard'),
      })
      // While the dialog is open, nothing outside can get the focus.
      return html`${renderDraftLine(draft, published.version, discard)}
        <cartulary-dialog-form
          id="discard" danger heading=${t('discardAsk')} action=${t('discard')} .work=${async () => {}}
          @done=${() => this.dialogOf('#discard').addEventListener('closed', () => this.#discard(bench), { once: true })}
        ><p>${t('discardText')}</p></cartulary-dialog-form>`
    }
    const [elsewhere] = this.#elsewhere.value ?? []
    const goOn =
      elsewhere &&
      button(t('goOn', { name: elsewhere.name }), {
        id: 'go-on',
        appearance: 'plain',
        size: 's',
        onClick: () => this.#continue(bench.schema, elsewhere.id),
      })
    return renderDraftLine(undefined, published.version, goOn)
  }

  /** An alert in the bar, where it moves nothing; one at a time, as it covers rows. */
  #renderAlert({ schema, refusal }: Workbench) {
    const { editing, judgement, draft } = schema
    const [variant, alert] = refusal
      ? ['warning', refusal]
      : schema.isUnsaved
        ? ['danger', t('unsaved')]
        : judgement.general.length > 0 && editing.trees.length > 0
          ? ['danger', html`<ul>${judgement.general.map((finding) => html`<li>${findingText(finding)}</li>`)}</ul>`]
          : ['warning', draft && renderMovedOn(schema.owner, draft, schema.published)]
    if (!alert) return nothing
    return html`<wa-callout class="whole" size="s" role=${variant === 'danger' ? 'alert' : 'status'} variant=${variant}>
      <wa-icon slot="icon" name="warning"></wa-icon>${alert}</wa-callout>`
  }

  #renderEmpty({ owner, isReadOnly }: EditedSchema) {
    return html`<cartulary-empty icon="tree" heading=${t('empty')} text=${isReadOnly ? t('emptyReadOnly') : t('emptyText')}>
      ${
        isReadOnly
          ? nothing
          : html`${button(t('addFirst'), { variant: 'brand', onClick: () => this.#do({ do: 'add', where: 'after' }) })}
              ${button(t('template'), { href: hrefTo(...screenOf(owner, 'Import')) })}`
      }
    </cartulary-empty>`
  }

  #renderColumns(bench: Workbench) {
    const { schema, searched, closed, renaming, chosen } = bench
    const { editing, judgement, isReadOnly } = schema
    const { trees, place, selected, limits } = editing
    const found = searchTrees(trees, searched)
    // Paper shows closed categories too, and ignores the search.
    const rows = listRows(trees, paper.matches ? new Set() : closed, paper.matches ? undefined : found)
    const countOf = countItemsOf(
      this.#counts.value,
      schema.draft?.baseVersion ?? schema.published.version,
      schema.published.version,
    )
    const form = place
      ? html`<cartulary-category-form
          .place=${place} .verdict=${judgement.verdicts.get(place.node.key)} .limits=${limits} .isReadOnly=${isReadOnly}
          .count=${chosen.length} .items=${countOf(place.node)}
        ></cartulary-category-form>`
      : nothing
    return html`<div class="columns">
      <div class="tree">
        ${found ? html`<p role="status">${t('found', { count: found.matches.length })}</p>` : nothing}
        <cartulary-schema-tree
          label=${t('heading')} .rows=${rows} .selected=${selected} .chosen=${chosen} .countItems=${countOf} .searched=${found ? searched : ''} .judgement=${judgement}
          .renaming=${renaming} .isReadOnly=${isReadOnly}
          .tryMove=${bench.tryMove}
        ></cartulary-schema-tree>
      </div>
      ${narrow.matches ? this.#renderSheet(form) : html`<div class="form no-print">${form === nothing ? nothing : html`<section class="panel" aria-label=${t('category')}>${form}</section>`}</div>`}
    </div>`
  }

  /** A sheet with the form: Escape, the back gesture of a phone, its button, and a press beside it close it. */
  #renderSheet(form: TemplateResult | typeof nothing) {
    const closeBeside = ({ target }: Event) => target === this.sheet && this.sheet?.close()
    return html`<dialog aria-label=${t('category')} @click=${closeBeside}>
      <wa-button size="s" appearance="plain" autofocus @click=${() => this.sheet?.close()}><wa-icon name="xmark" label=${t('close')}></wa-icon></wa-button>
      ${form}
    </dialog>`
  }

  readonly #onCommand = (event: Event) => {
    event.stopPropagation()
    this.#do((event as CustomEvent<Command>).detail)
  }

  /** Undo and redo for any focus except in dialogs and the search, whose texts are not part of the draft. */
  readonly #onKey = (event: KeyboardEvent) => {
    const letter = event.key.toLowerCase()
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (letter !== 'z' && letter !== 'y')) return
    const isElsewhere = event
      .composedPath()
      .some((target) => target instanceof HTMLElement && target.matches('wa-dialog, [type="search"]'))
    if (isElsewhere || this.#bench?.schema.isReadOnly) return
    event.preventDefault()
    this.#do({ do: letter === 'y' || event.shiftKey ? 'redo' : 'undo' })
  }

  readonly #do = (command: Command) => {
    const bench = this.#bench
    if (!bench) return
    if (command.do === 'edit') this.#showForm()
    else if (command.do === 'moveTo' || command.do === 'mergeInto' || command.do === 'paste') {
      if (!bench.schema.isReadOnly) void this.#openDialog(command)
    } else {
      if (command.do === 'remove' || command.do === 'merge') this.sheet?.close()
      bench.do(command)
      if (command.do === 'select' || command.do === 'search') this.#syncUrl()
    }
  }

  /** Opens a dialog, whose code is loaded then: that of pasting has the parser of tables. */
  async #openDialog(command: Command): Promise<void> {
    const isPaste = command.do === 'paste'
    if (isPaste) await import('./paste-dialog.ts')
    else await import('./target-dialog.ts')
    const name = isPaste ? 'cartulary-paste-dialog' : 'cartulary-target-dialog'
    await this.renderRoot.querySelector<CommandDialog>(name)?.open(command)
  }

  #openSheet(): void {
    if (!this.sheet?.open) this.sheet?.showModal()
  }

  #showForm(): void {
    this.#openSheet()
    this.form?.focus()
  }

  /** Shows the first category that the server would refuse; opens the review if there is none. */
  async #review(bench: Workbench): Promise<void> {
    if (!bench.showRefused()) {
      bench.schema.saveNow()
      goTo(hrefTo(...screenOf(bench.schema.owner, 'Review')))
      return
    }
    await this.updateComplete
    await this.form?.updateComplete
    if (bench.schema.judgement.refused.size > 0) this.#showForm()
  }

  async #continue({ owner }: EditedSchema, id: string): Promise<void> {
    try {
      await takeUp(owner, await readDraft(owner, id))
      await this.#load.run()
    } catch {
      // Its own screen says why.
      goTo(hrefTo(...screenOf(owner, 'Draft', { draft: id })))
    }
  }

  #discard(bench: Workbench): void {
    bench.discard()
    this.renderRoot.querySelector<SchemaTree>('cartulary-schema-tree')?.focusSelected()
  }
}

customElements.define('cartulary-editor', Editor)
