import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'

export interface SectionTab {
  readonly href: string
  readonly text: string
  readonly isCurrent: boolean
}

/** Screens of one family, as links at the top of each of them. */
class SectionTabs extends PageElement {
  static override styles = css`
    :host {
      margin-block-end: 1.25rem;
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 0 0.25rem;
      border-block-end: 1px solid var(--wa-color-surface-border);
    }
    a {
      display: block;
      padding: 0.5rem 0.75rem;
      border-block-end: 3px solid transparent;
      color: var(--wa-color-text-normal);
      text-decoration: none;
    }
    a:hover {
      background: var(--wa-color-neutral-fill-quiet);
    }
    a[aria-current] {
      border-block-end-color: var(--wa-color-brand-border-loud);
      font-weight: 600;
    }
    /* There a border is seen although it is transparent. */
    @media (forced-colors: active) {
      a:not([aria-current]) {
        border-block-end-color: Canvas;
      }
    }
  `

  @property({ attribute: false }) tabs!: readonly SectionTab[]
  /** Accessible name of the navigation. */
  @property() label!: string

  override render() {
    return html`<nav class="no-print" aria-label=${this.label}>
      <ul role="list">
        ${this.tabs.map(({ href, text, isCurrent }) => html`<li><a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${text}</a></li>`)}
      </ul>
    </nav>`
  }
}

customElements.define('cartulary-section-tabs', SectionTabs)
