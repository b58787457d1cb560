import { announce, button, Reading, Screen } from '../../elements/page.ts'
import '../events.ts'
import './invitation-state.ts'
import '../partner-files/partner-files.ts'
import { html, nothing } from 'lit'
import { maxHours } from '../../../../src/collaborations/invitation.ts'
import type { WireCollaboration } from '../../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitationFile } from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { WireInvitationView } from '../../../../src/http/shapes/collaborations/invitation.ts'
import { saveFile } from '../../elements/save-file.ts'
import { readFingerprint } from '../../forms/secret.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { call, callForFile, may, post } from '../../session/session.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { collaborationPath, invitationPath } from '../records.ts'
import { stateOf } from '../state.ts'
import { listInvitationSteps } from '../timeline.ts'
import { nameInvitation } from './invitation-file.ts'
import { draftMail } from './mail-draft.ts'

interface Shown {
  readonly invitation: WireInvitationView
  readonly collaboration: WireCollaboration
  /** Fingerprint of the own organization's key, in hex. */
  readonly fingerprint: string
}

/** An invitation: its state and remaining time, its file, its history, and the actions to prolong it or take it back. */
class Invitation extends Screen {
  readonly #invitation = new Reading(this, {
    args: () => [this.parameters['collaboration'] ?? '', this.parameters['invitation'] ?? ''] as const,
    task: async ([collaborationId, id], { signal }): Promise<Shown> => {
      const [invitation, collaboration, fingerprint] = await Promise.all([
        call<WireInvitationView>(invitationPath(collaborationId, id), { withCan: true }, { signal }),
        call<WireCollaboration>(collaborationPath(collaborationId), { withCan: true }, { signal }),
        readFingerprint(signal),
      ])
      return { invitation, collaboration, fingerprint }
    },
  })

  override render() {
    const { value } = this.#invitation
    if (!value || value.invitation.id !== this.parameters['invitation']) {
      return html`<cartulary-heading text=${t('invitation')}></cartulary-heading>${this.#invitation.show(() => nothing)}`
    }
    return this.#renderInvitation(value)
  }

  #renderInvitation({ invitation, collaboration, fingerprint }: Shown) {
    const { guestPortalUrl, invitationString, expiration } = invitation
    const now = Date.now()
    const state = stateOf(invitation, now)
    const request = (JSON.parse(invitationString) as WireInvitationFile).invitationRequest
    const host = new URL(guestPortalUrl).host
    const fileName = nameInvitation(request.collaborationName, guestPortalUrl)
    const { collaborationName } = request
    return html`<cartulary-heading text=${t('invitationTo', { name: guestPortalUrl })}>
        ${
          state === 'open'
            ? html`${button(t('saveFile'), { icon: 'download', variant: 'brand', onClick: () => saveFile(new Blob([invitationString]), fileName) })}
                ${button(t('writeMail'), { icon: 'pencil', href: draftMail({ collaborationName, expiration, fingerprint }) })}`
            : nothing
        }
        ${
          state === 'open' || state === 'expired'
            ? html`${button(t('refresh'), { icon: 'refresh', onClick: () => this.openDialog('#refresh') })}
                ${button(t('takeBack'), { icon: 'undo', onClick: () => this.openDialog('#takeBack') })}`
            : nothing
        }
        ${
          state === 'takenBack' && may('inviteParticipant', collaboration)
            ? button(t('inviteAgain'), {
                icon: 'share',
                variant: 'brand',
                href: hrefTo('newInvitation', { collaboration: invitation.collaborationId }, { again: invitation.id }),
              })
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        <cartulary-invitation-state .invitation=${invitation} @end=${() => this.requestUpdate()}></cartulary-invitation-state>
        <p>${t(`next_${state}`)}</p>
        ${
          state === 'open'
            ? html`<p class="quiet">${t('writeMailText', { file: fileName })}</p>
                <cartulary-secret label=${t('ownFingerprint')} value=${fingerprint}></cartulary-secret>`
            : nothing
        }
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
    const file = await callForFile(`${this.#path()}/refresh`, {}, { method: 'POST' })
    const { invitationRequest } = JSON.parse(await file.text()) as WireInvitationFile
    saveFile(file, nameInvitation(invitationRequest.collaborationName, invitationRequest.guestPortalUrl))
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
