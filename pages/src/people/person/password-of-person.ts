import { Action, button, PageElement } from '../../elements/page.ts'
import '../../forms/secret.ts'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { post, userPath } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofPeoplePerson as t } from '../../texts/rooms.ts'
import { makeTemporaryPassword } from '../temporary-password.ts'

/** Help for a user who has lost their password: a link, or a temporary password, each shown once. */
class PasswordOfPerson extends PageElement {
  @property() username!: string
  /** Link or password to pass on, kept in this element only. */
  @state() shown: { readonly label: string; readonly value: string } | undefined

  readonly #link = new Action(this)

  override render() {
    const { username, shown } = this
    return html`<div class="stack">
      <p class="quiet">${t('passwordNote')}</p>
      <div class="row">
        ${button(t('makeLink'), { loading: this.#link.isRunning, onClick: this.#makeLink })}
        ${button(t('temporary'), { onClick: () => this.openDialog() })}
      </div>
      <cartulary-problem .error=${this.#link.error}></cartulary-problem>
      <div role="status">
        ${shown ? html`<cartulary-secret label=${shown.label} value=${shown.value}></cartulary-secret>` : nothing}
      </div>
      <cartulary-dialog-form
        danger heading=${t('temporaryHeading', { username })} action=${t('temporary')} .work=${this.#setTemporary}
      ><p>${t('temporaryText')}</p></cartulary-dialog-form>
    </div>`
  }

  async #makeLink(): Promise<void> {
    await this.#link.run(async () => {
      const { url, expires } = await post<{ readonly url: string; readonly expires: number }>(
        `${userPath(this.username)}/passwordLink`,
      )
      this.shown = { label: t('link', { until: formatMoment(expires) }), value: url }
    })
  }

  readonly #setTemporary = async (): Promise<void> => {
    const password = makeTemporaryPassword()
    await post(`${userPath(this.username)}/reset`, { newPassword: password })
    // Shown before the second step: the password is set by then, even if that step fails.
    this.shown = { label: t('temporaryShown'), value: password }
    await post(`${userPath(this.username)}/expirePassword`)
  }
}

customElements.define('cartulary-password-of-person', PasswordOfPerson)
