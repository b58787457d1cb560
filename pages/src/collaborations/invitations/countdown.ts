import { html } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement } from '../../elements/page.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { presentLanguage } from '../../texts/texts.ts'
import { splitSpan, untilNextTick } from '../state.ts'

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
