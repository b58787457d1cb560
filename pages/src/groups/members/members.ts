import { field, textOf } from '../../elements/fields.ts'
import { Action, announce, button, PageElement, Reading } from '../../elements/page.ts'
import './new-members.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { WireMember } from '../../../../src/http/shapes/directory/member.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import { ApiError } from '../../api/call.ts'
import { pageSize, startOf } from '../../elements/lists/page-parts.ts'
import { renderPager, renderPersonLink, renderTable } from '../../elements/lists/table.ts'
import { offerUndo } from '../../elements/undo-message.ts'
import { replaceQuery } from '../../navigation/navigation.ts'
import { call, groupPath, may, post, signedIn } from '../../session/session.ts'
import { namesOf } from '../../texts/names.ts'
import { ofGroupsMembers as t } from '../../texts/rooms.ts'

/** Members of a group; the owner is separate from the list. */
type FoundMembers = WirePage<'users', WireMember> & { readonly owner: WireMember }

/** Members of a group: searched, added, invited, given another role, removed. Emits `changed`. */
class GroupMembers extends PageElement {
  static override styles = css`
    td select {
      width: auto;
      max-width: 100%;
    }
  `

  @property({ attribute: false }) group!: WireGroup
  /** State in the address: `member` is a part of a name, and `start` the position of the first member. */
  @property({ attribute: false }) query!: URLSearchParams
  /** A member who is to be removed, and the number of their items that are shared with the group. */
  @state() removal: { readonly member: WireMember; readonly items: number } | undefined
  /** Whether another person has changed the member meanwhile. */
  @state() isOutdated = false

