import { css, html, nothing } from 'lit'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { WireMember } from '../../../src/http/shapes/directory/member.ts'
import type { WirePage } from '../../../src/http/shapes/page.ts'
import { pageSize, startOf } from '../elements/lists/page-parts.ts'
import { renderPager } from '../elements/lists/pager.ts'
import { renderPersonLink } from '../elements/lists/person-link.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { renderTable } from '../elements/lists/table.ts'
import { Reading } from '../elements/reading.ts'
import { Screen } from '../elements/screen.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { t } from './texts.ts'

/** Members of a group; the owner is separate from the list. */
type FoundMembers = WirePage<'users', WireMember> & { readonly owner: WireMember }

/** A group: its details, links to its categories and content, and its members. */
class Group extends Screen {
  static override styles = [
    stackedTable,
    css`
      .description {
        overflow-wrap: anywhere;
        white-space: pre-line;
        max-width: 45rem;
      }
    `,
  ]

  readonly #group = new Reading(this, {
    args: () => [this.parameters['group'] ?? '', signedIn()?.username] as const,
    task: ([id], { signal }) =>
      call<WireGroup>(`/community/groups/${encodeURIComponent(id)}`, { withCan: true }, { signal }),
  })

  readonly #members = new Reading(this, {
    args: () => [this.parameters['group'] ?? '', startOf(this.query), signedIn()?.username] as const,
    task: ([id, start], { signal }) =>
      call<FoundMembers>(`/community/groups/${encodeURIComponent(id)}/userList`, { start, num: pageSize }, { signal }),
  })

  override render() {
    const { value } = this.#group
    if (!value || value.id !== this.parameters['group']) {
      return html`<cartulary-heading text=${t('group')}></cartulary-heading>${this.#group.show(() => nothing)}`
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
        <dl class="facts">
          <dt>${t('owner')}</dt><dd><bdi>${owner}</bdi></dd>
          <dt>${t('access')}</dt><dd>${t(`access_${access}`)}</dd>
          <dt>${t('categories')}</dt><dd>${t(hasCategorySchema ? 'hasSchema' : 'hasNoSchema')}</dd>
          <dt>${t('created')}</dt><dd><cartulary-moment .value=${created}></cartulary-moment></dd>
        </dl>
        <h2>${t('members')}</h2>
        ${this.#members.show(renderMembers)}
      </div>`
  }
}

/** Renders the members, the owner first. */
function renderMembers(members: FoundMembers) {
  const { owner, start, users } = members
  return html`${renderTable(start === 1 ? [owner, ...users] : users, [
    [t('name'), renderPersonLink],
    [t('role'), ({ memberType }) => t(`type_${memberType}`)],
    [t('joined'), ({ joined }) => html`<cartulary-moment .value=${joined}></cartulary-moment>`],
  ])}
  ${renderPager(members)}`
}

customElements.define('cartulary-group', Group)
