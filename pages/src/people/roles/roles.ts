import { button } from '../../elements/page.ts'
import './role-view.ts'
import { css, html, nothing } from 'lit'
import { query } from 'lit/decorators.js'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { field, readFields } from '../../elements/fields.ts'
import { Reading, Screen } from '../../elements/page.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { may, post, signedIn } from '../../session/session.ts'
import { compareTexts } from '../../texts/formats.ts'
import { ofPeople as family, ofPeopleRoles as t } from '../../texts/rooms.ts'
import { builtInRoleNames, listRoleChoices, loadRoles, nameOfRole } from '../role-names.ts'
import { loadPrivileges, setPrivileges } from '../role-privileges.ts'
import { renderPeopleTabs } from '../tabs.ts'

/** Roles of the organization, and the privileges of the one in the address. */
class Roles extends Screen {
  static override styles = css`
    .columns {
      display: grid;
      gap: 1.25rem 2rem;
    }
    @media (min-width: 52rem) {
      .columns {
        grid-template-columns: minmax(0, 1fr) minmax(0, 3fr);
      }
    }
    nav h2 {
      margin-block: 0.75rem 0.25rem;
      font-size: 1rem;
    }
    a {
      padding: 0.375rem 0.625rem;
    }
  `

  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #roles = new Reading(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  /** Id of the role that was created, until the dialog closes. */
  #made: string | undefined

  override render() {
    return html`<cartulary-heading text=${family('roles')} note=${t('note')}>
        ${may('createRole') ? button(t('create'), { icon: 'plus', variant: 'brand', onClick: this.#ask }) : nothing}
      </cartulary-heading>
      ${renderPeopleTabs('roles')}
      ${this.#roles.showLatest((roles) => this.#renderRoles(roles))}`
  }

  #renderRoles(roles: readonly WireRole[]) {
    const chosen = this.query.get('role') ?? signedIn()?.role ?? 'org_user'
    const link = (role: string) =>
      html`<li>
        <a href=${hrefTo('roles', {}, { role })} aria-current=${role === chosen ? 'page' : nothing}>${nameOfRole(role, roles)}</a>
      </li>`
    const custom = roles.toSorted((a, b) => compareTexts(a.name, b.name))
    return html`<div class="columns">
        <nav class="links" aria-label=${t('list')}>
          <h2>${t('builtIn')}</h2>
          <ul role="list">${builtInRoleNames.map(link)}</ul>
          <h2>${t('custom')}</h2>
          ${custom.length === 0 ? html`<p class="quiet">${t('noCustom')}</p>` : html`<ul role="list">${custom.map(({ id }) => link(id))}</ul>`}
        </nav>
        <cartulary-role
          .role=${chosen} .roles=${roles} @changed=${() => this.#roles.run()} @deleted=${this.#deleted}
        ></cartulary-role>
      </div>
      <cartulary-dialog-form heading=${t('create')} action=${t('createAction')} .work=${this.#create} @done=${this.#created}>
        <div class="stack">
          ${field('name', t('name'), { max: 128, required: true })}
          ${field('description', t('description'), { max: 250 })}
          ${
            signedIn()?.role === 'org_admin'
              ? html`<label class="field">
                  <span>${t('basedOn')}</span>
                  <select name="basedOn">
                    <option value="">${t('nothing')}</option>
                    ${listRoleChoices(roles).map(([value, text]) => html`<option value=${value} dir="auto">${text}</option>`)}
                  </select>
                </label>`
              : html`<p class="quiet">${t('onlyAdministrators')}</p>`
          }
        </div>
      </cartulary-dialog-form>`
  }

  #ask(): void {
    // A role that was created before the dialog was cancelled stays separate.
    this.#made = undefined
    this.dialog.open()
  }

  readonly #create = async (signal: AbortSignal): Promise<void> => {
    const { name = '', description = '', basedOn = '' } = readFields(this.dialog)
    const privileges = basedOn === '' ? [] : await loadPrivileges(basedOn, signal)
    // Created once, although setting its privileges may be retried.
    this.#made ??= (
      await post<{ readonly id: string }>('/portals/self/createRole', { name, description: description || undefined })
    ).id
    if (privileges.length > 0) await setPrivileges(this.#made, privileges)
  }

  async #created(): Promise<void> {
    const role = this.#made
    this.#made = undefined
    await this.#roles.run()
    goTo(hrefTo('roles', {}, { role }))
  }

  async #deleted(): Promise<void> {
    await this.#roles.run()
    goTo(hrefTo('roles'))
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('cartulary-heading')?.focus()
  }
}

customElements.define('cartulary-roles', Roles)
