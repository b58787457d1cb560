import '../../schemas/plan-view.ts'
import '../../schemas/schema-list.ts'
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Move } from '../../../../src/categories/moves.ts'
import { tick } from '../../elements/fields.ts'
import type { ImportAnswer, SuggestedMove } from '../../schemas/answers.ts'
import { said } from '../../sentences/said.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import type { Accepted } from './outcome.ts'
import { planOf } from './plan-of.ts'

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
          ? html`<cartulary-plan
              .plan=${{ ...plan, impact: { ...plan.impact, vanishing: 0 } }} .older=${present} .newer=${{ categorySchema }}
            ></cartulary-plan>`
          : nothing
      }
    </section>
    <details class="panel">
      <summary>${t('wholeTree')}</summary>
      <cartulary-schema-list .categories=${categorySchema}></cartulary-schema-list>
    </details>
  </div>`
}

function renderNotes(notes: ImportAnswer['imported']['notes']) {
  return html`<details class="panel" ?open=${notes.length <= maxOpenNotes}>
    <summary>${t('notes', { count: notes.length })}</summary>
    <table>
      <thead><tr><th scope="col" class="row-number">${t('row')}</th><th scope="col">${t('note')}</th></tr></thead>
      <tbody>${notes.map(
        ({ row, uri, message }) => html`<tr>
          <td class="row-number">${row ?? '–'}</td>
          <td>${said(message)}${uri ? html`<div class="quiet"><bdi>${uri}</bdi></div>` : nothing}</td>
        </tr>`,
      )}</tbody>
    </table>
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
