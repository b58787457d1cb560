import { html } from 'lit'
import { ofEditor as t } from '../texts/rooms.ts'

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

export function renderTreeKeys() {
  return html`<dl class="facts">${keys.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`)}</dl>`
}
