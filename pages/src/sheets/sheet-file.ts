import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { PageElement } from '../elements/page-element.ts'
import { formatNumber } from '../texts/formats.ts'
import { t } from './texts.ts'

/** Bytes of a file (documented). */
const maxBytes = 4 * 1024 * 1024

/** Takes a chosen or dropped file. Emits `chosen` with it. */
class SheetFile extends PageElement {
  @state() isOver = false
  @state() problem = ''

  override render() {
    return html`<div
        class="drop ${this.isOver ? 'over' : ''}" @dragover=${(event: DragEvent) => this.#drag(event, true)}
        @dragleave=${(event: DragEvent) => this.#drag(event, false)} @drop=${this.#drop}
      >
        <label class="field"><span>${t('file')}</span><input type="file" accept=".csv,.txt,text/csv" @change=${this.#choose}></label>
        <span class="quiet">${t('dropHere')}</span>
      </div>
      ${this.problem ? html`<p role="alert"><strong>${this.problem}</strong></p>` : nothing}`
  }

  #choose(event: Event): void {
    const input = event.target as HTMLInputElement
    const file = input.files?.[0]
    // Lets the person choose the file again, edited in between.
    input.value = ''
    this.#take(file)
  }

  #drag(event: DragEvent, isOver: boolean): void {
    event.preventDefault()
    this.isOver = isOver
  }

  #drop(event: DragEvent): void {
    this.#drag(event, false)
    this.#take(event.dataTransfer?.files[0])
  }

  #take(file: File | undefined): void {
    if (!file) return
    this.problem = file.size > maxBytes ? t('tooLarge', { name: file.name, max: formatNumber(maxBytes) }) : ''
    if (this.problem === '') this.dispatchEvent(new CustomEvent('chosen', { detail: file }))
  }
}

customElements.define('cartulary-sheet-file', SheetFile)
