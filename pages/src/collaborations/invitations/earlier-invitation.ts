import './invitation-state.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireInvitation } from '../../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../../src/http/shapes/collaborations/participant.ts'
import { PageElement } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { listPages } from '../../session/list-pages.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { collaborationPath } from '../records.ts'
import { isSameGuest } from './guest-address.ts'

/** Pages of 100 participants and invitations in which an address is looked for. */
const pages = 10

/** Remark that the portal at an address takes part already, or was invited before; empty otherwise. */
class EarlierInvitation extends PageElement {
  /** Id of the collaboration. */
  @property() collaboration!: string
  @property() address!: string

  readonly #known = new Task(this, {
    args: () => [this.collaboration] as const,
    task: async ([id], { signal }) => {
      const path = collaborationPath(id)
      const [{ entries: participants }, { entries: invitations }] = await Promise.all([
        listPages<WireParticipant>(`${path}/participants`, 'participants', signal, pages),
        listPages<WireInvitation>(`${path}/invitations`, 'collaborationInvitations', signal, pages),
      ])
      return { participants, invitations }
    },
  })

  override render() {
    const { value } = this.#known
    return html`<div role="status">${value && this.address ? this.#renderRemark(value.participants, value.invitations) : nothing}</div>`
  }

  #renderRemark(participants: readonly WireParticipant[], invitations: readonly WireInvitation[]) {
    const guest = participants.find(({ portalInfo }) => isSameGuest(portalInfo.url, this.address))
    if (guest?.collaborationRole === 'Host') return renderCallout(t('guestIsHost'))
    if (guest) {
      return renderCallout(t('guestTakesPart', { name: guest.portalInfo.name, since: formatMoment(guest.created) }))
    }
    const last = invitations
      .filter(({ guestPortalUrl }) => isSameGuest(guestPortalUrl, this.address))
      .toSorted((one, other) => other.created - one.created)[0]
    if (!last) return nothing
    const href = hrefTo('invitation', { collaboration: this.collaboration, invitation: last.id })
    return renderCallout(html`${t('guestWasInvited', { at: formatMoment(last.created) })}
      <div class="row">
        <cartulary-invitation-state .invitation=${last}></cartulary-invitation-state><a href=${href}>${t('openInvitation')}</a>
      </div>`)
  }
}

function renderCallout(content: unknown) {
  return html`<wa-callout variant="warning"><wa-icon slot="icon" name="info"></wa-icon>${content}</wa-callout>`
}

customElements.define('cartulary-earlier-invitation', EarlierInvitation)
