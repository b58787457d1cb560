import { choice, choiceOf, field, radios, textOf, tick } from '../../elements/fields.ts'
import { formatNumber, formatTrail, nameOfLanguage } from '../../texts/formats.ts'
import '../../tables/table-columns.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { fold } from '../../../../src/search/folding.ts'
import { PageElement } from '../../elements/page.ts'
import type { Branch, FileReading } from '../../schemas/answers.ts'
import type { TableChoices } from '../../tables/choose-roles.ts'
import { renderSheets } from '../../tables/reading-choices.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import type { ImportChoices } from './choices.ts'
import { findMadeRoot, formatOf, type Outcome } from './outcome.ts'

const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const
const formats = ['csv', 'json', 'skos'] as const
const placesOfSeveral = ['first', 'duplicate', 'refuse'] as const
/** Branches that are seen without searching among them. */
const maxUnfiltered = 8

/** Choices about a file that fit its format. Emits `changed` with those that the person has changed. */
class ReadingOptions extends PageElement {
  static override styles = css`
    .below {
      align-items: end;
    }
    .below .tick {
      min-height: 2.5rem;
      align-items: center;
    }
  `

  @property({ attribute: false }) choices!: ImportChoices
  @property({ attribute: false }) outcome!: Outcome
  /** How a file was read at last. */
  @property({ attribute: false }) reading: FileReading | undefined
  /** Language of labels that was preferred. */
  @property({ attribute: false }) language: string | undefined
  @property({ attribute: false }) branches!: readonly Branch[]
  /** Whether a file is read, not a text. */
  @property({ type: Boolean, attribute: 'is-file' }) isFile = false
  /** Letters that a shown branch has. */
  @state() wanted = ''

  override render() {
    const { choices, reading, branches } = this
    return html`<div class="stack">
      ${this.#renderModes()}
      ${branches.length > 0 ? this.#renderBranches() : nothing}
      ${branches.length > 0 || choices.depth ? this.#renderCut('depth') : nothing}
      ${this.#isNamed('titles=cut') || choices.titles ? this.#renderCut('titles') : nothing}
      ${this.#renderSheets()}
      ${
        reading?.table
          ? html`<cartulary-table-columns
              .table=${reading.table} .choices=${choices.table}
              @chosen=${({ detail }: CustomEvent<TableChoices>) => this.#emit({ table: detail })}
            ></cartulary-table-columns>`
          : nothing
      }
      ${this.#renderLanguages()} ${formatOf(this.outcome) === 'json' || !reading ? nothing : this.#renderBelow()} ${this.#renderOthers()}
    </div>`
  }

  #renderModes() {
    const wordsOf = (mode: 'merge' | 'replace') => html`${t(`mode_${mode}`)}<br><small>${t(`mode_${mode}Text`)}</small>`
    return html`<fieldset>
      <legend>${t('mode')}</legend>
      <div class="sides">
        ${radios('mode', ['merge', 'replace'] as const, wordsOf, this.choices.mode, (mode) => this.#emit({ mode }))}
      </div>
    </fieldset>`
  }

  /** The whole file, or one of its branches, by label. */
  #renderBranches() {
    const { branches, choices } = this
    const wanted = fold(this.wanted.trim())
    const shown = branches.filter(({ id, label }) => id === choices.root || fold(label).includes(wanted))
    const choice = (id: string | undefined, name: unknown) =>
      tick(name, choices.root === id, { type: 'radio', name: 'root', onChange: () => this.#emit({ root: id }) })
    return html`<fieldset class="stack branches">
      <legend>${t('branch')}</legend>
      ${branches.length > maxUnfiltered ? field('', t('findBranch'), { type: 'search', onInput: (event) => (this.wanted = textOf(event)) }) : nothing}
      <div class="scrolled">
        ${choice(undefined, t('wholeFile'))}
        ${shown.map(({ id, label, levels, categories }) => choice(id, html`<bdi>${label}</bdi>${placeOf(id)} <span class="quiet">${t('branchSize', { levels, categories })}</span>`))}
        ${shown.some(({ id }) => id !== choices.root) ? nothing : html`<p class="quiet" role="status">${t('noBranch')}</p>`}
      </div>
    </fieldset>`
  }

  #renderCut(name: 'depth' | 'titles') {
    return tick(t(`cut_${name}`), this.choices[name] === 'cut', {
      name: name,
      onChange: (ticked) => this.#emit({ [name]: ticked ? 'cut' : undefined }),
    })
  }

