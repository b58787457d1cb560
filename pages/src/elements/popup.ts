import { css, html } from 'lit'
import { property } from 'lit/decorators.js'
import type { IconName } from './icon-shapes.ts'
import { PageElement } from './page.ts'

/** Distance of an open panel from the edges of the window, in pixels. */
const margin = 8

/** A button that opens its slot below it; Escape and losing the focus close it. */
class Popup extends PageElement {
  static override styles = css`
    :host {
      position: relative;
    }
    summary {
      list-style: none;
    }
    summary::-webkit-details-marker {
      display: none;
    }
    [open] > summary {
      background: var(--wa-color-neutral-fill-quiet);
    }
    .panel {
      position: absolute;
      inset-inline-start: 0;
      z-index: 5;
      width: min(var(--popup-width, 18rem), calc(100vw - 2rem));
      margin-block-start: 0.25rem;
      overflow-y: auto;
      box-shadow: 0 0.5rem 1.5rem var(--wa-color-shadow);
    }
  `

  /** Accessible name of the button. */
  @property() label!: string
  @property() icon!: IconName

  override render() {
    return html`<details @keydown=${this.#closeByKey} @focusout=${this.#closeBehind}>
      <summary class="fold tool" aria-label=${this.label} @click=${this.#toggle}><wa-icon name=${this.icon}></wa-icon></summary>
      <div class="panel"><slot></slot></div>
    </details>`
  }

  /** Opens or closes it; the panel is within the window, above the button where there is too little room below. */
  #toggle(event: Event): void {
    event.preventDefault()
    const details = this.renderRoot.querySelector('details')!
    const { style } = this.renderRoot.querySelector<HTMLElement>('.panel')!
    details.open = !details.open
    style.translate = style.maxHeight = ''
    if (!details.open) return
    const { left, right, top, height } = details.querySelector('.panel')!.getBoundingClientRect()
    const button = details.querySelector('summary')!.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const [above, below] = [button.top - 2 * margin, clientHeight - margin - top]
    const isAbove = height > below && above > below
    const x = Math.min(0, clientWidth - margin - right) + Math.max(0, margin - left)
    const y = isAbove ? button.top - margin - Math.min(height, above) - top : 0
    style.translate = `${x}px ${y}px`
    style.maxHeight = `${isAbove ? above : below}px`
  }

  close(): void {
    this.renderRoot.querySelector('details')?.removeAttribute('open')
  }

  #closeByKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    this.close()
    this.renderRoot.querySelector('summary')?.focus()
  }

  #closeBehind(event: FocusEvent): void {
    const next = event.relatedTarget
    if (next instanceof Node && !this.contains(next) && !this.renderRoot.contains(next)) this.close()
  }
}

customElements.define('cartulary-popup', Popup)

declare global {
  interface HTMLElementTagNameMap {
    'cartulary-popup': Popup
  }
}
