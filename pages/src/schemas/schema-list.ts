import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { Category } from '../../../src/categories/schema.ts'
import { PageElement } from '../elements/page.ts'
import { ofSchemas as t } from '../texts/rooms.ts'

/** Read-only view of a schema: its categories in nested lists, with their descriptions. */
class SchemaList extends PageElement {
  @property({ attribute: false }) categories!: readonly Category[]

  override render() {
    if (this.categories.length === 0) return html`<p class="quiet">${t('emptySchema')}</p>`
    return renderList(this.categories, (title) => html`<strong>${title}</strong>`)
  }
}

function renderList(categories: readonly Category[], renderTitle: (title: unknown) => unknown): unknown {
  return html`<ul role="list" class="tree">${categories.map(
    ({ title, description, source, categories: below = [] }) => html`<li>
      <div class="line">
        ${renderTitle(title ?? source)}
        ${description ? html`<span class="quiet note">${description}</span>` : nothing}
        ${title !== undefined && source ? html`<span class="quiet note">${t('sourceIs', { source })}</span>` : nothing}
      </div>
      ${below.length > 0 ? renderList(below, (title) => html`<span>${title}</span>`) : nothing}
    </li>`,
  )}</ul>`
}

customElements.define('cartulary-schema-list', SchemaList)
