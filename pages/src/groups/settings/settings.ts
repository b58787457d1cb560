import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import { listCategories } from '../../../../src/categories/schema-paths.ts'
import { groupLimits } from '../../../../src/directory/group.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import { choice, field, readFields, textField, tick } from '../../elements/fields.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, groupPath, may, post, signedIn } from '../../session/session.ts'
import type { TextKey } from '../../texts/keys.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'
import '../choice/people-choice.ts'
import { type FindPeople, findAmongMembers, findInOrganization } from '../choice/find-people.ts'
import type { PeopleChoice } from '../choice/people-choice.ts'
import { changeOf, choicesFor, type GroupChoices } from './group-fields.ts'

/** Changes of a group itself: its properties, owner, protection and end; nothing for those who may not. Emits `done`. */
class GroupSettings extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  /** Settings to choose among, since the form was opened. */
  @state() choices: GroupChoices | undefined
  /** New owner. */
  @state() target: string | undefined
  /** Numbers of what ends with the group. */
  @state() lost: { readonly categories: number; readonly items: number } | undefined
  @query('cartulary-people-choice') people!: PeopleChoice

  /** A new owner is one of the members or, where an administrator who does not own it hands it over, any user. */
  #find: FindPeople = findInOrganization
  readonly #protection = new Action(this)
  readonly #deletion = new Action(this)

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('group')) this.#find = this.#isOwner ? findAmongMembers(this.group.id) : findInOrganization
  }

  override render() {
    const { group } = this
    const operations = ['updateGroup', 'reassignGroup', 'protectGroup', 'deleteGroup'] as const
    if (!operations.some((operation) => may(operation, group))) return nothing
    const mayProtect = may(group.protected ? 'unprotectGroup' : 'protectGroup', group)
    const mayDelete = may('deleteGroup', group)
    return html`<section class="panel stack no-print">
      <h2>${t('settings')}</h2>
      <div class="row">
        ${may('updateGroup', group) ? button(t('edit'), { icon: 'pencil', onClick: this.#edit }) : nothing}
        ${may('reassignGroup', group) ? button(t('handOver'), { icon: 'key', onClick: this.#handOver }) : nothing}
        ${mayProtect ? button(t(group.protected ? 'unprotect' : 'protect'), { icon: 'shield', loading: this.#protection.isRunning, onClick: this.#protect }) : nothing}
        ${mayDelete ? button(t('delete'), { icon: 'trash', variant: 'danger', appearance: 'outlined', disabled: group.protected, loading: this.#deletion.isRunning, onClick: this.#askToDelete }) : nothing}
      </div>
      ${group.protected && mayDelete ? html`<p class="quiet">${t('isProtected')}</p>` : nothing}
      <cartulary-problem .error=${this.#protection.error ?? this.#deletion.error}></cartulary-problem>
      ${may('reassignGroup', group) ? this.#renderHandOver() : nothing}
      ${this.#renderDialogs()}
    </section>`
  }

  get #isOwner(): boolean {
    return this.group.userMembership.memberType === 'owner'
  }

  #renderHandOver() {
    return html`<cartulary-dialog-form
      id="hand-over" heading=${t('handOverHeading')} action=${t('handOverAction')} blocked=${this.target === undefined ? t('chooseOne') : ''}
      .work=${this.#reassign} @done=${this.#pass}
    >
      <p>${t(this.#isOwner ? 'handOverText' : 'handOverByOthersText')}</p>
      <cartulary-people-choice
        data-first ?any-name=${!this.#isOwner} label=${t('newOwner')} .find=${this.#find}
        @change=${() => (this.target = this.people.usernames[0])}
      ></cartulary-people-choice>
    </cartulary-dialog-form>`
  }

  #renderDialogs() {
    const { group, lost } = this
    return html`<cartulary-dialog-form id="edit" heading=${t('edit')} action=${t('save')} .work=${this.#save} @done=${this.#pass}
      >${this.choices ? renderFields(group, this.choices) : nothing}</cartulary-dialog-form>
      <cartulary-dialog-form
        id="delete" danger heading=${t('deleteHeading')} action=${t('delete')} typed=${group.title} .work=${this.#delete}
        @done=${() => goTo(hrefTo('groups'))}
      >
        <p>${t('deleteText')}</p>
        ${lost ? html`<ul><li>${t('lostCategories', { count: lost.categories })}</li><li>${t('lostItems', { count: lost.items })}</li></ul>` : nothing}
      </cartulary-dialog-form>`
  }

  async #protect(): Promise<void> {
    const { protected: isProtected } = this.group
    if (
      !(await this.#protection.run(() => post(`${groupPath(this.group.id)}/${isProtected ? 'unprotect' : 'protect'}`)))
    )
      return
    announce(t(isProtected ? 'unprotected' : 'isProtected'))
    this.#pass()
  }

  async #edit(): Promise<void> {
    this.choices = choicesFor(this.group, signedIn()?.privileges ?? [])
    await this.openDialog('#edit')
  }

  readonly #save = async (): Promise<void> => {
    await post(`${groupPath(this.group.id)}/update`, changeOf(readFields(this.dialogOf('#edit')), this.choices!))
    announce(t('saved'))
  }

  #handOver(): void {
    this.target = undefined
    this.people.clear()
    void this.openDialog('#hand-over')
  }

  readonly #reassign = async (): Promise<void> => {
    const targetUsername = this.target ?? ''
    await post(`${groupPath(this.group.id)}/reassign`, { targetUsername })
    announce(t('handedOver', { name: targetUsername }))
  }

  /** Opens the dialog that names what is lost with the group. */
  async #askToDelete(): Promise<void> {
    const isRead = await this.#deletion.run(async (signal) => {
      const items = `/content/groups/${encodeURIComponent(this.group.id)}/search`
      const [{ categorySchema }, { total }] = await Promise.all([
        call<CategorySchema>(`${groupPath(this.group.id)}/categorySchema`, {}, { signal }),
        call<{ readonly total: number }>(items, { num: 0 }, { signal }),
      ])
      this.lost = { categories: listCategories({ categorySchema }).length, items: total }
    })
    if (!isRead) return
    await this.openDialog('#delete')
  }

  readonly #delete = async (): Promise<void> => {
    await post(`${groupPath(this.group.id)}/delete`)
    announce(t('deleted'))
  }

  readonly #pass = (): void => {
    this.dispatchEvent(new Event('done'))
  }
}

