import { Action, button, Reading, Screen } from '../elements/page.ts'
import './partner-files/partner-files.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { accessModes, collaborationLimits } from '../../../src/collaborations/collaboration.ts'
import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import { choice, readFields, reportFields } from '../elements/fields.ts'
import { renderTable } from '../elements/lists/table.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { type Entries, listPages } from '../session/list-pages.ts'
import { call, may, post, signedIn } from '../session/session.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import { findHosts } from './hosts.ts'
import { limitedField } from './limited-field.ts'
import { collaborationPath, collaborationsPath } from './records.ts'

/** Collaborations that the organization hosts or takes part in, and the entry point for files of partners. */
class Collaborations extends Screen {
  @state() pages = 1

  readonly #list = new Reading(this, {
    args: () => [this.pages],
    task: ([pages], { signal }) => listPages<WireCollaboration>(collaborationsPath, 'collaborations', signal, pages),
  })

  /** Host organizations of the other collaborations, by their ids: the list has only the ids. */
  readonly #hosts = new Task(this, {
    args: () => [this.#list.value?.entries] as const,
    task: ([entries = []], { signal }) => {
      const ids = entries.filter(isHostedElsewhere).map(({ id }) => id)
      return findHosts(ids, (id) => findHost(id, signal), signal)
    },
  })

  override render() {
    const canManage = may('createCollaboration')
    return html`<cartulary-heading text=${t('collaborations')} note=${t('collaborationsText')}>
        ${canManage ? button(t('newCollaboration'), { icon: 'plus', variant: 'brand', href: hrefTo('newCollaboration') }) : nothing}
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
    return this.#list.showLatest((list) => this.#renderTable(list))
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
    return html`${renderTable(entries, [
      [t('name'), renderName],
      [t('part'), (each) => (isHostedElsewhere(each) ? t('guest') : t('host'))],
      [t('host'), (each) => this.#renderHost(each)],
      [t('created'), ({ created }) => html`<cartulary-moment .value=${created}></cartulary-moment>`],
    ])}
      ${
        total > entries.length
          ? html`<div class="row">
              <span class="quiet">${t('shown', { shown: entries.length, total })}</span>
              ${button(t('showMore'), { size: 's', onClick: () => this.pages++ })}
            </div>`
          : nothing
      }`
  }
}

function renderName({ id, name, description }: WireCollaboration) {
  return html`<a href=${hrefTo('collaboration', { collaboration: id })}>${name}</a>
    ${description ? html`<div class="quiet"><bdi>${description}</bdi></div>` : nothing}`
}

function isHostedElsewhere({ collaborationHostPortalId }: WireCollaboration): boolean {
  return collaborationHostPortalId !== signedIn()?.portal.id
}

/** Finds the host, which is the first participant of its collaboration. */
async function findHost(id: string, signal: AbortSignal) {
  const { participants } = await call<{ readonly participants: readonly WireParticipant[] }>(
    `${collaborationPath(id)}/participants`,
    { num: 1 },
    { signal },
  )
  return participants.find(({ collaborationRole }) => collaborationRole === 'Host')?.portalInfo
}

customElements.define('cartulary-collaborations', Collaborations)

/** Creates a collaboration: its name, its first workspace, and a contact for guests. */
class NewCollaboration extends Screen {
  readonly #creation = new Action(this)

  override render() {
    const { name, description, contact } = collaborationLimits
    return html`<cartulary-heading text=${t('newCollaboration')} note=${t('newCollaborationText')}></cartulary-heading>
      <form class="stack" novalidate @submit=${this.#create}>
        ${limitedField('name', t('name'), name, true)} ${limitedField('description', t('description'), description)}
        <h2>${t('firstWorkspace')}</h2>
        <p class="quiet">${t('workspaceText')}</p>
        ${limitedField('workspaceName', t('workspaceName'), name, true)}
        ${limitedField('workspaceDescription', t('workspaceDescription'), description)}
        ${choice('accessMode', t('ownAccess'), accessModes, (mode) => t(`access_${mode}`), 'sendAndReceive')}
        <h2>${t('contact')}</h2>
        <p class="quiet">${t('contactText')}</p>
        ${limitedField('hostContactFirstname', t('firstName'), contact)} ${limitedField('hostContactLastname', t('lastName'), contact)}
        ${limitedField('hostContactEmailAddress', t('email'), contact)}
        <cartulary-problem .error=${this.#creation.error}></cartulary-problem>
        <div class="row">
          ${button(t('create'), { type: 'submit', variant: 'brand', loading: this.#creation.isRunning })}
          ${button(t('cancel'), { appearance: 'plain', href: hrefTo('collaborations') })}
        </div>
        <input type="submit" hidden>
      </form>`
  }

  async #create(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (!reportFields(form)) return
    await this.#creation.run(async () => {
      const { collaboration } = await post<{ readonly collaboration: WireCollaboration }>(
        '/portals/self/createCollaboration',
        readFields(form),
      )
      goTo(hrefTo('collaboration', { collaboration: collaboration.id }))
    })
  }
}

customElements.define('cartulary-new-collaboration', NewCollaboration)
