import { html, nothing } from 'lit'
import { property, query } from 'lit/decorators.js'
import { announce } from '../elements/announce.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { PageElement } from '../elements/page-element.ts'
import { saveFile } from '../elements/save-file.ts'
import type { SchemaOwner } from '../owners/owners.ts'
import type { DamagedDraft } from './draft-store.ts'
import { findDamagedDrafts, removeDamagedDraft } from './drafts.ts'
import { t } from './texts.ts'

/** Notice that a draft of an owner cannot be read, with its text as a file. Takes no space if there is none. */
class DamagedDraftNotice extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @query('cartulary-dialog-form') dialog!: DialogForm

  #damaged: DamagedDraft | undefined

  override willUpdate(): void {
    this.#damaged = findDamagedDrafts(this.owner)[0]
    this.hidden = this.#damaged === undefined
  }

  override render() {
    const damaged = this.#damaged
    if (!damaged) return nothing
    return html`<wa-callout variant="warning" role="alert">
        <wa-icon slot="icon" name="warning"></wa-icon>
        <div class="stack">
          <div><strong>${t('damaged')}</strong><p>${t('damagedText')}</p></div>
          <div class="row">
            <wa-button size="s" variant="brand" @click=${() => this.#save(damaged)}
              ><wa-icon slot="start" name="download"></wa-icon>${t('save')}</wa-button>
            <wa-button size="s" appearance="outlined" @click=${() => this.dialog.open()}>${t('remove')}</wa-button>
          </div>
        </div>
      </wa-callout>
      <cartulary-dialog-form
        danger heading=${t('removeAsk')} action=${t('remove')} .work=${async () => removeDamagedDraft(this.owner, damaged)} @done=${this.#removed}
      ><p>${t('removeText')}</p></cartulary-dialog-form>`
  }

  #save({ text }: DamagedDraft): void {
    saveFile(new Blob([text], { type: 'text/plain' }), 'draft.txt')
  }

  #removed(): void {
    announce(t('removed'))
    this.requestUpdate()
  }
}

customElements.define('cartulary-damaged-draft', DamagedDraftNotice)
