import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { tick } from '../elements/fields.ts'
import type { IconName } from '../elements/icon-shapes.ts'
import { PageElement } from '../elements/page.ts'
import { ofSchemas as t } from '../texts/rooms.ts'
import type { SchemaChange } from './answers.ts'
import { buildDifferenceTree, type DifferenceNode, type Mark } from './difference-tree.ts'

const icons = {
  same: 'circle',
  added: 'plus',
  removed: 'minus',
  renamed: 'pencil',
  moved: 'arrow-right',
  merged: 'share',
  left: 'arrow-left',
} as const satisfies Record<Mark, IconName>

/** Difference of two schemas, in one tree: the change of a category precedes its title, as word and icon. */
class DifferenceView extends PageElement {
  static override styles = css`
    .mark {
      display: inline-flex;
      gap: 0.3rem;
      align-items: center;
      padding: 0 0.5rem;
      border-radius: 0.25rem;
      font-size: 0.8125rem;
      font-weight: 600;
      background: var(--wa-color-neutral-fill-quiet);
      color: var(--wa-color-neutral-on-quiet);
    }
    .added > .line > .mark {
      background: var(--wa-color-success-fill-quiet);
      color: var(--wa-color-success-on-quiet);
    }
    .removed > .line > .mark,
    .merged > .line > .mark {
      background: var(--wa-color-danger-fill-quiet);
      color: var(--wa-color-danger-on-quiet);
    }
    .renamed > .line > .mark,
    .moved > .line > .mark,
    .edited {
      background: var(--wa-color-brand-fill-quiet);
      color: var(--wa-color-brand-on-quiet);
    }
    del.title {
      text-decoration-thickness: 1px;
    }
    .texts {
      flex-basis: 100%;
      font-size: 0.875rem;
    }
    @media print {
      .mark {
        border: 1px solid;
      }
    }
  `

  @property({ attribute: false }) older!: CategorySchema
  @property({ attribute: false }) newer!: CategorySchema
  @property({ attribute: false }) changes!: readonly SchemaChange[]
  @state() showsAll = false

  override render() {
    const { trees, stale } = buildDifferenceTree(this.older, this.newer, this.changes)
    const shown = this.showsAll ? trees : trees.filter(({ isChanged }) => isChanged)
    return html`<div class="stack">
      ${
        this.changes.length === 0
          ? html`<p>${t('noDifference')}</p>`
          : html`<div class="no-print">${tick(t('showUnchanged'), this.showsAll, { onChange: (ticked) => (this.showsAll = ticked) })}</div>`
      }
      ${shown.length > 0 ? this.#renderList(shown) : nothing}
      ${
        stale.length > 0
          ? html`<ul role="list" class="tree">${stale.map(
              ({ path, to, items }) => html`<li><div class="line">
                <span>${t('stalePath', { from: path, to })}</span>${renderItems(items, 'itemsFollow')}
              </div></li>`,
            )}</ul>`
          : nothing
      }
    </div>`
  }

  #renderList(nodes: readonly DifferenceNode[]): unknown {
    return html`<ul role="list" class="tree">${nodes.map((node) => this.#renderNode(node))}</ul>`
  }

  #renderNode(node: DifferenceNode): unknown {
    const { mark, title, from, to, reordered, description, source, items, declared, children } = node
    const below = this.showsAll ? children : children.filter(({ isChanged }) => isChanged)
    const isGone = mark === 'removed' || mark === 'merged' || mark === 'left'
    const itemsText = mark === 'removed' ? 'itemsLose' : declared === false ? 'itemsStay' : 'itemsFollow'
    return html`<li class=${mark}>
      <div class="line">
        ${mark === 'same' ? nothing : renderMark(icons[mark], t(mark))}
        ${isGone ? html`<del class="title">${title}</del>` : html`<span class="title">${title}</span>`}
        ${from ? html`<span class="quiet note">${t('from', { path: from })}</span>` : nothing}
        ${to ? html`<span class="quiet note">${t(mark === 'merged' ? 'into' : 'to', { path: to })}</span>` : nothing}
        ${reordered ? renderMark(reordered.to < reordered.from ? 'arrow-up' : 'arrow-down', t('reordered', { from: reordered.from + 1, to: reordered.to + 1 })) : nothing}
        ${description || source ? renderMark('pencil', t('changed'), 'edited') : nothing}
        ${renderItems(items, itemsText)}
        ${description ? renderTexts(t('description'), description) : nothing}
        ${source ? renderTexts(t('source'), source) : nothing}
      </div>
      ${below.length > 0 ? this.#renderList(below) : nothing}
    </li>`
  }
}

function renderMark(icon: IconName, words: string, kind = '') {
  return html`<span class="mark ${kind}"><wa-icon name=${icon}></wa-icon>${words}</span>`
}

function renderItems(items: number | null | undefined, text: 'itemsLose' | 'itemsStay' | 'itemsFollow') {
  if (items === undefined || items === 0) return nothing
  return html`<strong class="note">${items === null ? t('itemsUncounted') : t(text, { items })}</strong>`
}

function renderTexts(name: string, { from, to }: { readonly from: string | null; readonly to: string | null }) {
  return html`<span class="texts">
    <span class="quiet">${name}</span>
    ${from ? html`<del>${from}</del>` : nothing} ${to ? html`<ins>${to}</ins>` : nothing}
  </span>`
}

customElements.define('cartulary-difference', DifferenceView)
