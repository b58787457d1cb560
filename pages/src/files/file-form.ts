import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields } from '../elements/fields.ts'
import { PageElement } from '../elements/page-element.ts'
import { wrapStyle } from '../schemas/wrap-style.ts'
import { formatNumber } from '../texts/formats.ts'
import { renderCsvFields } from './csv-fields.ts'
import { type ImportSource, maxBytes } from './import-source.ts'
import { isIndentedList } from './indented-list.ts'
import { t } from './texts.ts'

const layouts = ['path', 'levels', 'parent', 'indented'] as const

/** Takes a chosen or dropped file, or pasted text, and its format. Emits `chosen` with the source. */
class FileForm extends PageElement {
  static override styles = [
    fieldStyle,
    wrapStyle,
    css`
      .drop {
        display: grid;
        justify-items: center;
        gap: 0.5rem;
        padding: 1.25rem;
        border: 2px dashed var(--wa-color-neutral-border-loud);
        border-radius: 0.5rem;
        text-align: center;
      }
      .drop.over {
        border-color: var(--wa-color-brand-border-loud);
        background: var(--wa-color-brand-fill-quiet);
      }
      .drop input {
        max-width: 100%;
        min-height: 2rem;
      }
      .drop strong {
        overflow-wrap: anywhere;
        min-width: 0;
      }
      textarea {
        font-family: var(--wa-font-family-code);
        white-space: pre;
        overflow-x: auto;
      }
      summary {
        min-height: 1.75rem;
        cursor: pointer;
      }
    `,
  ]

  @state() file: File | undefined
  /** Whether there is a pasted text. */
  @state() hasText = false
  @state() format = ''
  @state() isOver = false
  @state() problem = ''

  override render() {
    return html`<form class="stack" @submit=${this.#submit}>
      <div class="drop ${this.isOver ? 'over' : ''}" @dragover=${this.#drag} @dragleave=${this.#leave} @drop=${this.#drop}>
        <label class="field">
          <span>${t('file')}</span>
          <input type="file" accept=".csv,.tsv,.txt,.json,.ttl,.jsonld,.rdf,.xml,.nt" @change=${this.#choose}>
        </label>
        ${this.file ? html`<strong>${this.file.name}</strong>` : html`<span class="quiet">${t('dropHere')}</span>`}
      </div>
      <label class="field">
        <span>${t('pasted')}</span>
        <textarea name="text" rows="4" spellcheck="false" placeholder=${t('pastedExample')} @input=${this.#type}></textarea>
        <small>${t('pastedText')}</small>
      </label>
      <p role="status">${this.file && this.hasText ? t('fileCounts', { name: this.file.name }) : ''}</p>
      <details>
        <summary>${t('howToRead')}</summary>
        <div class="stack">
          <label class="field">
            <span>${t('format')}</span>
            <select name="format" @change=${this.#chooseFormat}>
              <option value="">${t('automatic')}</option>
              <option value="csv">${t('format_csv')}</option>
              <option value="json">${t('format_json')}</option>
              <option value="skos">${t('format_skos')}</option>
            </select>
          </label>
          ${this.format === 'csv' ? renderCsvFields(layouts, { isRecognized: true }) : nothing} ${this.format === 'skos' ? this.#renderSkos() : nothing}
          <label class="tick">
            <input type="checkbox" name="encoding" value="windows-1252"><span>${t('windows1252')}</span>
          </label>
        </div>
      </details>
      <label class="tick">
        <input type="checkbox" name="mode" value="merge"><span>${t('merge')}<br><small>${t('mergeText')}</small></span>
      </label>
      ${this.problem ? html`<p role="alert"><strong>${this.problem}</strong></p>` : nothing}
      <div>
        <wa-button type="submit" variant="brand">${t('preview')}</wa-button>
      </div>
    </form>`
  }

  #renderSkos() {
    return html`<label class="field">
        <span>${t('languages')}</span>
        <input name="language" autocomplete="off" spellcheck="false" placeholder="en, de">
      </label>
      <label class="field">
        <span>${t('depth')}</span>
        <select name="depth">
          <option value="refuse">${t('depth_refuse')}</option>
          <option value="cut">${t('depth_cut')}</option>
        </select>
      </label>
      <label class="field">
        <span>${t('polyhierarchy')}</span>
        <select name="polyhierarchy">
          <option value="first">${t('polyhierarchy_first')}</option>
          <option value="duplicate">${t('polyhierarchy_duplicate')}</option>
          <option value="refuse">${t('polyhierarchy_refuse')}</option>
        </select>
      </label>
      <label class="tick"><input type="checkbox" name="keepUris" value="true"><span>${t('keepUris')}</span></label>`
  }

  #choose(event: Event): void {
    this.#keep((event.target as HTMLInputElement).files?.[0])
  }

  #drag(event: DragEvent): void {
    event.preventDefault()
    this.isOver = true
  }

  #leave(): void {
    this.isOver = false
  }

  #drop(event: DragEvent): void {
    event.preventDefault()
    this.isOver = false
    this.#keep(event.dataTransfer?.files[0])
  }

  /** The last input counts: a text replaces a file. */
  #type(event: Event): void {
    this.hasText = (event.target as HTMLTextAreaElement).value.trim() !== ''
    if (!this.hasText) return
    this.file = undefined
    this.problem = ''
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')!.value = ''
  }

  #keep(file: File | undefined): void {
    this.problem = ''
    this.file = file
    if (!file || file.size <= maxBytes) return
    this.problem = t('fileTooLarge', { name: file.name, max: formatNumber(maxBytes) })
    this.file = undefined
  }

  #chooseFormat(event: Event): void {
    this.format = (event.target as HTMLSelectElement).value
  }

  #submit(event: Event): void {
    event.preventDefault()
    const { text = '', ...chosen } = readFields(this.renderRoot)
    const given = this.file ?? (text.trim() === '' ? undefined : text)
    if (given === undefined) {
      this.problem = t('nothingGiven')
      return
    }
    this.problem = ''
    const options = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))
    const isList = options['format'] === undefined && typeof given === 'string' && isIndentedList(given)
    const detail: ImportSource =
      given instanceof File
        ? { name: given.name, parameters: { ...options, file: given } }
        : {
            name: t('pasted'),
            parameters: { ...options, ...(isList && { format: 'csv', layout: 'indented' }), text: given },
          }
    this.dispatchEvent(new CustomEvent('chosen', { detail }))
  }
}

customElements.define('cartulary-import-file', FileForm)
