import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { ApiError, Unreachable } from '../api/call.ts'
import { PageElement } from './page-element.ts'
import { t } from './texts.ts'

/**
 * Reason why an action failed, in the sentences of the server. Emits `retry` when the person asks to retry, which is
 * offered if `canRetry` is set.
 */
class Problem extends PageElement {
  @property({ attribute: false }) error: unknown
  @property({ type: Boolean, attribute: 'can-retry' }) canRetry = false

  /** Hides the element without an error, so that it takes no space. */
  override willUpdate(): void {
    this.hidden = this.error === undefined
  }

  override render() {
    const { error } = this
    if (error === undefined) return nothing
    const { message, details, requestId } = wordsOf(error)
    // Sentences of the server are English, whatever the language of the page.
    const language = error instanceof ApiError ? 'en' : nothing
    return html`<wa-callout variant="danger" role="alert">
      <wa-icon slot="icon" name="warning"></wa-icon>
      <div class="stack">
        <div>
          <strong lang=${language}>${message}</strong>
          ${details.length > 0 ? html`<ul lang=${language}>${details.map((detail) => html`<li><bdi>${detail}</bdi></li>`)}</ul>` : nothing}
          ${requestId ? html`<p class="quiet">${t('requestId', { id: requestId })}</p>` : nothing}
        </div>
        ${
          this.canRetry
            ? html`<div><wa-button size="s" appearance="outlined" @click=${() => this.dispatchEvent(new Event('retry'))}
                >${t('retry')}</wa-button></div>`
            : nothing
        }
      </div>
    </wa-callout>`
  }
}

/** Texts of an error for the person. */
export function wordsOf(error: unknown): {
  readonly message: string
  readonly details: readonly string[]
  readonly requestId: string | undefined
} {
  if (error instanceof ApiError) {
    const { message, details, reasons } = error
    // Most refusals repeat the message as their only detail.
    const others = new Set([...details, ...reasons])
    others.delete(message)
    return { message, details: [...others], requestId: error.requestId }
  }
  if (error instanceof Unreachable) return { message: t('unreachable'), details: [], requestId: undefined }
  console.error(error)
  return { message: t('unexpected'), details: [], requestId: undefined }
}

customElements.define('cartulary-problem', Problem)