function renderFields(
  group: WireGroup,
  { accesses, membershipAccesses, mayForbidLeaving, mayLetUpdate }: GroupChoices,
) {
  const { title, snippet, description, tags, phone } = group
  return html`${field('title', t('title'), { max: groupLimits.title, required: true, value: title })}
    ${field('snippet', t('snippet'), { max: groupLimits.snippet, value: snippet })}
    ${textField('description', t('description'), { max: groupLimits.description, value: description })}
    ${field('tags', t('tags'), { value: tags.join(', '), hint: t('tagsHint') })}
    ${field('phone', t('phone'), { max: groupLimits.phone, value: phone ?? '' })}
    ${renderChoice('access', accesses, group.access)}
    ${renderChoice('isInvitationOnly', ['true', 'false'], String(group.isInvitationOnly))}
    ${membershipAccesses.length > 1 ? renderChoice('membershipAccess', membershipAccesses, group.membershipAccess) : nothing}
    ${renderBox('isViewOnly', group.isViewOnly)}
    ${mayLetUpdate ? renderBox('givesItemControl', group.capabilities.length > 0) : nothing}
    ${renderBox('hiddenMembers', group.hiddenMembers)}
    ${mayForbidLeaving ? renderBox('leavingDisallowed', group.leavingDisallowed) : nothing}`
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
  return tick(t(name), isTicked, { name, value: 'true' })
}

customElements.define('cartulary-group-settings', GroupSettings)
