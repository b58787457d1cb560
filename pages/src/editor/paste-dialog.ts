import { listCategories } from '../../../src/categories/schema-paths.ts'
import { field, radios, textOf, tick } from '../elements/fields.ts'
import { renderSchemaList } from '../schemas/schema-list.ts'
import '../tables/table-columns.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { groupSame, said } from '../sentences/said.ts'
import type { ReadTable, TableChoices } from '../tables/choose-roles.ts'
import { renderFailures } from '../tables/reading-choices.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { presentLanguage } from '../texts/texts.ts'
import { command } from './model/command.ts'
import type { Editing, PasteMode } from './model/editing.ts'
import { type Pasted, readPasted } from './model/pasted.ts'
import { findObstacle, type Obstacle, onlyTitle, type Placed, placePasted } from './model/pasting.ts'

/**
 * Parses a list, CSV, cells of a spreadsheet or JSON, and shows how it was read and the outcome before anything changes.
 */
export class PasteDialog extends PageElement {
  static override styles = css`
    cartulary-dialog-form {
      --dialog-width: 56rem;
    }
    cartulary-table-columns {
      --table-height: 15rem;
    }
    .field.whole {
      max-width: none;
    }
  `

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

  /** Columns of the text as it is read without choices; undefined if it is no table. */
  #width: number | undefined

  /** Opens with a text from the clipboard, or with an empty field for it. */
  async open({ text }: { readonly text: string }): Promise<void> {
    this.#setText(text)
    this.choices = {}
    this.mode = this.#modes()[0]!
    this.isRootWanted = undefined
    this.rootTitle = undefined
    await this.openDialog()
    // The dialog resets its fields, so they are rendered again with what is chosen.
    this.requestUpdate()
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
      <label class="field whole">
        <span>${t('pasteText')}</span>
        <textarea class="file-text" name="text" spellcheck="false" .defaultValue=${this.text} @input=${(event: Event) => this.#setText(textOf(event))}></textarea>
        <small>${t('pasteHint')} <a href=${hrefTo(...screenOf(this.owner, 'Import'))}>${t('pasteFile')}</a></small>
      </label>
      ${pasted ? this.#renderReading(pasted) : nothing}
      <div class="sides">
        <div class="stack">${this.#renderWhere()} ${placed?.needsRoot ? this.#renderRoot() : nothing}</div>
        <div class="stack">
          <div aria-live="polite">${pasted ? renderOutcome(pasted, placed) : nothing}</div>
          ${pasted && placed ? renderPreview(pasted, placed) : nothing}
        </div>
      </div>
    </cartulary-dialog-form>`
  }

  /** Renders the table with menus for its columns; that of a list, which the preview shows as well, is folded. */
  #renderReading({ table }: Pasted) {
    if (!table) return nothing
    const columns = html`<cartulary-table-columns .table=${table} .choices=${this.choices} @chosen=${(event: CustomEvent<TableChoices>) => (this.choices = event.detail)}></cartulary-table-columns>`
    return table.columns.length > 1
      ? columns
      : html`<details><summary>${t('pasteReading')}</summary>${columns}</details>`
  }

  #renderWhere() {
    const title = this.editing.place?.node.title || t('untitled')
    return html`<fieldset>
      <legend>${t('pasteWhere')}</legend>
      ${radios(
        'mode',
        this.#modes(),
        (mode) => t(`paste_${mode}`, { title }),
        this.mode,
        (mode) => (this.mode = mode),
      )}
    </fieldset>`
  }

  #renderRoot() {
    const isWanted = this.isRootWanted ?? true
    const title = this.rootTitle ?? this.#proposedRoot()
    return html`<div class="stack">
      ${tick(html`${t('root')}<br><small>${t('rootWhy', { max: this.editing.limits.trees })}</small>`, isWanted, { name: 'root', onChange: (ticked) => (this.isRootWanted = ticked) })}
      ${
        isWanted
          ? field('rootTitle', t('rootTitle'), {
              max: this.editing.limits.titleLength,
              value: title,
              follows: 'always',
              onInput: (event) => (this.rootTitle = textOf(event)),
            })
          : nothing
      }
    </div>`
  }

  #explain(obstacle: Obstacle): string {
    const { limits } = this.editing
    return t(`obstacle_${obstacle}`, obstacle in limits ? { max: limits[obstacle as keyof typeof limits] } : {})
  }

  #read(): Pasted | undefined {
    return this.text.trim() === ''
      ? undefined
      : readPasted(this.text, this.editing.limits, this.choices, [presentLanguage()])
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
  #setText(text: string): void {
    const width = text.trim() === '' ? undefined : readPasted(text, this.editing.limits).table?.columns.length
    if (width !== this.#width) this.choices = {}
    this.#width = width
    this.text = text
  }

  readonly #paste = async () => {
    const pasted = this.#read()
    const placed = pasted && this.#place(pasted)
    if (placed) command(this, { do: 'insert', categories: placed.categories, mode: this.mode })
  }
}

customElements.define('cartulary-paste-dialog', PasteDialog)

/** Renders how many categories there would be, or why the text cannot be read. */
export function renderOutcome(pasted: Pasted, placed: Placed | undefined) {
  if (placed)
    return html`<strong>${t('pasteFound', { count: listCategories({ categorySchema: placed.categories }).length })}</strong>`
  const problems = 'problems' in pasted ? unmarked(pasted.problems, pasted.table) : []
  if (problems.length === 0) return nothing
  return html`<div class="problems"><strong>${t('pasteProblems')}</strong>
    ${renderFailures(groupSame(problems.map((message) => ({ message }))))}</div>`
}

/** Renders the tree as it would be, and the notes on rows. */
export function renderPreview(pasted: Pasted, { categories }: Placed) {
  const notes = 'notes' in pasted ? pasted.notes : []
  return html`<div class="scrolled" tabindex="0" role="region" aria-label=${t('preview')}>${renderSchemaList(categories)}</div>
    ${notes.length === 0 ? nothing : html`<div><strong>${t('notes')}</strong><ul>${notes.map(({ row, message }) => html`<li>${said(message, row)}</li>`)}</ul></div>`}`
}

/** Problems that no mark of the table shows. */
function unmarked(problems: readonly string[], table: ReadTable | undefined): readonly string[] {
  const marked = new Set(table && table.columns.length > 1 ? table.marks.map(({ message }) => message) : [])
  return problems.filter((problem) => !marked.has(problem))
}
