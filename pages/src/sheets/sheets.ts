import { button } from '../elements/page.ts'
import '../content/bulk/item-runs.ts'
import './sheet-download.ts'
import './sheet-import.ts'
import { html } from 'lit'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { readState } from '../content/state.ts'
import { Reading, Screen } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may } from '../session/session.ts'
import { ofSheets as t } from '../texts/rooms.ts'

/** Categories of many items in a spreadsheet: downloaded, edited there, shown as changes, applied, and undone. */
class Sheets extends Screen {
  readonly #group = new Reading(this, {
    args: () => [this.query.get('group') ?? ''] as const,
    task: ([group], { signal }) =>
      group
        ? call<WireGroup>(`/community/groups/${encodeURIComponent(group)}`, { withCan: true }, { signal })
        : undefined,
  })

  override render() {
    const content = readState(this.query)
    const group = content.group === this.#group.value?.id ? this.#group.value : undefined
    // Items of a group are categorized by those who may publish its categories.
    const isReadOnly = group !== undefined && !may('assignGroupCategorySchema', group)
    return html`<cartulary-heading text=${t('heading')} note=${group ? t('ofGroup', { group: group.title }) : t('note')}>
        ${button(t('content'), { icon: 'folder', href: hrefTo('content', {}, { group: content.group }) })}
      </cartulary-heading>
      <div class="stack">
        <cartulary-sheet-download .content=${content}></cartulary-sheet-download>
        ${isReadOnly ? html`<p class="quiet">${t('onlyManagers')}</p>` : html`<cartulary-sheet-import .group=${content.group}></cartulary-sheet-import>`}
        <cartulary-item-runs .isOpen=${true}></cartulary-item-runs>
      </div>`
  }
}

customElements.define('cartulary-sheets', Sheets)
