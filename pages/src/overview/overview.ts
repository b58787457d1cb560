import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement, Reading } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { ofOverview as t } from '../texts/rooms.ts'
import { listRecentChanges, type OwnGroup, type RecentChange } from './changes.ts'

/** Items without a category of the organization. */
interface Uncategorized {
  readonly all: number
  readonly own: number
}

/** Part of the first screen that is loaded once the rest is shown: items without a category, and the latest changes. */
class Overview extends PageElement {
  @property({ attribute: false }) groups: readonly OwnGroup[] = []
  /** Whether the organization has categories. */
  @property({ type: Boolean, attribute: 'has-schema' }) hasSchema = false

  readonly #uncategorized = new Reading(this, {
    args: () => [this.hasSchema],
    task: ([hasSchema], { signal }) => (hasSchema ? countUncategorized(signal) : undefined),
  })

  readonly #changes = new Reading(this, {
    args: () => [this.groups],
    task: ([groups], { signal }) => listRecentChanges(groups, signal),
  })

  override render() {
    return html`<div class="cards">${
      this.hasSchema
        ? html`<section class="panel stack" aria-labelledby="uncategorized">
            <h2 id="uncategorized">${t('uncategorized')}</h2>
            ${this.#uncategorized.showLatest((counts) => counts && renderUncategorized(counts))}
            <p><a href=${hrefTo('coverage')}>${t('coverage')}</a></p>
          </section>`
        : nothing
    }
    <section class="panel stack" aria-labelledby="changes">
      <h2 id="changes">${t('changes')}</h2>
      ${this.#changes.showLatest(renderChanges)}
      ${may('listPortalHistory') ? html`<p><a href=${hrefTo('log')}>${t('toLog')}</a></p>` : nothing}
    </section></div>`
  }
}

async function countUncategorized(signal: AbortSignal): Promise<Uncategorized> {
  const { username, portal } = signedIn()!
  const count = async (filter: string) =>
    (await call<{ readonly total: number }>('/search', { filter, uncategorized: true, num: 1 }, { signal })).total
  const [all, own] = await Promise.all([count(`orgid:"${portal.id}"`), count(`owner:"${username}"`)])
  return { all, own }
}

function renderUncategorized({ all, own }: Uncategorized) {
  if (all === 0) return html`<p class="quiet">${t('allCategorized')}</p>`
  const link = (whose: string) => hrefTo('content', {}, { show: 'uncategorized', whose })
  return html`<ul role="list" class="entries">
    <li><a href=${link('organization')}>${t('uncategorizedItems', { count: all })}</a></li>
    ${own > 0 ? html`<li><a href=${link('mine')}>${t('ownUncategorized', { count: own })}</a></li>` : nothing}
  </ul>`
}

function renderChanges(changes: readonly RecentChange[]) {
  if (changes.length === 0) return html`<p class="quiet">${t('noChanges')}</p>`
  return html`<ul role="list" class="entries">
    ${changes.map(
      ({ at, actor, news, target, href }) => html`<li>
        <div>
          <a href=${href}>${news}</a>${target === '' ? nothing : html` · <bdi>${target}</bdi>`}
          <div class="quiet"><bdi>${actor}</bdi> · <cartulary-moment value=${at} distance></cartulary-moment></div>
        </div>
      </li>`,
    )}
  </ul>`
}

customElements.define('cartulary-overview', Overview)
