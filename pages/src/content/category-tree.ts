import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { Category } from '../../../src/categories/schema.ts'
import { linkRowStyle } from '../elements/link-row-style.ts'
import { PageElement } from '../elements/page-element.ts'
import type { CountOf } from '../schemas/item-counts.ts'
import { formatNumber } from '../texts/formats.ts'
import { t } from './texts.ts'

/** The categories of a schema as links with the number of their items; each branch opens and closes. */
class CategoryTree extends PageElement {
  static override styles = [
    linkRowStyle,
    css`
      ul {
        padding: 0;
        list-style: none;
      }
      ul ul {
        padding-inline-start: 1.25rem;
      }
      .line {
        display: flex;
        gap: 0.25rem;
        align-items: start;
      }
      button {
        flex: none;
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
      .space {
        flex: none;
        width: 1.75rem;
      }
      a {
        flex: 1;
        gap: 0.5rem;
        justify-content: space-between;
        min-width: 0;
        padding: 0.25rem 0.5rem;
        overflow-wrap: anywhere;
      }
      :host(:dir(rtl)) button[aria-expanded='false'] wa-icon {
        scale: -1 1;
      }
    `,
  ]

  @property({ attribute: false }) trees: readonly Category[] = []
  /** Item counts of the categories; undefined until they are counted. */
  @property({ attribute: false }) countOf: CountOf | undefined
  /** Path of the shown category. */
  @property() chosen: string | undefined
  @property({ attribute: false }) linkTo!: (path: string) => string
  @state() opened: ReadonlySet<string> = new Set()

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The chosen category is kept visible in the tree.
    if (changed.has('chosen') && this.chosen) {
      const titles = this.chosen.split('/').slice(1)
      this.opened = new Set([...this.opened, ...titles.map((_, at) => `/${titles.slice(0, at + 1).join('/')}`)])
    }
  }

  override render() {
    return this.#renderLevel(this.trees, '')
  }

  #renderLevel(categories: readonly Category[], parent: string): TemplateResult {
    return html`<ul>
      ${categories.map((category) => this.#renderOne(category, `${parent}/${category.title ?? ''}`))}
    </ul>`
  }

  #renderOne({ title = '', categories = [] }: Category, path: string): TemplateResult {
    const isOpen = this.opened.has(path)
    const count = this.countOf?.(path)
    return html`<li>
      <div class="line">
        ${
          categories.length > 0
            ? html`<button type="button" aria-expanded=${isOpen} aria-label=${t('subcategories', { title })} @click=${() => this.#toggle(path)}
                ><wa-icon name="chevron-right"></wa-icon></button>`
            : html`<span class="space"></span>`
        }
        <a href=${this.linkTo(path)} aria-current=${this.chosen === path ? 'true' : nothing}>
          <span>${title}</span>${count === undefined ? nothing : html`<span aria-hidden="true">${formatNumber(count)}</span><span class="visually-hidden">${t('items', { count })}</span>`}
        </a>
      </div>
      ${isOpen && categories.length > 0 ? this.#renderLevel(categories, path) : nothing}
    </li>`
  }

  #toggle(path: string): void {
    const opened = new Set(this.opened)
    if (!opened.delete(path)) opened.add(path)
    this.opened = opened
  }
}

customElements.define('cartulary-category-tree', CategoryTree)
