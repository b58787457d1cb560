import { type CSSResultGroup, type CSSResultOrNative, LitElement, type PropertyValues } from 'lit'
import { watchSession } from '../session/session.ts'
import { showControls } from '../texts/bidi.ts'
import { watchLanguage } from '../texts/texts.ts'
import { baseStyle } from './base-style.ts'
import { fieldStyle } from './field-style.ts'
import { partsStyle } from './parts-style.ts'

/** Base of every element of the application: rendered again when the language or the session changes. */
export class PageElement extends LitElement {
  /** Puts the styles of an element after the shared ones. */
  protected static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return LitElement.finalizeStyles([baseStyle, fieldStyle, partsStyle, styles])
  }

  #stops: readonly (() => void)[] = []

  override connectedCallback(): void {
    super.connectedCallback()
    const update = () => this.requestUpdate()
    this.#stops = [watchLanguage(update), watchSession(update)]
  }

  /** Makes misleading control characters visible in rendered texts. */
  protected override update(changed: PropertyValues): void {
    super.update(changed)
    for (const part of this.renderedParts()) showControlsBelow(part)
  }

  /** Parts that the last update has rendered. An element of many parts returns only those that it changed. */
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
    // Lit compares values with previous values, not with the shown text.
    if (shown !== text.data) text.data = shown
  }
}
