import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { Action } from '../../elements/action.ts'
import { readFields } from '../../elements/fields.ts'
import { PageElement } from '../../elements/page-element.ts'
import { saveFile } from '../../elements/save-file.ts'
import { type SchemaOwner, schemaPath } from '../../owners/owners.ts'
import { callForFile } from '../../session/session.ts'
import { delimiterIn, delimiters, type Format, fileNameOf, formats, parametersOf } from './parameters.ts'
import { printSchema } from './print.ts'
import { t } from './texts.ts'

const choices = [...formats, 'print'] as const
const layouts = ['path', 'levels'] as const

/** Saves any version of a schema as a file in any format of the server, or prints its tree. */
class Export extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  /** Undefined for the present version. */
  @property({ type: Number }) version: number | undefined
  @state() chosen: Format | 'print' = 'json'

  readonly #saving = new Action(this)

  override render() {
    const isPrinted = this.chosen === 'print'
    return html`<form class="stack" @submit=${this.#submit}>
      <label class="field">
        <span>${t('format')}</span>
        <select name="format" @change=${this.#choose}>
          ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === this.chosen}>${t(`format_${choice}`)}</option>`)}
        </select>
        <small>${t(`about_${this.chosen}`)}</small>
      </label>
      ${this.#renderChoices()}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <div>
        <wa-button type="submit" ?loading=${this.#saving.isRunning}>
          <wa-icon slot="start" name=${isPrinted ? 'file' : 'download'}></wa-icon>${t(isPrinted ? 'print' : 'saveFile')}
        </wa-button>
      </div>
    </form>`
  }

  #renderChoices() {
    switch (this.chosen) {
      case 'csv':
        return html`${renderLayout()} ${renderDelimiter()} ${renderTick('bom')} ${renderTick('ids')}`
      case 'xlsx':
        return html`${renderLayout()} ${renderTick('ids')}`
      case 'skos':
        return renderSkos()
      case 'print':
        return renderTick('descriptions')
      default:
        return nothing
    }
  }

  #choose(event: Event): void {
    this.chosen = (event.target as HTMLSelectElement).value as Format | 'print'
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault()
    const { chosen, owner, version } = this
    const fields = readFields(this.renderRoot)
    await this.#saving.run(async () => {
      if (chosen === 'print') {
        await printSchema(owner, version, { hasDescriptions: fields['descriptions'] !== undefined })
        return
      }
      const file = await callForFile(`${schemaPath(owner)}/export`, parametersOf(chosen, fields, version))
      saveFile(file, fileNameOf(chosen, fields, version))
    })
  }
}

function renderLayout() {
  return html`<label class="field">
    <span>${t('layout')}</span>
    <select name="layout">${layouts.map((layout) => html`<option value=${layout}>${t(`layout_${layout}`)}</option>`)}</select>
  </label>`
}

function renderDelimiter() {
  const expected = delimiterIn(navigator.language)
  return html`<label class="field">
    <span>${t('delimiter')}</span>
    <select name="delimiter">
      ${delimiters.map((delimiter) => html`<option value=${delimiter} ?selected=${delimiter === expected}>${t(`delimiter_${delimiter}`)}</option>`)}
    </select>
  </label>`
}

function renderTick(name: 'bom' | 'ids' | 'descriptions') {
  return html`<label class="tick">
    <input type="checkbox" name=${name} checked><span>${t(name)}<br><small>${t(`${name}Text`)}</small></span>
  </label>`
}

function renderSkos() {
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

customElements.define('cartulary-export', Export)
