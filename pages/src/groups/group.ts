import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/heading.ts'
import '../elements/moment.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import '../elements/lists/pager.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { WireMember } from '../../../src/http/shapes/directory/member.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { Screen } from '../elements/screen.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { namesOf } from '../texts/names.ts'
import { pageSize, startOf } from './pages.ts'
import { t } from './texts.ts'

/** The owner is no member of the list. */
interface FoundMembers {
  readonly owner: WireMember
  readonly total: number
  readonly start: number
  readonly nextStart: number
  readonly users: readonly WireMember[]
}

/** A group: what it is, the ways to its categories and content, and its members. */
class Group extends Screen {
  static override styles = [
    ...Screen.styles,
    stackedTable,
    css`
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.375rem 1.25rem;
      }
      dt {
        color: var(--wa-color-text-quiet);
      }
      dd,
      .description {
        overflow-wrap: anywhere;
      }
      .description {
        white-space: pre-line;
        max-width: 45rem;
      }
    `,
  ]

  readonly #group = new Task(this, {
    args: () => [this.parameters['group'] ?? '', signedIn()?.username] as const,
    task: ([id], { signal }) =>
      call<WireGroup>(`/community/groups/${encodeURIComponent(id)}`, { withCan: true }, { signal }),
  })

  readonly #members = new Task(this, {
    args: () => [this.parameters['group'] ?? '', startOf(this.query), signedIn()?.username] as const,
    task: ([id, start], { signal }) =>
      call<FoundMembers>(`/community/groups/${encodeURIComponent(id)}/userList`, { start, num: pageSize }, { signal }),
  })

  override render() {
    const { value, error } = this.#group
    if (error !== undefined) {
      return html`<cartulary-heading text=${t('group')}></cartulary-heading>
        <cartulary-problem .error=${error} can-retry @retry=${() => this.#group.run()}></cartulary-problem>`
    }
    if (!value || value.id !== this.parameters['group']) {
      return html`<cartulary-heading text=${t('group')}></cartulary-heading><cartulary-loading></cartulary-loading>`
    }
    const { id, title, snippet, description, owner, access, created, hasCategorySchema } = value
    return html`<cartulary-heading text=${title} note=${snippet}>
        <wa-button variant="brand" href=${hrefTo('groupSchema', { group: id })}><wa-icon slot="start" name="tree"></wa-icon>${t('categories')}</wa-button>
        <wa-button appearance="outlined" href=${hrefTo('content', {}, { group: id })}><wa-icon slot="start" name="folder"></wa-icon>${t('content')}</wa-button>
        ${
          may('listGroupSchemaVersions', value)
            ? html`<wa-button appearance="outlined" href=${hrefTo('groupHistory', { group: id })}><wa-icon slot="start" name="history"></wa-icon>${t('history')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        ${description ? html`<p class="description" dir="auto">${description}</p>` : nothing}
        <dl>
          <dt>${t('owner')}</dt><dd><bdi>${owner}</bdi></dd>
          <dt>${t('access')}</dt><dd>${t(`access_${access}`)}</dd>
          <dt>${t('categories')}</dt><dd>${t(hasCategorySchema ? 'hasSchema' : 'hasNoSchema')}</dd>
          <dt>${t('created')}</dt><dd><cartulary-moment .value=${created}></cartulary-moment></dd>
        </dl>
        <h2>${t('members')}</h2>
        ${this.#members.render({
          pending: () => html`<cartulary-loading></cartulary-loading>`,
          error: (problem) =>
            html`<cartulary-problem .error=${problem} can-retry @retry=${() => this.#members.run()}></cartulary-problem>`,
          complete: (members) => this.#renderMembers(id, members),
        })}
      </div>`
  }

  #renderMembers(id: string, { owner, total, start, nextStart, users }: FoundMembers) {
    const shown = start === 1 ? [owner, ...users] : users
    return html`<table>
        <thead><tr><th scope="col">${t('name')}</th><th scope="col">${t('role')}</th><th scope="col">${t('joined')}</th></tr></thead>
        <tbody>${shown.map(({ username, fullName, memberType, joined }) => {
          const names = namesOf(username, fullName)
          return html`<tr>
              <td><a href=${hrefTo('person', { username })}><bdi>${names.name}</bdi></a>${
                names.username === undefined ? nothing : html` <span class="quiet"><bdi>${names.username}</bdi></span>`
              }</td>
              <td data-label=${t('role')}>${t(`type_${memberType}`)}</td>
              <td data-label=${t('joined')}><cartulary-moment .value=${joined}></cartulary-moment></td>
            </tr>`
        })}</tbody>
      </table>
      <cartulary-pager
        total=${total} start=${start} num=${pageSize} next-start=${nextStart}
        .hrefOf=${(from: number) => hrefTo('group', { group: id }, { start: from > 1 ? from : undefined })}
      ></cartulary-pager>`
  }
}

customElements.define('cartulary-group', Group)
