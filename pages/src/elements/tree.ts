import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { ofElements as t } from '../texts/rooms.ts'
import { button, PageElement } from './page.ts'

/** A category in a tree, as far as the tree needs to know it. */
export interface TreeNode {
  readonly path: string
  readonly title: string
  readonly below: readonly TreeNode[]
}

/** Categories as nested lists, of which each branch opens and closes; only what is open is there. Each has a line of its own. */
class Tree extends PageElement {
  static override styles = css`
    ul ul[role='list'] {
      padding-inline-start: 1.25rem;
    }
    .line {
      display: grid;
      grid-template-columns: 1.75rem minmax(0, 1fr);
      gap: 0.25rem;
      align-items: start;
    }
    button {
      display: grid;
      place-items: center;
      width: 1.75rem;
      height: 2rem;
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
  `

  @property({ attribute: false }) trees: readonly TreeNode[] = []
  /** Renders the line of a category, its link first. */
  @property({ attribute: false }) line!: (node: never) => TemplateResult
  /** Path of a category that is kept in sight. */
  @property() chosen: string | undefined
  /** Categories of a level that are shown before the person asks for all. */
  @property({ type: Number }) most = Number.POSITIVE_INFINITY
  @property({ attribute: false }) opened: ReadonlySet<string> = new Set()
  /** Categories below which all are shown, however many they are. */
  @state() unfolded: ReadonlySet<string> = new Set()

  #only: string | undefined

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A tree that is the only one begins open.
    const only = this.trees.length === 1 ? this.trees[0]!.path : undefined
    if (only !== undefined && only !== this.#only) this.opened = this.opened.union(new Set([only]))
    this.#only = only
    if (!changed.has('chosen') || !this.chosen) return
    const titles = this.chosen.split('/').slice(1)
    this.opened = this.opened.union(new Set(titles.map((_, at) => `/${titles.slice(0, at + 1).join('/')}`)))
  }

  override render() {
    return this.#renderLevel(this.trees, '')
  }

  #renderLevel(nodes: readonly TreeNode[], parent: string): TemplateResult {
    const shown = this.unfolded.has(parent) ? nodes : nodes.slice(0, this.most)
    return html`<ul role="list">
      ${shown.map((node) => this.#renderOne(node))}
      ${
        shown.length < nodes.length
          ? html`<li>${button(t('showMore', { count: nodes.length - shown.length }), { appearance: 'plain', size: 's', onClick: () => (this.unfolded = this.unfolded.union(new Set([parent]))) })}</li>`
          : nothing
      }
    </ul>`
  }

  #renderOne(node: TreeNode): TemplateResult {
    const { path, title, below } = node
    const isOpen = this.opened.has(path)
    return html`<li>
      <div class="line">
        ${
          below.length > 0
            ? html`<button type="button" aria-expanded=${isOpen} aria-label=${t('subcategories', { title })} @click=${() => (this.opened = this.opened.symmetricDifference(new Set([path])))}
                ><wa-icon name="chevron-right"></wa-icon></button>`
            : html`<span></span>`
        }
        <div>${this.line(node as never)}</div>
      </div>
      ${isOpen && below.length > 0 ? this.#renderLevel(below, path) : nothing}
    </li>`
  }
}

customElements.define('cartulary-tree', Tree)
