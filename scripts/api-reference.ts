/** Writes docs/api.md from the operation table and scripts/api-overview.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { formatSeedSchema } from '../src/cli/ephemeral/seed-shape.ts'
import { categorySchemaRejected } from '../src/errors.ts'
import { formatEnvelope } from '../src/http/answer.ts'
import { type Endpoint, isSentByPost, type Room } from '../src/http/endpoints/endpoint.ts'
import { goals } from '../src/http/endpoints/goals.ts'
import { formatSource, methodsOf, rooms } from '../src/http/endpoints/operation-docs.ts'
import type { Parameter } from '../src/http/endpoints/parameter-types.ts'
import { endpointTable } from '../src/http/endpoints/table.ts'
import { exampleRoot, guestRoot } from '../src/http/examples/examples.ts'
import type { PageRow } from '../src/http/sign-in/page-row.ts'
import { pageTable } from '../src/http/sign-in/register-pages.ts'
import { formatErrors, formatFailedTasks } from './api-errors.ts'
import { formatAnswer, formatShapes } from './api-shapes.ts'
import { codeBlock, escapeText, formatTable, linkTo } from './markdown.ts'

const written = new URL('../docs/api.md', import.meta.url)

/** The whole page; `overview` has a place for each part that comes from the table. */
export function formatApiReference(overview: string, table: readonly Endpoint[]): string {
  const parts: Readonly<Record<string, () => string>> = {
    tasks: () => formatTasks(table),
    contents: () => formatContents(table),
    envelope: () => formatJson(formatEnvelope(categorySchemaRejected([treesSentence]))),
    errors: () => formatErrors(table),
    failedTasks: () => formatFailedTasks(table),
    chosen: () => formatChosen(table),
    operations: () =>
      roomsOf(table)
        .map((room) => formatRoom(room, table))
        .join('\n\n'),
    pages: () => pageTable.map(formatPageRow).join('\n\n'),
    shapes: () => formatShapes(table),
  }
  return overview.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => parts[name]!())
}

function roomsOf(table: readonly Endpoint[]): readonly Room[] {
  return (Object.keys(rooms) as Room[]).filter((name) => table.some(({ room }) => room === name))
}

/** What people want, each with the operations that lead there. */
function formatTasks(table: readonly Endpoint[]): string {
  const rows = goals.map((goal) => [
    goal,
    table
      .filter((row) => row.goals?.includes(goal))
      .map(linkTo)
      .join(', '),
  ])
  return formatTable(['to', 'call'], rows)
}

function formatContents(table: readonly Endpoint[]): string {
  const lines = roomsOf(table).map((room) => {
    const operations = table.filter((row) => row.room === room).map(linkTo)
    return `- **${rooms[room].title}**: ${operations.join(', ')}`
  })
  return lines.join('\n')
}

const treesSentence = 'Category schema exceeds max tree size or empty.'

/** Every choice in one line, with the operations that it holds for. */
function formatChosen(table: readonly Endpoint[]): string {
  const rowsOf = new Map<string, Endpoint[]>()
  for (const row of table) {
    for (const note of row.chosen ?? []) rowsOf.set(note, [...(rowsOf.get(note) ?? []), row])
  }
  const lines = [...rowsOf].map(([note, rows]) => `- ${rows.map(linkTo).join(', ')}: ${escapeText(note)}`)
  return lines.join('\n')
}

function formatRoom(room: Room, table: readonly Endpoint[]): string {
  const { title, description } = rooms[room]
  const operations = table.filter((row) => row.room === room).map(formatOperation)
  return [`## ${title}: the operations`, description, ...operations].join('\n\n')
}

/** A page of sign-in: people see it, and clients lead to it. */
function formatPageRow({ title, methods, path, summary, source, chosen = [], parameters }: PageRow): string {
  const described = Object.entries(parameters)
  return [
    `### ${title} (page)`,
    `\`${methods.join('` or `')}\` \`${path}\``,
    escapeText(summary),
    [`- **Source:** ${source}`, ...chosen.map((note) => `- **Chosen:** ${escapeText(note)}`)].join('\n'),
    ...(described.length > 0 ? [formatParameters(described)] : []),
  ].join('\n\n')
}

/** One operation: how it is called, by whom, with what, and an example. */
export function formatOperation(row: Endpoint): string {
  const { id, title, path, summary, who, since, chosen = [] } = row
  const parameters = Object.entries(row.parameters)
  const facts = [
    `- **Who:** ${escapeText(who)}`,
    `- **Token:** ${tokens[row.token]}`,
    ...(row.isForApps ? ['- **Apps:** may call it by a token of their own'] : []),
    `- **Source:** ${formatSource(row)}`,
    ...(since ? [`- **Since:** ${since}`] : []),
    ...chosen.map((note) => `- **Chosen:** ${escapeText(note)}`),
  ]
  const sections = [
    `<a id="${id.toLowerCase()}"></a>`,
    `### ${title}`,
    `\`${methodsOf(row).join('` or `')}\` \`${path.replace(/:(\w+)/g, '<$1>')}\``,
    escapeText(summary),
    facts.join('\n'),
    ...(parameters.length > 0 ? [formatParameters(parameters)] : []),
    ...(row.bareBody ? [`The body may also be \`${row.bareBody}\` itself, as \`application/json\`.`] : []),
    formatAnswer(row),
    ...(row.example.moment ? [moments[row.example.moment]] : []),
    codeBlock('sh', formatCurl(row)),
    codeBlock('json', shorten(formatJson(row.example.answer))),
  ]
  return sections.join('\n\n')
}

const tokens: Readonly<Record<Endpoint['token'], string>> = {
  none: 'none needed',
  optional: 'optional; without one, only what is public',
  required: 'required',
}

function formatParameters(parameters: readonly (readonly [string, Parameter<unknown>])[]): string {
  const rows = parameters.map(([name, parameter]) => [
    `\`${name}\``,
    formatType(parameter),
    parameter.isRequired ? 'yes' : 'no',
    escapeText(parameter.meaning),
  ])
  return formatTable(['Parameter', 'Type', 'Required', 'Meaning'], rows)
}

function formatType({ type, choices, maxLength, minimum, maximum }: Parameter<unknown>): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  const bounds = [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ]
  const name = type === 'json' ? 'JSON text' : type
  return [name, bounds.join(' ')].filter(Boolean).join(', ')
}

/** Longest answer of an example, in lines. */
const longestAnswer = 200

/** Of a longer answer, its beginning. */
function shorten(json: string): string {
  const lines = json.split('\n')
  return lines.length <= longestAnswer ? json : [...lines.slice(0, 16), '  …'].join('\n')
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

/** The page as the table gives it. */
export function currentApiReference(): string {
  const overview = readFileSync(new URL('./api-overview.md', import.meta.url), 'utf8')
  return formatApiReference(overview, endpointTable)
}

if (import.meta.main) {
  writeFileSync(written, currentApiReference())
  writeFileSync(new URL('../docs/seed.schema.json', import.meta.url), formatSeedSchema())
}
