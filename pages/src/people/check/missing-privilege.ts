import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { Privilege } from '../../../../src/call/privilege.ts'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { choiceOf } from '../../elements/fields.ts'
import { Action, announce, button, PageElement, Reading } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { call, may, post, signedIn, userPath } from '../../session/session.ts'
import { ofPeopleCheck as t } from '../../texts/rooms.ts'
import { describePrivilege } from '../privileges/describe-privilege.ts'
import { listRoleChoices, loadPrivileges, loadRoles, nameOfRole, setPrivileges } from '../roles-of-people.ts'

interface Found {
  readonly user: WireUserView
  readonly roles: readonly WireRole[]
  /** Roles that have the privilege: built-in ones, then custom ones by name. */
  readonly having: readonly (readonly [string, string])[]
}

/** Roles that have the privilege that a user lacks, and what gives it to the user. Emits `given` after a change. */
class MissingPrivilege extends PageElement {
  @property() username!: string
  @property() privilege!: Privilege

  readonly #giving = new Action(this)

  readonly #found = new Reading(this, {
    args: () => [this.username, this.privilege] as const,
    task: async ([username, privilege], { signal }): Promise<Found> => {
      const path = userPath(username)
      const [user, roles] = await Promise.all([
        call<WireUserView>(path, { withCan: true }, { signal }),
        loadRoles(signal),
      ])
      const choices = await Promise.all(
        listRoleChoices(roles).map(async (choice) =>
          (await loadPrivileges(choice[0], signal)).includes(privilege) ? [choice] : [],
        ),
      )
      return { user, roles, having: choices.flat() }
    },
  })

  override render() {
    return this.#found.show((found) => this.#renderFound(found))
  }

  #renderFound({ user, roles, having }: Found) {
    const { username, role } = user
    const custom = roles.find(({ id }) => id === role)
    const mayChangeRole = having.length > 0 && username !== signedIn()?.username && may('updateUserRole', user)
    // Privileges are set by default administrators alone.
    const mayChangePrivileges = custom !== undefined && signedIn()?.role === 'org_admin'
    return html`<div class="stack">
      <p>
        ${having.length === 0 ? t('noRoleHasIt') : t('rolesWithIt')}
        ${having.map(([id, name]) => html`<a href=${hrefTo('roles', {}, { role: id })}><bdi>${name}</bdi></a> `)}
      </p>
      ${
        mayChangeRole
          ? html`${choiceOf('', t('giveRole', { user: username }), having, having[0]?.[0], { id: 'role', hint: t('presentRole', { role: nameOfRole(role, roles) }) })}
              <div>${button(t('changeRole'), { loading: this.#giving.isRunning, onClick: () => this.#giveRole(username) })}</div>`
          : nothing
      }
      ${
        mayChangePrivileges
          ? html`<div>${button(t('givePrivilege', { role: custom.name }), { onClick: () => this.openDialog() })}</div>
              <cartulary-dialog-form
                heading=${t('givePrivilegeHeading', { role: custom.name })} action=${t('give')}
                .work=${(signal: AbortSignal) => this.#givePrivilege(custom.id, signal)} @done=${this.#given}
              ><p>${t('givePrivilegeText', { privilege: describePrivilege(this.privilege) })}</p></cartulary-dialog-form>`
          : nothing
      }
      ${mayChangeRole || mayChangePrivileges ? nothing : html`<p class="quiet">${t('askAdministrator')}</p>`}
      <cartulary-problem .error=${this.#giving.error}></cartulary-problem>
    </div>`
  }

  async #giveRole(user: string): Promise<void> {
    const role = this.renderRoot.querySelector<HTMLSelectElement>('#role')!.value
    if (await this.#giving.run(() => post('/portals/self/updateUserRole', { user, role }))) this.#given()
  }

  async #givePrivilege(role: string, signal: AbortSignal): Promise<void> {
    const present = await loadPrivileges(role, signal)
    await setPrivileges(role, [...new Set([...present, this.privilege])])
  }

  readonly #given = (): void => {
    announce(t('given'))
    this.dispatchEvent(new Event('given'))
  }
}

customElements.define('cartulary-missing-privilege', MissingPrivilege)
