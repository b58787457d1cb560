import { choice, readFields } from '../../elements/fields.ts'
import { announce, button, PageElement } from '../../elements/page.ts'
import '../../tables/list-import.ts'
import '../choice/people-choice.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { groupLimits } from '../../../../src/directory/group.ts'
import { findUsernameProblem } from '../../../../src/directory/user.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import { addUsers, type LeftOut } from '../../people/add-users.ts'
import { peopleColumns } from '../../people/new/people-table.ts'
import { inWords, said } from '../../sentences/said.ts'
import { groupPath, may, post } from '../../session/session.ts'
import { firstOf, judgeRows, type ListColumns, type ListRow } from '../../tables/list.ts'
import type { Added, TableList } from '../../tables/list-import.ts'
import { findingNamed } from '../../tables/names.ts'
import { ofGroupsMembers as t } from '../../texts/rooms.ts'
import { findInOrganization } from '../choice/find-people.ts'
import type { PeopleChoice } from '../choice/people-choice.ts'

type Kind = 'add' | 'invite'

interface Outcome {
  readonly kind: Kind
  readonly count: number
  /** Sentences of the server, one for each person who was left out. */
  readonly leftOut: readonly string[]
}

/** Answer of `addGroupUsers` or `inviteToGroup`. */
type Answer = { readonly reasons?: readonly string[] }

/** Days for which an invitation is open; the second choice is the default. */
const days = ['1', '7', '14'] as const

