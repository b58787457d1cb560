import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { Action } from '../elements/action.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields } from '../elements/fields.ts'
import { PageElement } from '../elements/page-element.ts'
import { saveFile } from '../elements/save-file.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import { callForFile } from '../session/session.ts'
import { renderCsvFields } from './csv-fields.ts'
import { t } from './texts.ts'

const formats = ['json', 'csv', 'skos'] as const

/** Saves any version of a schema as a file in any format of the server. */
class Export extends PageElement {
  static override styles = fieldStyle

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ type: Number }) version: number | undefined
  @state() format: (typeof formats)[number] = 'json'

  readonly #saving = new Action(this)

  override render() {
    return html`<form class="stack" @submit=${this.#save}>
      <label class="field">
        <span>${t('format')}</span>
        <select name="format" @change=${this.#chooseFormat}>
          ${formats.map((format) => html`<option value=${format} ?selected=${format === this.format}>${t(`format_${format}`)}</option>`)}
        </select>
      </label>
      ${this.format === 'csv' ? renderCsvFields(['path', 'levels'], { isRecognized: false }) : nothing} ${this.format === 'skos' ? this.#renderSkos() : nothing}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <div>
        <wa-button type="submit" ?loading=${this.#saving.isRunning}>
          <wa-icon slot="start" name="download"></wa-icon>${t('saveFile')}
        </wa-button>
      </div>
    </form>`
  }

  #renderSkos() {
    return html`<label class="field">
        <span>${t('syntax')}</span>
        <select name="syntax">
          <option value="turtle">Turtle</option>
          <option value="jsonld">JSON-LD</option>
        </select>
      </label>
      <label class="field">
        <span>${t('languageOfTitles')}</span>
        <input name="language" maxlength="35" autocomplete="off" spellcheck="false">
        <small>${t('languageOfTitlesText')}</small>
      </label>`
  }

  #chooseFormat(event: Event): void {
    this.format = (event.target as HTMLSelectElement).value as (typeof formats)[number]
  }

  async #save(event: Event): Promise<void> {
    event.preventDefault()
    const { language = '', ...chosen } = readFields(this.renderRoot)
    await this.#saving.run(async () => {
      const parameters = { ...chosen, language: language.trim() || undefined, version: this.version }
      const file = await callForFile(`${schemaPath(this.owner)}/export`, parameters)
      const extension = { json: 'json', csv: 'csv', skos: chosen['syntax'] === 'jsonld' ? 'jsonld' : 'ttl' }[
        this.format
      ]
      saveFile(file, `categories${this.version === undefined ? '' : `-${this.version}`}.${extension}`)
    })
  }
}

customElements.define('cartulary-export', Export)
