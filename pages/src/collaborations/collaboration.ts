import { choice, readFields } from '../elements/fields.ts'
import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import '../forms/secret.ts'
import './events.ts'
import './invitations/invitation-state.ts'
import './partner-files/partner-files.ts'
import './workspaces.ts'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { accessModes, collaborationLimits } from '../../../src/collaborations/collaboration.ts'
import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import { renderTable } from '../elements/lists/table.ts'
import { saveFile } from '../elements/save-file.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { callForFile, post, signedIn } from '../session/session.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import { accessOf, changedAccess } from './access.ts'
import { limitedField } from './limited-field.ts'
import { collaborationPath, nameResponse, readWhole, type WholeCollaboration } from './records.ts'
import { listEvents } from './timeline.ts'

/** A collaboration: for its host with invitations, guests and workspaces; for a guest with its own tasks. */
class Collaboration extends Screen {
  @state() pages = 1
  /** Participant that a dialog is about. */
  @state() chosen: WireParticipant | undefined

  readonly #saving = new Action(this)

  readonly #whole = new Reading(this, {
    args: () => [this.parameters['collaboration'] ?? '', signedIn()?.portal.id ?? '', this.pages] as const,
    task: ([id, portalId, pages], { signal }) => readWhole(id, portalId, pages, signal),
  })

  override render() {
    const { value } = this.#whole
    if (!value || value.collaboration.id !== this.parameters['collaboration']) {
      return html`<cartulary-heading text=${t('collaboration')}></cartulary-heading>${this.#whole.show(() => nothing)}`
    }
    return this.#renderWhole(value, value.collaboration.collaborationHostPortalId === signedIn()?.portal.id)
  }

  #renderWhole({ collaboration, workspaces, participants, invitations }: WholeCollaboration, isHost: boolean) {
    const { id, name, description, created } = collaboration
    const events = isHost
      ? listEvents(collaboration, workspaces.entries, participants.entries, invitations.entries, Date.now())
      : [{ kind: 'accepted', at: created } as const]
    return html`<cartulary-heading text=${name} note=${description || t(isHost ? 'asHost' : 'asGuest')}>
        ${isHost ? this.#renderHostButtons(id) : this.#renderGuestButtons(participants.entries)}
      </cartulary-heading>
      <div class="stack">
        <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
        <cartulary-partner-files class="no-print" @changed=${this.#reload}></cartulary-partner-files>
        ${
          isHost
            ? html`<h2>${t('invitations')}</h2>${this.#renderInvitations(invitations.entries)}`
            : html`<p>${t('guestText', { host: participants.entries.find(({ collaborationRole }) => collaborationRole === 'Host')?.portalInfo.name ?? '' })}</p>`
        }
        <cartulary-own-key label=${t('ownFingerprint')}></cartulary-own-key>
        <h2>${t('participants')}</h2>
        ${this.#renderParticipants(participants.entries, isHost)}
        ${this.#renderMore([invitations, participants, workspaces])}
        <h2>${t('workspaces')}</h2>
        <p class="quiet">${t('notCopied')}</p>
        <cartulary-workspaces
          collaboration=${id} .workspaces=${workspaces.entries} .participants=${participants.entries} ?is-host=${isHost}
          @changed=${this.#reload}
        ></cartulary-workspaces>
        <h2>${t('timeline')}</h2>
        <cartulary-events .collaborationId=${isHost ? id : undefined} .events=${events}></cartulary-events>
      </div>
      <cartulary-dialog-form id="edit" heading=${t('edit')} action=${t('save')} .work=${this.#edit} @done=${this.#reload}>
        ${limitedField('name', t('name'), collaborationLimits.name, true, name)}
        ${limitedField('description', t('description'), collaborationLimits.description, false, description)}
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="end" danger heading=${t(isHost ? 'deleteCollaboration' : 'leave')} action=${t(isHost ? 'delete' : 'leave')} typed=${name}
        .work=${() => post(`${collaborationPath(id)}/${isHost ? 'delete' : 'removeParticipation'}`)}
        @done=${() => goTo(hrefTo('collaborations'))}
      ><p>${t(isHost ? 'deleteCollaborationText' : 'leaveText')}</p></cartulary-dialog-form>
      ${isHost ? this.#renderParticipantDialogs(workspaces.entries) : nothing}`
  }

  #renderHostButtons(collaboration: string) {
    return html`${button(t('invite'), { icon: 'share', variant: 'brand', href: hrefTo('newInvitation', { collaboration }) })}
      ${button(t('edit'), { icon: 'pencil', onClick: () => this.openDialog('#edit') })}
      ${button(t('delete'), { icon: 'trash', onClick: () => this.openDialog('#end') })}`
  }

  #renderGuestButtons(participants: readonly WireParticipant[]) {
    return html`${button(t('saveResponse'), { icon: 'download', variant: 'brand', onClick: () => this.#saveResponse(participants) })}
      ${button(t('leave'), { icon: 'sign-out', onClick: () => this.openDialog('#end') })}`
  }

  #renderInvitations(invitations: readonly WireInvitation[]) {
    if (invitations.length === 0) return html`<p class="quiet">${t('noInvitations')}</p>`
    const hrefOf = ({ collaborationId: collaboration, id: invitation }: WireInvitation) =>
      hrefTo('invitation', { collaboration, invitation })
    return renderTable(invitations, [
      [t('guest'), (each) => html`<a href=${hrefOf(each)}>${each.guestPortalUrl}</a>`],
      [
        t('state'),
        (each) =>
          html`<cartulary-invitation-state .invitation=${each} @end=${() => this.requestUpdate()}></cartulary-invitation-state>`,
      ],
      [t('created'), ({ created }) => html`<cartulary-moment .value=${created}></cartulary-moment>`],
    ])
  }

  /** Renders the participants; the host changes their access, and removes them. */
  #renderParticipants(participants: readonly WireParticipant[], isHost: boolean) {
    return renderTable(participants, [
      [t('organization'), renderOrganization],
      [t('part'), ({ collaborationRole }) => t(collaborationRole === 'Host' ? 'host' : 'guest')],
      [t('since'), ({ created }) => html`<cartulary-moment .value=${created}></cartulary-moment>`],
      ...(isHost ? [[t('actions'), (each: WireParticipant) => this.#renderActions(each), 'no-print'] as const] : []),
    ])
  }

  #renderActions(participant: WireParticipant) {
    const { collaborationRole, portalInfo } = participant
    if (collaborationRole !== 'Guest') return nothing
    return html`<div class="row">
      ${button(html`<span aria-hidden="true">${t('changeAccess')}</span><span class="visually-hidden">${t('changeAccessOf', { name: portalInfo.name })}</span>`, { size: 's', onClick: () => this.#ask('#access', participant) })}
      ${button(html`<span aria-hidden="true">${t('remove')}</span><span class="visually-hidden">${t('removeGuest', { name: portalInfo.name })}</span>`, { size: 's', onClick: () => this.#ask('#remove', participant) })}
    </div>`
  }

  /** Renders the dialogs about a participant. */
  #renderParticipantDialogs(workspaces: readonly WireWorkspace[]) {
    const name = this.chosen?.portalInfo.name ?? ''
    const path = `${collaborationPath(this.chosen?.collaborationId ?? '')}/participants/${this.chosen?.portalInfo.id ?? ''}`
    return html`<cartulary-dialog-form
        id="access" heading=${t('changeAccessOf', { name })} action=${t('save')} @done=${this.#reload}
        .work=${() => {
          const chosen = readFields(this.dialogOf('#access'))
          const changes = changedAccess(workspaces, this.chosen?.portalInfo.id ?? '', chosen)
          if (changes.length === 0) return Promise.resolve()
          return post(`${path}/updateParticipantAccessModes`, {
            collaborationWorkspacesAccessJSON: JSON.stringify(changes),
          })
        }}
      >
        ${workspaces.map((workspace) => {
          const present = this.chosen && accessOf(workspace, this.chosen.portalInfo.id)
          const modes = present ? accessModes : (['', ...accessModes] as const)
          return choice(workspace.id, workspace.name, modes, (mode) => t(`access_${mode || 'none'}`), present ?? '')
        })}
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="remove" danger heading=${t('removeGuest', { name })} action=${t('remove')} typed=${name} @done=${this.#reload}
        .work=${() => post(`${path}/remove`)}
      ><p>${t('removeGuestText')}</p></cartulary-dialog-form>`
  }

  #ask(dialog: string, participant: WireParticipant): Promise<void> {
    this.chosen = participant
    return this.openDialog(dialog)
  }

  #renderMore(lists: readonly { readonly entries: readonly unknown[]; readonly total: number }[]) {
    if (lists.every(({ entries, total }) => entries.length >= total)) return nothing
    return html`<div>${button(t('showMore'), { size: 's', onClick: () => this.pages++ })}</div>`
  }

  readonly #reload = () => void this.#whole.run()

  readonly #edit = async () => {
    const id = this.parameters['collaboration'] ?? ''
    await post(`${collaborationPath(id)}/updateInfo`, readFields(this.dialogOf('#edit')))
    announce(t('saved'))
  }

  async #saveResponse(participants: readonly WireParticipant[]): Promise<void> {
    const own = participants.find(({ portalInfo }) => portalInfo.id === signedIn()?.portal.id)
    const path = `${collaborationPath(this.parameters['collaboration'] ?? '')}/exportInvitationResponse`
    await this.#saving.run(async () => {
      saveFile(await callForFile(path, {}, { method: 'POST' }), nameResponse(own?.portalInfo.url))
    })
  }
}

function renderOrganization({ portalInfo, config }: WireParticipant) {
  const contact = [config.contactFirstname, config.contactLastname, config.contactEmailAddress].filter(Boolean)
  return html`<bdi>${portalInfo.name}</bdi>
    <div class="quiet"><bdi>${portalInfo.url}</bdi></div>
    ${contact.length > 0 ? html`<div class="quiet">${t('contact')}: <bdi>${contact.join(' ')}</bdi></div>` : nothing}`
}

customElements.define('cartulary-collaboration', Collaboration)
