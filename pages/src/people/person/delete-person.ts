import { html } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import type { WireApp } from '../../../../src/http/shapes/oauth/app.ts'
import { announce } from '../../elements/announce.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { PageElement } from '../../elements/page-element.ts'
import { formStyle } from '../../forms/form-style.ts'
import { call, may, post } from '../../session/session.ts'
import { t } from './texts.ts'

interface AppsAnswer {
  readonly nextStart: number
  readonly apps: readonly WireApp[]
}

/** Used if apps cannot be read, as the refusal of the deletion names them too. */
const noApps: AppsAnswer = { nextStart: -1, apps: [] }

/** Deletes a user after transferring their groups and items to another one, and names the apps concerned. Emits `done`. */
class DeletePerson extends PageElement {
  static override styles = formStyle

  @property({ attribute: false }) user!: WireUserView

  /** Titles of the user's apps. */
  @state() apps: readonly string[] = []
  @query('cartulary-dialog-form') dialog!: DialogForm

  override render() {
    const { username } = this.user
    return html`<wa-button appearance="outlined" variant="danger" @click=${this.#ask}>${t('delete')}</wa-button>
      <cartulary-dialog-form
        danger heading=${t('deleteHeading', { username })} action=${t('delete')} typed=${username} .work=${this.#delete}
        @done=${() => this.dispatchEvent(new Event('done'))}
      >
        <div class="stack">
          <p>${t('deleteText')}</p>
          ${this.apps.length > 0 ? html`<p>${t('deleteApps')} ${this.apps.map((title) => html`<bdi>${title}</bdi> `)}</p>` : ''}
          ${
            may('reassignUser', this.user)
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

  async #ask(): Promise<void> {
    this.dialog.open()
    this.apps = []
    if (!may('listApps')) return
    const { username } = this.user
    for (let start = 1; start > 0; ) {
      const page = await call<AppsAnswer>('/oauth2/apps', { start, num: 100 }).catch(() => noApps)
      this.apps = [...this.apps, ...page.apps.filter(({ owner }) => owner === username).map(({ title }) => title)]
      start = page.nextStart
    }
  }

  readonly #delete = async (): Promise<void> => {
    const { username } = this.user
    const path = `/community/users/${encodeURIComponent(username)}`
    const field = this.renderRoot.querySelector<HTMLInputElement>('#target')
    const targetUsername = field?.value.trim() ?? ''
    if (targetUsername !== '') await post(`${path}/reassign`, { targetUsername })
    // Transferred items need not be transferred again if the deletion is refused.
    if (field) field.value = ''
    await post(`${path}/delete`)
    announce(t('deleted', { username }))
  }
}

customElements.define('cartulary-delete-person', DeletePerson)
