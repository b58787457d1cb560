import { html, nothing } from 'lit'
import { property, query } from 'lit/decorators.js'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { choice, field, readFields, textField } from '../../elements/fields.ts'
import { button, PageElement } from '../../elements/page.ts'
import { post } from '../../session/session.ts'
import { ofPeoplePerson as t } from '../../texts/rooms.ts'

const accesses = ['private', 'org', 'public'] as const

/** Profile of a user, and a dialog to change it. Emits `done` after a change. */
class Profile extends PageElement {
  @property({ attribute: false }) user!: WireUserView
  @property({ type: Boolean }) editable = false
  @query('cartulary-dialog-form') dialog!: DialogForm

  override render() {
    const { user } = this
    const row = (name: string, value: unknown) => html`<dt>${name}</dt><dd>${value}</dd>`
    return html`<div class="stack">
      <dl class="facts">
        ${user.email ? row(t('email'), html`<bdi>${user.email}</bdi>`) : nothing}
        ${user.description ? row(t('description'), html`<bdi>${user.description}</bdi>`) : nothing}
        ${row(t('access'), t(`access_${user.access}`))}
        ${user.provider === undefined ? nothing : row(t('provider'), t(`provider_${user.provider}`))}
        ${row(t('created'), html`<cartulary-moment value=${user.created}></cartulary-moment>`)}
        ${
          user.lastLogin === undefined
            ? nothing
            : row(
                t('lastLogin'),
                user.lastLogin === -1
                  ? t('never')
                  : html`<cartulary-moment value=${user.lastLogin}></cartulary-moment>`,
              )
        }
      </dl>
      ${
        this.editable
          ? html`<div>${button(t('editProfile'), { size: 's', onClick: () => this.dialog.open() })}</div>
              <cartulary-dialog-form
                heading=${t('editProfile')} action=${t('save')} .work=${this.#save} @done=${() => this.dispatchEvent(new Event('done'))}
              >${this.#renderFields()}</cartulary-dialog-form>`
          : nothing
      }
    </div>`
  }

  #renderFields() {
    const { fullName, email, description, access } = this.user
    return html`<div class="stack">
      ${field('fullName', t('fullName'), { max: 128, value: fullName })}
      ${field('email', t('email'), { type: 'email', max: 128, value: email ?? '' })}
      ${textField('description', t('description'), { rows: 4, max: 10000, value: description })}
      ${choice('access', t('access'), accesses, (each) => t(`access_${each}`), access)}
    </div>`
  }

  readonly #save = async (): Promise<void> => {
    const path = `/community/users/${encodeURIComponent(this.user.username)}/update`
    await post(path, { ...readFields(this.dialog), clearEmptyFields: true })
  }
}

customElements.define('cartulary-profile', Profile)
