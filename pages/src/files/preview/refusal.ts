import { html, nothing } from 'lit'
import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import { renderUnread } from '../../tables/reading-choices.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { type Refused, sentencesOf } from './outcome.ts'

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
  const heading = html`<strong>${t('refused')}</strong>
    ${branches ? html`<p>${t('tooLarge', { levels, categories })}</p>` : nothing}`
  return renderUnread(heading, { sentences, isNeeded: (sentence) => !marked.has(sentence) }, readAsWindows1252)
}
