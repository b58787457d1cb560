import { type CSSResultGroup, type CSSResultOrNative, LitElement, type PropertyValues } from 'lit'
import { watchSession } from '../session/session.ts'
import { showControls } from '../texts/bidi.ts'
import { watchLanguage } from '../texts/texts.ts'
import { baseStyle } from './base-style.ts'

/** Every element of the application: rendered again when the language or the session changes. */
export class PageElement extends LitElement {
  /** The styles of an element come after those that all of them have. */
  protected static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return LitElement.finalizeStyles([baseStyle, styles])
  }

  #stops: readonly (() => void)[] = []

  override connectedCallback(): void {
    super.connectedCallback()
    const update = () => this.requestUpdate()
    this.#stops = [watchLanguage(update), watchSession(update)]
  }

  /** What misleads in a text is seen as what it is. */
  protected override update(changed: PropertyValues): void {
    super.update(changed)
    for (const part of this.renderedParts()) showControlsBelow(part)
  }

  /** What the last update has rendered. An element of many parts names those that it did not leave as they were. */
  protected renderedParts(): readonly (Element | DocumentFragment)[] {
    return [this.renderRoot]
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const stop of this.#stops) stop()
  }
}

function showControlsBelow(root: Node): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    const shown = showControls(text.data)
    // Lit compares values with the former values, not with what is shown.
    if (shown !== text.data) text.data = shown
  }
}
