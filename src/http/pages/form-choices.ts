import type { FormChoice } from '../endpoints/form-source.ts'
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
  const fields = offered.map((choice) => formatPart(`${name}.${choice.value}`, choice, parts.words, state))
  // Tells a form without a tick from one that has no boxes.
  const presence = parts.words === 'box' && html`<input type="hidden" name="${name}." value="form">`
  return { fields: html`<fieldset class="parts"><legend>${name}</legend>${presence}${fields}</fieldset>` }
}

function formatList(name: string, offered: readonly FormChoice[]): Html {
  const options = offered.map(({ value, label }) => html`<option value="${value}">${label}</option>`)
  return html`<datalist id="parameter-${name}-choices">${options}</datalist>`
}

function formatPart(
  field: string,
  { label, field: kind = 'text' }: FormChoice,
  words: 'box' | 'own' | readonly string[],
  { given, isGivenElsewhere, fill }: FormState,
): Html {
  // What a link fills in is marked; these are not filled in by links at all.
  const present = (isGivenElsewhere ? undefined : given(field)) ?? fill?.texts.get(field)
  if (words === 'box') {
    const checked = present === undefined ? html`` : html` checked`
    return html`<p class="check"><label><input type="checkbox" name="${field}" value="on"${checked}> ${label}</label></p>`
  }
  if (words !== 'own') {
    return formatSelect(
      field,
      label,
      words.map((word) => ({ value: word, label: word })),
      present,
      'not included',
    )
  }
  if (typeof kind !== 'string') return formatSelect(field, label, kind, present, 'not given')
  // A password is never shown again.
  const [text, completion] = kind === 'password' ? [undefined, 'new-password'] : [present, 'off']
  return html`<p class="check"><label>${label}
<input type="${kind}" name="${field}" value="${text}" autocomplete="${completion}"></label></p>`
}

function formatSelect(
  field: string,
  label: string,
  choices: readonly FormChoice[],
  present: string | undefined,
  none: string,
): Html {
  const options = choices.map((choice) => {
    const selected = choice.value === present ? html` selected` : html``
    return html`<option value="${choice.value}"${selected}>${choice.label}</option>`
  })
  return html`<p class="check"><label>${label}
<select name="${field}"><option value="">${none}</option>${options}</select></label></p>`
}
