import { button } from '../../elements/page.ts'
import '../choice/people-choice.ts'
import { html } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { announce, PageElement } from '../../elements/page.ts'
import { post } from '../../session/session.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'
import { type FindPeople, findAmongMembers, findInOrganization } from '../choice/find-people.ts'
import type { PeopleChoice } from '../choice/people-choice.ts'

/** Gives a group another owner: one of its members or, by an administrator who does not own it, any user. Emits `done`. */
class HandOver extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  @state() target: string | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm
  @query('cartulary-people-choice') choice!: PeopleChoice

  #find: FindPeople = findInOrganization

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('group')) return
    const { id, userMembership } = this.group
    this.#find = userMembership.memberType === 'owner' ? findAmongMembers(id) : findInOrganization
  }

  override render() {
    const isOwner = this.group.userMembership.memberType === 'owner'
    return html`${button(t('handOver'), { icon: 'key', onClick: this.#open })}
      <cartulary-dialog-form
        heading=${t('handOverHeading')} action=${t('handOverAction')} blocked=${this.target === undefined ? t('chooseOne') : ''}
        .work=${this.#reassign} @done=${() => this.dispatchEvent(new Event('done'))}
      >
        <div class="stack">
          <p>${t(isOwner ? 'handOverText' : 'handOverByOthersText')}</p>
          <cartulary-people-choice
            data-first ?any-name=${!isOwner} label=${t('newOwner')} .find=${this.#find}
            @change=${() => {
              ;[this.target] = this.choice.usernames
            }}
          ></cartulary-people-choice>
        </div>
      </cartulary-dialog-form>`
  }

  #open(): void {
    this.target = undefined
    this.choice.clear()
    this.dialog.open()
  }

  readonly #reassign = async (): Promise<void> => {
    const targetUsername = this.target ?? ''
    await post(`/community/groups/${encodeURIComponent(this.group.id)}/reassign`, { targetUsername })
    announce(t('handedOver', { name: targetUsername }))
  }
}

customElements.define('cartulary-hand-over-group', HandOver)
