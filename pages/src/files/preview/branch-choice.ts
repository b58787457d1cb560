import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { fold } from '../../../../src/search/folding.ts'
import { PageElement } from '../../elements/page.ts'
import type { Branch } from '../../schemas/answers.ts'
import { formatTrail } from '../../texts/formats.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'

/** Branches that are seen without searching among them. */
const maxUnfiltered = 8

/** The whole file, or one of its branches, by label. Emits `root` with the id of a branch, or undefined. */
class BranchChoice extends PageElement {
  @property({ attribute: false }) branches!: readonly Branch[]
  @property({ attribute: false }) root: string | undefined
  /** Letters that a shown label has. */
  @state() wanted = ''

  override render() {
    const { branches, root } = this
    const wanted = fold(this.wanted.trim())
    const shown = branches.filter(({ id, label }) => id === root || fold(label).includes(wanted))
    return html`<fieldset class="stack">
      <legend>${t('branch')}</legend>
      ${
        branches.length > maxUnfiltered
          ? html`<label class="field">
              <span>${t('findBranch')}</span>
              <input type="search" autocomplete="off" @input=${this.#find}>
            </label>`
          : nothing
      }
      <div class="scrolled">
        ${this.#renderChoice(undefined, html`<span>${t('wholeFile')}</span>`)}
        ${shown.map(({ id, label, levels, categories }) =>
          this.#renderChoice(
            id,
            html`<span><bdi>${label}</bdi>${placeOf(id)} <span class="quiet">${t('branchSize', { levels, categories })}</span></span>`,
          ),
        )}
        ${shown.some(({ id }) => id !== root) ? nothing : html`<p class="quiet" role="status">${t('noBranch')}</p>`}
      </div>
    </fieldset>`
  }

  #renderChoice(id: string | undefined, name: unknown) {
    const choose = () => this.dispatchEvent(new CustomEvent('root', { detail: id }))
    return html`<label class="tick">
      <input type="radio" name="root" .checked=${live(this.root === id)} @change=${choose}>${name}
    </label>`
  }

  #find(event: Event): void {
    this.wanted = (event.target as HTMLInputElement).value
  }
}

/** Titles above a branch of a table, whose id is its path. */
function placeOf(id: string) {
  const above = id.slice(0, id.lastIndexOf('/'))
  return !id.startsWith('/') || above === ''
    ? nothing
    : html` <span class="quiet"><bdi>${formatTrail(above)}</bdi></span>`
}

customElements.define('cartulary-branch-choice', BranchChoice)
