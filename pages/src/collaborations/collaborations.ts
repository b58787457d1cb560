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
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { Screen } from '../elements/screen.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { findHosts } from './hosts.ts'
import { collaborationPath, collaborationsPath, type Entries, listPages } from './records.ts'
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

  /** The organizations that host the others, by their ids: the list has only those. */
  readonly #hosts = new Task(this, {
    args: () => [this.#list.value?.entries] as const,
    task: ([entries = []], { signal }) => {
      const ids = entries.filter(isHostedElsewhere).map(({ id }) => id)
      return findHosts(ids, (id) => findHost(id, signal), signal)
    },
  })

  constructor() {
    super()
    this.pages = 1
  }

  override render() {
    const canManage = may('createCollaboration')
    return html`<cartulary-heading text=${t('collaborations')} note=${t('collaborationsText')}>
        ${
          canManage
            ? html`<wa-button variant="brand" href=${hrefTo('newCollaboration')}
                ><wa-icon slot="start" name="plus"></wa-icon>${t('newCollaboration')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        ${canManage ? html`<cartulary-partner-files class="no-print" @changed=${() => this.#list.run()}></cartulary-partner-files>` : nothing}
        ${this.#renderList()}
      </div>`
  }

  #renderList() {
    if (!may('listCollaborations')) {
      return html`<cartulary-empty icon="shield" heading=${t('mayNot')} text=${t('mayNotText')}></cartulary-empty>`
    }
    const { value, error } = this.#list
    if (error !== undefined) {
      return html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#list.run()}></cartulary-problem>`
    }
    return value ? this.#renderTable(value) : html`<cartulary-loading></cartulary-loading>`
  }

  #renderHost(collaboration: WireCollaboration) {
    if (!isHostedElsewhere(collaboration)) return html`<bdi>${signedIn()?.portal.name}</bdi>`
    const host = this.#hosts.value?.get(collaboration.id)
    return host ? html`<div><bdi>${host.name}</bdi><div class="quiet"><bdi>${host.url}</bdi></div></div>` : nothing
  }

  #renderTable({ entries, total }: Entries<WireCollaboration>) {
    if (entries.length === 0) {
      return html`<cartulary-empty icon="share" heading=${t('noCollaborations')} text=${t('noCollaborationsText')}></cartulary-empty>`
    }
    return html`<table>
        <thead>
          <tr>
            <th scope="col">${t('name')}</th>
            <th scope="col">${t('part')}</th>
            <th scope="col">${t('host')}</th>
            <th scope="col">${t('created')}</th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(
            (each) => html`<tr>
              <th scope="row">
                <a href=${hrefTo('collaboration', { collaboration: each.id })}>${each.name}</a>
                ${each.description ? html`<div class="quiet"><bdi>${each.description}</bdi></div>` : nothing}
              </th>
              <td data-label=${t('part')}>${isHostedElsewhere(each) ? t('guest') : t('host')}</td>
              <td data-label=${t('host')}>${this.#renderHost(each)}</td>
              <td data-label=${t('created')}><cartulary-moment .value=${each.created}></cartulary-moment></td>
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

function isHostedElsewhere({ collaborationHostPortalId }: WireCollaboration): boolean {
  return collaborationHostPortalId !== signedIn()?.portal.id
}

/** A host is the first participant of its collaboration. */
async function findHost(id: string, signal: AbortSignal) {
  const { participants } = await call<{ readonly participants: readonly WireParticipant[] }>(
    `${collaborationPath(id)}/participants`,
    { num: 1 },
    { signal },
  )
  return participants.find(({ collaborationRole }) => collaborationRole === 'Host')?.portalInfo
}

customElements.define('cartulary-collaborations', Collaborations)
