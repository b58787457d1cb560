import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { listCategories } from '../../../../src/categories/schema-paths.ts'
import { groupLimits } from '../../../../src/directory/group.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { choice, field, readFields, textField, tick } from '../../elements/fields.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { call, may, post, signedIn } from '../../session/session.ts'
import type { TextKey } from '../../texts/keys.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'
import { changeOf, choicesFor, type GroupChoices } from './group-fields.ts'
import '../choice/people-choice.ts'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { type FindPeople, findAmongMembers, findInOrganization } from '../choice/find-people.ts'
import type { PeopleChoice } from '../choice/people-choice.ts'

/** Changes of a group itself: its properties, owner, protection and end; nothing for those who may not. Emits `done`. */
class GroupSettings extends PageElement {
  @property({ attribute: false }) group!: WireGroup

  readonly #protection = new Action(this)

  override render() {
    const { group } = this
    const operations = ['updateGroup', 'reassignGroup', 'protectGroup', 'deleteGroup'] as const
    if (!operations.some((operation) => may(operation, group))) return nothing
    const mayProtect = may(group.protected ? 'unprotectGroup' : 'protectGroup', group)
    return html`<section class="panel stack no-print">
      <h2>${t('settings')}</h2>
      <div class="row">
        ${may('updateGroup', group) ? html`<cartulary-edit-group .group=${group} @done=${this.#pass}></cartulary-edit-group>` : nothing}
        ${may('reassignGroup', group) ? html`<cartulary-hand-over-group .group=${group} @done=${this.#pass}></cartulary-hand-over-group>` : nothing}
        ${mayProtect ? button(t(group.protected ? 'unprotect' : 'protect'), { icon: 'shield', loading: this.#protection.isRunning, onClick: this.#protect }) : nothing}
        ${may('deleteGroup', group) ? html`<cartulary-delete-group .group=${group}></cartulary-delete-group>` : nothing}
      </div>
      ${group.protected && may('deleteGroup', group) ? html`<p class="quiet">${t('isProtected')}</p>` : nothing}
      <cartulary-problem .error=${this.#protection.error}></cartulary-problem>
    </section>`
  }

  async #protect(): Promise<void> {
    const { id, protected: isProtected } = this.group
    const path = `/community/groups/${encodeURIComponent(id)}/${isProtected ? 'unprotect' : 'protect'}`
    if (!(await this.#protection.run(() => post(path)))) return
    announce(t(isProtected ? 'unprotected' : 'isProtected'))
    this.#pass()
  }

  readonly #pass = (): void => {
    this.dispatchEvent(new Event('done'))
  }
}

customElements.define('cartulary-group-settings', GroupSettings)

/** Button and form that change the properties of a group. Emits `done`. */
class EditGroup extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  @state() choices: GroupChoices | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  override render() {
    return html`${button(t('edit'), { icon: 'pencil', onClick: this.#open })}
      <cartulary-dialog-form
        heading=${t('edit')} action=${t('save')} .work=${this.#save} @done=${() => this.dispatchEvent(new Event('done'))}
      >${this.choices ? this.#renderFields(this.choices) : nothing}</cartulary-dialog-form>`
  }

  #renderFields({ accesses, membershipAccesses, mayForbidLeaving, mayLetUpdate }: GroupChoices) {
    const { group } = this
    const { title, snippet, description, tags, phone } = group
    return html`<div class="stack">
      ${renderLine('title', title, groupLimits.title, true)}
      ${renderLine('snippet', snippet, groupLimits.snippet)}
      ${textField('description', t('description'), { max: groupLimits.description, value: description })}
      ${field('tags', t('tags'), { value: tags.join(', '), hint: t('tagsHint') })}
      ${renderLine('phone', phone ?? '', groupLimits.phone)}
      ${renderChoice('access', accesses, group.access)}
      ${renderChoice('isInvitationOnly', ['true', 'false'], String(group.isInvitationOnly))}
      ${membershipAccesses.length > 1 ? renderChoice('membershipAccess', membershipAccesses, group.membershipAccess) : nothing}
      ${renderBox('isViewOnly', group.isViewOnly)}
      ${mayLetUpdate ? renderBox('givesItemControl', group.capabilities.length > 0) : nothing}
      ${renderBox('hiddenMembers', group.hiddenMembers)}
      ${mayForbidLeaving ? renderBox('leavingDisallowed', group.leavingDisallowed) : nothing}
    </div>`
  }

  async #open(): Promise<void> {
    this.choices = choicesFor(this.group, signedIn()?.privileges ?? [])
    await this.updateComplete
    this.dialog.open()
  }

  readonly #save = async (): Promise<void> => {
    const change = changeOf(readFields(this.dialog), this.choices!)
    await post(`/community/groups/${encodeURIComponent(this.group.id)}/update`, change)
    announce(t('saved'))
  }
}

function renderLine(name: 'title' | 'snippet' | 'phone', value: string, max: number, isRequired = false) {
  return field(name, t(name), { max: max, required: isRequired, value: value })
}

type ChoiceText<Name extends string> = Extract<TextKey<'groups/settings'>, `${Name}_${string}`>

function renderChoice<Name extends 'access' | 'isInvitationOnly' | 'membershipAccess'>(
  name: Name,
  values: readonly string[],
  present: string,
) {
  return choice(name, t(name), values, (value) => t(`${name}_${value}` as ChoiceText<Name>), present)
}

function renderBox(name: 'isViewOnly' | 'givesItemControl' | 'hiddenMembers' | 'leavingDisallowed', isTicked: boolean) {
  return tick(t(name), isTicked, { name: name, value: 'true' })
}

customElements.define('cartulary-edit-group', EditGroup)

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

/** Numbers of what ends with a group. */
interface Lost {
  readonly categories: number
  readonly items: number
}

/** Deletes a group, after naming what is lost with it. */
class DeleteGroup extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  @state() lost: Lost | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #opening = new Action(this)

  override render() {
    const { group, lost } = this
    return html`${button(t('delete'), { icon: 'trash', variant: 'danger', appearance: 'outlined', disabled: group.protected, loading: this.#opening.isRunning, onClick: this.#open })}
      <cartulary-problem .error=${this.#opening.error}></cartulary-problem>
      <cartulary-dialog-form
        danger heading=${t('deleteHeading')} action=${t('delete')} typed=${group.title} .work=${this.#delete}
        @done=${() => goTo(hrefTo('groups'))}
      >
        ${
          lost
            ? html`<p>${t('deleteText')}</p>
                <ul>
                  <li>${t('lostCategories', { count: lost.categories })}</li>
                  <li>${t('lostItems', { count: lost.items })}</li>
                </ul>`
            : nothing
        }
      </cartulary-dialog-form>`
  }

  async #open(): Promise<void> {
    const isRead = await this.#opening.run(async (signal) => {
      const id = encodeURIComponent(this.group.id)
      const [{ categorySchema }, { total }] = await Promise.all([
        call<CategorySchema>(`/community/groups/${id}/categorySchema`, {}, { signal }),
        call<{ readonly total: number }>(`/content/groups/${id}/search`, { num: 0 }, { signal }),
      ])
      this.lost = { categories: listCategories({ categorySchema }).length, items: total }
    })
    if (!isRead) return
    await this.updateComplete
    this.dialog.open()
  }

  readonly #delete = async (): Promise<void> => {
    await post(`/community/groups/${encodeURIComponent(this.group.id)}/delete`)
    announce(t('deleted'))
  }
}

customElements.define('cartulary-delete-group', DeleteGroup)
