import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { textOf } from '../elements/fields.ts'
import { PageElement } from '../elements/page.ts'
import { ofForms as t } from '../texts/rooms.ts'

/** An active filter: its value, with the name of the filter if that is needed, and the address of the list without it. */
export interface ActiveFilter {
  readonly name?: string
  readonly value: string
  readonly href: string
}

/** Time after the last letter until what is typed is searched for, in milliseconds (chosen). */
const typingPause = 250

/**
 * Search of a list in one line: words that are searched for as they are typed, filters that are folded away, and those that are
 * active. Its slot has the fields of the filters; `beside`, a choice that is always seen. Emits `words` with what is searched for.
 */
class FilterBar extends PageElement {
  static override styles = css`
    .filters {
      margin-block-start: 0.75rem;
    }
    .chip {
      display: inline-flex;
      gap: 0.375rem;
      align-items: center;
      min-height: 1.75rem;
      padding: 0.125rem 0.625rem;
      border-radius: 1rem;
      background: var(--wa-color-brand-fill-quiet);
      color: var(--wa-color-brand-on-quiet);
      font-size: 0.875rem;
      text-decoration: none;
    }
    .chip:hover {
      text-decoration: line-through;
    }
    .chip > span {
      min-width: 0;
    }
  `

  /** Accessible name of the field, which is seen in it while it is empty. */
  @property() label!: string
  /** Words about the field; seen below it while the filters are open. */
  @property() hint: string | undefined
  /** Words in the address. */
  @property() value = ''
  @property({ attribute: false }) active: readonly ActiveFilter[] = []
  /** Address of the list without filters. */
  @property() reset: string | undefined
  /** Whether there are no filters to fold. */
  @property({ type: Boolean, attribute: 'words-only' }) isOnlyWords = false
  @state() isOpen = false

  /** Text of the field, as long as the address does not say otherwise. */
  #typed: string | undefined
  #pause: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#pause)
    this.#pause = undefined
  }

  override render() {
    return html`<form role="search" @submit=${this.#submit}>
      <div class="row">
        <div class="words">
          <input name="q" type="search" aria-label=${this.label} placeholder=${this.label} .value=${live(this.#shown)}
            aria-describedby=${this.hint ? 'hint' : nothing}
            autocomplete="off" autocapitalize="none" spellcheck="false" @input=${this.#type}>
        </div>
        <slot name="beside"></slot>
        ${
          this.isOnlyWords
            ? nothing
            : html`<button class="fold no-print" type="button" aria-expanded=${this.isOpen ? 'true' : 'false'} @click=${() => (this.isOpen = !this.isOpen)}>
                <wa-icon name="filter"></wa-icon>${t('filters', { count: this.active.length })}
              </button>`
        }
      </div>
      ${this.hint ? html`<p id="hint" class=${this.isOpen ? 'hint' : 'visually-hidden'}>${this.hint}</p>` : nothing}
      <div class="filters" ?hidden=${!this.isOpen}><slot></slot></div>
      ${this.active.length === 0 ? nothing : this.#renderActive()}
    </form>`
  }

  /** Typed text that has not reached the address yet, or is there without its blanks; otherwise the words in the address. */
  get #shown(): string {
    const isAhead = this.#typed !== undefined && (this.#pause !== undefined || this.#typed.trim() === this.value)
    return isAhead ? this.#typed! : this.value
  }

  #renderActive() {
    return html`<div class="row" role="group" aria-label=${t('activeFilters')}>
      ${this.active.map(
        ({ name, value, href }) => html`<a class="chip" href=${href} @click=${this.#focusBack}>
          <span class="visually-hidden">${t('removeFilter')} </span><span>${name ? `${name}: ` : nothing}<bdi>${value}</bdi></span><wa-icon name="xmark"></wa-icon>
        </a>`,
      )}
      ${this.reset === undefined ? nothing : html`<a class="no-print" href=${this.reset} @click=${this.#focusBack}>${t('removeFilters')}</a>`}
    </div>`
  }

  #type(event: Event): void {
    this.#typed = textOf(event)
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => this.#send(), typingPause)
  }

  #submit(event: Event): void {
    event.preventDefault()
    this.#send()
  }

  #send(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    const words = this.#typed?.trim() ?? this.value
    if (words !== this.value) this.dispatchEvent(new CustomEvent('words', { detail: words }))
  }

  /** A filter that is removed takes the focus with it. */
  #focusBack(): void {
    this.#typed = undefined
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.renderRoot.querySelector<HTMLElement>(this.isOnlyWords ? 'input' : '.fold')?.focus()
  }
}

customElements.define('cartulary-filter-bar', FilterBar)
