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

/** State of an invitation, in words and by an icon, and how long it stays open. Emits `end` when it ends. */
class InvitationStateMark extends PageElement {
  @property({ attribute: false }) invitation!: Pick<WireInvitation, 'status' | 'expiration'>

  override render() {
    const state = stateOf(this.invitation, Date.now())
    const { icon, variant } = looks[state]
    return html`<span class="row">
      <wa-tag variant=${variant}><wa-icon name=${icon}></wa-icon> ${t(`state_${state}`)}</wa-tag>
      ${state === 'open' ? html`<cartulary-countdown .until=${this.invitation.expiration} @end=${this.#end}></cartulary-countdown>` : nothing}
    </span>`
  }

  #end(): void {
    this.requestUpdate()
    this.dispatchEvent(new Event('end'))
  }
}

customElements.define('cartulary-invitation-state', InvitationStateMark)

/** Time until a moment, counted in the browser. Emits `end` when it is reached. */
class Countdown extends PageElement {
  /** Milliseconds since 1970. */
  @property({ type: Number }) until!: number

  #timer: number | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearTimeout(this.#timer)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  override render() {
    const left = Math.max(0, this.until - Date.now())
    return html`<span role="timer">${left > 0 ? t('timeLeft', { span: formatSpan(left) }) : t('timeOver')}</span>`
  }

  protected override updated(): void {
    window.clearTimeout(this.#timer)
    const left = this.until - Date.now()
    if (left <= 0) return
    this.#timer = window.setTimeout(() => {
      this.requestUpdate()
      if (this.until <= Date.now()) this.dispatchEvent(new Event('end'))
    }, untilNextTick(left))
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

customElements.define('cartulary-countdown', Countdown)
