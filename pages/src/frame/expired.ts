import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { button, PageElement } from '../elements/page.ts'
import { signInAgain, signOut } from '../session/session.ts'
import { ofFrame as t } from '../texts/rooms.ts'

/** Asks for another sign-in when the present one has expired; pending actions continue after it. */
class Expired extends PageElement {
  @property({ type: Boolean }) open = false
  @state() error: unknown
  @state() isRefused = false

  override render() {
    return html`<wa-dialog label=${t('expired')} ?open=${this.open} @wa-hide=${this.#stay}>
      <div class="stack">
        <p>${t('expiredText')}</p>
        ${this.isRefused ? html`<p role="alert">${t('notSignedIn')}</p>` : nothing}
        <cartulary-problem .error=${this.error}></cartulary-problem>
      </div>
      ${button(t('signOut'), { slot: 'footer', appearance: 'plain', onClick: () => this.#run(signOut) })}
      ${button(t('signInAgain'), { slot: 'footer', variant: 'brand', onClick: () => this.#run(signInAgain) })}
    </wa-dialog>`
  }

  /** Runs the work; one that is running is not waited for, as the window of a sign-in may be closed without an answer. */
  async #run(work: () => Promise<unknown>): Promise<void> {
    this.error = undefined
    this.isRefused = false
    try {
      this.isRefused = (await work()) === 'refused'
    } catch (error) {
      this.error = error
    }
  }

  /** Keeps the dialog open until the person has signed in, as nothing works without that. */
  #stay(event: Event): void {
    if (this.open && event.target === event.currentTarget) event.preventDefault()
  }
}

customElements.define('cartulary-expired', Expired)
