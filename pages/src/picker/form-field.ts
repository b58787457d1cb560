import { LitElement } from 'lit'
import { property, state } from 'lit/decorators.js'

/** Form-associated custom element (HTML) whose value is a list of texts, each sent under its name. */
export abstract class FormField extends LitElement {
  static readonly formAssociated = true

  /** Name under which a form sends each text. */
  @property({ reflect: true }) name: string | undefined
  @property({ attribute: false }) value: readonly string[] = []
  @property({ type: Boolean }) required = false
  @property({ type: Boolean, reflect: true }) disabled = false

  /** Whether the field is disabled, by its own attribute or by a fieldset around it. */
  @state() private isOff = false

  readonly #internals = this.attachInternals()
  #initial: readonly string[] | undefined

  /** Validation message if something has to be chosen. */
  protected abstract get requiredText(): string

  protected get isDisabled(): boolean {
    return this.disabled || this.isOff
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  get validity(): ValidityState {
    return this.#internals.validity
  }

  get validationMessage(): string {
    return this.#internals.validationMessage
  }

  /** Whether the value satisfies `required`. */
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const attribute = this.getAttribute('value')
    // One text per line: texts of categories may contain any other character.
    if (attribute !== null && !this.#initial && this.value.length === 0) {
      this.value = attribute.split('\n').filter(Boolean)
    }
    this.#initial ??= this.value
  }

  formResetCallback(): void {
    this.value = this.#initial ?? []
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.isOff = isDisabled
  }

  formStateRestoreCallback(state: FormData): void {
    this.value = state.getAll(this.name ?? '').map(String)
  }

  protected override updated(): void {
    const data = new FormData()
    for (const text of this.value) data.append(this.name ?? '', text)
    this.#internals.setFormValue(this.name ? data : null, data)
    const isMissing = this.required && this.value.length === 0
    const anchor = this.renderRoot.querySelector<HTMLElement>('input') ?? undefined
    this.#internals.setValidity(isMissing ? { valueMissing: true } : {}, isMissing ? this.requiredText : '', anchor)
  }

  /** Sets the value on behalf of the person, with `input` and `change`. */
  protected choose(value: readonly string[]): void {
    this.value = value
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    this.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
