import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/heading.ts'
import '../elements/moment.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import './partner-files/partner-files.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { Screen } from '../elements/screen.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { mayUse, signedIn } from '../session/session.ts'
import { collaborationsPath, type Entries, listPages, partnerPrivilege } from './records.ts'
import { t } from './texts.ts'

/** The collaborations that the organization hosts or takes part in, and the way in for files of partners. */
class Collaborations extends Screen {
  static override properties = { pages: { state: true } }

  static override styles = [...Screen.styles, stackedTable]

  declare pages: number

  readonly #list = new Task(this, {
    args: () => [this.pages],
    task: ([pages], { signal }) => listPages<WireCollaboration>(collaborationsPath, 'collaborations', pages, signal),
  })

  constructor() {
    super()
    this.pages = 1
  }

  override render() {
    const canManage = mayUse(partnerPrivilege)
    return html`<cartulary-heading text=${t('collaborations')} note=${t('collaborationsText')}>
        ${
          canManage
            ? html`<wa-button variant="brand" href=${hrefTo('newCollaboration')}
                ><wa-icon slot="start" name="plus"></wa-icon>${t('newCollaboration')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        ${canManage ? html`<cartulary-partner-files @changed=${() => this.#list.run()}></cartulary-partner-files>` : nothing}
        ${this.#renderList()}
      </div>`
  }

  #renderList() {
    if (!mayUse(partnerPrivilege)) {
      return html`<cartulary-empty icon="shield" heading=${t('mayNot')} text=${t('mayNotText')}></cartulary-empty>`
    }
    const { value, error } = this.#list
    if (error !== undefined) {
      return html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#list.run()}></cartulary-problem>`
    }
    return value ? this.#renderTable(value) : html`<cartulary-loading></cartulary-loading>`
  }

  #renderTable({ entries, total }: Entries<WireCollaboration>) {
    if (entries.length === 0) {
      return html`<cartulary-empty icon="share" heading=${t('noCollaborations')} text=${t('noCollaborationsText')}></cartulary-empty>`
    }
    const own = signedIn()?.portal.id
    return html`<table>
        <thead>
          <tr><th scope="col">${t('name')}</th><th scope="col">${t('part')}</th><th scope="col">${t('created')}</th></tr>
        </thead>
        <tbody>
          ${entries.map(
            ({ id, name, description, collaborationHostPortalId, created }) => html`<tr>
              <th scope="row">
                <a href=${hrefTo('collaboration', { collaboration: id })}>${name}</a>
                ${description ? html`<div class="quiet">${description}</div>` : nothing}
              </th>
              <td>${collaborationHostPortalId === own ? t('asHost') : t('asGuest')}</td>
              <td><cartulary-moment .value=${created}></cartulary-moment></td>
            </tr>`,
          )}
        </tbody>
      </table>
      ${
        total > entries.length
          ? html`<div class="row">
              <span class="quiet">${t('shown', { shown: entries.length, total })}</span>
              <wa-button appearance="outlined" size="s" @click=${() => this.pages++}>${t('showMore')}</wa-button>
            </div>`
          : nothing
      }`
  }
}

customElements.define('cartulary-collaborations', Collaborations)
