import { button } from '../elements/page.ts'
import './group-content.ts'
import './members/applications.ts'
import './members/members.ts'
import './own-membership.ts'
import './settings/settings.ts'
import { html, nothing } from 'lit'
import { query as element } from 'lit/decorators.js'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { Reading, Screen } from '../elements/page.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { ofGroups as t } from '../texts/rooms.ts'
import type { GroupMembers } from './members/members.ts'

/** A group: its details, content and members, and what the person may change of them. */
class Group extends Screen {
  @element('cartulary-group-members') members!: GroupMembers

  readonly #group = new Reading(this, {
    args: () => [this.parameters['group'] ?? '', signedIn()?.username] as const,
    task: ([id], { signal }) =>
      call<WireGroup>(`/community/groups/${encodeURIComponent(id)}`, { withCan: true }, { signal }),
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
        <cartulary-own-membership .group=${value} @joined=${this.#readAll} @left=${this.#afterLeaving}></cartulary-own-membership>
      </cartulary-heading>
      <div class="stack">
        ${description ? html`<p class="description" dir="auto">${description}</p>` : nothing}
        ${renderFacts(value)}
        ${may('listGroupApplications', value) ? html`<cartulary-group-applications group=${id} @done=${() => this.members.refresh()}></cartulary-group-applications>` : nothing}
        <cartulary-group-content .group=${value}></cartulary-group-content>
        <cartulary-group-members .group=${value} .query=${this.query} @changed=${this.#readGroup}></cartulary-group-members>
        <cartulary-group-settings .group=${value} @done=${this.#readAll}></cartulary-group-settings>
      </div>`
  }

  /** Reads the group again: what the person may do can have changed with their role. */
  readonly #readGroup = (): void => void this.#group.run()

  readonly #readAll = async (): Promise<void> => {
    await this.#group.run()
    await this.updateComplete
    await this.members.refresh()
  }

  /** After leaving, a group may not be seen any more. */
  readonly #afterLeaving = (): void => {
    if (this.#group.value?.access === 'private') goTo(hrefTo('groups'))
    else void this.#readAll()
  }
}

function renderFacts({ owner, access, isInvitationOnly, created, hasCategorySchema, tags, phone }: WireGroup) {
  return html`<dl class="facts">
    <dt>${t('owner')}</dt><dd><bdi>${owner}</bdi></dd>
    <dt>${t('access')}</dt><dd>${t(`access_${access}`)}</dd>
    <dt>${t('joining')}</dt><dd>${t(isInvitationOnly ? 'joining_asked' : 'joining_free')}</dd>
    <dt>${t('categories')}</dt><dd>${t(hasCategorySchema ? 'hasSchema' : 'hasNoSchema')}</dd>
    ${tags.length > 0 ? html`<dt>${t('tags')}</dt><dd>${tags.map((tag, at) => html`${at > 0 ? ', ' : nothing}<bdi>${tag}</bdi>`)}</dd>` : nothing}
    ${phone ? html`<dt>${t('phone')}</dt><dd><bdi>${phone}</bdi></dd>` : nothing}
    <dt>${t('created')}</dt><dd><cartulary-moment .value=${created}></cartulary-moment></dd>
  </dl>`
}

customElements.define('cartulary-group', Group)
