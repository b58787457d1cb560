import { LitElement } from 'lit'
import { watchSession } from '../session/session.ts'
import { watchLanguage } from '../texts/texts.ts'
import { baseStyle } from './base-style.ts'

/** Every element of the application: rendered again when the language or the session changes. */
export class PageElement extends LitElement {
  static override styles = [baseStyle]

  #stops: readonly (() => void)[] = []

  override connectedCallback(): void {
    super.connectedCallback()
    const update = () => this.requestUpdate()
    this.#stops = [watchLanguage(update), watchSession(update)]
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const stop of this.#stops) stop()
  }
}
