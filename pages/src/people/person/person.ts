import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import '../you/sessions.ts'
import '../../forms/secret.ts'
import { TaskStatus } from '@lit/task'
import { css, html, nothing } from 'lit'
import { query, state } from 'lit/decorators.js'
import { keyed } from 'lit/directives/keyed.js'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { choice, field, readFields, textField } from '../../elements/fields.ts'
import { renderDetails } from '../../elements/lists/facts.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, may, post, signedIn, userPath } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { namesOf } from '../../texts/names.ts'
import { ofPeoplePerson as t } from '../../texts/rooms.ts'
import { listRoleChoices, loadRoles, nameOfRole } from '../roles-of-people.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { makeTemporaryPassword } from '../temporary-password.ts'
import { setDisabled } from './hand-over.ts'

const accesses = ['private', 'org', 'public'] as const

/** A user, with the actions that the caller may take. */
class Person extends Screen {
  static override styles = css`
    #role {
      flex: 0 1 20rem;
    }
  `

  @query('#role') roleField!: HTMLSelectElement

  /** Link or password to pass on, kept in this element only. */
  @state() shown: { readonly username: string; readonly label: string; readonly value: string } | undefined

  readonly #link = new Action(this)
  readonly #roleChange = new Action(this)
  readonly #enabling = new Action(this)

