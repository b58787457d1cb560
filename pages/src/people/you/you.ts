import { Action, button, Reading, Screen } from '../../elements/page.ts'
import './sessions.ts'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { enterSubmits, field, readFields } from '../../elements/fields.ts'
import { renderLanguageSelect } from '../../elements/language-select.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { call, post, signedIn, signIn, userPath } from '../../session/session.ts'
import { namesOf } from '../../texts/names.ts'
import { ofPeopleYou as t } from '../../texts/rooms.ts'

interface Policy {
  readonly passwordPolicy: { readonly minLength: number; readonly maxLength: number }
}

/** Settings of a person: their sign-ins, their password, the language. */
class You extends Screen {
  /** Whether the password was changed, which ends this sign-in too. */
  @state() isChanged = false

  readonly #action = new Action(this)

  readonly #self = new Reading(this, {
    args: () => [],
    task: async (_, { signal }) => {
      const [user, { passwordPolicy }] = await Promise.all([
        call<WireUserView>('/community/self', {}, { signal }),
        call<Policy>('/portals/self/securityPolicy', {}, { signal }),
      ])
      return { user, passwordPolicy }
    },
  })

  override render() {
    const person = signedIn()
    if (!person) return nothing
    const { username, fullName } = person
    const names = namesOf(username, fullName)
    return html`<cartulary-heading text=${t('title')} note=${[names.name, names.username].filter(Boolean).join(' · ')}></cartulary-heading>
      <div class="stack">
        <p><a href=${hrefTo('person', { username })}>${t('profile')}</a></p>
        <section class="panel stack">
          <div>
            <h2>${t('sessions')}</h2>
            <p class="quiet">${t('sessionsNote')}</p>
          </div>
          ${this.isChanged ? nothing : html`<cartulary-sessions own username=${username}></cartulary-sessions>`}
        </section>
        <section class="panel stack">
          <h2>${t('password')}</h2>
          ${this.#renderPassword()}
        </section>
        <section class="panel">
          <label class="field">
            <span>${t('language')}</span>
            ${renderLanguageSelect()}
          </label>
        </section>
      </div>`
  }

  #renderPassword() {
    if (this.isChanged) {
      return html`<wa-callout variant="success" role="status"><wa-icon slot="icon" name="check"></wa-icon>
        <div class="stack">
          <span>${t('changed')}</span>
          <cartulary-problem .error=${this.#action.error}></cartulary-problem>
          <div>${button(t('signIn'), { id: 'again', variant: 'brand', onClick: () => this.#action.run(signIn) })}</div>
        </div>
      </wa-callout>`
    }
    return this.#self.show(({ user, passwordPolicy: { minLength, maxLength } }) =>
      user.provider === 'enterprise'
        ? html`<p>${t('providerPassword')}</p>`
        : html`<form @submit=${this.#changePassword}>
              ${enterSubmits}
              <input hidden type="text" autocomplete="username" .value=${user.username} readonly />
              ${field('oldPassword', t('oldPassword'), { type: 'password', autocomplete: 'current-password', required: true })}
              ${field('newPassword', t('newPassword'), { type: 'password', autocomplete: 'new-password', min: minLength, max: maxLength, required: true, hint: t('newPasswordHint', { minimum: minLength, maximum: maxLength }) })}
              <p class="quiet">${t('passwordNote')}</p>
              <cartulary-problem .error=${this.#action.error}></cartulary-problem>
              <div>
                ${button(t('change'), { type: 'submit', variant: 'brand', loading: this.#action.isRunning })}
              </div>
            </form>`,
    )
  }

  async #changePassword(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const passwords = readFields(event.target as HTMLFormElement)
    const path = `${userPath(signedIn()!.username)}/changePassword`
    const isDone = await this.#action.run(() => post(path, passwords))
    if (!isDone) return
    this.isChanged = true
    await this.focusOn('#again')
  }
}

customElements.define('cartulary-you', You)
