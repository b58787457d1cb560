import { type Endpoint, isSentByPost, type Room } from '../../endpoints/endpoint.ts'
import { goals } from '../../endpoints/goals.ts'
import { formatSource, methodsOf, rooms } from '../../endpoints/operation-docs.ts'
import type { Parameter } from '../../endpoints/parameter-types.ts'
import { exampleRoot, guestRoot } from '../../examples/examples.ts'
import { formatProse, type Html, html } from '../../pages/html.ts'
import type { PageRow } from '../../sign-in/page-row.ts'
import { basics, type Section } from './basics.ts'
import { formatErrors, formatFailedTasks } from './errors.ts'
import { anchorOf, formatTable, linkToAll } from './pieces.ts'
import { formatAnswer, formatShapes } from './shapes.ts'

interface Around {
  /** Style, as markup for the head. */
  readonly style: Html
  /** Links to the other pages, where it is served. */
  readonly way?: Html
}

/** The reference of the API, as a page of its own. */
export function formatReference(
  table: readonly Endpoint[],
  pages: readonly PageRow[],
  { style, way = html`` }: Around,
): string {
  const sections: readonly (readonly [string, string, Html])[] = [
    ['by-task', 'By task', formatTasks(table)],
    ['all-operations', 'All operations', formatContents(table)],
    ...basics.map((section) => [placeOf(section.title), section.title, formatBasics(section)] as const),
    ['by-error', 'By error', formatErrors(table)],
    ['failed-operations', 'Failed operations', formatFailedTasks(table)],
    ...roomsOf(table).map(
      (room) => [`room-${room}`, `${rooms[room].title}: the operations`, formatRoom(room, table)] as const,
    ),
    ['pages-of-sign-in', 'Pages of sign-in', html`<p>${formatProse(aboutPages)}</p>${pages.map(formatPageRow)}`],
    [
      'shapes-of-answers',
      'Shapes of answers',
      html`<p>A member that is optional may be absent.</p>${formatShapes(table)}`,
    ],
  ]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cartulary – reference of the API</title>
${style}
</head>
<body class="reference">
${way}
<h1>Reference of the API</h1>
<p>Every operation of this server, from the table that it runs by. The answers of the examples are exact: the tests execute each
on data with fixed ids, times and keys. In the commands, <code>$TOKEN</code> is a token of the administrator,
<code>$ANNAS_TOKEN</code> one of the user <code>anna</code>, and <code>$GUESTS_TOKEN</code> one of the administrator of the
guest, another organization on a server of its own. Programs read the same from <code>/openapi.json</code>.</p>
<nav aria-label="Contents"><ul>${sections.map(([place, title]) => html`<li><a href="#${place}">${title}</a></li>`)}</ul></nav>
${sections.map(([place, title, content]) => html`<section><h2 id="${place}">${title}</h2>\n${content}</section>\n`)}
</body>
</html>
`.markup
}

const aboutPages =
  'These answer HTML, or lead to another address by 303: people see them, and clients lead to them. Those of `/oauth2` are below ' +
  '`/sharing/rest` and below `/sharing`, those of `/oidc` below the root of the server. They take no token, and are not in ' +
  '`/openapi.json`.'

/** Place of a section. */
function placeOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

function formatBasics({ paragraphs = [], points = [] }: Section): Html {
  const list = points.length > 0 && html`<ul>${points.map((point) => html`<li>${formatProse(point)}</li>`)}</ul>`
  return html`${paragraphs.map((text) => html`<p>${formatProse(text)}</p>`)}${list}`
}

export function roomsOf(table: readonly Endpoint[]): readonly Room[] {
  return (Object.keys(rooms) as Room[]).filter((name) => table.some(({ room }) => room === name))
}

/** Index by task: each goal of users with its operations. */
function formatTasks(table: readonly Endpoint[]): Html {
  return formatTable(
    ['to', 'call'],
    goals.map((goal) => [goal, linkToAll(table.filter((row) => row.goals?.includes(goal)))]),
  )
}

function formatContents(table: readonly Endpoint[]): Html {
  const lines = roomsOf(table).map((room) => {
    const operations = table.filter((row) => row.room === room)
    return html`<li><b>${rooms[room].title}</b>: ${linkToAll(operations)}</li>`
  })
  return html`<ul>${lines}</ul>`
}

function formatRoom(room: Room, table: readonly Endpoint[]): Html {
  const operations = table.filter((row) => row.room === room).map(formatOperation)
  return html`<p>${rooms[room].description}</p>\n${operations}`
}

/** A page of sign-in: people see it, and clients lead to it. */
function formatPageRow({ title, methods, path, summary, source, chosen = [], parameters }: PageRow): Html {
  return html`<section><h3>${title} (page)</h3>
<p><code>${methods.join(' or ')} ${path}</code></p>
<p>${formatProse(summary)}</p>
${formatFacts([['Source', source], ...chosen.map((note) => ['Chosen', note] as const)])}
${formatParameters(Object.entries(parameters))}</section>
`
}

/** One operation: how it is called, by whom, with what, and an example. */
export function formatOperation(row: Endpoint): Html {
  const { id, title, path, summary, who, since, chosen = [], example } = row
  const facts: readonly (readonly [string, string])[] = [
    ['Id', `\`${id}\``],
    ['Who', who],
    ['Token', tokens[row.token]],
    ...(row.isForApps ? [['Apps', 'may call it by a token of their own'] as const] : []),
    ['Source', formatSource(row)],
    ...(since === undefined ? [] : [['Since', since] as const]),
    ...chosen.map((note) => ['Chosen', note] as const),
  ]
  return html`<section><h3 id="${anchorOf(row)}">${title}</h3>
<p><code>${methodsOf(row).join(' or ')} ${path.replace(/:(\w+)/g, '<$1>')}</code></p>
<p>${formatProse(summary)}</p>
${formatFacts(facts)}
${formatParameters(Object.entries(row.parameters))}
${row.bareBody !== undefined && html`<p>The body may also be <code>${row.bareBody}</code> itself, as <code>application/json</code>.</p>`}
${formatAnswer(row)}
${example.moment && html`<p>${moments[example.moment]}</p>`}
<pre>${formatCurl(row)}</pre>
<pre>${shorten(formatJson(example.answer))}</pre></section>
`
}

