import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '@awesome.me/webawesome/dist/components/tag/tag.js'
import '../../elements/heading.ts'
import '../../elements/moment.ts'
import '../../elements/problem.ts'
import '../../elements/states.ts'
import '../../elements/lists/pager.ts'
import { Task } from '@lit/task'
import { html, nothing, type PropertyValues } from 'lit'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { WireUser } from '../../../../src/http/shapes/directory/user.ts'
import { announce } from '../../elements/announce.ts'
import { readFields } from '../../elements/fields.ts'
import { stackedTable } from '../../elements/lists/stacked-table.ts'
import { Screen } from '../../elements/screen.ts'
import { enterSubmits, formStyle } from '../../forms/form-style.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, may } from '../../session/session.ts'
import { namesOf } from '../../texts/names.ts'
import { listRoleChoices, loadRoles, nameOfRole } from '../role-names.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { t as family } from '../texts.ts'
import { t } from './texts.ts'
import { readUserFilter, userSearchOf } from './user-search.ts'

interface UsersAnswer {
  readonly total: number
  readonly start: number
  readonly nextStart: number
  readonly results: readonly WireUser[]
}

/** Users of a page. */
const num = 25

/** The users of the organization, with search, filters and pages in the address. */
class People extends Screen {
  static override styles = [...Screen.styles, ...formStyle, stackedTable]

  readonly #roles = new Task(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  readonly #page = new Task(this, {
    args: () => [JSON.stringify(userSearchOf(readUserFilter(this.query))), this.query.get('start') ?? '1'],
    task: ([search, start], { signal }) =>
      call<UsersAnswer>('/portals/self/users/search', { ...JSON.parse(search), start, num }, { signal }),
    onComplete: ({ total }) => announce(t('found', { total })),
  })

  override render() {
    return html`<cartulary-heading text=${family('people')} note=${t('note')}>
        ${
          may('inviteUsers')
            ? html`<wa-button variant="brand" href=${hrefTo('newPeople')}
                ><wa-icon slot="start" name="plus"></wa-icon>${t('add')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack">
        ${this.#renderFilter()}
        ${this.#page.render({
          pending: () => html`<cartulary-loading></cartulary-loading>`,
          error: (error) =>
            html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#page.run()}></cartulary-problem>`,
          complete: (page) => this.#renderPage(page),
        })}
      </div>`
  }

  /** Resets the choices in the form to those of the address. */
  override updated(changed: PropertyValues): void {
    if (changed.has('query')) this.#resetForm()
  }

  readonly #resetForm = (): void => this.renderRoot.querySelector('form')?.reset()

  get #custom(): readonly WireRole[] {
    return this.#roles.value ?? []
  }

  #renderFilter() {
    const { q, role, state, sort } = readUserFilter(this.query)
    const option = (value: string, text: string, present: string) =>
      html`<option value=${value} dir="auto" ?selected=${value === present}>${text}</option>`
    return html`<form class="panel no-print" role="search" @submit=${this.#search}>
      ${enterSubmits}
      <div class="fields">
        <label class="field">
          <span>${t('search')}</span>
          <input name="q" type="search" value=${q} autocapitalize="none" spellcheck="false" />
          <small>${t('searchHint')}</small>
        </label>
        <label class="field">
          <span>${t('role')}</span>
          <select name="role">
            ${option('', t('anyRole'), role)}
            ${listRoleChoices(this.#custom).map(([value, text]) => option(value, text, role))}
          </select>
        </label>
        <label class="field">
          <span>${t('state')}</span>
          <select name="state">
            ${option('', t('anyState'), state)} ${option('enabled', t('enabled'), state)}
            ${option('disabled', t('disabled'), state)}
          </select>
        </label>
        <label class="field">
          <span>${t('sort')}</span>
          <select name="sort">
            ${option('', t('sort_username'), sort === 'username' ? '' : sort)}
            ${option('fullname', t('sort_fullname'), sort)} ${option('created', t('sort_created'), sort)}
          </select>
        </label>
      </div>
      <div class="row">
        <wa-button type="submit" variant="brand" appearance="outlined">${t('show')}</wa-button>
        <wa-button appearance="plain" href=${hrefTo('people')} @click=${this.#resetForm}>${t('reset')}</wa-button>
      </div>
    </form>`
  }

  #renderPage({ total, start, nextStart, results }: UsersAnswer) {
    if (results.length === 0) {
      return html`<cartulary-empty icon="users" heading=${t('empty')} text=${t('emptyText')}>
        <wa-button href=${hrefTo('people')}>${t('reset')}</wa-button>
      </cartulary-empty>`
    }
    return html`<p class="quiet">${t('found', { total })}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">${t('person')}</th>
            <th scope="col">${t('role')}</th>
            <th scope="col">${t('state')}</th>
            <th scope="col">${t('lastLogin')}</th>
          </tr>
        </thead>
        <tbody>
          ${results.map((user) => this.#renderUser(user))}
        </tbody>
      </table>
      <cartulary-pager total=${total} start=${start} num=${num} next-start=${nextStart} .hrefOf=${this.#hrefOf}></cartulary-pager>`
  }

  #renderUser({ username, fullName, role, disabled, lastLogin }: WireUser) {
    const names = namesOf(username, fullName)
    return html`<tr>
      <td>
        <a href=${hrefTo('person', { username })}><bdi>${names.name}</bdi></a>
        ${names.username === undefined ? nothing : html`<div class="quiet"><bdi>${names.username}</bdi></div>`}
      </td>
      <td data-label=${t('role')}><bdi>${nameOfRole(role, this.#custom)}</bdi></td>
      ${
        disabled === undefined
          ? html`<td></td>`
          : html`<td data-label=${t('state')}>
              <wa-tag size="s" variant=${disabled ? 'warning' : 'success'}>${t(disabled ? 'disabled' : 'enabled')}</wa-tag>
            </td>`
      }
      ${
        lastLogin === undefined
          ? html`<td></td>`
          : html`<td data-label=${t('lastLogin')}>${
              lastLogin === -1 ? t('never') : html`<cartulary-moment value=${lastLogin} distance></cartulary-moment>`
            }</td>`
      }
    </tr>`
  }

  readonly #hrefOf = (start: number): string =>
    hrefTo('people', {}, { ...Object.fromEntries(this.query), start: start === 1 ? undefined : start })

  #search(event: SubmitEvent): void {
    event.preventDefault()
    goTo(hrefTo('people', {}, readFields(event.target as HTMLFormElement)))
  }
}

customElements.define('cartulary-people', People)
