import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Move } from '../../../../src/categories/moves.ts'
import { tick } from '../../elements/fields.ts'
import { renderTable } from '../../elements/lists/table.ts'
import type { ImportAnswer, SuggestedMove } from '../../schemas/answers.ts'
import { renderSchemaList } from '../../schemas/schema-list.ts'
import { renderSchemaPlan } from '../../schemas/schema-plan.ts'
import { said } from '../../sentences/said.ts'
import { renderUnread } from '../../tables/reading-choices.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { type Accepted, planOf, type Refused } from './outcome.ts'

/** Notes that are seen without unfolding them. */
const maxOpenNotes = 5

interface Renames {
  readonly moves: readonly Move[]
  readonly suggestions: readonly SuggestedMove[]
  readonly confirmed: readonly Move[]
  readonly onConfirmed: (moves: readonly Move[]) => void
}

/** Renders the changes that a file would make: renames, notes by row, the changes, and the whole tree. */
export function renderReadResult({ present, answer }: Accepted, renames: Renames) {
  const { categorySchema, imported } = answer
  const plan = planOf(answer)
  return html`<div class="stack">
    ${renames.moves.length + renames.suggestions.length > 0 ? renderRenames(renames) : nothing}
    ${imported.notes.length > 0 ? renderNotes(imported.notes) : nothing}
    <section class="panel stack" aria-labelledby="changes">
      <h3 id="changes">${t('changes')}</h3>
      ${
        plan
          ? html`${renderSchemaPlan({ ...plan, impact: { ...plan.impact, vanishing: 0 } }, present, { categorySchema })}`
          : nothing
      }
    </section>
    <details class="panel">
      <summary>${t('wholeTree')}</summary>
      ${renderSchemaList(categorySchema)}
    </details>
  </div>`
}

function renderNotes(notes: ImportAnswer['imported']['notes']) {
  return html`<details class="panel" ?open=${notes.length <= maxOpenNotes}>
    <summary>${t('notes', { count: notes.length })}</summary>
    ${renderTable(notes, [
      [t('row'), ({ row }) => row ?? '–'],
      [
        t('note'),
        ({ uri, message }) => html`${said(message)}${uri ? html`<div class="quiet"><bdi>${uri}</bdi></div>` : nothing}`,
      ],
    ])}
  </details>`
}

/** Renders renames that a file says by identifiers, and likely ones, each with a box: items follow those that are ticked. */
function renderRenames({ moves, suggestions, confirmed, onConfirmed }: Renames) {
  return html`<section class="panel stack" aria-labelledby="renames">
    <h3 id="renames">${t('renames')}</h3>
    ${
      moves.length > 0
        ? html`<p>${t('renamesKnown', { count: moves.length })}</p>
            <ul>${moves.map(({ from, to }) => html`<li>${t('rename', { from, to })}</li>`)}</ul>`
        : nothing
    }
    ${
      suggestions.length > 0
        ? html`<fieldset>
            <legend>${t('renamesLikely')}</legend>
            <p class="quiet">${t('renamesLikelyText')}</p>
            ${repeat(suggestions, keyOf, (suggestion) => renderSuggestion(suggestion, confirmed, onConfirmed))}
          </fieldset>`
        : nothing
    }
  </section>`
}

function renderSuggestion(
  { from, to, confidence, items }: SuggestedMove,
  confirmed: Renames['confirmed'],
  onConfirmed: Renames['onConfirmed'],
) {
  const others = confirmed.filter((move) => keyOf(move) !== keyOf({ from, to }))
  return tick(
    html`${t('rename', { from, to })}<br> <small>${t(`confidence_${confidence}`)}${!items ? nothing : ` · ${t('wouldFollow', { items })}`}</small>`,
    others.length < confirmed.length,
    { onChange: (ticked) => onConfirmed(ticked ? [...others, { from, to }] : others) },
  )
}

function keyOf({ from, to }: Move): string {
  return `${from}\n${to}`
}

/**
 * Renders why a file is refused: sentences of the server but for those that stand in the table, at their rows; nothing if all do.
 * A file that is too large says so in the words of the page, as the branches that would fit are listed below.
 */
export function renderRefusal(
  { refusal, reading, branches }: Refused,
  { levels, categories }: SchemaLimits,
  readAsWindows1252: () => void,
) {
  const marked = new Set(reading?.table?.marks.map(({ message }) => message))
  const isNeeded = (sentence: string) => !marked.has(sentence)
  if (!branches && !refusal.sentences.some(isNeeded)) return nothing
  const heading = html`<strong>${t('refused')}</strong>
    ${branches ? html`<p>${t('tooLarge', { levels, categories })}</p>` : nothing}`
  return renderUnread(heading, { sentences: refusal.sentences, isNeeded }, readAsWindows1252)
}
