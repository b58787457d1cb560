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
  ['Shift + ↑ ↓ / Ctrl + A', 'key_choose'],
  ['Ctrl + Z / Ctrl + Y', 'key_undo'],
  ['Ctrl + V', 'key_paste'],
  ['A – Z', 'key_type'],
] as const

/** Keys of the tree. */
class TreeKeys extends PageElement {
  static override styles = css`
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.25rem 1rem;
    }
    kbd {
      font: inherit;
      font-weight: 600;
    }
  `

  override render() {
    return html`<dl>${keys.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`)}</dl>`
  }
}

customElements.define('cartulary-tree-keys', TreeKeys)
