import '../content/bulk/item-runs.ts'
import './sheet-download.ts'
import './sheet-import.ts'
import { html } from 'lit'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { readState } from '../content/state.ts'
import { Reading } from '../elements/reading.ts'
import { Screen } from '../elements/screen.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call } from '../session/session.ts'
import { t } from './texts.ts'

/** Categories of many items in a spreadsheet: downloaded, edited there, shown as changes, applied, and undone. */
class Sheets extends Screen {
  readonly #group = new Reading(this, {
    args: () => [this.query.get('group') ?? ''] as const,
    task: async ([group], { signal }) =>
      group ? (await call<WireGroup>(`/community/groups/${encodeURIComponent(group)}`, {}, { signal })).title : '',
  })

  override render() {
    const content = readState(this.query)
    const title = this.#group.value
    return html`<cartulary-heading text=${t('heading')} note=${content.group && title ? t('ofGroup', { group: title }) : t('note')}>
        <wa-button appearance="outlined" href=${hrefTo('content', {}, { group: content.group })}><wa-icon slot="start" name="folder"></wa-icon>${t('content')}</wa-button>
      </cartulary-heading>
      <div class="stack">
        <cartulary-sheet-download .content=${content}></cartulary-sheet-download>
        <cartulary-sheet-import .group=${content.group}></cartulary-sheet-import>
        <cartulary-item-runs .isOpen=${true}></cartulary-item-runs>
      </div>`
  }
}

customElements.define('cartulary-sheets', Sheets)
