import { html, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { formatDistance, formatMoment, formatUtc } from '../texts/formats.ts'
import { PageElement } from './page.ts'

/** Time after which distances from now are shown again, in milliseconds (chosen). */
const interval = 30_000
/** Difference of two readings of the clock that is none, in milliseconds: one page is rendered in less. */
const sameTime = 1_000

/** Moments that show their distance from now: all are from the same now. */
const shown = new Set<Moment>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** Reads the clock; if it has moved, all distances are shown again. */
function readClock(): void {
  const read = Date.now()
  if (Math.abs(read - now) < sameTime) return
  now = read
  for (const moment of shown) moment.requestUpdate()
}

/** The clock runs while a distance is shown on a page that is seen. */
function runClock(): void {
  const isNeeded = shown.size > 0 && !document.hidden
  if (isNeeded === (timer !== undefined)) return
  clearInterval(timer)
  timer = isNeeded ? setInterval(readClock, interval) : undefined
  if (isNeeded) readClock()
}

document.addEventListener('visibilitychange', runClock)

/** A moment in local time, with UTC in its title; with `distance`, the time from now, which is kept up to date. */
class Moment extends PageElement {
  /** Milliseconds since 1970. */
  @property({ type: Number }) value!: number
  @property({ type: Boolean }) distance = false

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('distance')) this.#follow()
    if (this.distance) readClock()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#follow()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#follow()
  }

  #follow(): void {
    if (this.distance && this.isConnected) shown.add(this)
    else shown.delete(this)
    runClock()
  }

  override render() {
    const local = formatMoment(this.value)
    const utc = formatUtc(this.value)
    return this.distance
      ? html`<time datetime=${new Date(this.value).toISOString()} title="${local} · ${utc}">${formatDistance(this.value, now)}</time>`
      : html`<time datetime=${new Date(this.value).toISOString()} title=${utc}>${local}</time>`
  }
}

customElements.define('cartulary-moment', Moment)
