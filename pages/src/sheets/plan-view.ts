import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { SearchResult } from '../content/content-search.ts'
import { titlesOf } from '../content/trails.ts'
import { renderTable } from '../elements/lists/table.ts'
import { PageElement } from '../elements/page-element.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call } from '../session/session.ts'
import { formatNumber } from '../texts/formats.ts'
import { comparePaths, type SheetPlan } from './sheet-plan.ts'
import { t } from './texts.ts'

/** Rows of a list that are shown before the person asks for more (chosen). */
const maxShown = 50

/** Items whose titles are read (chosen): those that one search can give. */
const maxTitles = 100

type ListName = 'changes' | 'stale' | 'refused' | 'unknown'

/** Effects of an edited table: sums, each change, and each row that is not applied. */
class SheetPlanView extends PageElement {
  static override styles = css`
    :host {
      display: grid;
      gap: 1rem;
    }
    del {
      color: var(--wa-color-danger-on-quiet);
    }
    ins {
      color: var(--wa-color-success-on-quiet);
      text-decoration: none;
      font-weight: 600;
    }
  `

  @property({ attribute: false }) plan!: SheetPlan
  @state() unfolded: ReadonlySet<ListName> = new Set()

  /** Titles of the items whose rows are not applied, as far as the person sees them. */
  readonly #titles = new Task(this, {
    args: () => [this.plan] as const,
    task: async ([plan], { signal }): Promise<ReadonlyMap<string, string>> => {
      const ids = new Set(plan.refused.map(({ itemId }) => itemId).filter((itemId) => /^[0-9a-f]{32}$/.test(itemId)))
      const filter = [...ids].slice(0, maxTitles).map((itemId) => `id:"${itemId}"`)
      if (filter.length === 0) return new Map()
      const parameters = { filter: filter.join(' OR '), num: maxTitles }
      const { results } = await call<SearchResult>('/search', parameters, { method: 'POST', signal })
      return new Map(results.map(({ id, title }) => [id, title]))
    },
  })

  override render() {
    const { summary, changes, refused, unknownPaths } = this.plan
    const stale = refused.filter((row) => row.stale)
    const others = refused.filter((row) => !row.stale)
    const sums = [
      ['rows', summary.rows],
      ['changed', summary.changed],
      ['unchanged', summary.unchanged],
      ...(summary.stale > 0 ? [['stale', summary.stale] as const] : []),
      ...(summary.refused > 0 ? [['refused', summary.refused] as const] : []),
    ] as const
    return html`<dl class="facts">${sums.map(([name, count]) => html`<dt>${t(`sum_${name}`)}</dt><dd>${formatNumber(count)}</dd>`)}</dl>
      ${this.#renderList('changes', summary.changed, changes, (rows) =>
        renderTable(rows, [
          [t('item'), ({ itemId, title }) => html`<a href=${hrefTo('item', { item: itemId })}>${title}</a>`],
          [t('before'), ({ from, to }) => renderPaths(from, comparePaths(from, to).removed, 'del')],
          [t('after'), ({ from, to }) => renderPaths(to, comparePaths(from, to).added, 'ins')],
        ]),
      )}
      ${this.#renderList('stale', summary.stale, stale, (rows) => this.#renderProblems(rows))}
      ${this.#renderList('unknown', summary.unknownPaths, unknownPaths, (rows) =>
        renderTable(rows, [
          [t('path'), ({ path }) => html`<bdi>${path}</bdi>`],
          [t('rows'), (row) => formatNumber(row.rows)],
          [t('meant'), ({ meant }) => (meant === null ? nothing : html`<bdi>${meant}</bdi>`)],
        ]),
      )}
      ${this.#renderList('refused', summary.refused, others, (rows) => this.#renderProblems(rows))}`
  }

  #renderProblems(rows: SheetPlan['refused']) {
    const titles = this.#titles.value
    return renderTable(rows, [
      [
        t('item'),
        ({ itemId }) => {
          const title = titles?.get(itemId)
          if (title !== undefined) return html`<a href=${hrefTo('item', { item: itemId })}>${title}</a>`
          return itemId === '' ? t('none') : html`<bdi>${itemId}</bdi>`
        },
      ],
      [t('row'), ({ row }) => formatNumber(row)],
      [t('problem'), ({ problem }) => html`<span lang="en">${problem}</span>`],
    ])
  }

  #renderList<Row>(name: ListName, count: number, rows: readonly Row[], renderRows: (rows: readonly Row[]) => unknown) {
    if (count === 0) return nothing
    const isFolded = rows.length > maxShown && !this.unfolded.has(name)
    return html`<section class="stack">
      <h3>${t(`head_${name}`, { count })}</h3>
      ${renderRows(isFolded ? rows.slice(0, maxShown) : rows)}
      ${
        isFolded
          ? html`<div><wa-button size="s" appearance="plain" @click=${() => {
              this.unfolded = new Set([...this.unfolded, name])
            }}>${t('showMore', { count: rows.length - maxShown })}</wa-button></div>`
          : rows.length < count
            ? html`<p class="quiet">${t('onlyFirst', { count: rows.length })}</p>`
            : nothing
      }
    </section>`
  }
}

function renderPaths(paths: readonly string[], marked: readonly string[], mark: 'ins' | 'del') {
  if (paths.length === 0) return html`<span class="quiet">${t('none')}</span>`
  return html`<div class="paths">${paths.map((path) => {
    const words = titlesOf(path).join(' › ')
    if (!marked.includes(path)) return html`<div><bdi>${words}</bdi></div>`
    return html`<div>${mark === 'ins' ? html`<ins>${words}</ins>` : html`<del>${words}</del>`}</div>`
  })}</div>`
}

customElements.define('cartulary-sheet-plan', SheetPlanView)
