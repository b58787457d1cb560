import { html } from 'lit'
import { property } from 'lit/decorators.js'
import { formatDistance, formatMoment, formatUtc } from '../texts/formats.ts'
import { PageElement } from './page-element.ts'

/** A moment in local time, with UTC in its title; with `distance`, the time from now. */
class Moment extends PageElement {
  /** Milliseconds since 1970. */
  @property({ type: Number }) value!: number
  @property({ type: Boolean }) distance = false

  override render() {
    const local = formatMoment(this.value)
    const utc = formatUtc(this.value)
    return this.distance
      ? html`<time datetime=${new Date(this.value).toISOString()} title="${local} · ${utc}">${formatDistance(this.value)}</time>`
      : html`<time datetime=${new Date(this.value).toISOString()} title=${utc}>${local}</time>`
  }
}

customElements.define('cartulary-moment', Moment)
