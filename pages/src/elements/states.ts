import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { ofElements as t } from '../texts/rooms.ts'
import type { IconName } from './icon-shapes.ts'
import { PageElement } from './page.ts'

/** Loading state. */
class Loading extends PageElement {
  static override styles = css`
    div {
      padding-block: 2rem;
      justify-content: center;
    }
  `

  override render() {
    return html`<div class="row quiet" role="status"><wa-spinner aria-hidden="true"></wa-spinner>${t('loading')}</div>`
  }
}

/** Empty state: that there is nothing to show, and why; its slot has what can be done about it. */
class Empty extends PageElement {
  static override styles = css`
    div {
      display: grid;
      justify-items: center;
      gap: 0.75rem;
      padding: 2.5rem 1rem;
      text-align: center;
      border: 1px dashed var(--wa-color-neutral-border-normal);
      border-radius: 0.5rem;
    }
    wa-icon {
      font-size: 2rem;
      color: var(--wa-color-text-quiet);
    }
    p {
      max-width: 34rem;
    }
  `

  @property() icon!: IconName
  @property() heading!: string
  @property() text: string | undefined

  override render() {
    return html`<div>
      <wa-icon name=${this.icon}></wa-icon>
      <strong>${this.heading}</strong>
      ${this.text ? html`<p class="quiet">${this.text}</p>` : nothing}
      <slot></slot>
    </div>`
  }
}

customElements.define('cartulary-loading', Loading)
customElements.define('cartulary-empty', Empty)
