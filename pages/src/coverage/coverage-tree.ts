import { css, html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { PageElement } from '../elements/page-element.ts'
import { formatNumber } from '../texts/formats.ts'
import { barOf, type CoveredCategory, type CoveredNode, depthOf, openToLevel, treeOf } from './covered-tree.ts'
import { t } from './texts.ts'

/** Categories of a level that are shown before the person asks for all (chosen). */
const maxShown = 25

const icons = { empty: 'circle-xmark', overfull: 'warning' } as const

/** Categories with a bar for their items; only what is open is there. */
class CoverageTree extends PageElement {
  static override styles = css`
    ul ul[role='list'] {
      padding-inline-start: 1.25rem;
    }
    .line {
      display: grid;
      grid-template-columns: 1.75rem minmax(0, 1fr);
      gap: 0.25rem;
      align-items: start;
      padding-block: 0.25rem;
    }
    button {
      display: grid;
      place-items: center;
      width: 1.75rem;
      height: 1.75rem;
      padding: 0;
      border: 0;
      border-radius: 0.25rem;
      background: none;
      color: var(--wa-color-text-quiet);
      cursor: pointer;
    }
    button[aria-expanded='true'] wa-icon {
      rotate: 90deg;
    }
    button[aria-expanded='false'] wa-icon:dir(rtl) {
      scale: -1 1;
    }
    .words {
      display: flex;
      flex-wrap: wrap;
      gap: 0 1rem;
      justify-content: space-between;
      overflow-wrap: anywhere;
    }
    .words > * {
      min-width: 0;
    }
    .state {
      display: inline-flex;
      gap: 0.25rem;
      align-items: center;
    }
    svg {
      display: block;
      width: 100%;
      height: 0.5rem;
      margin-block-start: 0.25rem;
      border-radius: 0.25rem;
      background: var(--wa-color-neutral-fill-quiet);
      print-color-adjust: exact;
    }
    svg:dir(rtl) {
      scale: -1 1;
    }
    .own {
      fill: var(--wa-color-brand-fill-loud);
    }
    .below {
      fill: var(--wa-color-brand-border-normal);
    }
    .levels {
      margin-block-end: 0.5rem;
    }
  `

  @property({ attribute: false }) categories: readonly CoveredCategory[] = []
  @property({ attribute: false }) linkTo!: (path: string) => string
  @state() opened: ReadonlySet<string> = new Set()
  /** Categories below which all are shown, however many they are. */
  @state() unfolded: ReadonlySet<string> = new Set()

  #trees: readonly CoveredNode[] = []
  #largest = 0

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('categories')) return
    this.#trees = treeOf(this.categories)
    this.#largest = this.categories.reduce((largest, { itemsBelow }) => Math.max(largest, itemsBelow), 0)
  }

  override render() {
    const levels = Array.from({ length: depthOf(this.categories) }, (_, at) => at + 1)
    return html`${
      levels.length > 1
        ? html`<div class="row levels" role="group" aria-label=${t('openTo')}>
            <span class="quiet">${t('openTo')}</span>
            ${levels.map(
              (level) =>
                html`<wa-button size="s" appearance="outlined" @click=${() => {
                  this.opened = openToLevel(this.categories, level)
                }}><span aria-hidden="true">${formatNumber(level)}</span><span class="visually-hidden">${t('level', { level })}</span></wa-button>`,
            )}
          </div>`
        : nothing
    }${this.#renderLevel(this.#trees, '')}`
  }

  #renderLevel(nodes: readonly CoveredNode[], parent: string): TemplateResult {
    const isFolded = nodes.length > maxShown && !this.unfolded.has(parent)
    const shown = isFolded ? nodes.slice(0, maxShown) : nodes
    return html`<ul role="list">
      ${shown.map((node) => this.#renderOne(node))}
      ${
        isFolded
          ? html`<li><wa-button size="s" appearance="plain" @click=${() => {
              this.unfolded = new Set([...this.unfolded, parent])
            }}>${t('showMore', { count: nodes.length - maxShown })}</wa-button></li>`
          : nothing
      }
    </ul>`
  }

  #renderOne({ category, below }: CoveredNode): TemplateResult {
    const { path, title, items, itemsBelow, state } = category
    const isOpen = this.opened.has(path)
    const bar = barOf(category, this.#largest)
    return html`<li>
      <div class="line">
        ${
          below.length > 0
            ? html`<button type="button" aria-expanded=${isOpen} aria-label=${t('subcategories', { title })} @click=${() => this.#toggle(path)}
                ><wa-icon name="chevron-right"></wa-icon></button>`
            : html`<span></span>`
        }
        <div>
          <div class="words">
            <a href=${this.linkTo(path)}>${title}</a>
            <span class="quiet">${
              state === 'filled'
                ? nothing
                : html`<span class="state"><wa-icon name=${icons[state]}></wa-icon>${t(`state_${state}`)}</span> · `
            }${t('items', { count: itemsBelow })}${
              below.length > 0 && items > 0 ? html` · ${t('ownItems', { count: items })}` : nothing
            }</span>
          </div>
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="own" width=${bar.own} height="1"></rect><rect class="below" x=${bar.own} width=${bar.below} height="1"></rect>`}</svg>
        </div>
      </div>
      ${isOpen && below.length > 0 ? this.#renderLevel(below, path) : nothing}
    </li>`
  }

  #toggle(path: string): void {
    const opened = new Set(this.opened)
    if (!opened.delete(path)) opened.add(path)
    this.opened = opened
  }
}

customElements.define('cartulary-coverage-tree', CoverageTree)
