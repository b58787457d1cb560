import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { type AccessMode, accessModes } from '../../../src/collaborations/collaboration.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { readFields } from '../elements/fields.ts'
import { button, PageElement } from '../elements/page.ts'
import { post } from '../session/session.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import { accessOf, changedAccess } from './access.ts'
import { collaborationPath } from './records.ts'

/** Participants; the host changes their access, and removes them. Emits `changed`. */
class Participants extends PageElement {
  @property({ attribute: false }) participants!: readonly WireParticipant[]
  @property({ attribute: false }) workspaces!: readonly WireWorkspace[]
  /** Whether the organization of the person is the host. */
  @property({ type: Boolean, attribute: 'is-host' }) isHost = false
  /** Participant that a dialog is about. */
  @state() chosen: WireParticipant | undefined
  @query('#access') accessDialog!: DialogForm
  @query('#remove') removeDialog!: DialogForm

  override render() {
    return html`<table>
        <thead>
          <tr>
            <th scope="col">${t('organization')}</th><th scope="col">${t('part')}</th><th scope="col">${t('since')}</th>
            ${this.isHost ? html`<th scope="col" class="no-print">${t('actions')}</th>` : nothing}
          </tr>
        </thead>
        <tbody>${this.participants.map((each) => this.#renderOne(each))}</tbody>
      </table>
      ${this.#renderDialogs()}`
  }

  #renderOne(participant: WireParticipant) {
    const { portalInfo, collaborationRole, config, created } = participant
    const contact = [config.contactFirstname, config.contactLastname, config.contactEmailAddress]
      .filter(Boolean)
      .join(' ')
    return html`<tr>
      <th scope="row">
        <bdi>${portalInfo.name}</bdi>
        <div class="quiet"><bdi>${portalInfo.url}</bdi></div>
        ${contact ? html`<div class="quiet">${t('contact')}: <bdi>${contact}</bdi></div>` : nothing}
      </th>
      <td data-label=${t('part')}>${collaborationRole === 'Host' ? t('host') : t('guest')}</td>
      <td data-label=${t('since')}><cartulary-moment .value=${created}></cartulary-moment></td>
      ${
        this.isHost
          ? html`<td class="no-print">${
              collaborationRole === 'Guest'
                ? html`<div class="row">
                    ${button(html`<span aria-hidden="true">${t('changeAccess')}</span><span class="visually-hidden">${t('changeAccessOf', { name: portalInfo.name })}</span>`, { size: 's', onClick: () => this.#ask(this.accessDialog, participant) })}
                    ${button(html`<span aria-hidden="true">${t('remove')}</span><span class="visually-hidden">${t('removeGuest', { name: portalInfo.name })}</span>`, { size: 's', onClick: () => this.#ask(this.removeDialog, participant) })}
                  </div>`
                : nothing
            }</td>`
          : nothing
      }
    </tr>`
  }

  #renderDialogs() {
    const name = this.chosen?.portalInfo.name ?? ''
    const path = `${collaborationPath(this.chosen?.collaborationId ?? '')}/participants/${this.chosen?.portalInfo.id ?? ''}`
    return html`<cartulary-dialog-form
        id="access" heading=${t('changeAccessOf', { name })} action=${t('save')} @done=${this.#change}
        .work=${() => {
          const chosen = readFields(this.accessDialog)
          const changes = changedAccess(this.workspaces, this.chosen?.portalInfo.id ?? '', chosen)
          if (changes.length === 0) return Promise.resolve()
          return post(`${path}/updateParticipantAccessModes`, {
            collaborationWorkspacesAccessJSON: JSON.stringify(changes),
          })
        }}
      >
        <div class="stack">
          ${this.workspaces.map((workspace) => {
            const present = this.chosen && accessOf(workspace, this.chosen.portalInfo.id)
            return html`<label class="field">
              <span>${workspace.name}</span>
              <select name=${workspace.id}>${renderModes(present)}</select>
            </label>`
          })}
        </div>
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="remove" danger heading=${t('removeGuest', { name })} action=${t('remove')} typed=${name} @done=${this.#change}
        .work=${() => post(`${path}/remove`)}
      ><p>${t('removeGuestText')}</p></cartulary-dialog-form>`
  }

  async #ask(dialog: DialogForm, participant: WireParticipant): Promise<void> {
    this.chosen = participant
    await this.updateComplete
    dialog.open()
  }

  readonly #change = () => this.dispatchEvent(new Event('changed'))
}

/** Options for the access mode of a participant in a workspace. */
function renderModes(present: AccessMode | undefined) {
  return html`${present ? nothing : html`<option value="" selected>${t('access_none')}</option>`}
    ${accessModes.map(
      (mode) => html`<option value=${mode} ?selected=${mode === present}>${t(`access_${mode}`)}</option>`,
    )}`
}

customElements.define('cartulary-participants', Participants)
