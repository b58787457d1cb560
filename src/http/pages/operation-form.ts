import { formats } from '../answer.ts'
import { type Endpoint, formatsOf, kindOf } from '../endpoints/endpoint.ts'
import type { Parameter } from '../endpoints/parameter-types.ts'
import { type Content, formatProse, type Html, html } from './html.ts'

/** Maximum number of characters that a form is filled in with; the browser has longer ones where it goes back. */
const maxFilledIn = 128 * 1024

/** Longer texts get several lines. */
const maxLineLength = 1_000

/** Hidden field by which a sent form asks for a page. */
const asPage = html`<input type="hidden" name="f" value="html">`

/** Text of a parameter, by its name. */
type Given = (name: string) => string | undefined

/** The token of a caller without scripts. */
const tokenField = html`<div class="field" data-unscripted><label for="token">token</label>
<input type="password" id="token" name="token" aria-describedby="token-meaning" autocomplete="off">
<p class="meaning" id="token-meaning">What generateToken has answered.</p>
</div>`

/**
 * Whether a browser that follows a link gets the form alone: nothing is changed by a link, a file is not sent before its
 * format is chosen, and what is required, or a file, cannot be given yet (chosen).
 */
export function isAskedFirst(row: Endpoint, given: Given): boolean {
  if (kindOf(row) === 'operation' || 'file' in row.answers) return true
  const parameters = Object.entries(row.parameters)
  const takesFile = parameters.some(([, { type }]) => type === 'file')
  return (
    (takesFile && parameters.every(([name]) => !given(name))) ||
    parameters.some(([name, { isRequired }]) => isRequired && !given(name))
  )
}

/**
 * The form of an endpoint. An operation is sent by POST. So is a form that reads, but the script sends it by GET, so that the
 * address can be kept and the browser's history works, unless the form takes a document or is answered by a file.
 */
export function formatForm(row: Endpoint, address: string, given: Given): Html {
  const isOperation = kindOf(row) === 'operation'
  const parameters = Object.entries(row.parameters)
  const takes = (wanted: string) => parameters.some(([, { type }]) => type === wanted)
  const own = formatsOf(row).filter((format) => !formats.some((shared) => shared === format))
  const isFile = 'file' in row.answers
  const isRead = !(isOperation || isFile || own.length > 0 || takes('json') || takes('file'))
  const texts = fillIn(row, given)
  const fields = parameters.map(([name, parameter]) => formatField(name, parameter, texts.get(name)))
  const isPartial = isOperation && parameters.some(([, { isRequired }]) => !isRequired)
  const unless =
    'clearEmptyFields' in row.parameters && ', unless clearEmptyFields is true: then all of them are cleared'
  const attributes = [
    isRead && html` data-reads="true"`,
    isRead && parameters.length === 0 && html` data-unscripted="true"`,
    takes('file') && html` enctype="multipart/form-data"`,
  ]
  return html`<form class="call" method="post" action="${address}"${attributes}>
<h2>Parameters</h2>
${own.length > 0 ? formatFormats(own) : asPage}
${isOperation && parameters.length === 0 && html`<p class="meaning">No parameters.</p>`}
${fields}
${row.token !== 'none' && tokenField}
${isPartial && html`<p class="meaning">Empty fields count as not given${unless}.</p>`}
<p><button type="submit">${isOperation || isFile ? row.title : 'Show'}</button></p>
</form>`
}

/** A choice of the formats of a row, besides those of every endpoint. */
function formatFormats(own: readonly string[]): Html {
  return html`<div class="field"><label for="parameter-f">f</label>
<select id="parameter-f" name="f" aria-describedby="parameter-f-meaning"><option value="html">html</option>
${own.map((format) => html`<option value="${format}">${format}</option>`)}</select>
<p class="meaning" id="parameter-f-meaning">Format of the answer: this page, or a text.</p>
</div>`
}

/**
 * The texts of the fields, by name; none of those that are never shown, no more than a page can hold, and no `start`: another
 * search begins at its first entry.
 */
function fillIn(row: Endpoint, given: Given): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let left = maxFilledIn
  for (const [name, { isSecret, type }] of Object.entries(row.parameters)) {
    const text = isSecret || type === 'file' || name === 'start' ? undefined : given(name)
    if (text === undefined || text === '' || text.length > left) continue
    texts.set(name, text)
    left -= text.length
  }
  return texts
}

function formatField(name: string, parameter: Parameter<unknown>, given: string | undefined): Html {
  const id = `parameter-${name}`
  const mark = parameter.isRequired && html` <span class="required">required</span>`
  return html`<div class="field">
<label for="${id}">${name}${mark}</label>
${formatControl(name, id, parameter, given)}
<p class="meaning" id="${id}-meaning">${formatProse(describe(parameter))}</p>
</div>`
}

function formatControl(name: string, id: string, parameter: Parameter<unknown>, given: string | undefined): Html {
  const { type, choices, isSecret, isRequired, isMultiline, maxLength = 0 } = parameter
  const required = isRequired ? html` required` : html``
  const attributes = html`id="${id}" name="${name}" aria-describedby="${id}-meaning"${required}`
  if (choices) return formatSelect(attributes, choices, given)
  if (type === 'boolean') return formatSelect(attributes, ['true', 'false'], given)
  if (isSecret && type !== 'json') return html`<input type="password" ${attributes} autocomplete="new-password">`
  if (type === 'file') return html`<input type="file" ${attributes}>`
  if (type === 'integer') return html`<input type="number" ${attributes}${formatRange(parameter)} value="${given}">`
  // The HTML parser drops a line end after the tag: without this one, it would drop one of the value.
  if (type === 'json') {
    return html`<textarea class="json" ${attributes} rows="${isRequired ? 12 : 4}" spellcheck="false" wrap="off">\n${given}</textarea>`
  }
  if (isMultiline || maxLength > maxLineLength) return html`<textarea ${attributes} rows="3">\n${given}</textarea>`
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

function formatRange({ minimum, maximum: given, cap }: Parameter<unknown>): Html {
  // A value that would be reduced is refused here, where it can be corrected.
  const maximum = given ?? (cap === Number.MAX_SAFE_INTEGER ? undefined : cap)
  const min = minimum === undefined ? html`` : html` min="${minimum}"`
  return maximum === undefined ? html`${min} step="1"` : html`${min} max="${maximum}" step="1"`
}

/** The meaning, with the limits. */
function describe({ meaning, maxLength, minimum, maximum }: Parameter<unknown>): string {
  if (maxLength !== undefined) return `${meaning} At most ${maxLength} characters.`
  if (minimum !== undefined && maximum !== undefined) return `${meaning} From ${minimum} to ${maximum}.`
  return meaning
}
