import { html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { ApiError, Unreachable } from '../api/call.ts'
import type { Said } from '../sentences/said.ts'
import { ofElements as t } from '../texts/rooms.ts'
import { allTextsLoaded } from '../texts/texts.ts'
import { button, PageElement } from './page.ts'

/**
 * Reason why an action failed, in the words of the page. Emits `retry` when the person asks to retry, which is
 * offered if `canRetry` is set.
 */
class Problem extends PageElement {
  @property({ attribute: false }) error: unknown
  @property({ type: Boolean, attribute: 'can-retry' }) canRetry = false
  @state() words: Words | undefined

  /** Hides the element without an error, so that it takes no space. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('error')) void this.#findWords(this.error)
    this.hidden = this.words === undefined
  }

  async #findWords(error: unknown): Promise<void> {
    this.words = undefined
    const words = error === undefined ? undefined : await wordsOf(error)
    if (this.error === error) this.words = words
  }

  override render() {
    if (!this.words) return nothing
    const { message, details, requestId } = this.words
    return html`<wa-callout variant="danger" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>
      <div class="stack">
        <div>
          <strong lang=${message.isForeign ? 'en' : nothing}>${message.text}</strong>
          ${details.length > 0 ? html`<ul>${details.map(({ text, isForeign }) => html`<li><bdi lang=${isForeign ? 'en' : nothing}>${text}</bdi></li>`)}</ul>` : nothing}
          ${requestId ? html`<p class="quiet">${t('requestId', { id: requestId })}</p>` : nothing}
        </div>
        ${this.canRetry ? html`<div>${button(t('retry'), { size: 's', onClick: () => this.dispatchEvent(new Event('retry')) })}</div>` : nothing}
      </div>
    </wa-callout>`
  }
}

interface Words {
  readonly message: Said
  readonly details: readonly Said[]
  readonly requestId: string | undefined
}

/** Texts of an error for the person. Sentences of the server have their words once the texts of all screens are there. */
export async function wordsOf(error: unknown): Promise<Words> {
  if (error instanceof ApiError) {
    const { message, details, reasons } = error
    // The message: most refusals repeat it as their only detail.
    const others = new Set([...details, ...reasons])
    others.delete(message)
    const inWords = await loadSentences().catch(() => (text: string) => ({ text, isForeign: true }))
    return { message: inWords(message), details: [...others].map((each) => inWords(each)), requestId: error.requestId }
  }
  if (!(error instanceof Unreachable)) console.error(error)
  const text = t(error instanceof Unreachable ? 'unreachable' : 'unexpected')
  return { message: { text, isForeign: false }, details: [], requestId: undefined }
}

async function loadSentences() {
  const [{ inWords }] = await Promise.all([import('../sentences/said.ts'), allTextsLoaded()])
  return inWords
}

customElements.define('cartulary-problem', Problem)
