import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { PageElement } from '../elements/page.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { type Counts, fullnessOf, limitNames } from './model/counts.ts'

/** Use of each limit of the schema, with a warning near it and above it: to use all that is allowed needs none. */
class LimitsBar extends PageElement {
  static override styles = css`
    dl {
      font-size: 0.875rem;
    }
    dd {
      color: var(--wa-color-text-normal);
      font-variant-numeric: tabular-nums;
    }
    /* A narrow window has the room for the categories, and for what comes near its limit. */
    @media (max-width: 40rem) {
      div:has(.free):not(:last-child) {
        display: none;
      }
    }
  `

  @property({ attribute: false }) counts!: Counts
  @property({ attribute: false }) limits!: SchemaLimits

  override render() {
    return html`<dl class="line" aria-label=${t('limits')}>${limitNames.map((limit) => {
      const used = this.counts[limit]
      const max = this.limits[limit]
      const fullness = fullnessOf(used, max)
      return html`<div>
        <dt>${t(limit)}</dt>
        <dd class=${fullness} data-limit=${limit}>
          ${t('usedOf', { used: formatNumber(used), max: formatNumber(max) })}
          ${fullness === 'free' || fullness === 'full' ? nothing : html`<wa-icon name="warning" label=${t(fullness)}></wa-icon>`}
        </dd>
      </div>`
    })}</dl>`
  }
}

customElements.define('cartulary-limits-bar', LimitsBar)
