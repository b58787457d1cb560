import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { announce, button, PageElement, Reading } from '../elements/page.ts'
import { call } from '../session/session.ts'
import { ofForms as t } from '../texts/rooms.ts'

/** A text to be selected or copied by a button, such as a password or a link that is shown once. */
class Secret extends PageElement {
  static override styles = css`
    code {
      user-select: all;
      min-width: 0;
    }
  `

  @property() value!: string
  @property() label!: string

  override render() {
    return html`<div class="stack">
      <span>${this.label}</span>
      <div class="row">
        <code class="box" dir="ltr">${this.value}</code>
        ${button(t('copy'), { icon: 'copy', size: 's', onClick: () => copyText(this.value, this.renderRoot.querySelector('code')!) })}
      </div>
    </div>`
  }
}

/** Copies a text. Without permission for the clipboard, it is selected where it is shown, and can be copied by keyboard. */
export async function copyText(text: string, shown: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(t('copied'))
  } catch {
    window.getSelection()?.selectAllChildren(shown)
  }
}

customElements.define('cartulary-secret', Secret)

/** Fingerprint of the own organization's key, which partners compare, in hex. */
export async function readFingerprint(signal?: AbortSignal): Promise<string> {
  const answer = await call<{ readonly fingerprintHex: string }>('/portals/self/publicKey', {}, { signal })
  return answer.fingerprintHex
}

/** The fingerprint of the own organization's key, to be read out or copied. */
class OwnKey extends PageElement {
  @property() label!: string

  readonly #fingerprint = new Reading(this, {
    args: () => [],
    task: (_, { signal }) => readFingerprint(signal),
  })

  override render() {
    return this.#fingerprint.show((value) =>
      value ? html`<cartulary-secret label=${this.label} value=${value}></cartulary-secret>` : nothing,
    )
  }
}

customElements.define('cartulary-own-key', OwnKey)
