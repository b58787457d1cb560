import { css, html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { showControls } from '../texts/bidi.ts'
import { ofElements as t } from '../texts/rooms.ts'
import { field, reportFields, resetFields, textOf } from './fields.ts'
import { Action, button, PageElement } from './page.ts'

/**
 * A dialog that asks for input or for confirmation, and runs an action: its slot has the text and
 * the fields, one below the other. It stays open, with the problem, if the action fails; nothing typed is lost. Each time it opens, its fields have
 * their defaults: bind `.defaultValue`, `.defaultChecked` and `?selected`. Emits `done` after the action, and `closed` when it is
 * closed and the focus is back. The first field gets the focus, or an element with `data-first`, which has fields of its own.
 */
export class DialogForm extends PageElement {
  static override styles = css`
    /* It takes no room where it is written. */
    :host {
      display: contents;
    }
    wa-dialog {
      --width: var(--dialog-width, 31rem);
    }
    .reason {
      flex: 1;
      align-self: center;
      min-width: min(100%, 16rem);
      color: var(--wa-color-text-quiet);
    }
  `

  @property() heading!: string
  /** Text of the button that runs the action, such as `Delete`. */
  @property() action!: string
  /** Text that has to be typed before the action; empty for none. */
  @property() typed: string | undefined
  /** Reason why the action cannot run now, shown beside its button; empty if it can. */
  @property() blocked = ''
  /** Whether the action destroys something. */
  @property({ type: Boolean }) danger = false
  /** Action; a rejection is shown. Cancel aborts the signal: pass it to calls that read, never to those that write. */
  @property({ attribute: false }) work!: (signal: AbortSignal) => Promise<unknown>
  @state() isOpen = false
  @state() isTyped = false

  #before: Element | null = null
  readonly #running = new Action(this)

  open(): void {
    this.#before = focusedElement()
    resetFields(this)
    this.#running.forget()
    this.isTyped = false
    this.isOpen = true
  }

  close(): void {
    this.#running.cancel()
    this.isOpen = false
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('isOpen') && !this.isOpen) {
      const field = this.renderRoot.querySelector<HTMLInputElement>('#typed')
      if (field) field.value = ''
    }
  }

  override render() {
    return html`<wa-dialog
      label=${this.heading}
      ?open=${this.isOpen}
      @wa-show=${this.#giveFocus}
      @wa-hide=${(event: Event) => event.target === event.currentTarget && this.close()}
      @wa-after-hide=${this.#return}
      @keydown=${this.#submitByKey}
    >
      <div class="stack">
        <slot class="stack"></slot>
        ${this.typed ? field('', t('typeToConfirm', { text: this.typed }), { id: 'typed', isCode: true, onInput: (event) => this.#compare(event) }) : nothing}
        <cartulary-problem .error=${this.#running.error}></cartulary-problem>
      </div>
      ${this.blocked ? html`<p class="reason" slot="footer" role="status">${this.blocked}</p>` : nothing}
      ${button(t('cancel'), { id: 'cancel', slot: 'footer', appearance: 'plain', onClick: this.close })}
      ${button(this.action, { id: 'submit', slot: 'footer', variant: this.danger ? 'danger' : 'brand', disabled: this.#isBlocked, loading: this.#running.isRunning, onClick: this.#submit })}
    </wa-dialog>`
  }

  get #isBlocked(): boolean {
    return this.blocked !== '' || (Boolean(this.typed) && !this.isTyped)
  }

  #compare(event: Event): void {
    const typed = textOf(event).trim()
    // Control characters cannot be typed, so their visible names are accepted.
    this.isTyped = typed === this.typed || typed === showControls(this.typed ?? '')
  }

  /**
   * Sets the focus: the dialog takes it in the frame in which it is first drawn. The first field gets it in the same frame, right
   * after: typed text is in the field from then on, however long the dialog takes to appear.
   */
  async #giveFocus(event: Event): Promise<void> {
    if (event.target !== event.currentTarget) return
    // Waits until the dialog has requested its frame.
    await Promise.resolve()
    requestAnimationFrame(() => this.#focusFirst())
  }

  #focusFirst(): void {
    const field =
      this.querySelector<HTMLElement>('[data-first], input, textarea, select') ??
      this.renderRoot.querySelector<HTMLElement>('#typed') ??
      this.renderRoot.querySelector<HTMLElement>(this.danger ? '#cancel' : '#submit')
    field?.focus()
  }

  /** Returns the focus to the element that opened the dialog, which may be deep in shadow roots. */
  #return(event: Event): void {
    if (event.target !== event.currentTarget) return
    if (this.#before instanceof HTMLElement) this.#before.focus()
    this.dispatchEvent(new Event('closed'))
  }

  #submitByKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return
    const [target] = event.composedPath()
    // Fields of elements in the slot, such as the picker, use the key themselves.
    if (!(target instanceof HTMLInputElement) || !(this.contains(target) || target.id === 'typed')) return
    event.preventDefault()
    void this.#submit()
  }

  async #submit(): Promise<void> {
    if (this.#running.isRunning || this.#isBlocked || !reportFields(this)) return
    const isDone = await this.#running.run(async (signal) => {
      await this.work(signal)
      // After Cancel the dialog may be open again, for another action.
      if (!signal.aborted) this.isOpen = false
    })
    if (isDone) this.dispatchEvent(new Event('done'))
  }
}

function focusedElement(): Element | null {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused
}

customElements.define('cartulary-dialog-form', DialogForm)