function formatFacts(facts: readonly (readonly [string, string])[]): Html {
  return html`<ul>${facts.map(([name, text]) => html`<li><b>${name}:</b> ${formatProse(text)}</li>`)}</ul>`
}

const tokens: Readonly<Record<Endpoint['token'], string>> = {
  none: 'none needed',
  optional: 'optional; without one, only what is public',
  required: 'required',
}

function formatParameters(parameters: readonly (readonly [string, Parameter<unknown>])[]): Html {
  if (parameters.length === 0) return html``
  const rows = parameters.map(([name, parameter]) => [
    html`<code>${name}</code>`,
    formatType(parameter),
    parameter.isRequired ? 'yes' : 'no',
    formatProse(parameter.meaning),
  ])
  return formatTable(['Parameter', 'Type', 'Required', 'Meaning'], rows)
}

function formatType({ type, choices, maxLength, minimum, maximum }: Parameter<unknown>): string {
  if (choices) return choices.join(', ')
  const bounds = [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ]
  const name = type === 'json' ? 'JSON text' : type
  return [name, bounds.join(' ')].filter(Boolean).join(', ')
}

/** Maximum length of an example's answer, in lines; a longer one is shortened. */
const maxAnswerLength = 200

/** Shortens an answer of too many lines to its first ones. */
function shorten(json: string): string {
  const lines = json.split('\n')
  return lines.length <= maxAnswerLength ? json : [...lines.slice(0, 16), '  …'].join('\n')
}

/** The example as a command. */
export function formatCurl(row: Endpoint): string {
  const { caller, ids = {}, parameters = {}, fileName } = row.example
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => ids[name]!)
  const given = Object.entries(parameters)
  const verb = !isSentByPost(row) ? (given.length > 0 ? ' -G' : '') : given.length > 0 ? '' : ' -X POST'
  const root = caller === 'guest' ? guestRoot : exampleRoot
  const words = [
    `curl${verb} ${root}/sharing/rest${path}`,
    ...(row.token === 'none' ? [] : [`-H "X-Esri-Authorization: Bearer ${tokenVariables[caller ?? 'admin']}"`]),
    ...given.map(([name, value]) => formatArgument(row, name, value ?? '')),
  ]
  return words.join(' \\\n  ')

  function formatArgument({ parameters }: Endpoint, name: string, value: string): string {
    if (fileName === undefined) return `--data-urlencode ${quote(`${name}=${value}`)}`
    return parameters[name]?.type === 'file'
      ? `--form ${quote(`${name}=@${fileName}`)}`
      : `--form-string ${quote(`${name}=${value}`)}`
  }
}

const tokenVariables = { admin: '$TOKEN', anna: '$ANNAS_TOKEN', guest: '$GUESTS_TOKEN' } as const

const moments = {
  accepted: 'In the example, the guest has accepted the invitation.',
  imported: "In the example, the host has imported the guest's response.",
  registered: 'In the example, an app is registered for an item.',
  renewed: 'In the example, the secret of the app has been renewed.',
  untouched: 'In the example, the organization has just been made.',
} as const

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

const widest = 110

/** JSON with two spaces for each level; what fits into a line stays on it. */
export function formatJson(value: unknown, indent = ''): string {
  const line = formatLine(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= widest) return line
  const deeper = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((entry) => `${deeper}${formatJson(entry, deeper)}`)
    : Object.entries(value).map(([name, entry]) => `${deeper}${JSON.stringify(name)}: ${formatJson(entry, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`
}

function formatLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${formatLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
