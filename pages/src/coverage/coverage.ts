import { button, Screen } from '../elements/page.ts'
import './category-policy.ts'
import '../elements/tree.ts'
import { css, html, nothing, svg } from 'lit'
import { state } from 'lit/decorators.js'
import { ItemReading } from '../content/changed-items.ts'
import { renderTable } from '../elements/lists/table.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, screenOf } from '../owners/owners.ts'
import { readOwnerTitle } from '../schemas/requests.ts'
import { call } from '../session/session.ts'
import { formatDay, formatNumber, formatTrail } from '../texts/formats.ts'
import { ofElements, ofCoverage as t } from '../texts/rooms.ts'
import {
  barOf,
  type CountedDay,
  type Coverage,
  type CoveredNode,
  depthOf,
  linesOf,
  openToLevel,
  treeOf,
} from './covered-tree.ts'

/** Owners and types that are shown before the person asks for all (chosen). */
const maxShown = 10
/** Categories of a level that are shown before that (chosen). */
const maxCategories = 25

const icons = { empty: 'circle-xmark', overfull: 'warning' } as const

type Kind = 'owner' | 'type' | 'category'

/** How the items of the organization, or of a group, are spread over its categories, and which have none. */
class CoverageScreen extends Screen {
  static override styles = css`
    .history {
      display: block;
      width: 100%;
      height: 9rem;
      border-block-end: 1px solid var(--wa-color-neutral-border-loud);
      overflow: visible;
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

  @state() unfolded: ReadonlySet<Kind> = new Set()
  /** Paths of the open categories, once a level was asked for. */
  @state() opened: ReadonlySet<string> = new Set()

  readonly #read = new ItemReading(this, {
    args: () => [this.#group] as const,
    task: async ([group], { signal }) => {
      const [coverage, title] = await Promise.all([
        call<Coverage>('/content/categories/coverage', { group }, { signal }),
        readOwnerTitle(ownerOf(this.parameters), signal),
      ])
      return { coverage, title }
    },
  })
  get #group(): string | undefined {
    return this.parameters['group']
  }

  override render() {
    const group = this.#group
    const { title } = this.#read.value ?? {}
    return html`<cartulary-heading text=${group !== undefined && title !== undefined ? t('coverageOf', { group: title }) : t('coverage')} note=${t('note')}>
        ${button(t('content'), { icon: 'folder', href: hrefTo('content', {}, { group }) })}
        ${button(t('categories'), { icon: 'tree', href: hrefTo(...screenOf(ownerOf(this.parameters), 'Schema')) })}
      </cartulary-heading>
      ${this.#read.showLatest(({ coverage }) => this.#renderAll(coverage))}`
  }

