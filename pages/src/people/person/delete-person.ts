import '@awesome.me/webawesome/dist/components/button/button.js'
import '../../elements/dialog-form.ts'
import { html } from 'lit'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { announce } from '../../elements/announce.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { PageElement } from '../../elements/page-element.ts'
import { formStyle } from '../../forms/form-style.ts'
import { call, mayUse } from '../../session/session.ts'
import { t } from './texts.ts'

/** Deletes a user, after their groups and items were given to another one. Emits `done`. */
class DeletePerson extends PageElement {
  static override properties = { user: { attribute: false } }

  static override styles = [...PageElement.styles, ...formStyle]

  declare user: WireUserView

  override render() {
    const { username } = this.user
    return html`<wa-button appearance="outlined" variant="danger" @click=${this.#ask}>${t('delete')}</wa-button>
      <cartulary-dialog-form
        danger heading=${t('deleteHeading', { username })} action=${t('delete')} typed=${username} .work=${this.#delete}
        @done=${() => this.dispatchEvent(new Event('done'))}
      >
        <div class="stack">
          <p>${t('deleteText')}</p>
          ${
            mayUse('portal:admin:reassignUsers')
              ? html`<label class="field">
                  <span>${t('deleteReassign')}</span>
                  <input id="target" autocomplete="off" autocapitalize="none" spellcheck="false" />
                  <small>${t('deleteReassignHint')}</small>
                </label>`
              : ''
          }
        </div>
      </cartulary-dialog-form>`
  }

  #ask(): void {
    this.renderRoot.querySelector<DialogForm>('cartulary-dialog-form')?.open()
  }

  readonly #delete = async (): Promise<void> => {
    const { username } = this.user
    const path = `/community/users/${encodeURIComponent(username)}`
    const field = this.renderRoot.querySelector<HTMLInputElement>('#target')
    const targetUsername = field?.value.trim() ?? ''
    if (targetUsername !== '') await call(`${path}/reassign`, { targetUsername }, { method: 'POST' })
    // What was given away needs not be given again, if the deletion is refused.
    if (field) field.value = ''
    await call(`${path}/delete`, {}, { method: 'POST' })
    announce(t('deleted', { username }))
  }
}

customElements.define('cartulary-delete-person', DeletePerson)
