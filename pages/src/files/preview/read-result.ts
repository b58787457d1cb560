import '../../schemas/plan-view.ts'
import '../../schemas/schema-list.ts'
import './renames.ts'
import { html, nothing } from 'lit'
import type { Move } from '../../../../src/categories/moves.ts'
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
export function renderReadResult(
  { present, answer }: Accepted,
  { moves, suggestions, confirmed, onConfirmed }: Renames,
) {
  const { categorySchema, imported } = answer
  const plan = planOf(answer)
  return html`<div class="stack">
    ${
      moves.length + suggestions.length > 0
        ? html`<cartulary-import-renames
            .moves=${moves} .suggestions=${suggestions} .confirmed=${confirmed}
            @confirmed=${({ detail }: CustomEvent<readonly Move[]>) => onConfirmed(detail)}
          ></cartulary-import-renames>`
        : nothing
    }
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
