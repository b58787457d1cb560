import { Task } from '@lit/task'
import { html } from 'lit'
import { property, state } from 'lit/decorators.js'
import { textOf } from '../../elements/fields.ts'
import { PageElement } from '../../elements/page.ts'
import { call } from '../../session/session.ts'

interface FoundPerson {
  readonly username: string
  readonly fullName: string
}

/** Time without a key press after which people are searched, in milliseconds (chosen). */
const typingPause = 250

/** A field for a person of the organization, found while typing. Emits `change`. */
export class PersonField extends PageElement {
  @property() label!: string
  /** Username. */
  @state() value = ''

  readonly #found = new Task(this, {
    args: () => [this.value] as const,
    task: async ([text], { signal }): Promise<readonly FoundPerson[]> => {
      const word = text.trim()
      if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(word)) return []
      await new Promise((resolve) => setTimeout(resolve, typingPause))
      signal.throwIfAborted()
      const parameters = { q: `${word}*`, filter: 'disabled:"false"', num: 8 }
      return (await call<{ readonly results: readonly FoundPerson[] }>('/community/users', parameters, { signal }))
        .results
    },
  })

  override render() {
    return html`<label class="field">
      <span>${this.label}</span><input list="people" autocomplete="off" spellcheck="false" @input=${this.#read}>
    </label>
    <datalist id="people">${(this.#found.value ?? []).map(({ username, fullName }) => html`<option value=${username}>${fullName}</option>`)}</datalist>`
  }

  #read(event: Event): void {
    this.value = textOf(event).trim()
    this.dispatchEvent(new Event('change'))
  }
}

customElements.define('cartulary-person-field', PersonField)
