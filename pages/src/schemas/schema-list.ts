import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { Category } from '../../../src/categories/schema.ts'
import { PageElement } from '../elements/page.ts'
import { ofSchemas as t } from '../texts/rooms.ts'
import { treeStyle } from './tree-style.ts'

/** Read-only view of a schema: its categories in nested lists, with their descriptions. */
class SchemaList extends PageElement {
  static override styles = [
    treeStyle,
    css`
    .title {
      font-weight: 600;
    }
    li li .title {
      font-weight: 400;
    }
  `,
  ]

  @property({ attribute: false }) categories!: readonly Category[]

  override render() {
    if (this.categories.length === 0) return html`<p class="quiet">${t('emptySchema')}</p>`
    return renderList(this.categories)
  }
}

function renderList(categories: readonly Category[]): unknown {
  return html`<ul role="list" class="tree">${categories.map(renderCategory)}</ul>`
}

function renderCategory({ title, description, source, categories = [] }: Category) {
  return html`<li>
    <div class="line">
      <span class="title">${title ?? source}</span>
      ${description ? html`<span class="quiet note">${description}</span>` : nothing}
      ${title !== undefined && source ? html`<span class="quiet note">${t('sourceIs', { source })}</span>` : nothing}
    </div>
    ${categories.length > 0 ? renderList(categories) : nothing}
  </li>`
}

customElements.define('cartulary-schema-list', SchemaList)
