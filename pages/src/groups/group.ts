import type { ListedItem } from '../content/item-list.ts'
import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import './members/applications.ts'
import './members/members.ts'
import './settings/settings.ts'
import { html, nothing } from 'lit'
import { query as element, state } from 'lit/decorators.js'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { renderFacts, renderNames } from '../elements/lists/facts.ts'
import { renderTable } from '../elements/lists/table.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { call, groupPath, may, post, signedIn } from '../session/session.ts'
import { ofGroups as t } from '../texts/rooms.ts'
import type { GroupMembers } from './members/members.ts'

type GroupItem = Pick<ListedItem, 'id' | 'title' | 'type' | 'groupCategories'>

interface Found {
  readonly total: number
  readonly results: readonly GroupItem[]
}

/** Number of items that are shown (chosen). */
const num = 5
/** Members of items that are not shown. */
const exclude =
  'description,extent,typeKeywords,documentation,properties,accessInformation,licenseInfo,screenshots,tags'

/** A group: its details, content and members, and what the person may change of them, joining and leaving too. */
class Group extends Screen {
  /** Whether the person has asked to join, here and now: a request that was made before is not shown by the server. */
  @state() hasAsked = false
  @element('cartulary-group-members') members!: GroupMembers

  readonly #joining = new Action(this)

  readonly #group = new Reading(this, {
    args: () => [this.parameters['group'] ?? '', signedIn()?.username] as const,
    task: ([id], { signal }) => call<WireGroup>(groupPath(id), { withCan: true }, { signal }),
  })

  /** Items that changed last, and the number of those without a category. */
  readonly #found = new Reading(this, {
    args: () => [this.parameters['group'] ?? '', signedIn()?.username] as const,
    task: async ([id], { signal }) => {
      const search = (parameters: Readonly<Record<string, string | number | boolean>>) =>
        call<Found>(`/content/groups/${encodeURIComponent(id)}/search`, parameters, { signal })
      const [items, uncategorized] = await Promise.all([
        search({ num, sortField: 'modified', sortOrder: 'desc', exclude }),
        search({ num: 0, uncategorized: true }),
      ])
      return { ...items, uncategorized: uncategorized.total }
    },
  })

  override render() {
    const { value } = this.#group
    if (!value || value.id !== this.parameters['group']) {
      return html`<cartulary-heading text=${t('group')}></cartulary-heading>${this.#group.show(() => nothing)}`
    }
    const { id, title, snippet, description } = value
    return html`<cartulary-heading text=${title} note=${snippet}>
        ${button(t('categories'), { icon: 'tree', variant: 'brand', href: hrefTo('groupSchema', { group: id }) })}
        ${button(t('content'), { icon: 'folder', href: hrefTo('content', {}, { group: id }) })}
        ${value.hasCategorySchema ? button(t('coverage'), { icon: 'gauge', href: hrefTo('groupCoverage', { group: id }) }) : nothing}
        ${may('listGroupSchemaVersions', value) ? button(t('history'), { icon: 'history', href: hrefTo('groupHistory', { group: id }) }) : nothing}
        ${this.#renderMembership(value)}
      </cartulary-heading>
      <div class="stack">
        ${renderFacts([
          [t('owner'), html`<bdi>${value.owner}</bdi>`],
          [t('access'), t(`access_${value.access}`)],
          [t('joining'), t(value.isInvitationOnly ? 'joining_asked' : 'joining_free')],
          [t('categories'), t(value.hasCategorySchema ? 'hasSchema' : 'hasNoSchema')],
          [t('tags'), value.tags.length > 0 && renderNames(value.tags)],
          [t('phone'), value.phone && html`<bdi>${value.phone}</bdi>`],
          [t('created'), html`<cartulary-moment .value=${value.created}></cartulary-moment>`],
        ])}
        ${description ? html`<p class="description" dir="auto">${description}</p>` : nothing}
        ${may('listGroupApplications', value) ? html`<cartulary-group-applications group=${id} @done=${() => this.members.refresh()}></cartulary-group-applications>` : nothing}
        <div class="stack two">
          <section class="stack">
            <h2>${t('contentHeading')}</h2>
            ${this.#found.showLatest((found) => renderContent(value, found))}
          </section>
          <cartulary-group-members .group=${value} .query=${this.query} @changed=${this.#readGroup}></cartulary-group-members>
        </div>
        <cartulary-group-settings .group=${value} @done=${this.#readAll}></cartulary-group-settings>
      </div>`
  }

  /** Renders buttons to join the group, ask to, or leave it: for the person themselves. */
  #renderMembership(group: WireGroup) {
    const { isInvitationOnly, leavingDisallowed, userMembership } = group
    const { memberType } = userMembership
    if (memberType === 'none' && may('joinGroup', group)) {
      const words = t(isInvitationOnly ? 'askToJoin' : 'join')
      return html`<div role="status">${this.hasAsked ? html`<p>${t('asked')}</p>` : nothing}</div>
        ${this.hasAsked ? nothing : button(words, { icon: 'user', variant: 'brand', loading: this.#joining.isRunning, onClick: () => this.#join(group) })}
        <cartulary-problem .error=${this.#joining.error}></cartulary-problem>`
    }
    if ((memberType !== 'admin' && memberType !== 'member') || !may('leaveGroup', group)) return nothing
    return html`${button(t('leave'), { icon: 'sign-out', disabled: leavingDisallowed, onClick: () => this.openDialog() })}
      ${leavingDisallowed ? html`<p class="quiet">${t('leavingDisallowed')}</p>` : nothing}
      <cartulary-dialog-form
        danger heading=${t('leaveHeading')} action=${t('leave')} .work=${() => post(`${groupPath(group.id)}/leave`)}
        @done=${() => this.#afterLeaving(group)}
      ><p>${t(isInvitationOnly ? 'leaveClosedText' : 'leaveText')}</p></cartulary-dialog-form>`
  }

  /** Reads the group again: what the person may do can have changed with their role. */
  readonly #readGroup = (): void => void this.#group.run()

  readonly #readAll = async (): Promise<void> => {
    await this.#group.run()
    await this.updateComplete
    await this.members.refresh()
  }

  async #join({ id }: WireGroup): Promise<void> {
    const isDone = await this.#joining.run(async () => {
      const { applied } = await post<{ readonly applied?: true }>(`${groupPath(id)}/join`)
      this.hasAsked = applied === true
    })
    if (!isDone || this.hasAsked) return
    announce(t('hasJoined'))
    await this.#readAll()
  }

  /** After leaving, a group may not be seen any more. */
  #afterLeaving({ access }: WireGroup): void {
    announce(t('hasLeft'))
    if (access === 'private') goTo(hrefTo('groups'))
    else void this.#readAll()
  }
}

