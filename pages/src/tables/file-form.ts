import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { button, PageElement } from '../elements/page.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofTables as t } from '../texts/rooms.ts'
import { type ImportSource, maxBytes } from './import-source.ts'

/** Takes a chosen or dropped file, or pasted text. Emits `chosen` with the source: a file immediately, a text by a button. */
class FileForm extends PageElement {
  /** Endings of the names of files. */
  @property() accept = '.xlsx,.xlsm,.csv,.tsv,.txt,.json,.ttl,.jsonld,.rdf,.xml,.nt'
  /** Bytes that a file may have. */
  @property({ type: Number }) max = maxBytes
  /** Whether it takes lists alone, and no schemas. */
  @property({ attribute: 'is-list', type: Boolean }) isList = false
  @state() isOver = false
  @state() problem = ''

  override render() {
    return html`<form class="stack" @submit=${this.#submit}>
      <div class="drop ${this.isOver ? 'over' : ''}" @dragover=${this.#drag} @dragleave=${() => (this.isOver = false)} @drop=${this.#drop}>
        <label class="field">
          <span>${t('file')}</span>
          <input type="file" accept=${this.accept} @change=${this.#choose}>
        </label>
        <span class="quiet">${t(this.isList ? 'dropListHere' : 'dropHere')}</span>
      </div>
      <label class="field">
        <span>${t('pasted')}</span>
        <textarea class="file-text" name="text" rows="6" spellcheck="false" placeholder=${this.isList ? '' : t('pastedExample')}></textarea>
        <small>${t(this.isList ? 'pastedList' : 'pastedText')}</small>
      </label>
      ${this.problem ? html`<p role="alert"><strong>${this.problem}</strong></p>` : nothing}
      <div>
        ${button(t(this.isList ? 'showRows' : 'preview'), { type: 'submit', variant: 'brand' })}
      </div>
    </form>`
  }

  #choose(event: Event): void {
    const input = event.target as HTMLInputElement
    const file = input.files?.[0]
    // Lets the person choose the file again, edited in between.
    input.value = ''
    this.#take(file)
  }

  #drag(event: DragEvent): void {
    event.preventDefault()
    this.isOver = true
  }

  #drop(event: DragEvent): void {
    event.preventDefault()
    this.isOver = false
    this.#take(event.dataTransfer?.files[0])
  }

  #take(file: File | undefined): void {
    if (!file) return
    const { max } = this
    if (file.size > max) this.problem = t('fileTooLarge', { name: file.name, max: formatNumber(max) })
    else this.#emit({ name: file.name, parameters: { file } })
  }

  #submit(event: Event): void {
    event.preventDefault()
    const text = this.renderRoot.querySelector('textarea')?.value ?? ''
    if (text.trim() === '') this.problem = t('nothingGiven')
    else this.#emit({ name: t('pasted'), parameters: { text } })
  }

  #emit(detail: ImportSource): void {
    this.problem = ''
    this.dispatchEvent(new CustomEvent('chosen', { detail }))
  }
}

customElements.define('cartulary-import-file', FileForm)
