import { html, nothing } from 'lit'
import { t } from './texts.ts'

const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const

/** How a table has a schema: what a row is, and what stands between cells. Of a file that is read, both may be recognized. */
export function renderCsvFields(
  layouts: readonly ('path' | 'levels' | 'parent' | 'indented')[],
  { isRecognized }: { readonly isRecognized: boolean },
) {
  const automatic = isRecognized ? html`<option value="">${t('automatic')}</option>` : nothing
  return html`<label class="field">
      <span>${t('layout')}</span>
      <select name="layout">
        ${automatic} ${layouts.map((layout) => html`<option value=${layout}>${t(`layout_${layout}`)}</option>`)}
      </select>
    </label>
    <label class="field">
      <span>${t('delimiter')}</span>
      <select name="delimiter">
        ${automatic} ${delimiters.map((delimiter) => html`<option value=${delimiter}>${t(`delimiter_${delimiter}`)}</option>`)}
      </select>
    </label>`
}
