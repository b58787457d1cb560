import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { usernameLength } from '../../../../src/directory/user.ts'
import { Action } from '../../elements/action.ts'
import { announce } from '../../elements/announce.ts'
import { renderTable } from '../../elements/lists/table.ts'
import { saveFile } from '../../elements/save-file.ts'
import { Screen } from '../../elements/screen.ts'
import { enterSubmits } from '../../forms/enter-submits.ts'
import { choice, tick } from '../../forms/field.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { may, post, signedIn } from '../../session/session.ts'
import { listRoleChoices, loadRoles } from '../role-names.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { makeTemporaryPassword } from '../temporary-password.ts'
import {
  type CreatedPerson,
  emptyPerson,
  formatCreatedPeople,
  hasPassword,
  invitationsOf,
  type NewPerson,
  parsePeopleList,
  sortOutcome,
} from './people-list.ts'
import { t } from './texts.ts'

interface Row extends NewPerson {
  /** Identifies the row while others are added and removed. */
  readonly key: number
  /** Reason of the server's last refusal. */
  readonly reason?: string
}

function sendsMail(): boolean {
  return signedIn()?.sendsMail ?? false
}

/** Creates several people in one request; refused ones stay in the form, each with the reason. */
class NewPeople extends Screen {
  #keys = 0
  @state() rows: readonly Row[] = [this.#rowOf(emptyPerson)]
  @state() created: readonly CreatedPerson[] = []
  /** Number of people to whom a link was sent. */
  @state() mailed = 0

  readonly #action = new Action(this)
  readonly #expiring = new Action(this)
  /** Usernames of created people whose passwords are not expired yet. */
  #toExpire: readonly string[] = []
  readonly #roles = new Task(this, { args: () => [], task: (_, { signal }) => loadRoles(signal) })

  override render() {
    const refused = this.rows.filter(({ reason }) => reason).length
    return html`<cartulary-heading text=${t('title')} note=${t(sendsMail() ? 'noteWithMail' : 'note')}></cartulary-heading>
      ${renderPeopleTabs('people')}
      <div class="stack">
        ${this.#renderUnexpired()}
        ${this.mailed > 0 ? this.#renderMailed() : nothing}
        ${this.created.length > 0 ? this.#renderCreated() : nothing}
        ${
          refused > 0
            ? html`<wa-callout variant="danger" role="alert">
                <wa-icon slot="icon" name="warning"></wa-icon>${t('notCreated', { count: refused })}
              </wa-callout>`
            : nothing
        }
        ${this.rows.length > 0 ? this.#renderForm() : html`<div>${this.#renderAnother()}</div>`}
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
    return html`<wa-callout variant="success" id="created" tabindex="-1">
      <wa-icon slot="icon" name="check"></wa-icon>
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
          <wa-button size="s" appearance="outlined" @click=${this.#saveList}
            ><wa-icon slot="start" name="download"></wa-icon>${t('saveList')}</wa-button>
        </div>
      </div>
    </wa-callout>`
  }

  #renderMailed() {
    return html`<wa-callout variant="success" id="mailed" tabindex="-1">
      <wa-icon slot="icon" name="check"></wa-icon>${t('mailed', { count: this.mailed })}
    </wa-callout>`
  }

  #renderForm() {
    return html`<form @submit=${this.#submit}>
      ${enterSubmits}
      ${repeat(
        this.rows,
        ({ key }) => key,
        (row, position) => this.#renderRow(row, position),
      )}
      <div>${this.#renderAnother()}</div>
      <details class="panel">
        <summary>${t('paste')}</summary>
        <div class="stack">
          <label class="field">
            <span>${t('paste')}</span>
            <textarea id="pasted" rows="4" spellcheck="false" autocapitalize="none"></textarea>
            <small>${t('pasteHint')}</small>
          </label>
          <div><wa-button appearance="outlined" @click=${this.#take}>${t('take')}</wa-button></div>
        </div>
      </details>
      ${may('expirePassword') ? tick(t('mustChange'), true, { name: 'mustChange' }) : nothing}
      ${sendsMail() ? tick(t('byMail'), true, { name: 'byMail' }) : nothing}
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      <div><wa-button type="submit" variant="brand" ?loading=${this.#action.isRunning}>${t('create')}</wa-button></div>
    </form>`
  }

