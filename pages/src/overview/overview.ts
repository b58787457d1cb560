import { css, html, nothing, svg } from 'lit'
import { property } from 'lit/decorators.js'
import { type Coverage, linesOf } from '../coverage/covered-tree.ts'
import { PageElement, Reading } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may } from '../session/session.ts'
import { formatDay } from '../texts/formats.ts'
import { ofCoverage, ofOverview as t } from '../texts/rooms.ts'
import { listRecentChanges, type OwnGroup, type RecentChange } from './changes.ts'

/** Rows of a list that are shown; the others are on the page of coverage (chosen). */
const shownRows = 3
/** Days of the line (chosen). */
const shownDays = 90

/** Part of the first screen that is loaded once the rest is shown: how far items have categories, and the latest changes. */
class Overview extends PageElement {
  static override styles = css`
    .line {
      display: block;
      width: 100%;
      height: 2.5rem;
    }
  `

  @property({ attribute: false }) groups: readonly OwnGroup[] = []
  /** Whether the organization has categories. */
  @property({ type: Boolean, attribute: 'has-schema' }) hasSchema = false

  readonly #coverage = new Reading(this, {
    args: () => [this.hasSchema],
    task: ([hasSchema], { signal }) =>
      hasSchema ? call<Coverage>('/content/categories/coverage', {}, { signal }) : undefined,
  })

  readonly #changes = new Reading(this, {
    args: () => [this.groups],
    task: ([groups], { signal }) => listRecentChanges(groups, signal),
  })

  override render() {
    return html`<div class="cards">
      ${this.hasSchema ? this.#coverage.showLatest((coverage) => coverage && renderCoverage(coverage)) : nothing}
      ${this.#changes.showLatest(renderChanges)}
    </div>`
  }
}

/** The bar of what has categories, its line of days, and what has none, by type and by owner. */
function renderCoverage({ items, uncategorized, uncategorizedByType, uncategorizedByOwner, history }: Coverage) {
  if (items === 0) return nothing
  const linkTo = (more: Readonly<Record<string, string>>) =>
    hrefTo('content', {}, { show: 'uncategorized', whose: 'organization', ...more })
  const renderCounts = (kind: 'owner' | 'type', counts: Coverage['uncategorizedByType']) =>
    counts.length === 0
      ? nothing
      : html`<h3>${ofCoverage(`uncategorized_${kind}`)}</h3>
          <ul role="list">${counts
            .slice(0, shownRows)
            .map(
              ({ value, count }) =>
                html`<li class="spread"><a href=${linkTo({ [kind]: value })}>${value}</a><span>${ofCoverage('items', { count })}</span></li>`,
            )}</ul>`
  return html`<section class="panel stack" aria-labelledby="coverage">
    <h2 id="coverage"><a href=${hrefTo('coverage')}>${t('coverage')}</a></h2>
    <div>${t('categorized', { count: items - uncategorized, items })}
      <svg class="bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="own" width=${1 - uncategorized / items} height="1"></rect>`}</svg>
      ${renderLine(history.slice(-shownDays))}
    </div>
    ${renderCounts('type', uncategorizedByType)}${renderCounts('owner', uncategorizedByOwner)}
  </section>`
}

/** Items without a category, day by day. */
function renderLine(days: Coverage['history']) {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last || first === last) return nothing
  const [from, to] = [formatDay(first.day), formatDay(last.day)]
  const text = ofCoverage('historyText', { from, to, before: first.uncategorized, after: last.uncategorized })
  return html`<svg class="line" viewBox="0 0 600 40" preserveAspectRatio="none" aria-hidden="true">${svg`<polyline points=${linesOf(days, 600, 40).uncategorized}></polyline>`}</svg>
    <p class="quiet">${text}</p>`
}

function renderChanges(changes: readonly RecentChange[]) {
  if (changes.length === 0) return nothing
  return html`<section class="panel stack" aria-labelledby="changes"><h2 id="changes">${t('changes')}</h2><ul role="list" class="entries">
    ${changes.map(
      ({ at, actor, news, target, href }) => html`<li>
        <div>
          <a href=${href}>${news}</a>${target === '' ? nothing : html` · <bdi>${target}</bdi>`}
          <div class="quiet"><bdi>${actor}</bdi> · <cartulary-moment value=${at} distance></cartulary-moment></div>
        </div>
      </li>`,
    )}
  </ul>${may('listPortalHistory') ? html`<p><a href=${hrefTo('log')}>${t('toLog')}</a></p>` : nothing}</section>`
}

customElements.define('cartulary-overview', Overview)
