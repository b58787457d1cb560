import { css, html } from 'lit'
import { PageElement } from './page.ts'

/** Properties of the page by which messages find their place. */
const properties = ['--bottom-bar', '--message-place', '--message-start', '--message-width'] as const

/**
 * Bar that stays at the end of the window, with what decides on a long page. Messages appear above its start, where they hide no
 * buttons of what is at its end.
 */
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
    ::slotted(.end) {
      margin-inline-start: auto;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `

  readonly #size = new ResizeObserver(() => this.#place())

  override connectedCallback(): void {
    super.connectedCallback()
    this.#size.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#size.disconnect()
    for (const name of properties) document.documentElement.style.removeProperty(name)
  }

  override render() {
    return html`<div class="row"><slot></slot></div>`
  }

  #place(): void {
    const { left, right, height } = this.getBoundingClientRect()
    const start = this.matches(':dir(rtl)') ? window.innerWidth - right : left
    const values = [`${height}px`, 'start', `calc(${start}px - 1rem)`, '36rem']
    for (const [at, name] of properties.entries()) document.documentElement.style.setProperty(name, values[at]!)
  }
}

customElements.define('cartulary-bottom-bar', BottomBar)
