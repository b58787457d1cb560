import '../events.ts'
import './invitation-state.ts'
import '../partner-files/partner-files.ts'
import { html, nothing } from 'lit'
import { query } from 'lit/decorators.js'
import { maxHours } from '../../../../src/collaborations/invitation.ts'
import type { WireInvitationFile } from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { WireInvitationView } from '../../../../src/http/shapes/collaborations/invitation.ts'
import { announce } from '../../elements/announce.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { Reading } from '../../elements/reading.ts'
import { saveFile } from '../../elements/save-file.ts'
import { Screen } from '../../elements/screen.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { call, callForFile, post } from '../../session/session.ts'
import { invitationPath } from '../records.ts'
import { stateOf } from '../state.ts'
import { t } from '../texts.ts'
import { listInvitationSteps } from '../timeline.ts'

/** An invitation: its state and remaining time, its file, its history, and the actions to prolong it or take it back. */
class Invitation extends Screen {
  @query('#refresh') refreshDialog!: DialogForm
  @query('#takeBack') takeBackDialog!: DialogForm

  readonly #invitation = new Reading(this, {
    args: () => [this.parameters['collaboration'] ?? '', this.parameters['invitation'] ?? ''] as const,
    task: ([collaboration, invitation], { signal }) =>
      call<WireInvitationView>(invitationPath(collaboration, invitation), {}, { signal }),
  })

  override render() {
    const { value } = this.#invitation
    if (!value || value.id !== this.parameters['invitation']) {
      return html`<cartulary-heading text=${t('invitation')}></cartulary-heading>${this.#invitation.show(() => nothing)}`
    }
    return this.#renderInvitation(value)
  }

  #renderInvitation(invitation: WireInvitationView) {
    const { guestPortalUrl, invitationString, config } = invitation
    const now = Date.now()
    const state = stateOf(invitation, now)
    const request = (JSON.parse(invitationString) as WireInvitationFile).invitationRequest
    const host = new URL(guestPortalUrl).host
    return html`<cartulary-heading text=${t('invitationTo', { name: guestPortalUrl })}>
        ${
          state === 'open'
            ? html`<wa-button variant="brand" @click=${() => saveFile(new Blob([invitationString]), config.invitationRequestFilename)}
                ><wa-icon slot="start" name="download"></wa-icon>${t('saveFile')}</wa-button>`
            : nothing
        }
        ${
          state === 'open' || state === 'expired'
            ? html`<wa-button appearance="outlined" @click=${() => this.refreshDialog.open()}
                  ><wa-icon slot="start" name="refresh"></wa-icon>${t('refresh')}</wa-button>
                <wa-button appearance="outlined" @click=${() => this.takeBackDialog.open()}
                  ><wa-icon slot="start" name="undo"></wa-icon>${t('takeBack')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        <cartulary-invitation-state .invitation=${invitation} @end=${() => this.requestUpdate()}></cartulary-invitation-state>
        <p>${t(`next_${state}`)}</p>
        <p><a href=${hrefTo('collaboration', { collaboration: invitation.collaborationId })}>${request.collaborationName}</a></p>
        <cartulary-partner-files class="no-print" @changed=${this.#reload}></cartulary-partner-files>
        <h2>${t('workspaces')}</h2>
        <ul>
          ${request.collaborationWorkspaces.map(
            ({ name, accessMode }) =>
              html`<li><bdi>${name}</bdi> <span class="quiet">${t(`access_${accessMode as 'send'}`)}</span></li>`,
          )}
        </ul>
        <h2>${t('timeline')}</h2>
        <cartulary-events .events=${listInvitationSteps(invitation, now)}></cartulary-events>
      </div>
      <cartulary-dialog-form id="refresh" heading=${t('refresh')} action=${t('refresh')} .work=${this.#refresh} @done=${this.#reload}
        ><p>${t('refreshText', { hours: maxHours })}</p></cartulary-dialog-form>
      <cartulary-dialog-form
        id="takeBack" danger heading=${t('takeBack')} action=${t('takeBack')} typed=${host} .work=${this.#takeBack} @done=${this.#reload}
      ><p>${t('takeBackText')}</p></cartulary-dialog-form>`
  }

  readonly #refresh = async () => {
    const { value } = this.#invitation
    const file = await callForFile(`${this.#path()}/refresh`, {}, { method: 'POST' })
    saveFile(file, value?.config.invitationRequestFilename ?? 'collaboration.invite')
    announce(t('refreshed_done'))
  }

  readonly #takeBack = async () => {
    await post(`${this.#path()}/invalidate`)
    announce(t('takenBack_done'))
  }

  #path(): string {
    return invitationPath(this.parameters['collaboration'] ?? '', this.parameters['invitation'] ?? '')
  }

  readonly #reload = () => void this.#invitation.run()
}

customElements.define('cartulary-invitation', Invitation)
