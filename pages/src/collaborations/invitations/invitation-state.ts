import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireInvitation } from '../../../../src/http/shapes/collaborations/invitation.ts'
import type { IconName } from '../../elements/icon-shapes.ts'
import { PageElement } from '../../elements/page.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { presentLanguage } from '../../texts/texts.ts'
import { type InvitationState, splitSpan, stateOf, untilNextTick } from '../state.ts'

const looks = {
  open: { icon: 'clock', variant: 'brand' },
  expired: { icon: 'warning', variant: 'warning' },
  accepted: { icon: 'check', variant: 'success' },
  takenBack: { icon: 'xmark', variant: 'danger' },
} as const satisfies Readonly<Record<InvitationState, { readonly icon: IconName; readonly variant: string }>>

/** State of an invitation, in words and by an icon, and how long it stays open, counted in the browser. Emits `end` when it ends. */
class InvitationStateMark extends PageElement {
  @property({ attribute: false }) invitation!: Pick<WireInvitation, 'status' | 'expiration'>

  #timer: number | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearTimeout(this.#timer)
  }

  override render() {
    const now = Date.now()
    const state = stateOf(this.invitation, now)
    const { icon, variant } = looks[state]
    return html`<span class="row">
      <wa-tag variant=${variant}><wa-icon name=${icon}></wa-icon> ${t(`state_${state}`)}</wa-tag>
      ${state === 'open' ? html`<span role="timer">${t('timeLeft', { span: formatSpan(this.invitation.expiration - now) })}</span>` : nothing}
    </span>`
  }

  protected override updated(): void {
    window.clearTimeout(this.#timer)
    const now = Date.now()
    if (stateOf(this.invitation, now) !== 'open') return
    this.#timer = window.setTimeout(
      () => {
        this.requestUpdate()
        if (stateOf(this.invitation, Date.now()) !== 'open') this.dispatchEvent(new Event('end'))
      },
      untilNextTick(this.invitation.expiration - now),
    )
  }
}

/** `2 days, 3 hours` */
export function formatSpan(span: number): string {
  const language = presentLanguage()
  const parts = splitSpan(span).map(([unit, amount]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
  )
  return new Intl.ListFormat(language, { type: 'unit' }).format(parts)
}

customElements.define('cartulary-invitation-state', InvitationStateMark)
