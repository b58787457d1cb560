import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { groupLimits } from '../../../../src/directory/group.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { choice, field, readFields, textField, tick } from '../../elements/fields.ts'
import { announce, button, PageElement } from '../../elements/page.ts'
import { post, signedIn } from '../../session/session.ts'
import type { TextKey } from '../../texts/keys.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'
import { changeOf, choicesFor, type GroupChoices } from './group-fields.ts'

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
