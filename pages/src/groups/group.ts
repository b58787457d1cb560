import { button } from '../elements/page.ts'
import './group-content.ts'
import './members/applications.ts'
import './members/members.ts'
import './own-membership.ts'
import './settings/settings.ts'
import { html, nothing } from 'lit'
import { query as element } from 'lit/decorators.js'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { renderFacts, renderNames } from '../elements/lists/facts.ts'
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
        <div class="stack two"><cartulary-group-content .group=${value}></cartulary-group-content>
        <cartulary-group-members .group=${value} .query=${this.query} @changed=${this.#readGroup}></cartulary-group-members></div>
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

customElements.define('cartulary-group', Group)
