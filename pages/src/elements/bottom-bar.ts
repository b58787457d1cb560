import { css, html } from 'lit'
import { PageElement } from './page-element.ts'

/** Bar that stays at the end of the window, with what decides on a long page. Messages appear above it. */
class BottomBar extends PageElement {
  static override styles = css`
    :host {
      position: sticky;
      inset-block-end: 0;
      z-index: 3;
      /* It ends where the page does, without the space at the end of it. */
      margin-block: 0.75rem -4rem;
      background: var(--wa-color-surface-default);
      border-block-start: 1px solid var(--wa-color-surface-border);
    }
    .row {
      padding-block: 0.5rem;
    }
    ::slotted(.whole) {
      flex-basis: 100%;
    }
    ::slotted(.end) {
      margin-inline-start: auto;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `

  readonly #size = new ResizeObserver(() => this.#setSpace(this.offsetHeight))

  override connectedCallback(): void {
    super.connectedCallback()
    this.#size.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#size.disconnect()
    this.#setSpace(0)
  }

  override render() {
    return html`<div class="row"><slot></slot></div>`
  }

  #setSpace(height: number): void {
    document.documentElement.style.setProperty('--bottom-bar', `${height}px`)
  }
}

customElements.define('cartulary-bottom-bar', BottomBar)
