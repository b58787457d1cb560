import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Move } from '../../../../src/categories/moves.ts'
import { tick } from '../../elements/fields.ts'
import { PageElement } from '../../elements/page.ts'
import type { SuggestedMove } from '../../schemas/answers.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'

/**
 * Renames that a file says by identifiers, and likely ones, each with a box: items follow those that are ticked. Emits `confirmed`
 * with the ticked ones.
 */
class Renames extends PageElement {
  /** Renames by identifiers. */
  @property({ attribute: false }) moves!: readonly Move[]
  @property({ attribute: false }) suggestions!: readonly SuggestedMove[]
  @property({ attribute: false }) confirmed!: readonly Move[]

  override render() {
    const { moves, suggestions } = this
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
              ${repeat(suggestions, keyOf, (suggestion) => this.#renderSuggestion(suggestion))}
            </fieldset>`
          : nothing
      }
    </section>`
  }

  #renderSuggestion(suggestion: SuggestedMove) {
    const { from, to, confidence, items } = suggestion
    const isConfirmed = this.confirmed.some((move) => keyOf(move) === keyOf(suggestion))
    return tick(
      html`${t('rename', { from, to })}<br> <small>${t(`confidence_${confidence}`)}${!items ? nothing : ` · ${t('wouldFollow', { items })}`}</small>`,
      isConfirmed,
      { onChange: (ticked) => this.#confirm(suggestion, ticked) },
    )
  }

  #confirm({ from, to }: Move, isTicked: boolean): void {
    const others = this.confirmed.filter((move) => keyOf(move) !== keyOf({ from, to }))
    this.dispatchEvent(new CustomEvent('confirmed', { detail: isTicked ? [...others, { from, to }] : others }))
  }
}

function keyOf({ from, to }: Move): string {
  return `${from}\n${to}`
}

customElements.define('cartulary-import-renames', Renames)
