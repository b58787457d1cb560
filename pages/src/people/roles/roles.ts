import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { isBuiltInRole, type Privilege } from '../../../../src/call/privilege.ts'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import { choiceOf, field, readFields, tick } from '../../elements/fields.ts'
import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { may, post, signedIn } from '../../session/session.ts'
import { compareTexts } from '../../texts/formats.ts'
import { ofPeople as family, ofPeopleRoles as t } from '../../texts/rooms.ts'
import { areas, privilegesIn } from '../privileges/areas.ts'
import { describePrivilege } from '../privileges/describe-privilege.ts'
import {
  builtInRoleNames,
  listRoleChoices,
  loadPrivileges,
  loadRoles,
  nameOfRole,
  setPrivileges,
} from '../roles-of-people.ts'
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
    nav a {
      padding: 0.375rem 0.625rem;
    }
    .privileges {
      display: grid;
      gap: 0.5rem;
      margin-block-start: 0.5rem;
    }
    code {
      display: block;
      font-size: 0.8125rem;
      color: var(--wa-color-text-quiet);
    }
    .tick wa-icon {
      flex: none;
      margin-block-start: 0.25rem;
    }
  `

  /** Ticked privileges; undefined while unchanged. */
  @state() chosen: ReadonlySet<Privilege> | undefined

  readonly #action = new Action(this)

  readonly #roles = new Reading(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  readonly #privileges = new Reading(this, {
    args: () => [this.#role],
    task: ([role], { signal }) => loadPrivileges(role, signal),
    onComplete: () => (this.chosen = undefined),
  })

  /** Id of the role that was created, until the dialog closes. */
  #made: string | undefined

  /** Id of the role that is shown. */
  get #role(): string {
    return this.query.get('role') ?? signedIn()?.role ?? 'org_user'
  }

  override render() {
    return html`<cartulary-heading text=${family('roles')} note=${t('note')}>
        ${may('createRole') ? button(t('create'), { icon: 'plus', variant: 'brand', onClick: this.#ask }) : nothing}
      </cartulary-heading>
      ${renderPeopleTabs('roles')}
      ${this.#roles.showLatest((roles) => this.#renderRoles(roles))}
      <cartulary-dialog-form id="creating" heading=${t('create')} action=${t('createAction')} .work=${this.#create} @done=${this.#created}>
        ${field('name', t('name'), { max: 128, required: true })}
        ${field('description', t('description'), { max: 250 })}
        ${
          signedIn()?.role === 'org_admin'
            ? choiceOf('basedOn', t('basedOn'), [['', t('nothing')], ...listRoleChoices(this.#roles.value ?? [])], '')
            : html`<p class="quiet">${t('onlyAdministrators')}</p>`
        }
      </cartulary-dialog-form>`
  }

  #renderRoles(roles: readonly WireRole[]) {
    const link = (role: string) =>
      html`<li>
        <a href=${hrefTo('roles', {}, { role })} aria-current=${role === this.#role ? 'page' : nothing}>${nameOfRole(role, roles)}</a>
      </li>`
    const custom = roles.toSorted((a, b) => compareTexts(a.name, b.name))
    return html`<div class="columns">
        <nav class="links" aria-label=${t('list')}>
          <h2>${t('builtIn')}</h2>
          <ul role="list">${builtInRoleNames.map(link)}</ul>
          <h2>${t('custom')}</h2>
          ${custom.length === 0 ? html`<p class="quiet">${t('noCustom')}</p>` : html`<ul role="list">${custom.map(({ id }) => link(id))}</ul>`}
        </nav>
        ${this.#renderRole(this.#role, roles)}
      </div>`
  }

  /** The role with its privileges in words; those of a custom role can be changed. */
  #renderRole(role: string, roles: readonly WireRole[]) {
    const custom = roles.find(({ id }) => id === role)
    if (!custom && !isBuiltInRole(role))
      return html`<cartulary-empty icon="search" heading=${t('noRole')}></cartulary-empty>`
    return html`<div class="stack">
      <div class="stack">
        <h2><bdi>${nameOfRole(role, roles)}</bdi></h2>
        ${custom ? (custom.description ? html`<p><bdi>${custom.description}</bdi></p>` : nothing) : html`<p class="quiet">${t('builtInNote')}</p>`}
        <div class="row">
          <a href=${hrefTo('people', {}, { role })}>${t('whoHas')}</a>
          ${custom && may('createRole') ? this.#renderActions(custom) : nothing}
        </div>
      </div>
      ${this.#privileges.show((privileges) => this.#renderPrivileges(new Set(privileges), custom !== undefined))}
    </div>`
  }

  #ask(): void {
    // A role that was created before the dialog was cancelled stays separate.
    this.#made = undefined
    void this.openDialog('#creating')
  }

  readonly #create = async (signal: AbortSignal): Promise<void> => {
    const { name = '', description = '', basedOn = '' } = readFields(this.dialogOf('#creating'))
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
    await this.focusOn('cartulary-heading')
  }

  #renderActions({ name, description }: WireRole) {
    return html`${button(t('edit'), { size: 's', onClick: () => this.openDialog('#editing') })}
      ${button(t('delete'), { variant: 'danger', appearance: 'outlined', size: 's', onClick: () => this.openDialog('#deleting') })}
      <cartulary-dialog-form
        id="editing" heading=${t('edit')} action=${t('save')} .work=${this.#rename}
        @done=${() => this.#roles.run()}
      >
        ${field('name', t('name'), { max: 128, required: true, value: name })}
        ${field('description', t('description'), { max: 250, value: description })}
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="deleting" danger heading=${t('deleteHeading', { name })} action=${t('delete')} .work=${this.#delete}
        @done=${this.#deleted}
      ><p>${t('deleteText')}</p></cartulary-dialog-form>`
  }

  #renderPrivileges(present: ReadonlySet<Privilege>, isCustom: boolean) {
    const isEditable = isCustom && signedIn()?.role === 'org_admin'
    const chosen = this.chosen ?? present
    const changed = [...chosen.symmetricDifference(present)].length
    const list = areas.map(
      (area) => html`<fieldset>
        <legend>${t(`area_${area}`)}</legend>
        ${area === 'none' ? html`<p class="quiet">${t('noEffect')}</p>` : nothing}
        <div class="privileges">
          ${privilegesIn(area).map((privilege) => this.#renderPrivilege(privilege, chosen.has(privilege), isEditable))}
        </div>
      </fieldset>`,
    )
    return html`<p class="quiet">${t('count', { count: chosen.size })}${isCustom && !isEditable ? html` · ${t('onlyAdministrators')}` : nothing}</p>
      <form class="panel" @submit=${(event: Event) => event.preventDefault()}>${list}</form>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${
        isEditable
          ? html`<div class="row sticky">
              ${button(t('savePrivileges'), { variant: 'brand', disabled: changed === 0, loading: this.#action.isRunning, onClick: this.#save })}
              ${button(t('undo'), { appearance: 'plain', disabled: changed === 0, onClick: () => (this.chosen = undefined) })}
              <span role="status">${t('changed', { count: changed })}</span>
            </div>`
          : nothing
      }`
  }

  #renderPrivilege(privilege: Privilege, has: boolean, isEditable: boolean) {
    const words = html`${describePrivilege(privilege)}<code>${privilege}</code>`
    if (isEditable) {
      return tick(words, has, { onChange: (ticked) => this.#tick(privilege, ticked) })
    }
    return html`<div class="tick ${has ? '' : 'quiet'}">
      <wa-icon name=${has ? 'check' : 'minus'} label=${t(has ? 'has' : 'lacks')}></wa-icon><span>${words}</span>
    </div>`
  }

  #tick(privilege: Privilege, isTicked: boolean): void {
    const chosen = new Set(this.chosen ?? this.#privileges.value ?? [])
    if (isTicked) chosen.add(privilege)
    else chosen.delete(privilege)
    this.chosen = chosen
  }

  async #save(): Promise<void> {
    const isDone = await this.#action.run(() => setPrivileges(this.#role, [...(this.chosen ?? [])]))
    if (!isDone) return
    await this.#privileges.run()
    announce(t('saved'))
  }

  readonly #rename = async (): Promise<void> => {
    const path = `/portals/self/roles/${encodeURIComponent(this.#role)}/update`
    await post(path, { ...readFields(this.dialogOf('#editing')), clearEmptyFields: true })
  }

  readonly #delete = async (): Promise<void> => {
    await post(`/portals/self/roles/${encodeURIComponent(this.#role)}/delete`)
    announce(t('deleted'))
  }
}

customElements.define('cartulary-roles', Roles)
