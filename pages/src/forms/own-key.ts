import './secret.ts'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement, Reading } from '../elements/page.ts'
import { call } from '../session/session.ts'

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
