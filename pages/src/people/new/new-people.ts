import { Action, announce, button, Screen } from '../../elements/page.ts'
import { codeOf, said } from '../../sentences/said.ts'
import '../../tables/list-import.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { usernameLength } from '../../../../src/directory/user.ts'
import { choice, enterSubmits, field, readFields, resetFields, tick } from '../../elements/fields.ts'
import { renderTable } from '../../elements/lists/table.ts'
import { saveFile } from '../../elements/save-file.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { may, post, signedIn, userPath } from '../../session/session.ts'
import type { Wrong } from '../../tables/list.ts'
import type { Added, TableList } from '../../tables/list-import.ts'
import { findOwnGroups } from '../../tables/own-groups.ts'
import { ofPeopleNew as t } from '../../texts/rooms.ts'
import { addUsers } from '../add-users.ts'
import { listRoleChoices, loadRoles } from '../roles-of-people.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { makeTemporaryPassword } from '../temporary-password.ts'
import {
  type CreatedPerson,
  emptyPerson,
  formatCreatedPeople,
  hasPassword,
  invitationsOf,
  type NewPerson,
  sortOutcome,
} from './people-list.ts'
import { judgePeople, type ListedPerson, peopleColumns } from './people-table.ts'

/** Creates a person by a form, or many by a list; those who are refused stay there, each with the reason. */
class NewPeople extends Screen {
  @state() created: readonly CreatedPerson[] = []
  /** Number of people to whom a link was sent. */
  @state() mailed = 0
  /** Why the person of the form was refused. */
  @state() reason = ''

  readonly #action = new Action(this)
  readonly #expiring = new Action(this)
  /** Usernames of created people whose passwords are not expired yet. */
  #toExpire: readonly string[] = []
  readonly #roles = new Task(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  readonly #list: TableList<readonly ListedPerson[]> = {
    get columns() {
      return peopleColumns()
    },
    judge: async (rows, signal) => judgePeople(rows, this.#choices, await findOwnGroups(rows, signal)),
    actionOf: ({ length: count }) => (count > 0 ? t('createMany', { count }) : undefined),
    apply: (people, created) => this.#createListed(people, created),
  }

  get #choices() {
    return listRoleChoices(this.#roles.value ?? [])
  }

  override render() {
    const sendsMail = signedIn()?.sendsMail ?? false
    return html`<cartulary-heading text=${t('title')} note=${t(sendsMail ? 'noteWithMail' : 'note')}></cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack">
        ${this.#renderUnexpired()}
        ${
          this.mailed > 0
            ? html`<wa-callout variant="success" id="mailed" tabindex="-1">
                <wa-icon slot="icon" name="check"></wa-icon>${t('mailed', { count: this.mailed })}
              </wa-callout>`
            : nothing
        }
        ${this.created.length > 0 ? this.#renderCreated() : nothing}
        ${may('expirePassword') ? tick(t('mustChange'), true, { name: 'mustChange' }) : nothing}
        ${sendsMail ? tick(t('byMail'), true, { name: 'byMail' }) : nothing}
        ${this.#renderForm()}
        <details class="panel">
          <summary>${t('fromList')}</summary>
          <cartulary-list-import .list=${this.#list}></cartulary-list-import>
        </details>
      </div>`
  }

  #renderUnexpired() {
    if (this.#expiring.error === undefined) return nothing
    return html`<section class="stack">
      <p>${t('notExpired', { usernames: this.#toExpire.join(', ') })}</p>
      <cartulary-problem .error=${this.#expiring.error} can-retry @retry=${this.#expire}></cartulary-problem>
    </section>`
  }

