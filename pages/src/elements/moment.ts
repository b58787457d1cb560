import { html } from 'lit'
import { formatDistance, formatMoment, formatUtc } from '../texts/formats.ts'
import { PageElement } from './page-element.ts'

/** A moment in local time, with UTC in its title; or, with `distance`, how far it is from now. */
class Moment extends PageElement {
  static override properties = { value: { type: Number }, distance: { type: Boolean } }

  /** Milliseconds since 1970. */
  declare value: number
  declare distance: boolean

  override render() {
    const local = formatMoment(this.value)
    const utc = formatUtc(this.value)
    return this.distance
      ? html`<time datetime=${new Date(this.value).toISOString()} title="${local} · ${utc}">${formatDistance(this.value)}</time>`
      : html`<time datetime=${new Date(this.value).toISOString()} title=${utc}>${local}</time>`
  }
}

customElements.define('cartulary-moment', Moment)
