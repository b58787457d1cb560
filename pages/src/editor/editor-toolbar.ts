import { textOf } from '../elements/fields.ts'
import { button, PageElement } from '../elements/page.ts'
import '../elements/popup.ts'
import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { ofEditor as t } from '../texts/rooms.ts'
import { type Command, command } from './model/command.ts'

/** Levels that the tree can be opened to. */
const levels = [1, 2, 3, 4] as const

/** Search in the tree, and buttons for its actions. It stays at the top while the tree is scrolled. */
export class EditorToolbar extends PageElement {
  static override styles = css`
    :host {
      position: sticky;
      top: 0;
      z-index: 4;
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 0.5rem;
      align-items: center;
      padding-block: 0.375rem;
      background: var(--wa-color-surface-default);
      border-block-end: 1px solid var(--wa-color-surface-border);
    }
    .row {
      gap: 0.25rem 0.375rem;
    }
    .search input {
      min-height: 2.25rem;
    }
    .keys {
      --popup-width: 30rem;
      font-size: 0.875rem;
    }
    /* On a narrow window the buttons share their lines, whatever their group is. */
    @media (max-width: 40rem) {
      .row {
        display: contents;
      }
      .search {
        flex-basis: 100%;
        max-width: none;
      }
      .keys {
        display: none;
      }
    }
    .menu wa-button::part(base) {
      justify-content: start;
    }
    .menu {
      display: grid;
    }
    .search {
      display: flex;
      flex: 1 1 12rem;
      gap: 0.5rem;
      align-items: center;
      min-width: 0;
      max-width: 22rem;
    }
  `

  @property() searched!: string
  @property({ type: Boolean, attribute: 'read-only' }) isReadOnly = false
  @property({ attribute: false }) hasSelected = false
  @property({ attribute: false }) canUndo = false
  @property({ attribute: false }) canRedo = false

  override render() {
    return html`<label class="search">
        <span class="visually-hidden">${t('search')}</span>
        <input type="search" placeholder=${t('search')} .value=${this.searched} @input=${(event: Event) => command(this, { do: 'search', text: textOf(event) })}>
      </label>
      ${this.isReadOnly ? nothing : this.#renderButtons()}
      ${this.#renderMenus()}`
  }

  #renderButtons() {
    const send = (detail: Command) => () => command(this, detail)
    return html`<div class="row" role="group" aria-label=${t('edit')}>
      ${button(t('add'), { icon: 'plus', id: 'add', size: 's', onClick: send({ do: 'add', where: 'after' }) })}
      ${button(t('addBelow'), { id: 'add-below', size: 's', disabled: !this.hasSelected, onClick: send({ do: 'add', where: 'inside' }) })}
      ${button(t('paste'), { icon: 'clipboard', id: 'paste', size: 's', onClick: send({ do: 'paste', text: '' }) })}
      ${button(html`<wa-icon name="undo" label=${t('undo')}></wa-icon>`, { id: 'undo', size: 's', disabled: !this.canUndo, onClick: send({ do: 'undo' }) })}
      ${button(html`<wa-icon name="redo" label=${t('redo')}></wa-icon>`, { id: 'redo', size: 's', disabled: !this.canRedo, onClick: send({ do: 'redo' }) })}
    </div>`
  }

  #renderMenus() {
    const openTo = (level: number) => () => {
      command(this, { do: 'openTo', level })
      this.renderRoot.querySelector('cartulary-popup')?.close()
    }
    return html`<div class="row">
      <cartulary-popup icon="layers" label=${t('openLevels')}>
        <div class="menu">
          ${button(t('openAll'), { appearance: 'plain', size: 's', onClick: openTo(Number.POSITIVE_INFINITY) })}
          ${button(t('closeAll'), { appearance: 'plain', size: 's', onClick: openTo(1) })}
          ${levels.slice(1).map((level) => button(t('openTo', { level }), { appearance: 'plain', size: 's', onClick: openTo(level) }))}
        </div>
      </cartulary-popup>
      ${this.isReadOnly ? nothing : html`<cartulary-popup class="keys" icon="info" label=${t('keys')}>${renderTreeKeys()}</cartulary-popup>`}
    </div>`
  }
}

customElements.define('cartulary-editor-toolbar', EditorToolbar)

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
