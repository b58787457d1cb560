import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { choice, field, readFields, tick } from '../../elements/fields.ts'
import { Action, button, PageElement } from '../../elements/page.ts'
import { saveFile } from '../../elements/save-file.ts'
import { type SchemaOwner, schemaPath } from '../../owners/owners.ts'
import { callForFile } from '../../session/session.ts'
import { ofFilesExport as t } from '../../texts/rooms.ts'
import { delimiterIn, delimiters, type Format, fileNameOf, formats, parametersOf } from './parameters.ts'
import { printSchema } from './print.ts'

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
      ${choice('format', t('format'), choices, (choice) => t(`format_${choice}`), this.chosen, {
        onChange: (value) => (this.chosen = value),
        hint: t(`about_${this.chosen}`),
      })}
      ${this.#renderChoices()}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <div>
        ${button(t(isPrinted ? 'print' : 'saveFile'), { icon: isPrinted ? 'file' : 'download', type: 'submit', loading: this.#saving.isRunning })}
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
  return choice('layout', t('layout'), layouts, (layout) => t(`layout_${layout}`), layouts[0])
}

function renderDelimiter() {
  const expected = delimiterIn(navigator.language)
  return choice('delimiter', t('delimiter'), delimiters, (delimiter) => t(`delimiter_${delimiter}`), expected)
}

function renderTick(name: 'bom' | 'ids' | 'descriptions') {
  return tick(html`${t(name)}<br><small>${t(`${name}Text`)}</small>`, true, { name: name })
}

function renderSkos() {
  return html`${choice('syntax', t('syntax'), ['turtle', 'jsonld'], (syntax) => (syntax === 'turtle' ? 'Turtle' : 'JSON-LD'), 'turtle')}
    ${field('language', t('languageOfTitles'), { isCode: true, max: 35, hint: t('languageOfTitlesText') })}`
}

customElements.define('cartulary-export', Export)
