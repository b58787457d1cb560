import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { field, textOf } from '../../elements/fields.ts'
import { announce, button, PageElement } from '../../elements/page.ts'
import { namesOf } from '../../texts/names.ts'
import { ofGroupsChoice as t } from '../../texts/rooms.ts'
import type { FindPeople, NamedPerson } from './find-people.ts'

/** Chooses people by typing parts of their names. Emits `change`. */
export class PeopleChoice extends PageElement {
  @property() label!: string
  @property({ attribute: false }) find!: FindPeople
  /** Usernames of people who belong to the group: they are shown, and cannot be chosen. */
  @property({ attribute: false }) members: readonly string[] = []
  @property({ type: Boolean }) multiple = false
  /** Whether a username that is not found can be given: that of a user whom the person does not see. */
  @property({ type: Boolean, attribute: 'any-name' }) anyName = false
  @state() chosen: readonly NamedPerson[] = []
  @state() typed = ''
  @query('#typed') field!: HTMLInputElement

  readonly #found = new Task(this, {
    args: () => [this.typed.trim(), this.find] as const,
    task: async ([text, find], { signal }) => ({ text, ...(await find(text, signal)) }),
  })

  get usernames(): readonly string[] {
    return this.chosen.map(({ username }) => username)
  }

  clear(): void {
    this.chosen = []
    this.typed = ''
    // People may have come and gone since the last time.
    if (this.hasUpdated) void this.#found.run()
  }

  override focus(): void {
    this.field.focus()
  }

  override render() {
    return html`<div class="stack" @keydown=${this.#chooseByKey}>
      ${field('', this.label, { id: 'typed', type: 'search', isCode: true, value: this.typed, follows: true, hint: t(this.anyName ? 'hintAnyName' : 'hint'), onInput: (event) => (this.typed = textOf(event)) })}
      <div role="status">${this.#renderFound()}</div>
      ${this.multiple && this.chosen.length > 0 ? this.#renderChosen() : nothing}
    </div>`
  }

  #renderFound() {
    const { value, error } = this.#found
    if (error !== undefined) return html`<cartulary-problem .error=${error}></cartulary-problem>`
    if (!value) return nothing
    const { text, people, total } = value
    if (people.length === 0) {
      if (text === '') return nothing
      return html`<div class="row">
        <span>${t('none')}</span>
        ${this.anyName ? button(t('takeName', { name: text }), { id: 'as-typed', size: 's', onClick: () => this.#choose({ username: text, fullName: '' }, true) }) : nothing}
      </div>`
    }
    return html`<fieldset>
      <legend class="visually-hidden">${t('found')}</legend>
      <div class="scrolled">${people.map((person) => this.#renderPerson(person))}</div>
      ${total > people.length ? html`<small class="quiet">${t('more', { count: total - people.length })}</small>` : nothing}
    </fieldset>`
  }

  #renderPerson(person: NamedPerson) {
    const { name, username } = namesOf(person.username, person.fullName)
    const isMember = this.members.includes(person.username)
    const notes = [...(username === undefined ? [] : [username]), ...(isMember ? [t('isMember')] : [])]
    return html`<label class="tick">
      <input
        type=${this.multiple ? 'checkbox' : 'radio'} name="person" ?disabled=${isMember} .checked=${this.usernames.includes(person.username)}
        @change=${(event: Event) => this.#choose(person, (event.target as HTMLInputElement).checked)}
      >
      <span>${name}${notes.map((note) => html` <small>${note}</small>`)}</span>
    </label>`
  }

  #renderChosen() {
    return html`<div role="group" aria-label=${t('chosen')} class="row">
      ${this.chosen.map((person) => {
        const { name } = namesOf(person.username, person.fullName)
        return button(
          html`<span class="visually-hidden">${t('drop')}: </span>${name}<wa-icon slot="end" name="xmark"></wa-icon >`,
          { appearance: 'filled', size: 's', onClick: () => this.#drop(person) },
        )
      })}
    </div>`
  }

  #choose(person: NamedPerson, isChosen: boolean): void {
    const others = this.multiple ? this.chosen.filter(({ username }) => username !== person.username) : []
    this.chosen = isChosen ? [...others, person] : others
    if (this.multiple) announce(t('count', { count: this.chosen.length }))
    this.dispatchEvent(new Event('change'))
  }

  #drop(person: NamedPerson): void {
    this.#choose(person, false)
    this.focus()
  }

  /** Enter chooses the only person found, or the one of this username; then the next one can be typed. */
  async #chooseByKey(event: KeyboardEvent): Promise<void> {
    if (event.target !== this.field || event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    const typed = this.typed.trim()
    if (typed === '') return
    // The key may come before the people are found.
    if (this.#found.value?.text !== typed) await this.#found.taskComplete.catch(() => undefined)
    const { value } = this.#found
    if (value?.text !== typed || this.typed.trim() !== typed) return
    const { people } = value
    const isNamed = ({ username }: NamedPerson) => username.toLowerCase() === typed.toLowerCase()
    const meant = people.find(isNamed) ?? (people.length === 1 ? people[0] : undefined)
    if (meant && this.members.includes(meant.username)) return
    const named = meant ?? (people.length === 0 && this.anyName ? { username: typed, fullName: '' } : undefined)
    if (!named) return
    this.#choose(named, true)
    if (this.multiple) this.typed = ''
  }
}

customElements.define('cartulary-people-choice', PeopleChoice)