  #renderSheets() {
    const { sheet: read, sheets = [] } = this.reading?.table ?? {}
    return renderSheets(sheets, this.choices.sheet ?? read, (sheet) => this.#emit({ sheet }))
  }

  #renderLanguages() {
    const { reading, language = '' } = this
    const languages = reading?.languages?.filter((one) => one.language !== '') ?? []
    if (languages.length < 2) return nothing
    const isPreferred = (tag: string) => `${tag}-`.toLowerCase().startsWith(`${language}-`.toLowerCase())
    const chosen = this.choices.language ?? languages.find((one) => isPreferred(one.language))?.language ?? ''
    const offered = languages.map((one) => {
      const words = t('languageLabels', { name: nameOfLanguage(one.language), labels: formatNumber(one.labels) })
      return [one.language, words] as const
    })
    const automatic = chosen === '' ? [['', t('automatic')] as const] : []
    return choiceOf('language', t('language'), [...automatic, ...offered], chosen, {
      isLive: true,
      onChange: (language) => this.#emit({ language }),
    })
  }

  #renderBelow() {
    const madeRoot = findMadeRoot(this.outcome)
    const { below = madeRoot ?? 'none' } = this.choices
    const isBelow = below !== 'none'
    // A title that is being typed stays while the file is read again.
    return html`<div class="row below">
      ${tick(t('below'), isBelow, { name: 'isBelow', onChange: (ticked) => this.#emit({ below: ticked ? (madeRoot ?? t('defaultRoot')) : 'none' }) })}
      ${
        isBelow
          ? field('below', t('belowTitle'), {
              max: 100,
              value: below,
              follows: true,
              onChange: (event) => this.#emit({ below: textOf(event).trim() || 'none' }),
            })
          : nothing
      }
    </div>`
  }

  #renderOthers() {
    const { isFile } = this
    const format = formatOf(this.outcome)
    if (format === 'xlsx') return nothing
    const isNeeded = ['cycles', 'polyhierarchy', 'delimiter', 'format'].some((name) => this.#isNamed(`${name}=`))
    return html`<details ?open=${isNeeded}>
      <summary>${t('others')}</summary>
      <div class="stack">
        ${this.#renderSelect('format', formats, t('automatic'))}
        ${format === 'csv' || !format ? this.#renderSelect('delimiter', delimiters, t('automatic')) : nothing}
        ${isFile && (format === 'csv' || !format) ? this.#renderSelect('encoding', ['windows-1252'], t('automatic')) : nothing}
        ${
          format === 'skos'
            ? html`${this.#renderSelect('polyhierarchy', placesOfSeveral)} ${this.#renderTick('cycles', 'break')}
                ${this.#renderTick('keepUris', true)}`
            : nothing
        }
      </div>
    </details>`
  }

  #renderSelect<Name extends 'format' | 'delimiter' | 'encoding' | 'polyhierarchy'>(
    name: Name,
    values: readonly string[],
    automatic?: string,
  ) {
    const chosen = this.choices[name] ?? (automatic === undefined ? values[0]! : '')
    const all = [...(automatic === undefined ? [] : ['']), ...values]
    const wordsOf = (value: string) => (value === '' ? automatic! : t(`${name}_${value}` as 'format_csv'))
    return choice(name, t(name), all, wordsOf, chosen, {
      isLive: true,
      onChange: (value) => this.#emit({ [name]: value || undefined }),
    })
  }

  #renderTick(name: 'cycles' | 'keepUris', value: 'break' | true) {
    return tick(t(name), this.choices[name] === value, {
      name: name,
      onChange: (ticked) => this.#emit({ [name]: ticked ? value : undefined }),
    })
  }

  /** Whether the refusal names a choice that would help. */
  #isNamed(choice: string): boolean {
    const sentences = 'refusal' in this.outcome ? this.outcome.refusal.sentences : []
    return sentences.some((sentence) => sentence.includes(choice))
  }

  #emit(detail: Partial<ImportChoices>): void {
    this.dispatchEvent(new CustomEvent('changed', { detail }))
  }
}

/** Titles above a branch of a table, whose id is its path. */
function placeOf(id: string) {
  const above = id.slice(0, id.lastIndexOf('/'))
  return !id.startsWith('/') || above === ''
    ? nothing
    : html` <span class="quiet"><bdi>${formatTrail(above)}</bdi></span>`
}

customElements.define('cartulary-reading-options', ReadingOptions)
