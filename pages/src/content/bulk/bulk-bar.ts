import '../../elements/bottom-bar.ts'
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
    /* The bar inside is the one that stays in sight. */
    :host {
      display: contents;
    }
    /* In a narrow window the first action has words, and the others their icons. */
    @media (max-width: 40rem) {
      .label {
        position: absolute;
        clip-path: inset(50%);
      }
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
    return html`<cartulary-bottom-bar>
        <wa-button size="s" appearance="plain" @click=${() => this.#emit('none')}><wa-icon name="xmark" label=${t('chooseNone')}></wa-icon></wa-button>
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
        ${actions.map((action) =>
          button(html`<span class=${action === 'categories' ? '' : 'label'}>${t(`act_${action}`)}</span>`, {
            icon: icons[action],
            variant: action === 'categories' ? 'brand' : 'neutral',
            appearance: action === 'categories' ? 'accent' : 'outlined',
            size: 's',
            disabled: action === 'categories' && !this.hasSchema,
            onClick: () => this.#emit('act', action),
          }),
        )}
    </cartulary-bottom-bar>`
  }

  #emit(type: 'act' | 'all' | 'none', detail?: BulkAction): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

customElements.define('cartulary-bulk-bar', BulkBar)
