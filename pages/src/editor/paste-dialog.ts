import '../tables/table-columns.ts'
import { css, html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { Category } from '../../../src/categories/schema.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { ReadTable, TableChoices } from '../tables/choose-roles.ts'
import type { Editing, PasteMode } from './model/editing.ts'
import { type Pasted, readPasted } from './model/pasted.ts'
import { findObstacle, type Obstacle, onlyTitle, type Placed, placePasted } from './model/pasting.ts'
import { refused } from './refusals.ts'
import { t } from './texts.ts'

/**
 * Parses a list, CSV, cells of a spreadsheet or JSON, and shows how it was read and the outcome before anything changes. Emits
 * `pasted`.
 */
export class PasteDialog extends PageElement {
  static override styles = [
    fieldStyle,
    css`
      cartulary-dialog-form {
        --dialog-width: 56rem;
      }
      textarea {
        min-height: 9rem;
        font-family: var(--wa-font-family-code);
        tab-size: 4;
        white-space: pre;
        overflow: auto;
      }
      .halves {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        gap: 1rem 1.5rem;
        align-items: start;
      }
      .field.whole {
        max-width: none;
      }
      .preview {
        max-height: 16rem;
        overflow: auto;
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--wa-color-surface-border);
        border-radius: 0.375rem;
        overflow-wrap: anywhere;
      }
      .preview ul {
        padding-inline-start: 1.25rem;
      }
      .problems {
        color: var(--wa-color-danger-on-quiet);
      }
      summary {
        min-height: 1.75rem;
        cursor: pointer;
      }
      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        font-weight: 600;
      }
    `,
  ]

  @property({ attribute: false }) editing!: Editing
  @property({ attribute: false }) owner!: SchemaOwner
  @state() text = ''
  /** How the person wants the text to be read. */
  @state() choices: TableChoices = {}
  @state() mode: PasteMode = 'merge'
  /** Whether the person wants a root above all that is pasted; undefined until they decide. */
  @state() isRootWanted: boolean | undefined
  /** Title of that root; undefined until the person changes it. */
  @state() rootTitle: string | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  /** Columns of the text as it is read without choices; undefined if it is no table. */
  #width: number | undefined

  /** Opens with a text from the clipboard, or with an empty field for it. */
  async open(text: string): Promise<void> {
    this.#setText(text)
    this.choices = {}
    this.mode = this.#modes()[0]!
    this.isRootWanted = undefined
    this.rootTitle = undefined
    await this.updateComplete
    this.dialog.open()
  }

  #modes(): readonly PasteMode[] {
    return this.editing.selected === undefined ? ['merge'] : ['inside', 'after', 'merge', 'replace']
  }

  override render() {
    const pasted = this.#read()
    const placed = pasted && this.#place(pasted)
    const obstacle = findObstacle(pasted, placed?.outcome)
    return html`<cartulary-dialog-form
      heading=${t('paste')} action=${t('pasteAction')} .blocked=${obstacle ? this.#explain(obstacle) : ''} .work=${this.#paste}
    >
      <div class="stack">
        <label class="field whole">
          <span>${t('pasteText')}</span>
          <textarea name="text" spellcheck="false" .defaultValue=${this.text} @input=${this.#onText}></textarea>
          <small>${t('pasteHint')} <a href=${hrefTo(...screenOf(this.owner, 'Import'))}>${t('pasteFile')}</a></small>
        </label>
        ${pasted ? this.#renderReading(pasted) : nothing}
        <div class="halves">
          <div class="stack">${this.#renderWhere()} ${placed?.needsRoot ? this.#renderRoot() : nothing}</div>
          <div aria-live="polite" class="stack">${pasted ? renderOutcome(pasted, placed) : nothing}</div>
        </div>
      </div>
    </cartulary-dialog-form>`
  }

  /** Renders the table with menus for its columns; that of a list, which the preview shows as well, is folded. */
  #renderReading({ table }: Pasted) {
    if (!table) return nothing
    const columns = html`<cartulary-table-columns .table=${table} .choices=${this.choices} @chosen=${this.#onChosen}></cartulary-table-columns>`
    return table.columns.length > 1
      ? columns
      : html`<details><summary>${t('pasteReading')}</summary>${columns}</details>`
  }

  #renderWhere() {
    const title = this.editing.place?.node.title || t('untitled')
    return html`<fieldset>
      <legend>${t('pasteWhere')}</legend>
      ${this.#modes().map(
        (mode) => html`<label class="tick">
          <input type="radio" name="mode" value=${mode} .defaultChecked=${mode === this.mode} @change=${() => (this.mode = mode)}>
          <span>${t(`paste_${mode}`, { title })}</span>
        </label>`,
      )}
    </fieldset>`
  }

  #renderRoot() {
    const isWanted = this.isRootWanted ?? true
    return html`<div class="stack">
      <label class="tick">
        <input type="checkbox" name="root" .checked=${isWanted} @change=${this.#onRoot}>
        <span>${t('root')}<br><small>${t('rootWhy', { max: this.editing.limits.trees })}</small></span>
      </label>
      ${
        isWanted
          ? html`<label class="field"><span>${t('rootTitle')}</span>
              <input name="rootTitle" dir="auto" autocomplete="off" maxlength=${this.editing.limits.titleLength}
                .value=${this.rootTitle ?? this.#proposedRoot()} @input=${this.#onRootTitle}></label>`
          : nothing
      }
    </div>`
  }

  #explain(obstacle: Obstacle): string {
    const { limits } = this.editing
    return t(`obstacle_${obstacle}`, obstacle in limits ? { max: limits[obstacle as keyof typeof limits] } : {})
  }

  #read(): Pasted | undefined {
    return this.text.trim() === '' ? undefined : readPasted(this.text, this.editing.limits, this.choices)
  }

  #place(pasted: Pasted): Placed | undefined {
    if ('problems' in pasted) return undefined
    const title = this.rootTitle?.trim() || this.#proposedRoot()
    return placePasted(this.editing, pasted.categories, this.mode, { title, isWanted: this.isRootWanted })
  }

  #proposedRoot(): string {
    return onlyTitle(this.editing, this.mode) ?? t('rootDefault')
  }

  /** Keeps the choices while the text is edited, unless it becomes a table of other columns. */
  #onText(event: Event): void {
    this.#setText((event.target as HTMLTextAreaElement).value)
  }

  #setText(text: string): void {
    const width = text.trim() === '' ? undefined : readPasted(text, this.editing.limits).table?.columns.length
    if (width !== this.#width) this.choices = {}
    this.#width = width
    this.text = text
  }

  #onChosen(event: CustomEvent<TableChoices>): void {
    this.choices = event.detail
  }

  #onRoot(event: Event): void {
    this.isRootWanted = (event.target as HTMLInputElement).checked
  }

  #onRootTitle(event: Event): void {
    this.rootTitle = (event.target as HTMLInputElement).value
  }

  readonly #paste = async () => {
    const pasted = this.#read()
    const placed = pasted && this.#place(pasted)
    const obstacle = findObstacle(pasted, placed?.outcome)
    if (obstacle || !placed) throw refused(this.#explain(obstacle ?? 'empty'))
    const detail: PastedCategories = { categories: placed.categories, mode: this.mode }
    this.dispatchEvent(new CustomEvent('pasted', { detail }))
  }
}

export interface PastedCategories {
  readonly categories: readonly Category[]
  readonly mode: PasteMode
}

function renderOutcome(pasted: Pasted, placed: Placed | undefined) {
  if ('problems' in pasted || !placed) {
    const problems = 'problems' in pasted ? unmarked(pasted.problems, pasted.table) : []
    return problems.length === 0
      ? nothing
      : html`<div class="problems"><strong>${t('pasteProblems')}</strong>
        <ul lang="en" dir="ltr">${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
  }
  const { categories } = placed
  const { notes } = pasted
  return html`<strong>${t('pasteFound', { count: countAll(categories) })}</strong>
    <div class="preview" tabindex="0" role="region" aria-label=${t('preview')}>${renderList(categories)}</div>
    ${
      notes.length === 0
        ? nothing
        : html`<div><strong>${t('notes')}</strong><ul>${notes.map(
            ({ row, message }) =>
              html`<li>${row === undefined ? nothing : html`${t('row', { row })} `}<span lang="en">${message}</span></li>`,
          )}</ul></div>`
    }`
}

/** Problems that no mark of the table shows. */
function unmarked(problems: readonly string[], table: ReadTable | undefined): readonly string[] {
  const marked = new Set(table && table.columns.length > 1 ? table.marks.map(({ message }) => message) : [])
  return problems.filter((problem) => !marked.has(problem))
}

function countAll(categories: readonly Category[]): number {
  return categories.reduce((sum, { categories: below = [] }) => sum + 1 + countAll(below), 0)
}

function renderList(categories: readonly Category[]): unknown {
  return html`<ul dir="auto">${categories.map(
    ({ title, source, categories: below = [] }) =>
      html`<li>${title || source || t('untitled')}${below.length > 0 ? renderList(below) : nothing}</li>`,
  )}</ul>`
}

customElements.define('cartulary-paste-dialog', PasteDialog)