  #renderCreated() {
    return html`<wa-callout variant="success" id="created" tabindex="-1"><wa-icon slot="icon" name="check"></wa-icon>
      <div class="stack">
        <div>
          <strong>${t('created', { count: this.created.length })}</strong>
          <p>${t('createdNote')}</p>
        </div>
        ${renderTable(this.created, [
          [t('username'), ({ username }) => html`<a href=${hrefTo('person', { username })}>${username}</a>`],
          [t('password'), ({ password }) => html`<code dir="ltr">${password}</code>`],
        ])}
        <div>
          ${button(t('saveList'), { icon: 'download', size: 's', onClick: () => saveFile(new Blob([formatCreatedPeople(this.created)], { type: 'text/csv' }), 'people.csv') })}
        </div>
      </div>
    </wa-callout>`
  }

  #renderForm() {
    const roles = new Map(this.#choices)
    const { min, max } = usernameLength
    const hint = t('usernameHint', { minimum: min, maximum: max })
    return html`<form class="panel" @submit=${this.#submit}>
      ${enterSubmits}
      ${this.reason ? html`<p class="problem" role="alert">${said(this.reason)}</p>` : nothing}
      <div class="fields">
        ${field('username', t('username'), { max, hint, required: true, isCode: true })}
        ${field('fullName', t('fullName'), { max })} ${field('email', t('email'), { max, type: 'email', isCode: true })}
        ${choice('role', t('role'), [...roles.keys()], (role) => roles.get(role)!, emptyPerson.role)}
      </div>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      <div>${button(t('create'), { type: 'submit', variant: 'brand', loading: this.#action.isRunning })}</div>
    </form>`
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const isDone = await this.#action.run(async () => {
      const [refused] = await this.#create([{ ...emptyPerson, ...readFields(form) }])
      this.reason = refused?.reason ?? ''
    })
    if (!isDone) return
    if (this.reason === '') resetFields(form)
    await this.#expire()
    await this.#showCreated()
  }

  async #createListed(people: readonly ListedPerson[], created: Added): Promise<readonly Wrong[]> {
    const rows = new Map(people.map(({ username, row }) => [username, row]))
    const wrongOf = (username: string, role: string, problem: string): Wrong => ({
      row: rows.get(username) ?? 0,
      role,
      problem,
      isEnglish: true,
    })
    const left = people.filter(({ row }) => !created.has(row))
    const refused = left.length > 0 ? await this.#create(left) : []
    const wrong = refused.map(({ person: { username }, reason }) => wrongOf(username, 'username', reason))
    const gone = new Set(wrong.map(({ row }) => row))
    for (const { row, username } of left) if (!gone.has(row)) created.set(row, username)
    await this.#expire()
    await this.#showCreated()
    for (const group of new Set(people.flatMap(({ groups }) => groups))) {
      const joining = people.filter(({ row, groups }) => groups.includes(group) && created.has(row))
      const usernames = joining.map(({ username }) => username)
      const notAdded = await addUsers(group, usernames)
      // Members were added by an earlier try.
      const others = notAdded.filter(({ reason }) => codeOf(reason) !== 'leftOutMember')
      wrong.push(...others.map(({ username, reason }) => wrongOf(username, 'groups', reason)))
    }
    return wrong
  }

  async #showCreated(): Promise<void> {
    await this.focusOn('#created, #mailed')
  }

  /** Creates people, and answers those who were refused. */
  async #create(given: readonly NewPerson[]) {
    const isTicked = (name: string) =>
      this.renderRoot.querySelector<HTMLInputElement>(`[name=${name}]`)?.checked ?? false
    const people = given.map((person) => ({
      ...person,
      username: person.username.trim(),
      password: isTicked('byMail') && person.email.trim() !== '' ? undefined : makeTemporaryPassword(),
    }))
    const answer = await post<{ readonly notInvited: readonly string[]; readonly reasons?: readonly string[] }>(
      '/portals/self/invite',
      { invitationList: invitationsOf(people) },
    )
    const outcome = sortOutcome(people, answer)
    const created = outcome.created.filter(hasPassword)
    this.created = [...this.created, ...created]
    this.mailed = outcome.created.length - created.length
    announce(t('created', { count: outcome.created.length }))
    if (isTicked('mustChange')) this.#toExpire = [...this.#toExpire, ...created.map(({ username }) => username)]
    return outcome.refused
  }

  /** Expires the passwords; people left after an error are retried with the next call. */
  readonly #expire = async (): Promise<void> => {
    await this.#expiring.run(async () => {
      for (const username of this.#toExpire) {
        await post(`${userPath(username)}/expirePassword`)
        this.#toExpire = this.#toExpire.filter((each) => each !== username)
      }
    })
  }
}

customElements.define('cartulary-new-people', NewPeople)
