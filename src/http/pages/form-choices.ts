import type { FormChoice, PartField } from '../endpoints/form-source.ts'
import type { Parameter } from '../endpoints/parameter-types.ts'
import type { FormState } from './form-state.ts'
import { type Html, html } from './html.ts'

/** What can be chosen for a parameter: fields of their own before its text, or a list beside it. */
export interface Choices {
  readonly fields?: Html
  readonly list?: Html
}

/** Undefined where nothing is offered. */
export function formatChoices(name: string, { parts }: Parameter<unknown>, state: FormState): Choices | undefined {
  const offered = state.fill?.choices.get(name)
  if (!offered || offered.length === 0) return undefined
  if (!parts) return { list: formatList(name, offered) }
  const fields = offered.map((choice) => formatPart(`${name}.${choice.value}`, choice, state))
  // Tells a form without a tick from one that has no boxes.
  const hasBoxes = offered.some(({ field }) => field === 'box')
  const presence = hasBoxes && html`<input type="hidden" name="${name}." value="form">`
  return { fields: html`<fieldset class="parts"><legend>${name}</legend>${presence}${fields}</fieldset>` }
}

function formatList(name: string, offered: readonly FormChoice[]): Html {
  const options = offered.map(({ value, label }) => html`<option value="${value}">${label}</option>`)
  return html`<datalist id="parameter-${name}-choices">${options}</datalist>`
}

function formatPart(name: string, { label, field = 'text' }: FormChoice, state: FormState): Html {
  const { given, isGivenElsewhere, fill } = state
  // What a link fills in is marked; these are not filled in by links at all.
  const present = (isGivenElsewhere ? undefined : given(name)) ?? fill?.texts.get(name)
  const content =
    field === 'box'
      ? html`${formatBox(name, present)} ${label}`
      : html`${label}
${typeof field === 'string' ? formatInput(name, field, present) : formatSelect(name, field, present)}`
  return html`<p class="check"><label>${content}</label></p>`
}

function formatBox(name: string, present: string | undefined): Html {
  const checked = present === undefined ? html`` : html` checked`
  return html`<input type="checkbox" name="${name}" value="on"${checked}>`
}

function formatInput(name: string, type: 'text' | 'email' | 'password', present: string | undefined): Html {
  // A password is never shown again.
  const [text, completion] = type === 'password' ? [undefined, 'new-password'] : [present, 'off']
  return html`<input type="${type}" name="${name}" value="${text}" autocomplete="${completion}">`
}

function formatSelect(name: string, { options, none }: Exclude<PartField, string>, present: string | undefined): Html {
  const listed = options.map(({ value, label }) => {
    const selected = value === present ? html` selected` : html``
    return html`<option value="${value}"${selected}>${label}</option>`
  })
  return html`<select name="${name}"><option value="">${none}</option>${listed}</select>`
}
