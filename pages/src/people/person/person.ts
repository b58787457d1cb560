import { Action, announce, button, PageElement, Reading, Screen } from '../../elements/page.ts'
import '../you/sessions.ts'
import './hand-over.ts'
import './password-of-person.ts'
import { TaskStatus } from '@lit/task'
import { css, html, nothing } from 'lit'
import { property, query } from 'lit/decorators.js'
import { keyed } from 'lit/directives/keyed.js'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { choice, field, readFields, textField } from '../../elements/fields.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, may, post, signedIn } from '../../session/session.ts'
import { namesOf } from '../../texts/names.ts'
import { ofPeoplePerson as t } from '../../texts/rooms.ts'
import { listRoleChoices, loadRoles, nameOfRole } from '../role-names.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { setDisabled } from './set-disabled.ts'

interface Loaded {
  readonly user: WireUserView
  readonly roles: readonly WireRole[]
}

/** A user, with the actions that the caller may take. */
class Person extends Screen {
  static override styles = css`
    #role {
      flex: 0 1 20rem;
    }
  `

  @query('#disabling') dialog!: DialogForm
  @query('#promoting') promoting!: DialogForm
  @query('#role') roleField!: HTMLSelectElement

  readonly #roleChange = new Action(this)
  readonly #enabling = new Action(this)

