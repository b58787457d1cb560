import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { ApiError } from '../api/call.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { loadDraft, saveDraft } from '../drafts/drafts.ts'
import { Action } from '../elements/action.ts'
import { announce } from '../elements/announce.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { readFields } from '../elements/fields.ts'
import { PageElement } from '../elements/page-element.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { readSchema } from '../schemas/requests.ts'
import { toContent } from './conversion.ts'
import { createDraft, readDraft, updateDraft } from './requests.ts'
import { t } from './texts.ts'

const maxName = 100

/**
 * Button that keeps the draft of this browser on the server, or saves it there again. Another person may have saved it meanwhile:
 * then both stay, and the person chooses. With `opens`, the screen of the kept draft is shown after it.
 */
class KeepDraft extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) draft!: Draft
  @property({ type: Boolean }) opens = false
  /** Whether it is what decides on its screen. */
  @property({ type: Boolean }) primary = false
  /** Who has saved the kept draft meanwhile. */
  @state() savedBy: string | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #saving = new Action(this)

  override render() {
    const { kept, saved } = this.draft
    const isSaved = kept?.saved === saved
    return html`<div class="row">
        ${
          kept && isSaved
            ? html`<a href=${hrefTo(...screenOf(this.owner, 'Draft', { draft: kept.id }))}>${t('keptAs', { name: kept.name })}</a>`
            : html`<wa-button size=${this.primary ? 'm' : 's'} variant=${this.primary ? 'brand' : 'neutral'} appearance=${this.primary ? 'accent' : 'outlined'} ?loading=${this.#saving.isRunning} @click=${kept ? this.#save : () => this.dialog.open()}
                ><wa-icon slot="start" name="upload"></wa-icon>${kept ? t('saveAs', { name: kept.name }) : t('keep')}</wa-button>`
        }
      </div>
      ${this.#renderConflict()}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <cartulary-dialog-form heading=${t('keepHeading')} action=${t('keepAction')} .work=${this.#keep} @done=${this.#finish}>
        <div class="stack">
          <p>${t('keepText')}</p>
          <label class="field"><span>${t('name')}</span>
            <input name="name" dir="auto" required maxlength=${maxName} autocomplete="off" .defaultValue=${kept?.name ?? ''}></label>
        </div>
      </cartulary-dialog-form>`
  }

  #renderConflict() {
    const { kept } = this.draft
    if (this.savedBy === undefined || !kept) return nothing
    return html`<wa-callout variant="warning" role="alert">
      <wa-icon slot="icon" name="warning"></wa-icon>
      <div class="stack">
        <p>${t('savedByOther', { name: kept.name, person: this.savedBy })}</p>
        <div class="row">
          <wa-button size="s" variant="brand" @click=${() => this.dialog.open()}>${t('keepAsOther')}</wa-button>
          <a href=${hrefTo(...screenOf(this.owner, 'Draft', { draft: kept.id }))}>${t('lookAtTheirs')}</a>
        </div>
      </div>
    </wa-callout>`
  }

  async #content() {
    // A comment that is typed since the draft was shown changes nothing else on the screen.
    const { comment } = loadDraft(this.owner) ?? this.draft
    return toContent(await readSchema(this.owner, this.draft.baseVersion), { ...this.draft, comment })
  }

  readonly #keep = async () => {
    const { draft } = this
    const { name = '' } = readFields(this.dialog)
    const { draftId, revision } = await createDraft(this.owner, name.trim(), await this.#content())
    this.#remember(draft, { id: draftId, name: name.trim(), revision })
  }

  readonly #save = async () => {
    const { draft } = this
    const { kept } = draft
    if (!kept) return
    this.savedBy = undefined
    const isSaved = await this.#saving.run(async () => {
      const content = await this.#content()
      const save = async (seen: number) => {
        const { revision } = await updateDraft(this.owner, kept.id, seen, content)
        this.#remember(draft, { ...kept, revision })
      }
      try {
        await save(kept.revision)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 409)) throw error
        const { revision, savedRevision, modifiedBy } = await readDraft(this.owner, kept.id)
        // A draft that was only proposed or sent back since has the same content.
        if (savedRevision > kept.revision) this.savedBy = modifiedBy
        else await save(revision)
      }
    })
    if (isSaved && this.savedBy === undefined) this.#finish()
  }

  /** Notes in the draft of this browser what the server has; later edits of it stay unsaved. */
  #remember(sent: Draft, kept: { readonly id: string; readonly name: string; readonly revision: number }): void {
    const stored = loadDraft(this.owner)
    this.savedBy = undefined
    if (stored) saveDraft(this.owner, { ...stored, kept: { ...kept, saved: sent.saved } })
  }

  #finish(): void {
    announce(t('keptAnnounced'))
    const id = loadDraft(this.owner)?.kept?.id
    if (this.opens && id !== undefined) goTo(hrefTo(...screenOf(this.owner, 'Draft', { draft: id })))
  }
}

customElements.define('cartulary-keep-draft', KeepDraft)