  #renderAnother() {
    return html`<wa-button size="s" appearance="outlined" @click=${this.#addRow}
      ><wa-icon slot="start" name="plus"></wa-icon>${t('another')}</wa-button>`
  }

  #renderRow(row: Row, position: number) {
    const number = position + 1
    const field = (name: keyof NewPerson, label: string, type: 'text' | 'email', isRequired: boolean, hint?: string) =>
      html`<label class="field">
        <span>${label}</span>
        <input
          data-field=${name} type=${type} .value=${row[name]} ?required=${isRequired} maxlength="128"
          autocomplete="off" autocapitalize="none" spellcheck="false"
          @input=${(event: Event) => this.#change(position, { [name]: (event.target as HTMLInputElement).value })}
        />
        ${hint ? html`<small>${hint}</small>` : nothing}
      </label>`
    const roles = new Map(listRoleChoices(this.#roles.value ?? []))
    return html`<fieldset class="panel stack">
      <legend class="visually-hidden">${t('person', { number })}</legend>
      ${row.reason ? html`<p class="problem" lang="en">${row.reason}</p>` : nothing}
      <div class="fields">
        ${field('username', t('username'), 'text', true, t('usernameHint', { minimum: usernameLength.min, maximum: usernameLength.max }))}
        ${field('fullName', t('fullName'), 'text', false)}
        ${field('email', t('email'), 'email', false)}
        ${choice('', t('role'), [...roles.keys()], (each) => roles.get(each)!, row.role, { onChange: (role) => this.#change(position, { role }), isLive: true })}
      </div>
      ${
        this.rows.length > 1
          ? html`<div><wa-button size="s" appearance="plain" @click=${() => this.#removeRow(position)}>${t('remove', { number })}</wa-button></div>`
          : nothing
      }
    </fieldset>`
  }

  #rowOf(person: NewPerson, reason?: string): Row {
    this.#keys += 1
    return { ...person, key: this.#keys, ...(reason !== undefined && { reason }) }
  }

  #change(position: number, change: Partial<NewPerson>): void {
    this.rows = this.rows.map((row, each) => (each === position ? { ...row, ...change } : row))
  }

  async #addRow(): Promise<void> {
    this.rows = [...this.rows, this.#rowOf(emptyPerson)]
    await this.#focusRow(this.rows.length - 1)
  }

  async #removeRow(position: number): Promise<void> {
    this.rows = this.rows.filter((_, each) => each !== position)
    await this.#focusRow(Math.max(0, position - 1))
  }

  async #focusRow(position: number): Promise<void> {
    await this.updateComplete
    this.renderRoot.querySelectorAll<HTMLInputElement>('[data-field=username]')[position]?.focus()
  }

  async #take(): Promise<void> {
    const field = this.renderRoot.querySelector<HTMLTextAreaElement>('#pasted')!
    const taken = parsePeopleList(field.value, listRoleChoices(this.#roles.value ?? []))
    announce(t('taken', { count: taken.length }))
    if (taken.length === 0) return
    const kept = this.rows.filter(({ username }) => username.trim() !== '')
    this.rows = [...kept, ...taken.map((person) => this.#rowOf(person))]
    field.value = ''
    await this.#focusRow(kept.length)
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const isTicked = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.checked ?? false
    const asked = { mustChange: isTicked('mustChange'), byMail: isTicked('byMail') }
    const isDone = await this.#action.run(() => this.#create(asked))
    if (!isDone) return
    await this.#expire()
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('#created, #mailed')?.focus()
  }

  async #create({ mustChange, byMail }: { readonly mustChange: boolean; readonly byMail: boolean }): Promise<void> {
    const people = this.rows.map(({ username, fullName, email, role }) => ({
      username: username.trim(),
      fullName,
      email,
      role,
      password: byMail && email.trim() !== '' ? undefined : makeTemporaryPassword(),
    }))
    const answer = await post<{ readonly notInvited: readonly string[]; readonly reasons?: readonly string[] }>(
      '/portals/self/invite',
      { invitationList: invitationsOf(people) },
    )
    const outcome = sortOutcome(people, answer)
    const { refused } = outcome
    const created = outcome.created.filter(hasPassword)
    this.created = [...this.created, ...created]
    this.mailed = outcome.created.length - created.length
    this.rows = refused.map(({ person: { username, fullName, email, role }, reason }) =>
      this.#rowOf({ username, fullName, email, role }, reason),
    )
    announce(t('created', { count: outcome.created.length }))
    if (mustChange) this.#toExpire = [...this.#toExpire, ...created.map(({ username }) => username)]
  }

  /** Expires the passwords; people left after an error are retried with the next call. */
  readonly #expire = async (): Promise<void> => {
    await this.#expiring.run(async () => {
      for (const username of this.#toExpire) {
        await post(`/community/users/${encodeURIComponent(username)}/expirePassword`)
        this.#toExpire = this.#toExpire.filter((each) => each !== username)
      }
    })
  }

  #saveList(): void {
    saveFile(new Blob([formatCreatedPeople(this.created)], { type: 'text/csv' }), 'people.csv')
  }
}

customElements.define('cartulary-new-people', NewPeople)
