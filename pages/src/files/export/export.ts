import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { Category } from '../../../../src/categories/schema.ts'
import { listCategories } from '../../../../src/categories/schema-paths.ts'
import { choice, field, readFields, tick } from '../../elements/fields.ts'
import { Action, button, PageElement } from '../../elements/page.ts'
import { saveFile } from '../../elements/save-file.ts'
import { type SchemaOwner, schemaPath } from '../../owners/owners.ts'
import type { PresentSchema, WholeVersion } from '../../schemas/answers.ts'
import { readOwnerTitle, readPresent, readVersion } from '../../schemas/requests.ts'
import { callForFile } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofFilesExport as t } from '../../texts/rooms.ts'
import { delimiterIn, delimiters, type Format, fileNameOf, formats, parametersOf } from './parameters.ts'

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

/** Style of the document while a tree is printed: that tree alone, in black on white in any theme. */
const documentStyle = css`
  @media screen {
    cartulary-printed-schema {
      display: none;
    }
  }
  @media print {
    html {
      background: #fff !important;
      color-scheme: light;
    }
    body > :not(cartulary-printed-schema) {
      display: none !important;
    }
  }
  @page {
    margin: 15mm;
    @bottom-right {
      content: counter(page) ' / ' counter(pages);
      font: 8pt sans-serif;
    }
  }
`

interface PrintOptions {
  readonly hasDescriptions: boolean
}

/** Prints the tree of a version, by default of the present one. The page shows the dialog of the browser meanwhile. */
export async function printSchema(
  owner: SchemaOwner,
  version: number | undefined,
  { hasDescriptions }: PrintOptions,
): Promise<void> {
  const [schema, title] = await Promise.all([
    version === undefined ? readPresent(owner) : readVersion(owner, version),
    readOwnerTitle(owner),
  ])
  const printed = new PrintedSchema()
  Object.assign(printed, { schema, ownerTitle: title, hasDescriptions })
  for (const earlier of document.querySelectorAll('cartulary-printed-schema')) earlier.remove()
  document.body.append(printed)
  await printed.updateComplete
  const sheet = documentStyle.styleSheet!
  const { adoptedStyleSheets } = document
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet]
  window.addEventListener(
    'afterprint',
    () => {
      printed.remove()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    },
    { once: true },
  )
  window.print()
}

/** Tree of a schema for paper: title of the owner, version and date above it, and a line for each category. */
export class PrintedSchema extends PageElement {
  static override styles = css`
    :host {
      color: #000;
      font: 10pt / 1.4 var(--wa-font-family-body);
    }
    header {
      margin-block-end: 6mm;
      padding-block-end: 2mm;
      border-block-end: 1pt solid #000;
    }
    h1 {
      font-size: 18pt;
    }
    header p {
      color: #444;
    }
    .titles {
      columns: 2;
      column-gap: 10mm;
    }
    li {
      break-inside: auto;
    }
    li > ul[role='list'] {
      margin-inline-start: 1.5mm;
      padding-inline-start: 4mm;
      border-inline-start: 0.5pt solid #999;
    }
    .line {
      padding-block: 0.5mm;
      break-inside: avoid;
    }
    /* A category is not the last line of a page, above those inside it. */
    .line:has(+ ul) {
      break-after: avoid;
    }
    .level-1 {
      margin-block: 3mm 1mm;
      font-size: 12pt;
      font-weight: 700;
    }
    .level-2 {
      font-weight: 600;
    }
    .description {
      color: #444;
      font-size: 8.5pt;
      font-weight: 400;
    }
  `

  @property({ attribute: false }) schema!: PresentSchema | WholeVersion
  @property({ attribute: false }) ownerTitle!: string
  @property({ type: Boolean }) hasDescriptions = true

  override render() {
    const { categorySchema, version, modified } = this.schema
    const facts = [
      ...(version ? [t('version', { version })] : []),
      ...(modified ? [formatMoment(modified)] : []),
      t('categoryCount', { count: listCategories({ categorySchema }).length }),
    ]
    return html`<header>
        <h1><bdi>${this.ownerTitle}</bdi></h1>
        <p>${facts.join(' · ')}</p>
      </header>
      <div class=${this.hasDescriptions ? nothing : 'titles'}>${this.#renderList(categorySchema, 1)}</div>`
  }

  #renderList(categories: readonly Category[], level: number): unknown {
    return html`<ul role="list">
      ${categories.map(
        ({ title, source, description, categories: below = [] }) => html`<li>
          <div class="line level-${level}">
            <span>${title ?? source}</span>
            ${this.hasDescriptions && description ? html`<div class="description"><span>${description}</span></div>` : nothing}
          </div>
          ${below.length > 0 ? this.#renderList(below, level + 1) : nothing}
        </li>`,
      )}
    </ul>`
  }
}

customElements.define('cartulary-printed-schema', PrintedSchema)
