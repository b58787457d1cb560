import { LitElement, type PropertyValues } from 'lit'
import { watchSession } from '../session/session.ts'
import { showControls } from '../texts/bidi.ts'
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

  /** What reorders the text around it is seen as what it is, in all texts below. */
  protected override update(changed: PropertyValues): void {
    super.update(changed)
    const texts = document.createTreeWalker(this.renderRoot, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      const shown = showControls(text.data)
      // Lit compares values with the former values, not with what is shown.
      if (shown !== text.data) text.data = shown
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const stop of this.#stops) stop()
  }
}
