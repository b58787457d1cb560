import '../../elements/bottom-bar.ts'
import { html, nothing } from 'lit'
import { button } from '../../elements/page.ts'
import { may } from '../../session/session.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'
import { type BulkAction, countOf, maxItems, type Target } from './bulk-change.ts'

const icons = { categories: 'tree', sharing: 'share', tags: 'tag', owner: 'user', delete: 'trash' } as const

interface BulkBar {
  /** Number of items that the search finds. */
  readonly found: number
  readonly hasSchema: boolean
  readonly act: (action: BulkAction) => void
  /** Chooses all that the search finds, or none. */
  readonly chooseAll: () => void
  readonly chooseNone: () => void
}

/** Renders the number of chosen items, and what can be done with them. */
export function renderBulkBar(target: Target, { found, hasSchema, act, chooseAll, chooseNone }: BulkBar) {
  const count = countOf(target)
  const actions: readonly BulkAction[] = [
    'categories',
    'sharing',
    'tags',
    ...(may('transferItems') ? ['owner' as const] : []),
    'delete',
  ]
  return html`<cartulary-bottom-bar class="bulk">
      <wa-button size="s" appearance="plain" @click=${chooseNone}><wa-icon name="xmark" label=${t('chooseNone')}></wa-icon></wa-button>
      <span role="status">${t('chosen', { count })}</span>
      ${
        target.kind === 'search' || found <= count
          ? nothing
          : found > maxItems
            ? html`<span class="quiet">${t('tooMany', { max: maxItems })}</span>`
            : button(t('chooseFound', { count: found }), {
                id: 'all',
                appearance: 'plain',
                size: 's',
                onClick: chooseAll,
              })
      }
      ${actions.map((action) => {
        const isFirst = action === 'categories'
        return button(html`<span class=${isFirst ? '' : 'label'}>${t(`act_${action}`)}</span>`, {
          icon: icons[action],
          variant: isFirst ? 'brand' : 'neutral',
          appearance: isFirst ? 'accent' : 'outlined',
          size: 's',
          disabled: isFirst && !hasSchema,
          onClick: () => act(action),
        })
      })}
  </cartulary-bottom-bar>`
}