function renderContent(
  group: WireGroup,
  { total, results, uncategorized }: Found & { readonly uncategorized: number },
) {
  const { id, hasCategorySchema } = group
  if (total === 0) return html`<p class="quiet">${t('noContent')}</p>`
  // Items of a group are categorised by those who may publish its categories.
  const mayCategorise = hasCategorySchema && may('assignGroupCategorySchema', group)
  return html`<p>${t('items', { count: total })}${hasCategorySchema ? html` · ${t('uncategorized', { count: uncategorized })}` : nothing}</p>
    ${renderTable(results, [
      [t('title'), (item) => html`<a href=${hrefTo('item', { item: item.id })}>${item.title}</a>`],
      [t('type'), ({ type }) => html`<bdi>${type}</bdi>`],
      ...(hasCategorySchema ? [[t('categories'), renderCategories] as const] : []),
    ])}
    <div class="row">
      ${button(t('allContent'), { size: 's', href: hrefTo('content', {}, { group: id }) })}
      ${
        mayCategorise && uncategorized > 0
          ? button(t('categorise'), {
              icon: 'tag',
              variant: 'brand',
              size: 's',
              href: hrefTo('content', {}, { group: id, show: 'uncategorized' }),
            })
          : nothing
      }
    </div>`
}

function renderCategories({ groupCategories = [] }: GroupItem) {
  if (groupCategories.length === 0) return html`<span class="quiet">${t('noCategory')}</span>`
  return groupCategories.map((path) => html`<div><bdi>${path}</bdi></div>`)
}

customElements.define('cartulary-group', Group)
