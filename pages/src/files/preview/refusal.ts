import { html, nothing } from 'lit'
import { type Refused, sentencesOf } from './outcome.ts'
import { t } from './texts.ts'

/** Why a file is refused: sentences of the server but for those that stand in the table, at their rows. */
export function renderRefusal({ refusal, reading }: Refused, readAsWindows1252: () => void) {
  const marked = new Set(reading?.table?.marks.map(({ message }) => message))
  const sentences = sentencesOf(refusal)
  const others = sentences.filter((sentence) => !marked.has(sentence))
  return html`<wa-callout variant="danger" role="alert">
    <wa-icon slot="icon" name="warning"></wa-icon>
    <div class="stack">
      <strong>${t('refused')}</strong>
      ${others.length > 0 ? html`<ul lang="en" dir="ltr">${others.map((sentence) => html`<li><bdi>${sentence}</bdi></li>`)}</ul>` : nothing}
      ${
        sentences.some((sentence) => sentence.includes('encoding=windows-1252'))
          ? html`<div><wa-button size="s" appearance="outlined" @click=${readAsWindows1252}>${t('readAsWindows1252')}</wa-button></div>`
          : nothing
      }
    </div>
  </wa-callout>`
}
