import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import '../elements/problem.ts'
import { html } from 'lit'
import { PageElement } from '../elements/page-element.ts'
import { signInAgain, signOut } from '../session/session.ts'
import { t } from './texts.ts'

/** Asks for another sign-in when the one there was has ended; what the person does goes on after it. */
class Expired extends PageElement {
  static override properties = { open: { type: Boolean }, error: { state: true } }

  declare open: boolean
  declare error: unknown

  override render() {
    return html`<wa-dialog label=${t('expired')} ?open=${this.open} @wa-hide=${this.#stay}>
      <div class="stack">
        <p>${t('expiredText')}</p>
        <cartulary-problem .error=${this.error}></cartulary-problem>
      </div>
      <wa-button slot="footer" appearance="plain" @click=${signOut}>${t('signOut')}</wa-button>
      <wa-button slot="footer" variant="brand" @click=${this.#signIn}>${t('signInAgain')}</wa-button>
    </wa-dialog>`
  }

  async #signIn(): Promise<void> {
    this.error = undefined
    try {
      await signInAgain()
    } catch (error) {
      this.error = error
    }
  }

  /** Nothing can be done without a sign-in: the dialog stays until there is one. */
  #stay(event: Event): void {
    if (this.open && event.target === event.currentTarget) event.preventDefault()
  }
}

customElements.define('cartulary-expired', Expired)
