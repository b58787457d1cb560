import { choice, choiceOf, readFields } from '../../elements/fields.ts'
import { announce, button, Reading, Screen } from '../../elements/page.ts'
import '../../forms/filter-bar.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import type { WireRole } from '../../../../src/http/shapes/directory/role.ts'
import type { WireUser } from '../../../../src/http/shapes/directory/user.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import { pageSize, startOf } from '../../elements/lists/page-parts.ts'
import { renderPager, renderPersonLink, renderTable } from '../../elements/lists/table.ts'
import type { ActiveFilter } from '../../forms/filter-bar.ts'
import { goTo, hrefTo, replaceQuery } from '../../navigation/navigation.ts'
import { call, may } from '../../session/session.ts'
import { ofPeople as family, ofPeopleList as t } from '../../texts/rooms.ts'
import { listRoleChoices, loadRoles, nameOfRole } from '../roles-of-people.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { queryOfUsers, readUserFilter, sorts, type UserFilter, userSearchOf } from './user-search.ts'

type UsersAnswer = WirePage<'results', WireUser>

/** Users of the organization; search, filters and page are in the address. */
class People extends Screen {
  readonly #roles = new Task(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  readonly #page = new Reading(this, {
    args: () => [JSON.stringify(userSearchOf(readUserFilter(this.query))), startOf(this.query)] as const,
    task: ([search, start], { signal }) =>
      call<UsersAnswer>('/portals/self/users/search', { ...JSON.parse(search), start, num: pageSize }, { signal }),
    onComplete: ({ total }) => announce(t('found', { total })),
  })

  override render() {
    return html`<cartulary-heading text=${family('people')} note=${t('note')}>
        ${may('inviteUsers') ? button(t('add'), { icon: 'plus', variant: 'brand', href: hrefTo('newPeople') }) : nothing}
      </cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack list">
        ${this.#renderFilter()}
        ${this.#page.showLatest((page) => this.#renderPage(page))}
      </div>`
  }

  get #custom(): readonly WireRole[] {
    return this.#roles.value ?? []
  }

  #renderFilter() {
    const filter = readUserFilter(this.query)
    const { q, role, state, sort } = filter
    return html`<cartulary-filter-bar
      class="no-print" label=${t('search')} hint=${t('searchHint')} .value=${q} .active=${this.#listActive(filter)}
      reset=${hrefTo('people')} @words=${({ detail }: CustomEvent<string>) => replaceQuery(queryOfUsers({ ...readUserFilter(this.query), q: detail }))}
    >
      <form @submit=${this.#narrow} @change=${this.#narrow}>
        <div class="fields">
          ${choiceOf('role', t('role'), [['', t('anyRole')], ...listRoleChoices(this.#custom)], role, { isLive: true })}
          ${choice('state', t('state'), ['', 'enabled', 'disabled'], (each) => t(each || 'anyState'), state, { isLive: true })}
          ${choice('sort', t('sort'), sorts, (each) => t(`sort_${each}`), sort, { isLive: true })}
        </div>
      </form>
    </cartulary-filter-bar>`
  }

  #listActive(filter: UserFilter): readonly ActiveFilter[] {
    const without = (change: Partial<UserFilter>) => hrefTo('people', {}, queryOfUsers({ ...filter, ...change }))
    const { role, state } = filter
    return [
      ...(role === '' ? [] : [{ name: t('role'), value: nameOfRole(role, this.#custom), href: without({ role: '' }) }]),
      ...(state === '' ? [] : [{ name: t('state'), value: t(state), href: without({ state: '' }) }]),
    ]
  }

  #renderPage(page: UsersAnswer) {
    const { total, results } = page
    if (results.length === 0) {
      return html`<cartulary-empty icon="users" heading=${t('empty')} text=${t('emptyText')}>
        ${button(t('reset'), { href: hrefTo('people') })}
      </cartulary-empty>`
    }
    return html`<p class="quiet">${t('found', { total })}</p>
      ${renderTable(results, [
        [t('person'), renderPersonLink],
        [t('role'), ({ role }) => html`<bdi>${nameOfRole(role, this.#custom)}</bdi>`],
        [t('state'), renderState],
        [t('lastLogin'), renderLastLogin],
      ])}
      ${renderPager(page)}`
  }

  #narrow(event: Event): void {
    event.preventDefault()
    const fields = readFields(event.currentTarget as HTMLFormElement) as Partial<UserFilter>
    goTo(hrefTo('people', {}, queryOfUsers({ ...readUserFilter(this.query), ...fields })))
  }
}

/** Renders the state of a user; nothing for callers who may not know it, as with the last sign-in. */
function renderState({ disabled }: WireUser) {
  if (disabled === undefined) return nothing
  return html`<wa-tag size="s" variant=${disabled ? 'warning' : 'success'}>${t(disabled ? 'disabled' : 'enabled')}</wa-tag>`
}

function renderLastLogin({ lastLogin }: WireUser) {
  if (lastLogin === undefined) return nothing
  return lastLogin === -1 ? t('never') : html`<cartulary-moment value=${lastLogin} distance></cartulary-moment>`
}

customElements.define('cartulary-people', People)
