import { html, type ReactiveController, type ReactiveControllerHost } from 'lit'
import type { WireUser } from '../../../src/http/shapes/directory/user.ts'
import { textOf } from '../elements/fields.ts'
import { call } from '../session/session.ts'
import { searchTermsOf } from './search-terms.ts'

type Suggested = Pick<WireUser, 'username' | 'fullName'>

/** Maximum number of persons that are suggested. */
const maxSuggested = 10

/**
 * Persons of the organization for a field that takes a username, found by any of their names while one is typed: bind `suggest` to
 * its `input`, and render the list, whose id is its `list`, and the name beside it.
 */
export class PersonSuggestions implements ReactiveController {
  #found: readonly Suggested[] = []
  #typed = ''
  #stop = new AbortController()
  readonly #host: ReactiveControllerHost
  readonly #filter: string | undefined

  /** `filter` restricts who is suggested, in the language of the search. */
  constructor(host: ReactiveControllerHost, filter?: string) {
    this.#host = host
    this.#filter = filter
    host.addController(this)
  }

  hostDisconnected(): void {
    this.#stop.abort()
  }

  readonly suggest = async (event: Event): Promise<void> => {
    this.#typed = textOf(event).trim()
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#host.requestUpdate()
    const terms = searchTermsOf(this.#typed)
    if (terms === '' || this.#found.some(({ username }) => username === this.#typed)) return
    try {
      const { results } = await call<{ readonly results: readonly Suggested[] }>(
        '/portals/self/users/search',
        { q: terms, num: maxSuggested, filter: this.#filter },
        { signal: this.#stop.signal },
      )
      this.#found = results
      this.#host.requestUpdate()
    } catch {
      // A username can be typed without suggestions.
    }
  }

  renderList(id: string) {
    return html`<datalist id=${id}>
      ${this.#found.map(({ username, fullName }) => html`<option value=${username} dir="auto">${fullName || username}</option>`)}
    </datalist>`
  }

  /** Full name of the person whose username is typed, or the hint of the field. */
  renderNameOr(hint: string) {
    const person = this.#found.find(({ username }) => username === this.#typed)
    return person?.fullName ? html`<bdi>${person.fullName}</bdi>` : hint
  }
}
