import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { renderTable } from '../elements/lists/table.ts'
import { button, PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { formatNumber, formatTrail } from '../texts/formats.ts'
import { ofSheets as t } from '../texts/rooms.ts'
import { comparePaths, type SheetPlan } from './sheet-plan.ts'

/** Rows of a list that are shown before the person asks for more (chosen). */
const maxShown = 50

/** Effects of an edited table: sums, and each change. */
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
  @state() isUnfolded = false

  override render() {
    const { summary, changes } = this.plan
    const isFolded = changes.length > maxShown && !this.isUnfolded
    const shown = isFolded ? changes.slice(0, maxShown) : changes
    const sums = ['rows', 'changed', 'unchanged'] as const
    return html`<dl class="facts">${sums.map((name) => html`<dt>${t(`sum_${name}`)}</dt><dd>${formatNumber(summary[name])}</dd>`)}</dl>
      ${
        summary.changed === 0
          ? nothing
          : html`<section class="stack">
              <h3>${t('head_changes', { count: summary.changed })}</h3>
              ${renderTable(shown, [
                [t('item'), ({ itemId, title }) => html`<a href=${hrefTo('item', { item: itemId })}>${title}</a>`],
                [t('before'), ({ from, to }) => renderPaths(from, comparePaths(from, to).removed, 'del')],
                [t('after'), ({ from, to }) => renderPaths(to, comparePaths(from, to).added, 'ins')],
              ])}
              ${
                isFolded
                  ? html`<div>${button(t('showMore', { count: changes.length - maxShown }), { appearance: 'plain', size: 's', onClick: () => (this.isUnfolded = true) })}</div>`
                  : changes.length < summary.changed
                    ? html`<p class="quiet">${t('onlyFirst', { count: changes.length })}</p>`
                    : nothing
              }
            </section>`
      }`
  }
}

function renderPaths(paths: readonly string[], marked: readonly string[], mark: 'ins' | 'del') {
  if (paths.length === 0) return html`<span class="quiet">${t('none')}</span>`
  return html`<div class="paths">${paths.map((path) => {
    const words = formatTrail(path)
    if (!marked.includes(path)) return html`<div><bdi>${words}</bdi></div>`
    return html`<div>${mark === 'ins' ? html`<ins>${words}</ins>` : html`<del>${words}</del>`}</div>`
  })}</div>`
}

customElements.define('cartulary-sheet-plan', SheetPlanView)
