import { css, html, svg } from 'lit'
import { property, state } from 'lit/decorators.js'
import { renderTable } from '../elements/lists/table.ts'
import { button, PageElement } from '../elements/page.ts'
import { formatDay, formatNumber } from '../texts/formats.ts'
import { ofCoverage as t } from '../texts/rooms.ts'
import { type CountedDay, linesOf } from './history-lines.ts'

const [width, height] = [600, 120]

/** All items and those without a category, day by day: as lines or as a table. */
class CoverageHistory extends PageElement {
  static override styles = css`
    svg {
      display: block;
      width: 100%;
      height: 9rem;
      border-block-end: 1px solid var(--wa-color-neutral-border-loud);
      overflow: visible;
    }
    polyline {
      fill: none;
      stroke: currentColor;
      stroke-width: 2;
      vector-effect: non-scaling-stroke;
    }
    .uncategorized {
      stroke-dasharray: 6 4;
    }
    .items {
      color: var(--wa-color-brand-fill-loud);
    }
    /* Time runs from left to right, as the lines do. */
    .ends {
      display: flex;
      justify-content: space-between;
      direction: ltr;
    }
    .key {
      display: inline-flex;
      gap: 0.5rem;
      align-items: center;
    }
    .key i {
      width: 2rem;
      border-block-start: 2px solid;
    }
    .key i.uncategorized {
      border-block-start-style: dashed;
    }
  `

  @property({ attribute: false }) days: readonly CountedDay[] = []
  @state() isTable = false

  override render() {
    return html`<section class="panel stack" aria-labelledby="history">
      <h2 id="history">${t('history')}</h2>
      ${this.isTable ? this.#renderTable() : this.#renderLines()}
      <div class="no-print">${button(t(this.isTable ? 'asLines' : 'asTable'), { size: 's', onClick: () => (this.isTable = !this.isTable) })}</div>
    </section>`
  }

  #renderLines() {
    const { items, uncategorized, most } = linesOf(this.days, width, height)
    const first = this.days[0]!
    const last = this.days.at(-1)!
    const text = t('historyText', {
      from: formatDay(first.day),
      to: formatDay(last.day),
      before: first.uncategorized,
      after: last.uncategorized,
    })
    return html`<div>
        <p class="quiet">${t('items', { count: most })}</p>
        <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${text}>
          ${svg`<polyline class="items" points=${items}></polyline><polyline class="uncategorized" points=${uncategorized}></polyline>`}
        </svg>
        <p class="ends quiet"><span>${formatDay(first.day)}</span><span>${formatDay(last.day)}</span></p>
      </div>
      <p class="row"><span class="key"><i class="items"></i>${t('allItems')}</span><span class="key"><i class="uncategorized"></i>${t('uncategorized')}</span></p>
      <p>${text}</p>`
  }

  #renderTable() {
    return renderTable(this.days.toReversed(), [
      [t('day'), ({ day }) => formatDay(day)],
      [t('allItems'), ({ items }) => formatNumber(items)],
      [t('uncategorized'), ({ uncategorized }) => formatNumber(uncategorized)],
    ])
  }
}

customElements.define('cartulary-coverage-history', CoverageHistory)
