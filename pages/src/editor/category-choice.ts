import { css, html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { fold } from '../../../src/search/folding.ts'
import { textOf } from '../elements/fields.ts'
import { PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { Node, Trees } from './model/node.ts'

interface Option {
  /** Key of the category; empty for the top level. */
  readonly key: string
  readonly title: string
  /** Titles of its ancestors, from the tree down. */
  readonly above: readonly string[]
}

/**
 * A category, chosen from all by typing a part of its title or of those above it: a combobox whose list stays open. Emits
 * `change`; the first match is chosen while a person types.
 */
export class CategoryChoice extends PageElement {
  static override styles = css`
    .list {
      height: 13rem;
      overflow-y: auto;
      border: 1px solid var(--wa-color-surface-border);
      border-radius: 0.375rem;
    }
    [role='option'] {
      min-height: 2rem;
      padding: 0.25rem 0.75rem;
      cursor: default;
      text-align: start;
    }
    .trail {
      color: var(--wa-color-text-quiet);
      font-size: 0.8125rem;
      unicode-bidi: isolate;
    }
    .title {
      unicode-bidi: isolate;
    }
    .none {
      padding: 0.5rem 0.75rem;
    }
  `

  @property() label = ''
  @property({ attribute: false }) trees: Trees = []
  /** Keys of categories that are not offered, with all below them. */
  @property({ attribute: false }) without: readonly string[] = []
  /** Text for the top level; none if it is not offered. */
  @property({ attribute: false }) top: string | undefined
  /** Key of the chosen category; empty for the top level, undefined for none. */
  @property() value: string | undefined
  @state() searched = ''

  override focus(): void {
    this.#field?.focus()
  }

  /** Begins again with all categories. */
  reset(value: string | undefined): void {
    this.searched = ''
    this.value = value
    if (this.#field) this.#field.value = ''
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('value') && !changed.has('searched')) return
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  get #field(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input')
  }

  get #options(): readonly Option[] {
    const { top } = this
    const all: Option[] = top === undefined ? [] : [{ key: '', title: top, above: [] }]
    const without = new Set(this.without)
    const visit = (nodes: readonly Node[], above: readonly string[]) => {
      for (const { key, title, source, below } of nodes) {
        if (without.has(key)) continue
        const own = title || source || t('untitled')
        all.push({ key, title: own, above })
        visit(below, [...above, own])
      }
    }
    visit(this.trees, [])
    const words = fold(this.searched).split(/\s+/).filter(Boolean)
    return all.filter(({ title, above }) => {
      const text = fold([...above, title].join(' '))
      return words.every((word) => text.includes(word))
    })
  }

  override render() {
    const options = this.#options
    const chosen = options.find(({ key }) => key === this.value)
    return html`<div class="field">
      <label for="search"><strong>${this.label}</strong></label>
      <input
        id="search" type="search" role="combobox" autocomplete="off" spellcheck="false" placeholder=${t('search')}
        aria-expanded="true" aria-autocomplete="list" aria-controls="list"
        aria-activedescendant=${chosen ? `option-${chosen.key}` : nothing}
        @input=${this.#search} @keydown=${(event: KeyboardEvent) => this.#go(event, options)}
      >
      <div class="list" id="list" role="listbox" aria-label=${this.label} @click=${this.#click}>
        ${options.map(
          ({ key, title, above }) => html`<div
            role="option" id="option-${key}" data-key=${key} aria-selected=${String(key === this.value)}
          >${
            above.length === 0
              ? nothing
              : html`<span class="trail">${above.map((name) => html`<bdi>${name}</bdi> › `)}</span>`
          }<span class="title"><bdi>${title}</bdi></span></div>`,
        )}
      </div>
      <small role="status">${options.length === 0 ? t('found', { count: 0 }) : nothing}</small>
    </div>`
  }

  #search(event: Event): void {
    this.searched = textOf(event)
    const options = this.#options
    if (this.searched.trim() !== '' && options[0]) this.#choose(options[0].key)
  }

  #go(event: KeyboardEvent, options: readonly Option[]): void {
    const at = options.findIndex(({ key }) => key === this.value)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(at - 1, 0),
      PageDown: at + 5,
      PageUp: Math.max(at - 5, 0),
    }
    const step = steps[event.key]
    if (event.isComposing || event.altKey || step === undefined) return
    event.preventDefault()
    const to = options[Math.min(step, options.length - 1)]
    if (to) this.#choose(to.key)
  }

  #click(event: Event): void {
    const option = event.composedPath().find((part) => part instanceof HTMLElement && part.role === 'option')
    if (!(option instanceof HTMLElement)) return
    this.#choose(option.dataset['key'] ?? '')
    this.#field?.focus()
  }

  #choose(key: string): void {
    this.value = key
    this.dispatchEvent(new Event('change'))
  }
}

customElements.define('cartulary-category-choice', CategoryChoice)