/** Buttons that add people to a group or invite them, and who was left out. Emits `done`. */
class NewMembers extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  /** Usernames of members, as far as they are known here. */
  @property({ attribute: false }) members: readonly string[] = []
  @state() kind: Kind = 'add'
  @state() count = 0
  @state() outcome: Outcome | undefined
  @query('cartulary-people-choice') choice!: PeopleChoice

  readonly #list: TableList<readonly ListedMember[]> = {
    get columns() {
      return memberColumns()
    },
    judge: async (rows) => judgeMembers(rows, may('updateGroupUsers', this.group)),
    actionOf: ({ length }) => (length > 0 ? t('addMany', { count: length }) : undefined),
    apply: (members, added) => this.#addListed(members, added),
  }

  override render() {
    const { group, kind, count } = this
    const { namesInOneCall: max } = groupLimits
    const blocked = count === 0 ? t('chooseFirst') : count > max ? t('tooMany', { max }) : ''
    return html`<div class="stack">
      <div class="row">
        ${may('addGroupUsers', group) ? this.#renderOpener('add', 'plus') : nothing}
        ${may('inviteToGroup', group) ? this.#renderOpener('invite', 'share') : nothing}
      </div>
      ${may('addGroupUsers', group) ? html`<details><summary>${t('fromList')}</summary><cartulary-list-import .list=${this.#list}></cartulary-list-import></details>` : nothing}
      ${this.outcome ? renderOutcome(this.outcome) : nothing}
      <cartulary-dialog-form
        heading=${t(`${kind}People`)} action=${t(kind)} blocked=${blocked} .work=${this.#send}
        @done=${() => this.dispatchEvent(new Event('done'))}
      >
        <p>${t(`${kind}Text`)}</p>
        <cartulary-people-choice
          data-first multiple ?any-name=${kind === 'invite' || !may('searchPortalUsers')} label=${t('people')} .find=${findInOrganization} .members=${this.members}
          @change=${() => (this.count = this.choice.usernames.length)}
        ></cartulary-people-choice>
        ${may('updateGroupUsers', group) ? choice('type', t('become'), ['member', 'admin'], (type) => t(type === 'admin' ? 'managers' : 'members'), 'member') : nothing}
        ${kind === 'invite' ? choice('days', t('openFor'), days, (count) => t('days', { count: Number(count) }), days[1]) : nothing}
      </cartulary-dialog-form>
    </div>`
  }

  #renderOpener(kind: Kind, icon: 'plus' | 'share') {
    return button(t(`${kind}People`), {
      icon: icon,
      variant: kind === 'add' ? 'brand' : 'neutral',
      appearance: 'outlined',
      size: 's',
      onClick: () => this.#open(kind),
    })
  }

  async #open(kind: Kind): Promise<void> {
    this.kind = kind
    this.count = 0
    this.choice.clear()
    await this.openDialog()
  }

  readonly #send = async (): Promise<void> => {
    const { kind, group } = this
    const { usernames } = this.choice
    const { type, days = '7' } = readFields(this.dialogOf())
    const names = usernames.join(',')
    const path = groupPath(group.id)
    const answer =
      kind === 'add'
        ? await post<Answer>(`${path}/addUsers`, { [type === 'admin' ? 'admins' : 'users']: names })
        : await post<Answer>(`${path}/invite`, {
            users: names,
            role: type === 'admin' ? 'group_admin' : 'group_member',
            expiration: Number(days) * 1_440,
          })
    this.#say(kind, usernames.length, answer.reasons ?? [])
  }

  async #addListed(members: readonly ListedMember[], added: Added) {
    const rows = new Map(members.map(({ username, row }) => [username, row]))
    const onAdded = (usernames: readonly string[]) => {
      for (const username of usernames) added.set(rows.get(username)!, username)
    }
    const leftOut: LeftOut[] = []
    for (const type of ['users', 'admins'] as const) {
      const left = members.filter((member) => member.type === type && !added.has(member.row))
      const names = left.map(({ username }) => username)
      leftOut.push(...(await addUsers(this.group.id, names, { type, onAdded })))
    }
    this.#say('add', members.length - leftOut.length, [])
    this.dispatchEvent(new Event('done'))
    return leftOut.map(({ username, reason }) => ({
      row: rows.get(username) ?? 0,
      role: 'user',
      problem: reason,
      isEnglish: true,
    }))
  }

  #say(kind: Kind, asked: number, leftOut: readonly string[]): void {
    this.outcome = { kind, count: asked - leftOut.length, leftOut }
    announce([...sumOf(this.outcome), ...leftOut.map((sentence) => inWords(sentence).text)].join('\n'))
  }
}

function sumOf({ kind, count }: Outcome): readonly string[] {
  return [t(`done_${kind}`, { count }), ...(kind === 'invite' && count > 0 ? [t('waiting')] : [])]
}

/** Renders the outcome: how many people, and why each of the others was left out. */
function renderOutcome(outcome: Outcome) {
  const { leftOut } = outcome
  return html`<wa-callout variant=${leftOut.length > 0 ? 'warning' : 'success'}><wa-icon slot="icon" name=${leftOut.length > 0 ? 'warning' : 'check'}></wa-icon>
    ${sumOf(outcome).map((text) => html`<p>${text}</p>`)}
    ${leftOut.length > 0 ? html`<ul>${leftOut.map((sentence) => html`<li>${said(sentence)}</li>`)}</ul>` : nothing}
  </wa-callout>`
}

customElements.define('cartulary-new-members', NewMembers)

/** A member in a row of a list. */
export interface ListedMember {
  readonly row: number
  readonly username: string
  readonly type: 'users' | 'admins'
}

export function memberColumns(): ListColumns {
  const { username, role } = peopleColumns()
  return { user: { ...username, name: t('column_user') }, role: { ...role, name: t('role') } }
}

/** Judges usernames and roles; managers only where the person may make some. */
export function judgeMembers(rows: readonly ListRow[], mayManage: boolean) {
  const members = [t('type_member'), 'member', 'group_member'].map((name) => ['users', name] as const)
  const managers = [t('type_admin'), 'manager', 'group_admin'].map((name) => ['admins', name] as const)
  const findType = findingNamed(mayManage ? [...members, ...managers] : members)
  return judgeRows(rows, (listed, refuse): ListedMember => {
    const [username, given] = [firstOf(listed, 'user'), firstOf(listed, 'role')]
    const { id = '', meant } = given === '' ? { id: 'users', meant: undefined } : findType(given)
    if (findUsernameProblem(username)) refuse('user', t('badUser', { value: username }), { value: username })
    else if (id === '') refuse('role', t('noRole', { value: given }), { value: given, meant })
    return { row: listed.row, username, type: id as ListedMember['type'] }
  })
}
