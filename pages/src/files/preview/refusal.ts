import { html, nothing } from 'lit'
import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import { said } from '../../sentences/said.ts'
import { type Refused, sentencesOf } from './outcome.ts'
import { t } from './texts.ts'

/**
 * Why a file is refused: sentences of the server but for those that stand in the table, at their rows. A file that is too large says
 * so in the words of the page, as the branches that would fit are listed below.
 */
export function renderRefusal(
  { refusal, reading, branches }: Refused,
  { levels, categories }: SchemaLimits,
  readAsWindows1252: () => void,
) {
  const marked = new Set(reading?.table?.marks.map(({ message }) => message))
  const sentences = sentencesOf(refusal)
  const others = sentences.filter((sentence) => !marked.has(sentence))
  const list = html`<ul>${others.map((sentence) => html`<li>${said(sentence)}</li>`)}</ul>`
  return html`<wa-callout variant="danger" role="alert">
    <wa-icon slot="icon" name="warning"></wa-icon>
    <div class="stack">
      <strong>${t('refused')}</strong>
      ${branches ? html`<p>${t('tooLarge', { levels, categories })}</p>` : nothing}
      ${others.length > 0 ? list : nothing}
      ${
        sentences.some((sentence) => sentence.includes('encoding=windows-1252'))
          ? html`<div><wa-button size="s" appearance="outlined" @click=${readAsWindows1252}>${t('readAsWindows1252')}</wa-button></div>`
          : nothing
      }
    </div>
  </wa-callout>`
}
