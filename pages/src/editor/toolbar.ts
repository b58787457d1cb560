import { textOf } from '../elements/fields.ts'
import { renderDetails } from '../elements/lists/facts.ts'
import { button } from '../elements/page.ts'
import '../elements/popup.ts'
import { html, nothing } from 'lit'
import { ofEditor as t } from '../texts/rooms.ts'
import type { Command } from './model/command.ts'
import type { Workbench } from './workbench.ts'

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

/** Renders the search in the tree, and buttons for its actions. */
export function renderToolbar({ schema, searched }: Workbench, send: (command: Command) => void) {
  return html`<div class="toolbar no-print">
    <label class="search">
      <span class="visually-hidden">${t('search')}</span>
      <input type="search" placeholder=${t('search')} .value=${searched} @input=${(event: Event) => send({ do: 'search', text: textOf(event) })}>
    </label>
    ${schema.isReadOnly ? nothing : renderButtons(schema.editing, send)}
    <div class="row">
      <cartulary-popup icon="layers" label=${t('openLevels')}>
        <div class="menu">
          ${renderOpenTo(t('openAll'), Number.POSITIVE_INFINITY, send)} ${renderOpenTo(t('closeAll'), 1, send)}
          ${[2, 3, 4].map((level) => renderOpenTo(t('openTo', { level }), level, send))}
        </div>
      </cartulary-popup>
      ${schema.isReadOnly ? nothing : html`<cartulary-popup class="keys" icon="info" label=${t('keys')}>${renderDetails(keys.map(([key, text]) => [html`<kbd>${key}</kbd>`, t(text)]))}</cartulary-popup>`}
    </div>
  </div>`
}

function renderButtons(
  { selected, canUndo, canRedo }: Workbench['schema']['editing'],
  send: (command: Command) => void,
) {
  return html`<div class="row" role="group" aria-label=${t('edit')}>
    ${button(t('add'), { icon: 'plus', id: 'add', size: 's', onClick: () => send({ do: 'add', where: 'after' }) })}
    ${button(t('addBelow'), { id: 'add-below', size: 's', disabled: selected === undefined, onClick: () => send({ do: 'add', where: 'inside' }) })}
    ${button(t('paste'), { icon: 'clipboard', id: 'paste', size: 's', onClick: () => send({ do: 'paste', text: '' }) })}
    ${button(html`<wa-icon name="undo" label=${t('undo')}></wa-icon>`, { id: 'undo', size: 's', disabled: !canUndo, onClick: () => send({ do: 'undo' }) })}
    ${button(html`<wa-icon name="redo" label=${t('redo')}></wa-icon>`, { id: 'redo', size: 's', disabled: !canRedo, onClick: () => send({ do: 'redo' }) })}
  </div>`
}

function renderOpenTo(words: string, level: number, send: (command: Command) => void) {
  const open = ({ target }: Event) => {
    send({ do: 'openTo', level })
    ;(target as Element).closest('cartulary-popup')?.close()
  }
  return button(words, { appearance: 'plain', size: 's', onClick: open })
}