  readonly #loaded = new Reading(this, {
    args: () => [this.parameters['username'] ?? ''],
    task: async ([username], { signal }): Promise<Loaded> => {
      const [user, roles] = await Promise.all([
        call<WireUserView>(pathOf(username), { withCan: true }, { signal }),
        loadRoles(signal),
      ])
      return { user, roles }
    },
  })

  override render() {
    const { value, status } = this.#loaded
    const { username = '' } = this.parameters
    // The present person stays visible, and focused, while they are read again.
    if (value && (status === TaskStatus.COMPLETE || value.user.username === username)) return this.#renderUser(value)
    return html`<cartulary-heading text=${username}></cartulary-heading>
      ${renderPeopleTabs('people')}${this.#loaded.show(() => nothing)}`
  }

  #renderUser({ user, roles }: Loaded) {
    const { username, fullName } = user
    const names = namesOf(username, fullName)
    const person = signedIn()
    const isOwn = username === person?.username
    return html`<cartulary-heading text=${names.name} note=${names.username ?? ''}>
        ${user.disabled === undefined ? nothing : html`<wa-tag variant=${user.disabled ? 'warning' : 'success'}>${t(user.disabled ? 'disabled' : 'enabled')}</wa-tag>`}
      </cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack two"><div class="stack">
        <section class="panel stack">
          <h2>${t('profile')}</h2>
          <cartulary-profile
            .user=${user} ?editable=${may('updateUser', user)} @done=${this.#readAgain}
          ></cartulary-profile>
        </section>
        ${this.#renderRole(user, roles, isOwn)}
        <section class="panel stack">
          <h2>${t('groups')}</h2>
          ${this.#renderGroups(user)}
        </section>
        </div><div class="stack">
        ${
          may('makePasswordLink', user) && !isOwn && user.provider !== 'enterprise'
            ? html`<section class="panel stack">
                <h2>${t('password')}</h2>
                <cartulary-password-of-person username=${username}></cartulary-password-of-person>
              </section>`
            : nothing
        }
        ${
          may('listSessions', user)
            ? html`<section class="panel stack">
                <h2>${t('sessions')}</h2>
                <cartulary-sessions ?own=${isOwn} username=${username}></cartulary-sessions>
              </section>`
            : nothing
        }
        ${this.#renderMore(user, isOwn)}
      </div></div>`
  }

  #renderRole(user: WireUserView, roles: readonly WireRole[], isOwn: boolean) {
    const { username, role } = user
    const about = html`<a href=${hrefTo('roles', {}, { role })}>${t('aboutRole')}</a>`
    return html`<section class="panel stack">
      <h2>${t('role')}</h2>
      ${
        isOwn || !may('updateUserRole', user)
          ? html`<p><bdi>${nameOfRole(role, roles)}</bdi></p><p>${about}</p>`
          : html`<form class="row" @submit=${(event: Event) => event.preventDefault()}>
                ${keyed(
                  `${username} ${role}`,
                  html`<select aria-label=${t('role')} id="role">
                    ${listRoleChoices(roles).map(([value, text]) => html`<option value=${value} dir="auto" ?selected=${value === role}>${text}</option>`)}
                  </select>`,
                )}
                ${button(t('changeRole'), { loading: this.#roleChange.isRunning, onClick: () => this.#askOrChange(username) })}
              </form>
              <p>${about}</p>
              <cartulary-dialog-form
                id="promoting" danger heading=${t('administratorHeading', { name: username })} action=${t('changeRole')} .work=${() => this.#postRole(username)} @done=${this.#readAgain}
              ><p>${t('administratorText')}</p></cartulary-dialog-form>
              <cartulary-problem .error=${this.#roleChange.error}></cartulary-problem>`
      }
    </section>`
  }

  #renderGroups({ groups }: WireUserView) {
    if (groups.length === 0) return html`<p class="quiet">${t('noGroups')}</p>`
    return html`<ul>
      ${groups.map(({ id, title, userMembership: { memberType } }) => {
        const is = memberType === 'owner' ? t('owns') : memberType === 'admin' ? t('manages') : ''
        return html`<li><a href=${hrefTo('group', { group: id })}>${title}</a>${is ? html` <span class="quiet">(${is})</span>` : nothing}</li>`
      })}
    </ul>`
  }

  #renderMore(user: WireUserView, isOwn: boolean) {
    const { username, disabled } = user
    const mayDisable = !isOwn && may('disableUser', user)
    return html`<section class="panel stack">
      <h2>${t('more')}</h2>
      <p><a href=${hrefTo('content', {}, { owner: username })}>${t('toItems')}</a></p>
      ${may('listPortalHistory') ? html`<p><a href=${hrefTo('log', {}, { actors: username })}>${t('toLog')}</a></p>` : nothing}
      ${may('checkPermission', user) ? html`<p><a href=${hrefTo('permissionCheck', {}, { user: username })}>${t('toCheck')}</a></p>` : nothing}
      <cartulary-problem .error=${this.#enabling.error}></cartulary-problem>
      <div class="row">
        ${
          mayDisable
            ? disabled
              ? button(t('enable'), {
                  id: 'state',
                  loading: this.#enabling.isRunning,
                  onClick: () => this.#enable(username),
                })
              : button(t('disable'), {
                  id: 'state',
                  variant: 'danger',
                  appearance: 'outlined',
                  onClick: () => this.dialog.open(),
                })
            : nothing
        }
        ${
          isOwn
            ? nothing
            : html`<cartulary-hand-over
                .user=${user} @done=${this.#readAgain} @deleted=${() => goTo(hrefTo('people'))}
              ></cartulary-hand-over>`
        }
      </div>
      <cartulary-dialog-form
        id="disabling" danger heading=${t('disableHeading', { username })} action=${t('disable')}
        .work=${() => setDisabled(username, true)} @done=${this.#readAgain}
      ><p>${t('disableText')}</p></cartulary-dialog-form>
    </section>`
  }

  /** An administrator is made after a question. */
  async #askOrChange(username: string): Promise<void> {
    if (this.roleField.value === 'org_admin') return this.promoting.open()
    if (await this.#roleChange.run(() => this.#postRole(username))) await this.#readAgain()
  }

  #postRole(user: string): Promise<unknown> {
    return post('/portals/self/updateUserRole', { user, role: this.roleField.value })
  }

  async #enable(username: string): Promise<void> {
    if (await this.#enabling.run(() => setDisabled(username, false))) await this.#readAgain()
  }

  readonly #readAgain = async (): Promise<void> => {
    await this.#loaded.run()
    announce(t('saved'))
  }
}

function pathOf(username: string): string {
  return `/community/users/${encodeURIComponent(username)}`
}

customElements.define('cartulary-person', Person)

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
