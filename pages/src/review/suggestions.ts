import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { Move } from '../../../src/categories/moves.ts'
import { announce, button, PageElement } from '../elements/page.ts'
import type { SuggestedMove } from '../schemas/answers.ts'
import { ofReview as t } from '../texts/rooms.ts'

/** Suggested moves, to be accepted by a click, and the accepted ones. Emits `moves` with all accepted moves. */
class Suggestions extends PageElement {
  @property({ attribute: false }) suggestions!: readonly SuggestedMove[]
  @property({ attribute: false }) moves!: readonly Move[]

  override render() {
    const { suggestions, moves } = this
    if (suggestions.length === 0 && moves.length === 0) return nothing
    return html`<section class="panel stack" aria-labelledby="suggestions">
      <h2 id="suggestions" tabindex="-1">${t(suggestions.length > 0 ? 'suggestions' : 'takenMoves')}</h2>
      <p class="quiet">${t(suggestions.length > 0 ? 'suggestionsText' : 'takenMovesText')}</p>
      <ul role="list" class="entries">
        ${moves.map(
          (move) => html`<li>
            <div><strong>${t('takenMove', { from: move.from, to: move.to })}</strong></div>
            ${button(t('takeMoveBack'), { size: 's', onClick: () => this.#drop(move) })}
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
            ${button(t('takeMove'), { size: 's', onClick: () => this.#take({ from, to }) })}
          </li>`,
        )}
      </ul>
    </section>`
  }

  #take({ from, to }: Move): void {
    announce(t('takenMove', { from, to }))
    this.#emit([...this.moves, { from, to }])
  }

  #drop(dropped: Move): void {
    this.#emit(this.moves.filter((move) => move !== dropped))
  }

  #emit(moves: readonly Move[]): void {
    // The used button is removed.
    this.renderRoot.querySelector<HTMLElement>('#suggestions')?.focus()
    this.dispatchEvent(new CustomEvent('moves', { detail: moves }))
  }
}

customElements.define('cartulary-suggestions', Suggestions)
