import { html, nothing } from 'lit'
import { live } from 'lit/directives/live.js'

/** Values of the fields below an element, by their names; unticked boxes are left out. */
export function readFields(root: ParentNode): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const field of fieldsOf(root)) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked) continue
    values[field.name] = field.value
  }
  return values
}

/** Whether all fields below an element are valid; the browser shows the problem of the first invalid one. */
export function reportFields(root: ParentNode): boolean {
  return fieldsOf(root).every((field) => field.reportValidity())
}

/** Resets the fields below an element to their attributes, as resetting a form does. */
export function resetFields(root: ParentNode): void {
  for (const field of root.querySelectorAll<FieldElement>('input, textarea, select')) {
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.options].findIndex(({ defaultSelected }) => defaultSelected)
      field.selectedIndex = Math.max(0, chosen)
    } else if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      field.checked = field.defaultChecked
    } else {
      field.value = field.defaultValue
    }
  }
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function fieldsOf(root: ParentNode): readonly FieldElement[] {
  return [...root.querySelectorAll<FieldElement>('input[name], textarea[name], select[name]')]
}

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

/** Text of the field that an event is of. */
export const textOf = ({ target }: Event) => (target as FieldElement).value

function renderHint(hint: unknown) {
  return hint === undefined ? nothing : html`<small>${hint}</small>`
}

/** Hidden button that makes Enter submit the form: buttons of Web Awesome alone do not. */
export const enterSubmits = html`<button type="submit" hidden></button>`
