import { type Endpoint, kindOf } from '../endpoints/endpoint.ts'
import type { Parameter } from '../endpoints/parameter-types.ts'
import { type Content, type Html, html } from './html.ts'

/** What a form shows in its fields. */
export interface FormState {
  /** Where it is sent. */
  readonly address: string
  /** Text of a parameter as it was given before. */
  given(name: string): string | undefined
  /** Whether another page may have given those texts. */
  readonly isGivenElsewhere: boolean
}

/** Most characters that a form is filled in with. */
const mostFilledIn = 128 * 1024

/** Longer texts get several lines. */
const longestLine = 1_000

/**
 * The form of an endpoint. A resource is requested by GET, so that the URL can be bookmarked and the browser's history
 * works; an operation is sent by POST. What another page has filled in is marked, and sent only after it was checked: by its
 * link, anyone could have an administrator send values of their choice with one click.
 */
export function formatForm(row: Endpoint, { address, given, isGivenElsewhere }: FormState): Html {
  const isOperation = kindOf(row) === 'operation'
  const parameters = Object.entries(row.parameters)
  if (!isOperation && parameters.length === 0) return html``
  const encoding = parameters.some(([, { type }]) => type === 'file') ? html` enctype="multipart/form-data"` : html``
  const texts = fillIn(row, given)
  const isMarked = isOperation && isGivenElsewhere && texts.size > 0
  const fields = parameters.map(([name, parameter]) => {
    const text = texts.get(name)
    return formatField(name, parameter, text, isMarked && text !== undefined)
  })
  const isPartial = isOperation && parameters.some(([, { isRequired }]) => !isRequired)
  const unless =
    'clearEmptyFields' in row.parameters && ', unless clearEmptyFields is true: then all of them are cleared'
  return html`<form class="call" method="${isOperation ? 'post' : 'get'}" action="${address}"${encoding} autocomplete="off">
<h2>Parameters</h2>
${isOperation && html`<input type="hidden" name="f" value="html">`}
${isOperation && parameters.length === 0 && html`<p class="meaning">No parameters.</p>`}
${fields}
${isPartial && html`<p class="meaning">Empty fields are not sent${unless}.</p>`}
${isMarked && formatCheck()}
<p><button type="submit">${isOperation ? row.title : 'Show'}</button></p>
</form>`
}

/** The texts of the fields, by name; none of those that are never shown, and no more than a page can hold. */
function fillIn(row: Endpoint, given: FormState['given']): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let left = mostFilledIn
  for (const [name, { isSecret, type }] of Object.entries(row.parameters)) {
    const text = isSecret || type === 'file' ? undefined : given(name)
    if (text === undefined || text === '' || text.length > left) continue
    texts.set(name, text)
    left -= text.length
  }
  return texts
}

/** The browser sends no form with a required box that is not ticked; the box has no name and is not sent. */
function formatCheck(): Html {
  return html`<p class="check"><label><input type="checkbox" required>
I have checked the values that a link has filled in</label></p>`
}

function formatField(name: string, parameter: Parameter<unknown>, given: string | undefined, isMarked: boolean): Html {
  const id = `parameter-${name}`
  const mark = parameter.isRequired && html` <span class="required">required</span>`
  return html`<div class="${isMarked ? 'field linked' : 'field'}">
<label for="${id}">${name}${mark}</label>
${formatControl(name, id, parameter, given)}
<p class="meaning" id="${id}-meaning">${isMarked && html`<strong>Filled in by a link.</strong> `}${describe(parameter)}</p>
</div>`
}

function formatControl(name: string, id: string, parameter: Parameter<unknown>, given: string | undefined): Html {
  const { type, choices, isSecret, isRequired, maxLength = 0 } = parameter
  const required = isRequired ? html` required` : html``
  const attributes = html`id="${id}" name="${name}" aria-describedby="${id}-meaning"${required}`
  if (choices) return formatSelect(attributes, choices, given)
  if (type === 'boolean') return formatSelect(attributes, ['true', 'false'], given)
  if (isSecret && type !== 'json') return html`<input type="password" ${attributes} autocomplete="new-password">`
  if (type === 'file') return html`<input type="file" ${attributes}>`
  if (type === 'integer') return html`<input type="number" ${attributes}${formatRange(parameter)} value="${given}">`
  // The HTML parser drops a line end after the tag: without this one, it would drop one of the value.
  if (type === 'json') {
    return html`<textarea class="json" ${attributes} rows="12" spellcheck="false" wrap="off">\n${given}</textarea>`
  }
  if (maxLength > longestLine) return html`<textarea ${attributes} rows="3">\n${given}</textarea>`
  return html`<input type="text" ${attributes} value="${given}">`
}

function formatSelect(attributes: Html, choices: readonly string[], given: string | undefined): Html {
  const chosen = given?.trim().toLowerCase()
  const options: Content = choices.map((choice) => {
    const selected = choice.toLowerCase() === chosen ? html` selected` : html``
    return html`<option value="${choice}"${selected}>${choice}</option>`
  })
  return html`<select ${attributes}><option value="">not given</option>${options}</select>`
}

function formatRange({ minimum, maximum }: Parameter<unknown>): Html {
  const least = minimum === undefined ? html`` : html` min="${minimum}"`
  return maximum === undefined ? html`${least} step="1"` : html`${least} max="${maximum}" step="1"`
}

/** The meaning, with the limits. */
function describe({ meaning, maxLength, minimum, maximum }: Parameter<unknown>): string {
  if (maxLength !== undefined) return `${meaning} At most ${maxLength} characters.`
  if (minimum !== undefined && maximum !== undefined) return `${meaning} From ${minimum} to ${maximum}.`
  return meaning
}
