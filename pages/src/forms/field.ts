import { html, nothing } from 'lit'
import { live } from 'lit/directives/live.js'

interface Field {
  /** Value that the field begins with, and is reset to. */
  readonly value?: string | undefined
  /** Words below it. */
  readonly hint?: unknown
  readonly required?: boolean | undefined
  readonly onInput?: ((event: Event) => unknown) | undefined
  readonly onChange?: ((event: Event) => unknown) | undefined
}

interface Choice<Value> {
  readonly hint?: unknown
  /** Whether it shows what is chosen whenever it is rendered, instead of at first alone. */
  readonly isLive?: boolean
  readonly onChange?: (value: Value) => unknown
}

interface TextField extends Field {
  readonly id?: string
  readonly type?: string
  /** Maximum number of characters, as the record has it; of a number, its maximum. */
  readonly max?: number | undefined
  readonly min?: number | undefined
  readonly dir?: 'auto' | 'ltr'
  readonly autocomplete?: string
  /** Id of the list of values that it offers. */
  readonly list?: string | undefined
  /** Whether it takes a name of people or programs, which nothing corrects. */
  readonly isCode?: boolean
}

/** Writes a field of one line: its name, its label, and what it takes. */
export function field(name: string, label: unknown, takes: TextField = {}) {
  const { type, max, min, isCode = false, dir = type || isCode ? undefined : 'auto' } = takes
  const isNumber = type === 'number'
  return html`<label class="field"><span>${label}</span><input
    name=${name} id=${takes.id ?? nothing} type=${type ?? 'text'} dir=${dir ?? nothing} list=${takes.list ?? nothing} value=${takes.value ?? ''} ?required=${takes.required}
    min=${(isNumber ? min : undefined) ?? nothing} max=${(isNumber ? max : undefined) ?? nothing} minlength=${(isNumber ? undefined : min) ?? nothing} maxlength=${(isNumber ? undefined : max) ?? nothing}
    autocomplete=${takes.autocomplete ?? 'off'} autocapitalize=${isCode ? 'none' : nothing} spellcheck=${isCode ? 'false' : nothing}
    @input=${takes.onInput ?? nothing} @change=${takes.onChange ?? nothing}
  >${renderHint(takes.hint)}</label>`
}

/** Writes a field of several lines. */
export function textField(
  name: string,
  label: unknown,
  takes: Field & { readonly max?: number; readonly rows?: number } = {},
) {
  return html`<label class="field"><span>${label}</span><textarea
    name=${name} dir="auto" rows=${takes.rows ?? nothing} maxlength=${takes.max ?? nothing} ?required=${takes.required} .defaultValue=${takes.value ?? ''}
    @input=${takes.onInput ?? nothing} @change=${takes.onChange ?? nothing}
  ></textarea>${renderHint(takes.hint)}</label>`
}

/** Writes a choice of one of several values. */
export function choice<Value extends string>(
  name: string,
  label: unknown,
  values: readonly Value[],
  wordsOf: (value: Value) => string,
  chosen: Value | undefined,
  { hint, isLive = false, onChange }: Choice<Value> = {},
) {
  return html`<label class="field"><span>${label}</span><select name=${name} @change=${(event: Event) => onChange?.(textOf(event) as Value)}>${values.map(
    (value) =>
      isLive
        ? html`<option value=${value} dir="auto" .selected=${live(value === chosen)}>${wordsOf(value)}</option>`
        : html`<option value=${value} dir="auto" ?selected=${value === chosen}>${wordsOf(value)}</option>`,
  )}</select>${renderHint(hint)}</label>`
}

/** Writes a box to tick, which shows `isTicked` whenever it is rendered if it has a listener. */
export function tick(
  label: unknown,
  isTicked: boolean,
  {
    name,
    value,
    type = 'checkbox',
    onChange,
  }: {
    readonly name?: string
    readonly value?: string
    readonly type?: 'checkbox' | 'radio'
    readonly onChange?: (isTicked: boolean) => unknown
  } = {},
) {
  const box = onChange
    ? html`<input type=${type} name=${name ?? nothing} value=${value ?? nothing} .checked=${live(isTicked)} @change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)}>`
    : html`<input type=${type} name=${name ?? nothing} value=${value ?? nothing} .defaultChecked=${isTicked}>`
  return html`<label class="tick">${box}<span>${label}</span></label>`
}

/** Text of a field that an event is of. */
const textOf = ({ target }: Event) => (target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value

function renderHint(hint: unknown) {
  return hint === undefined ? nothing : html`<small>${hint}</small>`
}
