import { css, html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { Category } from '../../../src/categories/schema.ts'
import type { Layout } from '../../../src/schema-files/csv/columns.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import type { Editing, PasteMode } from './model/editing.ts'
import { type Pasted, readPasted } from './model/pasted.ts'
import { exceededText, refused } from './refusals.ts'
import { t } from './texts.ts'

const layouts = ['', 'indented', 'levels', 'path', 'parent'] as const satisfies readonly (Layout | '')[]

/** Parses a list, CSV, cells of a spreadsheet or JSON, and shows the outcome before anything changes. Emits `pasted`. */
export class PasteDialog extends PageElement {
  static override styles = [
    fieldStyle,
    css`
      textarea {
        min-height: 9rem;
        font-family: var(--wa-font-family-code);
        tab-size: 4;
        white-space: pre;
        overflow: auto;
      }
      .preview {
        max-height: 14rem;
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
  @state() text = ''
  @state() layout: Layout | '' = ''
  @state() mode: PasteMode = 'merge'
  @query('cartulary-dialog-form') dialog!: DialogForm

  /** Opens with a text from the clipboard, or with an empty field for it. */
  async open(text: string): Promise<void> {
    this.text = text
    this.mode = this.#modes()[0]!
    await this.updateComplete
    this.dialog.open()
  }

  #modes(): readonly PasteMode[] {
    return this.editing.selected === undefined ? ['merge'] : ['inside', 'after', 'merge', 'replace']
  }

  override render() {
    const pasted = this.#read()
    const title = this.editing.place?.node.title || t('untitled')
    return html`<cartulary-dialog-form heading=${t('paste')} action=${t('pasteAction')} .work=${this.#paste}>
      <div class="stack">
        <label class="field">
          <span>${t('pasteText')}</span>
          <textarea name="text" spellcheck="false" .defaultValue=${this.text} @input=${this.#onText}></textarea>
          <small>${t('pasteHint')}</small>
        </label>
        <label class="field">
          <span>${t('layout')}</span>
          <select name="layout" @change=${this.#onLayout}>
            ${layouts.map((layout) => html`<option value=${layout} ?selected=${layout === this.layout}>${t(`layout_${layout || 'found'}`)}</option>`)}
          </select>
        </label>
        <fieldset>
          <legend>${t('pasteWhere')}</legend>
          ${this.#modes().map(
            (mode) => html`<label class="tick">
              <input type="radio" name="mode" value=${mode} .defaultChecked=${mode === this.mode} @change=${() => (this.mode = mode)}>
              <span>${t(`paste_${mode}`, { title })}</span>
            </label>`,
          )}
        </fieldset>
        <div aria-live="polite" class="stack">${pasted ? this.#renderPasted(pasted) : nothing}</div>
      </div>
    </cartulary-dialog-form>`
  }

  #renderPasted(pasted: Pasted) {
    if ('problems' in pasted) {
      return html`<div class="problems"><strong>${t('pasteProblems')}</strong>
        <ul lang="en" dir="ltr">${pasted.problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
    }
    const { categories, notes } = pasted
    const outcome = this.editing.tryPaste(categories, this.mode)
    return html`<strong>${t('pasteFound', { count: countAll(categories) })}</strong>
      ${typeof outcome === 'object' ? html`<p class="problems">${exceededText(outcome.exceeded, this.editing.limits)}</p>` : nothing}
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

  #read(): Pasted | undefined {
    return this.text.trim() === '' ? undefined : readPasted(this.text, this.layout || undefined)
  }

  #onText(event: Event): void {
    this.text = (event.target as HTMLTextAreaElement).value
  }

  #onLayout(event: Event): void {
    this.layout = (event.target as HTMLSelectElement).value as Layout | ''
  }

  readonly #paste = async () => {
    const pasted = this.#read()
    if (!pasted) throw refused(t('pasteEmpty'))
    if ('problems' in pasted) throw refused(t('pasteProblems'))
    const outcome = this.editing.tryPaste(pasted.categories, this.mode)
    if (typeof outcome === 'object') throw refused(exceededText(outcome.exceeded, this.editing.limits))
    const detail: PastedCategories = { categories: pasted.categories, mode: this.mode }
    this.dispatchEvent(new CustomEvent('pasted', { detail }))
  }
}

export interface PastedCategories {
  readonly categories: readonly Category[]
  readonly mode: PasteMode
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
