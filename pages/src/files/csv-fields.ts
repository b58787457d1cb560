import { html, nothing } from 'lit'
import { t } from './texts.ts'

const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const

/** Fields for the layout of a table: the meaning of a row, and the delimiter. Both can be detected when a file is read. */
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