  readonly #loaded = new Reading(this, {
    args: () => [this.parameters['username'] ?? ''],
    task: async ([username], { signal }) => {
      const [user, roles] = await Promise.all([
        call<WireUserView>(userPath(username), { withCan: true }, { signal }),
        loadRoles(signal),
      ])
      return { user, roles }
    },
  })

  override render() {
    const { value, status } = this.#loaded
    const { username = '' } = this.parameters
    // The present person stays visible, and focused, while they are read again.
    if (value && (status === TaskStatus.COMPLETE || value.user.username === username))
      return this.#renderUser(value.user, value.roles)
    return html`<cartulary-heading text=${username}></cartulary-heading>
      ${renderPeopleTabs('people')}${this.#loaded.show(() => nothing)}`
  }

  #renderUser(user: WireUserView, roles: readonly WireRole[]) {
    const { username, fullName } = user
    const names = namesOf(username, fullName)
    const person = signedIn()
    const isOwn = username === person?.username
    return html`<cartulary-heading text=${names.name} note=${names.username ?? ''}>
        ${user.disabled === undefined ? nothing : html`<wa-tag variant=${user.disabled ? 'warning' : 'success'}>${t(user.disabled ? 'disabled' : 'enabled')}</wa-tag>`}
      </cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack two"><div class="stack">
        ${this.#renderProfile(user)}
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
                ${this.#renderPassword(username)}
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

  #renderProfile(user: WireUserView) {
    const { username, fullName, email, description, access, provider, created, lastLogin } = user
    const moment = (value: number) => html`<cartulary-moment value=${value}></cartulary-moment>`
    return html`<section class="panel stack">
      <h2>${t('profile')}</h2>
      ${renderDetails([
        [t('email'), email && html`<bdi>${email}</bdi>`],
        [t('description'), description && html`<bdi>${description}</bdi>`],
        [t('access'), t(`access_${access}`)],
        [t('provider'), provider && t(`provider_${provider}`)],
        [t('created'), moment(created)],
        [t('lastLogin'), lastLogin && (lastLogin === -1 ? t('never') : moment(lastLogin))],
      ])}
      ${
        may('updateUser', user)
          ? html`<div>${button(t('editProfile'), { size: 's', onClick: () => this.openDialog('#editing') })}</div>
              <cartulary-dialog-form
                id="editing" heading=${t('editProfile')} action=${t('save')} .work=${() => post(`${userPath(username)}/update`, { ...readFields(this.dialogOf('#editing')), clearEmptyFields: true })} @done=${this.#readAgain}
              >
                ${field('fullName', t('fullName'), { max: 128, value: fullName })}
                ${field('email', t('email'), { type: 'email', max: 128, value: email ?? '' })}
                ${textField('description', t('description'), { rows: 4, max: 10000, value: description })}
                ${choice('access', t('access'), accesses, (each) => t(`access_${each}`), access)}
              </cartulary-dialog-form>`
          : nothing
      }
    </section>`
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

  /** Help for a user who has lost their password: a link, or a temporary password, each shown once. */
  #renderPassword(username: string) {
    const shown = this.shown?.username === username ? this.shown : undefined
    return html`<p class="quiet">${t('passwordNote')}</p>
      <div class="row">
        ${button(t('makeLink'), { loading: this.#link.isRunning, onClick: () => this.#makeLink(username) })}
        ${button(t('temporary'), { onClick: () => this.openDialog('#temporary') })}
      </div>
      <cartulary-problem .error=${this.#link.error}></cartulary-problem>
      <div role="status">
        ${shown ? html`<cartulary-secret label=${shown.label} value=${shown.value}></cartulary-secret>` : nothing}
      </div>
      <cartulary-dialog-form
        id="temporary" danger heading=${t('temporaryHeading', { username })} action=${t('temporary')} .work=${() => this.#setTemporary(username)}
      ><p>${t('temporaryText')}</p></cartulary-dialog-form>`
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
    const { username } = user
    const mayDisable = !isOwn && may('disableUser', user)
    return html`<section class="panel stack">
      <h2>${t('more')}</h2>
      <p><a href=${hrefTo('content', {}, { owner: username })}>${t('toItems')}</a></p>
      ${may('listPortalHistory') ? html`<p><a href=${hrefTo('log', {}, { actors: username })}>${t('toLog')}</a></p>` : nothing}
      ${may('checkPermission', user) ? html`<p><a href=${hrefTo('permissionCheck', {}, { user: username })}>${t('toCheck')}</a></p>` : nothing}
      <cartulary-problem .error=${this.#enabling.error}></cartulary-problem>
      <div class="row">
        ${mayDisable ? this.#renderSwitch(user) : nothing}
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

  /** One button for both, which keeps the focus. */
  #renderSwitch({ username, disabled }: WireUserView) {
    return button(t(disabled ? 'enable' : 'disable'), {
      id: 'state',
      variant: disabled ? 'neutral' : 'danger',
      appearance: 'outlined',
      loading: this.#enabling.isRunning,
      onClick: () => (disabled ? this.#enable(username) : this.openDialog('#disabling')),
    })
  }

  /** An administrator is made after a question. */
  async #askOrChange(username: string): Promise<void> {
    if (this.roleField.value === 'org_admin') return this.openDialog('#promoting')
    if (await this.#roleChange.run(() => this.#postRole(username))) await this.#readAgain()
  }

  #postRole(user: string): Promise<unknown> {
    return post('/portals/self/updateUserRole', { user, role: this.roleField.value })
  }

  async #enable(username: string): Promise<void> {
    if (await this.#enabling.run(() => setDisabled(username, false))) await this.#readAgain()
  }

  async #makeLink(username: string): Promise<void> {
    await this.#link.run(async () => {
      const { url, expires } = await post<{ readonly url: string; readonly expires: number }>(
        `${userPath(username)}/passwordLink`,
      )
      this.shown = { username, label: t('link', { until: formatMoment(expires) }), value: url }
    })
  }

  async #setTemporary(username: string): Promise<void> {
    const password = makeTemporaryPassword()
    await post(`${userPath(username)}/reset`, { newPassword: password })
    // Shown before the second step: the password is set by then, even if that step fails.
    this.shown = { username, label: t('temporaryShown'), value: password }
    await post(`${userPath(username)}/expirePassword`)
  }

  readonly #readAgain = async (): Promise<void> => {
    await this.#loaded.run()
    announce(t('saved'))
  }
}

customElements.define('cartulary-person', Person)
