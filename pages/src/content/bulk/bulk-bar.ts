import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement } from '../../elements/page-element.ts'
import { may } from '../../session/session.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'
import { type BulkAction, countOf, maxItems, type Target } from './bulk-change.ts'

const icons = { categories: 'tree', sharing: 'share', tags: 'tag', owner: 'user', delete: 'trash' } as const

/**
 * The number of chosen items, and what can be done with them. Emits `act` with the action, `all` to choose all that the search
 * finds, and `none`.
 */
class BulkBar extends PageElement {
  static override styles = css`
    :host {
      position: sticky;
      top: 0;
      z-index: 2;
    }
  `

  @property({ attribute: false }) target!: Target
  /** Number of items that the search finds. */
  @property({ type: Number }) found = 0
  @property({ type: Boolean, attribute: 'has-schema' }) hasSchema = false

  override render() {
    const count = countOf(this.target)
    const isAll = this.target.kind === 'search'
    const actions: readonly BulkAction[] = [
      'categories',
      'sharing',
      'tags',
      ...(may('transferItems') ? ['owner' as const] : []),
      'delete',
    ]
    return html`<div class="panel stack">
      <div class="row">
        <span role="status">${t('chosen', { count })}</span>
        ${
          isAll || this.found <= count
            ? nothing
            : this.found > maxItems
              ? html`<span class="quiet">${t('tooMany', { max: maxItems })}</span>`
              : html`<wa-button id="all" size="s" appearance="plain" @click=${() => this.#emit('all')}>${t('chooseFound', { count: this.found })}</wa-button>`
        }
        <wa-button size="s" appearance="plain" @click=${() => this.#emit('none')}>${t('chooseNone')}</wa-button>
      </div>
      <div class="row">
        ${actions.map(
          (action) => html`<wa-button
            size="s" variant=${action === 'categories' ? 'brand' : 'neutral'} appearance=${action === 'categories' ? 'accent' : 'outlined'}
            ?disabled=${action === 'categories' && !this.hasSchema} @click=${() => this.#emit('act', action)}
          ><wa-icon slot="start" name=${icons[action]}></wa-icon>${t(`act_${action}`)}</wa-button>`,
        )}
      </div>
    </div>`
  }

  #emit(type: 'act' | 'all' | 'none', detail?: BulkAction): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

customElements.define('cartulary-bulk-bar', BulkBar)