  #isRemoved = false
  /** Whether the members need more than a page, or were searched: the field stays while they are read again. */
  #isLong = false
  readonly #action = new Action(this)
  readonly #members = new Reading(this, {
    args: () =>
      [
        this.group.id,
        this.query.get('member') ?? '',
        startOf(this.query),
        may('searchGroupUsers', this.group),
      ] as const,
    task: ([id, name, start, isShown], { signal }) =>
      isShown
        ? call<FoundMembers>(`${groupPath(id)}/userList`, { name: name || undefined, start, num: pageSize }, { signal })
        : Promise.resolve(undefined),
  })

  override render() {
    const { group, removal } = this
    return html`<section class="stack">
      <h2 tabindex="-1">${t('membersHeading')}</h2>
      <cartulary-new-members .group=${group} .members=${this.#shown} @done=${this.#readAgain}></cartulary-new-members>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${this.isOutdated ? html`<wa-callout variant="warning" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>${t('changedMeanwhile')}</wa-callout>` : nothing}
      ${this.#members.showLatest((members) => (members ? this.#renderMembers(members) : html`<p class="quiet">${t('hidden')}</p>`))}
      <cartulary-dialog-form
        danger heading=${t('removeHeading')} action=${t('remove')} .work=${this.#removeAsked} @closed=${() => this.#isRemoved && this.#focusHeading()}
      ><p>${removal ? t('removeText', { name: nameOf(removal.member), count: removal.items }) : nothing}</p></cartulary-dialog-form>
    </section>`
  }

  /** Usernames of the members on this page. */
  get #shown(): readonly string[] {
    const { owner, users } = this.#members.value ?? {}
    return owner && users ? [owner, ...users].map(({ username }) => username) : []
  }

  #renderMembers(members: FoundMembers) {
    const { owner, start, users } = members
    const name = this.query.get('member') ?? ''
    const rows = start === 1 && name === '' ? [owner, ...users] : users
    this.#isLong ||= name !== '' || start > 1 || members.nextStart > 0
    return html`${
      this.#isLong
        ? html`<search>${field('', t('search'), { type: 'search', value: name, follows: 'always', onInput: (event) => replaceQuery({ member: textOf(event) }) })}</search>`
        : nothing
    }
    ${
      rows.length === 0
        ? html`<p role="status">${t('noneFound')}</p>`
        : renderTable(rows, [
            [t('name'), renderPersonLink],
            [t('role'), (member) => this.#renderRole(member)],
            [t('joined'), ({ joined }) => html`<cartulary-moment .value=${joined}></cartulary-moment>`],
          ])
    }
    ${renderPager(members)}`
  }

  /** Renders the role; with a menu and a button to remove the member, for those who may change that. */
  #renderRole(member: WireMember) {
    const { username, memberType } = member
    const { group } = this
    // A manager who becomes a member could not undo it.
    const isOwnManager = username === signedIn()?.username && memberType === 'admin'
    if (memberType === 'owner') return t('type_owner')
    const name = nameOf(member)
    return html`<div class="row">
      ${
        may('updateGroupUsers', group) && !isOwnManager
          ? html`<select aria-label=${t('roleOf', { name })} ?disabled=${this.#action.isRunning}
              @change=${(event: Event) => this.#changeRole(member, event.target as HTMLSelectElement)}
            >${(['member', 'admin'] as const).map((type) => html`<option value=${type} .selected=${live(type === memberType)}>${t(`type_${type}`)}</option>`)}</select>`
          : html`<span>${t(`type_${memberType}`)}</span>`
      }
      ${
        may('removeGroupUsers', group) && username !== signedIn()?.username
          ? button(html`${t('remove')}<span class="visually-hidden">: ${name}</span>`, {
              appearance: 'plain',
              size: 's',
              disabled: this.#action.isRunning,
              onClick: () => this.#ask(member),
            })
          : nothing
      }
    </div>`
  }

  async #changeRole(member: WireMember, field: HTMLSelectElement): Promise<void> {
    const isManager = field.value === 'admin'
    const isDone = await this.#action.run(async () => {
      const { results } = await post<{ readonly results: readonly { readonly success: boolean }[] }>(
        `${groupPath(this.group.id)}/updateUsers`,
        { [isManager ? 'admins' : 'users']: member.username },
      )
      this.isOutdated = results.some(({ success }) => !success)
    })
    if (!isDone) {
      field.value = member.memberType
      return
    }
    await this.#readAgain()
    if (!this.isOutdated) announce(t(isManager ? 'isManager' : 'isMember', { name: nameOf(member) }))
  }

  /** Removes a member immediately where adding them again restores all; asks where items leave the group with them. */
  async #ask(member: WireMember): Promise<void> {
    const { group } = this
    let items = 0
    this.isOutdated = false
    const isCounted = await this.#action.run(async (signal) => {
      const filter = `owner:"${member.username}"`
      const path = `/content/groups/${encodeURIComponent(group.id)}/search`
      items = (await call<{ readonly total: number }>(path, { filter, num: 0 }, { signal })).total
    })
    if (!isCounted) return
    const isOfOrganization = member.orgId === group.orgId
    if (items > 0 || !isOfOrganization || !may('addGroupUsers', group)) {
      this.removal = { member, items }
      this.#isRemoved = false
      await this.openDialog()
      return
    }
    if (!(await this.#action.run(() => this.#remove(member))) || this.isOutdated) return
    offerUndo(t('removed', { name: nameOf(member) }), () => this.#addAgain(member))
    this.#focusHeading()
  }

  readonly #removeAsked = async (): Promise<void> => {
    const { member } = this.removal!
    await this.#remove(member)
    this.#isRemoved = true
    if (!this.isOutdated) announce(t('removed', { name: nameOf(member) }))
  }

  async #remove({ username }: WireMember): Promise<void> {
    const { notRemoved } = await post<{ readonly notRemoved: readonly string[] }>(
      `${groupPath(this.group.id)}/removeUsers`,
      { users: username },
    )
    this.isOutdated = notRemoved.length > 0
    await this.#readAgain()
  }

  async #addAgain({ username, memberType }: WireMember): Promise<void> {
    const { reasons = [] } = await post<{ readonly reasons?: readonly string[] }>(
      `${groupPath(this.group.id)}/addUsers`,
      {
        [memberType === 'admin' ? 'admins' : 'users']: username,
      },
    )
    const [reason] = reasons
    if (reason) throw new ApiError({ code: 400, message: reason }, undefined)
    await this.#readAgain()
  }

  readonly #readAgain = async (): Promise<void> => {
    await this.#members.run()
    this.dispatchEvent(new Event('changed'))
  }

  readonly #focusHeading = (): void => this.renderRoot.querySelector<HTMLElement>('h2')?.focus()

  /** Reads the members again, as another part of the screen has changed them. */
  async refresh(): Promise<void> {
    await this.#members.run()
  }
}

export type { GroupMembers }

function nameOf({ username, fullName }: WireMember): string {
  return namesOf(username, fullName).name
}

customElements.define('cartulary-group-members', GroupMembers)