  #renderAll(coverage: Coverage) {
    const { items, uncategorized, categories, unrecognized, uncategorizedByOwner, uncategorizedByType, history } =
      coverage
    const countOf = (state: 'empty' | 'overfull') => categories.filter((category) => category.state === state).length
    return html`<div class="stack">
      <dl class="facts">
        <dt>${t('allItems')}</dt><dd>${formatNumber(items)}</dd>
        <dt>${t('uncategorized')}</dt><dd>${
          uncategorized === 0
            ? formatNumber(0)
            : html`<a href=${this.#linkTo({ show: 'uncategorized' })}>${t('items', { count: uncategorized })}</a>`
        }</dd>
        ${categories.length > 0 ? html`<dt>${t('state_empty')}</dt><dd>${t('categoryCount', { count: countOf('empty'), all: categories.length })}</dd>` : nothing}
        ${countOf('overfull') > 0 ? html`<dt>${t('state_overfull')}</dt><dd>${t('categoryCount', { count: countOf('overfull'), all: categories.length })}<br><span class="quiet">${t('overfullText')}</span></dd>` : nothing}
      </dl>
      <section class="panel stack" aria-labelledby="categories">
        <h2 id="categories">${t('categories')}</h2>
        ${categories.length === 0 ? html`<p class="quiet">${t('noCategories')}</p>` : this.#renderTree(categories)}
      </section>
      <div class="cards">
        ${this.#renderCounts('category', unrecognized)}
        ${this.#renderCounts('owner', uncategorizedByOwner)}
        ${this.#renderCounts('type', uncategorizedByType)}
      </div>
      ${history.length > 1 ? renderHistory(history) : nothing}
      ${this.#group === undefined ? html`<cartulary-category-policy .query=${this.query}></cartulary-category-policy>` : nothing}
    </div>`
  }

  #renderTree(categories: Coverage['categories']) {
    const levels = Array.from({ length: depthOf(categories) }, (_, at) => at + 1)
    const largest = categories.reduce((largest, { itemsBelow }) => Math.max(largest, itemsBelow), 0)
    return html`${
      levels.length > 1
        ? html`<div class="row" role="group" aria-label=${t('openTo')}>
            <span class="quiet">${t('openTo')}</span>
            ${levels.map((level) =>
              button(
                html`<span aria-hidden="true">${formatNumber(level)}</span><span class="visually-hidden">${t('level', { level })}</span>`,
                { size: 's', onClick: () => (this.opened = openToLevel(categories, level)) },
              ),
            )}
          </div>`
        : nothing
    }
    <cartulary-tree most=${maxCategories} .trees=${treeOf(categories)} .opened=${this.opened} .line=${(node: CoveredNode) => this.#renderLine(node, largest)}></cartulary-tree>`
  }

  #renderLine({ category, below }: CoveredNode, largest: number) {
    const { path, title, items, itemsBelow, state } = category
    const bar = barOf(category, largest)
    return html`<div class="spread">
        <a href=${this.#linkTo({ category: path })}>${title}</a>
        <span class="quiet">${
          state === 'filled' ? nothing : html`<wa-icon name=${icons[state]}></wa-icon> ${t(`state_${state}`)} · `
        }${t('items', { count: itemsBelow })}${below.length > 0 && items > 0 ? html` · ${t('ownItems', { count: items })}` : nothing}</span>
      </div>
      <svg class="bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="own" width=${bar.own} height="1"></rect><rect class="below" x=${bar.own} width=${bar.below} height="1"></rect>`}</svg>`
  }

  #renderCounts(kind: Kind, counts: Coverage['uncategorizedByOwner']) {
    if (counts.length === 0) return nothing
    const isFolded = counts.length > maxShown && !this.unfolded.has(kind)
    return html`<section class="panel stack" aria-labelledby=${kind}>
      <h2 id=${kind}>${t(`uncategorized_${kind}`)}</h2>
      <ul role="list">${(isFolded ? counts.slice(0, maxShown) : counts).map(
        ({ value, count }) => html`<li class="spread">
          <a href=${this.#linkTo({ [kind]: value, ...(kind !== 'category' && { show: 'uncategorized' }) })}>${kind === 'category' ? formatTrail(value) : value}</a><span>${t('items', { count })}</span>
        </li>`,
      )}</ul>
      ${
        isFolded
          ? html`<div>${button(ofElements('showMore', { count: counts.length - maxShown }), { appearance: 'plain', size: 's', onClick: () => (this.unfolded = new Set([...this.unfolded, kind])) })}</div>`
          : nothing
      }
    </section>`
  }

  /** Address of the content that is counted here, with more of a filter. */
  #linkTo(filter: Readonly<Record<string, string>>): string {
    const group = this.#group
    return hrefTo('content', {}, { ...(group === undefined ? { whose: 'organization' } : { group }), ...filter })
  }
}

customElements.define('cartulary-coverage', CoverageScreen)

const [width, height] = [600, 120]

/** Renders all items and those without a category, day by day: as lines and, folded, as a table. */
function renderHistory(days: readonly CountedDay[]) {
  const { items, uncategorized, most } = linesOf(days, width, height)
  const [first, last] = [days[0]!, days.at(-1)!]
  const [from, to] = [formatDay(first.day), formatDay(last.day)]
  const text = t('historyText', { from, to, before: first.uncategorized, after: last.uncategorized })
  return html`<section class="panel stack" aria-labelledby="history">
    <h2 id="history">${t('history')}</h2>
    <div>
      <p class="quiet">${t('items', { count: most })}</p>
      <svg class="history" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${text}>
        ${svg`<polyline class="items" points=${items}></polyline><polyline class="uncategorized" points=${uncategorized}></polyline>`}
      </svg>
      <p class="ends quiet"><span>${from}</span><span>${to}</span></p>
    </div>
    <p class="row"><span class="key"><i class="items"></i>${t('allItems')}</span><span class="key"><i class="uncategorized"></i>${t('uncategorized')}</span></p>
    <p>${text}</p>
    <details class="no-print">
      <summary>${t('asTable')}</summary>
      ${renderTable(days.toReversed(), [
        [t('day'), ({ day }) => formatDay(day)],
        [t('allItems'), (counted) => formatNumber(counted.items)],
        [t('uncategorized'), (counted) => formatNumber(counted.uncategorized)],
      ])}
    </details>
  </section>`
}
