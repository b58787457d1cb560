import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { button, PageElement } from '../../elements/page.ts'
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
              : button(t('chooseFound', { count: this.found }), {
                  id: 'all',
                  appearance: 'plain',
                  size: 's',
                  onClick: () => this.#emit('all'),
                })
        }
        ${button(t('chooseNone'), { appearance: 'plain', size: 's', onClick: () => this.#emit('none') })}
      </div>
      <div class="row">
        ${actions.map((action) =>
          button(t(`act_${action}`), {
            icon: icons[action],
            variant: action === 'categories' ? 'brand' : 'neutral',
            appearance: action === 'categories' ? 'accent' : 'outlined',
            size: 's',
            disabled: action === 'categories' && !this.hasSchema,
            onClick: () => this.#emit('act', action),
          }),
        )}
      </div>
    </div>`
  }

  #emit(type: 'act' | 'all' | 'none', detail?: BulkAction): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

customElements.define('cartulary-bulk-bar', BulkBar)
