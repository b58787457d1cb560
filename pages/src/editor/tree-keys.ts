import { css, html } from 'lit'
import { PageElement } from '../elements/page-element.ts'
import { t } from './texts.ts'

/** Keys of the tree with their descriptions. */
const keys = [
  ['↑ ↓ ← →', 'key_arrows'],
  ['Enter', 'key_enter'],
  ['Shift + Enter', 'key_below'],
  ['F2', 'key_rename'],
  ['Delete', 'key_delete'],
  ['Alt + ↑ ↓ ← →', 'key_move'],
  ['Ctrl + Z / Ctrl + Y', 'key_undo'],
  ['Ctrl + V', 'key_paste'],
  ['A – Z', 'key_type'],
] as const

/** Keys of the tree, shown on demand. */
class TreeKeys extends PageElement {
  static override styles = css`
    :host {
      margin-block-start: 1rem;
    }
    summary {
      min-height: 1.5rem;
      cursor: pointer;
      color: var(--wa-color-text-quiet);
    }
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.25rem 1rem;
      margin-block-start: 0.5rem;
    }
    kbd {
      font: inherit;
      font-weight: 600;
    }
  `

  override render() {
    return html`<details><summary>${t('keys')}</summary><dl>${keys.map(
      ([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`,
    )}</dl></details>`
  }
}

customElements.define('cartulary-tree-keys', TreeKeys)
