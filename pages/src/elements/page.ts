import { Task } from '@lit/task'
import {
  type CSSResultGroup,
  type CSSResultOrNative,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type ReactiveController,
  type ReactiveControllerHost,
} from 'lit'
import { property } from 'lit/decorators.js'
import type { PathParameters } from '../navigation/paths.ts'
import { sessionChanges } from '../session/session.ts'
import { Changes } from '../state/changes.ts'
import { showControls } from '../texts/bidi.ts'
import { languageChanges } from '../texts/texts.ts'
import type { IconName } from './icon-shapes.ts'
import { baseStyle, fieldStyle, partsStyle } from './shared-style.ts'

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
    this.#stops = [languageChanges.watch(update), sessionChanges.watch(update)]
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

  /** Focuses a part of the element once it is rendered: that which had the focus may be gone. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus()
  }

  /** The dialog of the element; `selector`: which, where it has several. */
  protected dialogOf(selector = 'cartulary-dialog-form'): Dialog {
    return this.renderRoot.querySelector<Dialog>(selector)!
  }

  /** Opens it once its words are those of the present state. */
  protected async openDialog(selector?: string): Promise<void> {
    await this.updateComplete
    this.dialogOf(selector).open()
  }
}

/** A `<cartulary-dialog-form>`, as the element around it knows it. */
interface Dialog extends HTMLElement {
  open(): void
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

/** Base of the screens. Each renders one `<cartulary-heading>`. */
export class Screen extends PageElement {
  /** Values of the path, such as the id of a group. */
  @property({ attribute: false }) parameters: PathParameters = {}
  /** State of the screen: filters, open details. Change it by `replaceQuery` or a link. */
  @property({ attribute: false }) query: URLSearchParams = new URLSearchParams()
}

/** A read request of an element, repeated when its arguments change, and its rendering. */
export class Reading<const Args extends readonly unknown[], Value> extends Task<Args, Value> {
  /** Shows the value; until then, a loading state, or the error with a button to retry. */
  show(complete: (value: Value) => unknown) {
    const renderLoading = () => html`<cartulary-loading></cartulary-loading>`
    return this.render({
      initial: renderLoading,
      pending: renderLoading,
      error: (error) =>
        html`<cartulary-problem .error=${error} can-retry @retry=${() => this.run()}></cartulary-problem>`,
      complete,
    })
  }

  /** Like `show`, but keeps showing the previous value, and its focus, while it is read again. */
  showLatest(complete: (value: Value) => unknown) {
    return this.value === undefined ? this.show(complete) : complete(this.value)
  }
}

/** An action of a person on a screen, one at a time: whether it is running, and the error of the last try. */
export class Action implements ReactiveController {
  error: unknown
  isRunning = false
  readonly #host: ReactiveControllerHost
  #controller = new AbortController()

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  /** Aborts the signal when the screen is removed: calls that only read end, calls that write do not use it. */
  hostDisconnected(): void {
    this.#controller.abort()
  }

  /** Runs the work; returns whether it succeeded. A second one is not started while the first is running. */
  async run(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    if (this.isRunning) return false
    this.#controller = new AbortController()
    this.error = undefined
    this.isRunning = true
    this.#host.requestUpdate()
    try {
      await work(this.#controller.signal)
      return true
    } catch (error) {
      if (!this.#controller.signal.aborted) this.error = error
      return false
    } finally {
      this.isRunning = false
      this.#host.requestUpdate()
    }
  }

  /** Cancels the running work, if it observes its signal. */
  cancel(): void {
    this.#controller.abort()
  }

  forget(): void {
    this.error = undefined
    this.#host.requestUpdate()
  }
}

/** Texts for screen readers: the frame has the live region. */
export const announcements = new Changes<string>()

/** Announces a change: moved, saved, found. */
export function announce(text: string): void {
  announcements.emit(text)
}

interface ButtonOptions {
  /** Icon before the words. */
  readonly icon?: IconName | undefined
  readonly id?: string
  readonly class?: string
  readonly slot?: string
  readonly type?: 'submit'
  readonly variant?: 'neutral' | 'brand' | 'success' | 'warning' | 'danger'
  /** Outlined where neither it nor a variant is given: a screen has one filled button, which has the colour of the brand. */
  readonly appearance?: 'accent' | 'filled' | 'outlined' | 'plain'
  readonly size?: 's'
  /** Address of a button that is a link. */
  readonly href?: string
  readonly disabled?: boolean
  readonly loading?: boolean
  readonly onClick?: ((event: MouseEvent) => unknown) | undefined
}

/** Writes a button. */
export function button(words: unknown, options: ButtonOptions = {}) {
  const { icon, id, slot, type, variant, size, href, disabled = false, loading = false, onClick } = options
  const appearance = options.appearance ?? (variant ? nothing : 'outlined')
  return html`<wa-button
    id=${id ?? nothing} class=${options.class ?? nothing} slot=${slot ?? nothing} type=${type ?? nothing} href=${href ?? nothing}
    variant=${variant ?? nothing} appearance=${appearance} size=${size ?? nothing} ?disabled=${disabled} ?loading=${loading}
    @click=${onClick ?? nothing}>${icon ? html`<wa-icon slot="start" name=${icon}></wa-icon>` : nothing}${words}</wa-button>`
}
