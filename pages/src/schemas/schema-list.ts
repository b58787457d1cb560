import { html, nothing } from 'lit'
import type { Category } from '../../../src/categories/schema.ts'
import { ofSchemas as t } from '../texts/rooms.ts'

/** Renders a schema to be read: its categories in nested lists, with their descriptions. */
export function renderSchemaList(categories: readonly Category[]) {
  if (categories.length === 0) return html`<p class="quiet">${t('emptySchema')}</p>`
  return renderList(categories, (title) => html`<strong>${title}</strong>`)
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
