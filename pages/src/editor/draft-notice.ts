import { css, html, nothing } from 'lit'
import { property, query } from 'lit/decorators.js'
import type { Draft } from '../drafts/draft-store.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { button, PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { DraftSummary } from '../shared-drafts/answers.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { LoadedSchema } from './model/open-draft.ts'

/** Line about a draft: since when. Emits `discard`, and `continue` to take up the one from elsewhere. What comes later stands in the bar at the end: it moves nothing in the tree. */
export class DraftNotice extends PageElement {
  static override styles = css`
    /* As high whatever it says. */
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
    /* A narrow window has two lines for what is published. */
    @media (max-width: 40rem) {
      .quiet > span {
        overflow: visible;
        line-height: 1;
        white-space: normal;
      }
    }
  `

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) draft: Draft | undefined
  @property({ attribute: false }) published!: LoadedSchema
  /** Latest draft that the person began in another browser, for one who has none here. */
  @property({ attribute: false }) elsewhere: DraftSummary | undefined
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
        ${this.elsewhere ? button(t('goOn', { name: this.elsewhere.name }), { id: 'go-on', appearance: 'plain', size: 's', onClick: () => this.dispatchEvent(new Event('continue')) }) : nothing}
      </div>`
    }
    return html`<div class="row line">
        <wa-icon name="pencil"></wa-icon>
        <span>${t('draftSince')} <cartulary-moment .value=${draft.began}></cartulary-moment> · ${
          draft.baseVersion === 0 ? t('draftOfNothing') : t('draftOfVersion', { version: draft.baseVersion })
        }</span>
        ${button(t('discard'), { class: 'no-print', appearance: 'plain', size: 's', onClick: () => this.dialog.open() })}
      </div>
      <cartulary-dialog-form danger heading=${t('discardAsk')} action=${t('discard')} .work=${async () => {}}
        @done=${() => {
          this.#isDiscarded = true
        }}
        @closed=${this.#discard}>
        <p>${t('discardText')}</p>
      </cartulary-dialog-form>`
  }

  /** Waits until the dialog is closed: while it is open, nothing outside can get the focus. */
  #discard(): void {
    if (!this.#isDiscarded) return
    this.#isDiscarded = false
    this.dispatchEvent(new Event('discard'))
  }
}

/** Renders that the published schema has changed since the draft began; undefined if it has not. */
export function renderMovedOn(owner: SchemaOwner, { baseVersion }: Draft, published: LoadedSchema) {
  const { version, modified, modifiedBy } = published
  if (version === baseVersion) return undefined
  return html`<p id="moved-on">
      <strong>${t('movedOn', { version, base: baseVersion })}</strong>
      ${modifiedBy === undefined ? nothing : html`<bdi>${modifiedBy}</bdi> · `}
      ${modified === undefined ? nothing : html`<cartulary-moment .value=${modified}></cartulary-moment>`}
    </p>
    <p>${t('movedOnText')} <a href=${hrefTo(...screenOf(owner, 'Comparison'), { from: baseVersion, to: version })}>${t('compare')}</a></p>`
}

customElements.define('cartulary-draft-notice', DraftNotice)
