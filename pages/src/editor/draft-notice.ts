import { button } from '../elements/page.ts'
import '../shared-drafts/keep-draft.ts'
import { css, html, nothing } from 'lit'
import { property, query } from 'lit/decorators.js'
import type { Draft } from '../drafts/draft-store.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { LoadedSchema } from './model/open-draft.ts'

/** Notice of a draft: since when, and whether the published schema has changed since. Emits `discard`. */
export class DraftNotice extends PageElement {
  static override styles = css`
    /* One line, or a narrow window's two, whatever it says: it moves nothing. */
    .line {
      flex-wrap: nowrap;
      height: 2rem;
    }
    .line > span {
      flex: 0 1 auto;
      min-width: 0;
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    .line > wa-button {
      flex: none;
    }
    @media (max-width: 40rem) {
      .line {
        height: auto;
        min-height: 3.5rem;
      }
      .line > span {
        white-space: normal;
      }
      .since {
        display: none;
      }
    }
  `

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) draft: Draft | undefined
  @property({ attribute: false }) published!: LoadedSchema
  /** Whether the browser failed to store the last edit. */
  @property({ attribute: false }) isUnsaved = false
  @query('cartulary-dialog-form') dialog!: DialogForm

  #isDiscarded = false

  override render() {
    const { draft } = this
    const { version } = this.published
    // A line in both cases, so that the first edit moves nothing on the screen.
    if (!draft) {
      return html`<div class="row line quiet">
        <wa-icon name="check"></wa-icon>
        <span>${version === 0 ? t('nothingPublished') : t('asPublished', { version })}</span>
      </div>`
    }
    return html`<div class="stack">
      <div class="row line">
        <wa-icon name="pencil"></wa-icon>
        <span class="since"
          >${t('draftSince')} <cartulary-moment .value=${draft.began}></cartulary-moment> · ${
            draft.baseVersion === 0 ? t('draftOfNothing') : t('draftOfVersion', { version: draft.baseVersion })
          }</span>
        ${button(t('discard'), { class: 'no-print', appearance: 'plain', size: 's', onClick: () => this.dialog.open() })}
        <cartulary-keep-draft class="no-print" .owner=${this.owner} .draft=${draft}></cartulary-keep-draft>
      </div>
      ${this.isUnsaved ? html`<wa-callout variant="danger" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>${t('unsaved')}</wa-callout>` : nothing}
      ${this.#renderMovedOn(draft)}
      <cartulary-dialog-form danger heading=${t('discardAsk')} action=${t('discard')} .work=${async () => {}}
        @done=${() => {
          this.#isDiscarded = true
        }}
        @closed=${this.#discard}>
        <p>${t('discardText')}</p>
      </cartulary-dialog-form>
    </div>`
  }

  #renderMovedOn({ baseVersion }: Draft) {
    const { version, modified, modifiedBy } = this.published
    if (version === baseVersion) return nothing
    return html`<wa-callout variant="warning" id="moved-on">
      <wa-icon slot="icon" name="warning"></wa-icon>
      <strong>${t('movedOn', { version, base: baseVersion })}</strong>
      <p>
        ${modifiedBy === undefined ? nothing : html`<bdi>${modifiedBy}</bdi> · `}
        ${modified === undefined ? nothing : html`<cartulary-moment .value=${modified}></cartulary-moment>`}
      </p>
      <p>${t('movedOnText')} <a href=${hrefTo(...screenOf(this.owner, 'Comparison'), { from: baseVersion, to: version })}>${t('compare')}</a></p>
    </wa-callout>`
  }

  /** Waits until the dialog is closed: while it is open, nothing outside can get the focus. */
  #discard(): void {
    if (!this.#isDiscarded) return
    this.#isDiscarded = false
    this.dispatchEvent(new Event('discard'))
  }
}

customElements.define('cartulary-draft-notice', DraftNotice)
