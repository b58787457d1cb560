import { html, nothing } from 'lit'
import type { Move } from '../../../src/categories/moves.ts'
import { button } from '../elements/page.ts'
import type { SuggestedMove } from '../schemas/answers.ts'
import { ofReview as t } from '../texts/rooms.ts'

/** Renders suggested moves, to be accepted by a click, and the accepted ones; `take` gets all accepted moves, and what to announce. */
export function renderSuggestions(
  suggestions: readonly SuggestedMove[],
  moves: readonly Move[],
  take: (moves: readonly Move[], words?: string) => void,
) {
  if (suggestions.length === 0 && moves.length === 0) return nothing
  const isOpen = suggestions.length > 0
  return html`<section class="panel stack" aria-labelledby="suggestions">
    <h2 id="suggestions" tabindex="-1">${t(isOpen ? 'suggestions' : 'takenMoves')}</h2>
    <p class="quiet">${t(isOpen ? 'suggestionsText' : 'takenMovesText')}</p>
    <ul role="list" class="entries">
      ${moves.map(
        (move) => html`<li>
          <div><strong>${t('takenMove', { from: move.from, to: move.to })}</strong></div>
          ${button(t('takeMoveBack'), { size: 's', onClick: () => take(moves.filter((other) => other !== move)) })}
        </li>`,
      )}
      ${suggestions.map(
        ({ from, to, confidence, because, items }) => html`<li>
          <div>
            <strong>${t('suggestedMove', { from, to })}</strong>
            <p class="quiet">${t(`confidence_${confidence}`)} · <span lang="en">${because.join(', ')}</span>${
              items == null ? nothing : ` · ${t('itemsWouldFollow', { items })}`
            }</p>
          </div>
          ${button(t('takeMove'), { size: 's', onClick: () => take([...moves, { from, to }], t('takenMove', { from, to })) })}
        </li>`,
      )}
    </ul>
  </section>`
}
