import { html, noChange, nothing } from 'lit'
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
  /** Whether it shows another value as soon as it is given one: `always`, also in place of what is typed. */
  readonly follows?: boolean | 'always'
  /** Words below it. */
  readonly hint?: unknown
  readonly required?: boolean | undefined
  readonly onInput?: ((event: Event) => unknown) | undefined
  readonly onChange?: ((event: Event) => unknown) | undefined
}

interface Choice<Value> {
  readonly id?: string
  readonly hint?: unknown
  /** Whether it shows what is chosen whenever it is rendered, instead of at first alone. */
  readonly isLive?: boolean
  readonly onChange?: (value: Value) => unknown
}

interface TextField extends Field {
  readonly id?: string
  readonly type?: string
  /** Maximum number of characters, as the record has it; of a number or a moment, its maximum. */
  readonly max?: number | undefined
  readonly min?: number | string | undefined
  readonly dir?: 'auto' | 'ltr'
  readonly autocomplete?: string
  /** Regular expression of the values that it takes. */
  readonly pattern?: string
  /** Id of the element that says what is wrong with it. */
  readonly describedBy?: string
  /** Id of the list of values that it offers. */
  readonly list?: string | undefined
  /** Whether it takes a name of people or programs, which nothing corrects. */
  readonly isCode?: boolean
  readonly readonly?: boolean
}

/** Writes a field of one line: its name, its label, and what it takes. */
export function field(name: string, label: unknown, takes: TextField = {}) {
  const { type, max, min, value = '', isCode = false, dir = type || isCode ? undefined : 'auto' } = takes
  const isAmount = type === 'number' || type === 'datetime-local'
  return html`<label class="field"><span>${label}</span><input
    name=${name || nothing} id=${takes.id ?? nothing} type=${type ?? 'text'} dir=${dir ?? nothing} list=${takes.list ?? nothing} pattern=${takes.pattern ?? nothing} title=${takes.pattern ? takes.hint : nothing} value=${value} ?required=${takes.required}
    min=${(isAmount ? min : undefined) ?? nothing} max=${(isAmount ? max : undefined) ?? nothing} minlength=${(isAmount ? undefined : min) ?? nothing} maxlength=${(isAmount ? undefined : max) ?? nothing}
    autocomplete=${takes.autocomplete ?? 'off'} autocapitalize=${isCode ? 'none' : nothing} spellcheck=${isCode ? 'false' : nothing}
    aria-describedby=${takes.describedBy ?? nothing} ?readonly=${takes.readonly} .value=${shownValue(value, takes)} @input=${takes.onInput ?? nothing} @change=${takes.onChange ?? nothing}
  >${renderHint(takes.hint)}</label>`
}

/** Writes a field of several lines. */
export function textField(
  name: string,
  label: unknown,
  takes: Field & { readonly max?: number; readonly rows?: number } = {},
) {
  const { value = '' } = takes
  return html`<label class="field"><span>${label}</span><textarea
    name=${name || nothing} dir="auto" rows=${takes.rows ?? nothing} maxlength=${takes.max ?? nothing} ?required=${takes.required} .defaultValue=${value}
    .value=${shownValue(value, takes)} @input=${takes.onInput ?? nothing} @change=${takes.onChange ?? nothing}
  ></textarea>${renderHint(takes.hint)}</label>`
}

function shownValue(value: string, { follows }: Field) {
  if (!follows) return noChange
  return follows === 'always' ? live(value) : value
}

/** Writes a choice of one of several values. */
export function choice<Value extends string>(
  name: string,
  label: unknown,
  values: readonly Value[],
  wordsOf: (value: Value) => string,
  chosen: Value | undefined,
  options: Choice<Value> = {},
) {
  return choiceOf(
    name,
    label,
    values.map((value) => [value, wordsOf(value)] as const),
    chosen,
    options,
  )
}

/** Writes a choice of one of several values, each with its words. */
export function choiceOf<Value extends string>(
  name: string,
  label: unknown,
  values: readonly (readonly [value: Value, words: string])[],
  chosen: Value | undefined,
  { id, hint, isLive = false, onChange }: Choice<Value> = {},
) {
  return html`<label class="field"><span>${label}</span><select name=${name || nothing} id=${id ?? nothing} @change=${(event: Event) => onChange?.(textOf(event) as Value)}>${values.map(
    ([value, words]) =>
      isLive
        ? html`<option value=${value} dir="auto" .selected=${live(value === chosen)}>${words}</option>`
        : html`<option value=${value} dir="auto" ?selected=${value === chosen}>${words}</option>`,
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

/** Writes a choice of one of several values, all of which are seen. */
export function radios<Value extends string>(
  name: string,
  values: readonly Value[],
  wordsOf: (value: Value) => unknown,
  chosen: Value | undefined,
  choose: (value: Value) => unknown,
) {
  return values.map((value) =>
    tick(wordsOf(value), value === chosen, { type: 'radio', name, value, onChange: () => choose(value) }),
  )
}

/** Text of the field that an event is of. */
export const textOf = ({ target }: Event) => (target as FieldElement).value

function renderHint(hint: unknown) {
  return hint === undefined ? nothing : html`<small>${hint}</small>`
}

/** Hidden button that makes Enter submit the form: buttons of Web Awesome alone do not. */
export const enterSubmits = html`<button type="submit" hidden></button>`
