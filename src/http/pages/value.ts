import { isExactNumber } from '../../json-text.ts'
import { isDuration, isTime, type JsonSchema } from '../shapes/shape.ts'
import { type Html, html } from './html.ts'
import { formatTrees, isTreeList } from './schema-tree.ts'

/** Answers the pages of an entry of a list: first its own, if it has one. */
export type LinksOf = (entry: Entry) => readonly EntryLink[]
export interface EntryLink {
  readonly text: string
  readonly href: string
}
export type Entry = Readonly<Record<string, unknown>>

/** Deeper than any shape; what is below was stored by a client and is shown as JSON. */
const deepest = 12
const mostColumns = 6
/** Of entries without a name: side by side they are easier to tell apart than under one another. */
const mostColumnsOfNameless = 12
const mostOpenMembers = 4
const longText = 300

/** Members by which an entry is called, the best first. */
const names = ['title', 'name', 'username', 'guestPortalUrl', 'itemId', 'id'] as const

/**
 * A JSON value as definition lists, tables and lists in one another. The list directly below it is a table of these columns
 * if there are any.
 */
export function formatValue(value: unknown, shape: JsonSchema, linksOf: LinksOf, columns?: readonly string[]): Html {
  return formatMember('', value, { shape, linksOf, columns, depth: 0 })
}

/** Where a value is: what its shape says of it, if anything. */
interface Position {
  readonly shape: JsonSchema | undefined
  readonly linksOf: LinksOf
  readonly columns: readonly string[] | undefined
  readonly depth: number
}

function memberOf({ shape, linksOf, columns, depth }: Position, name: string): Position {
  const properties = shape?.properties ?? {}
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined
  return { shape: member, linksOf, columns: depth === 0 ? columns : undefined, depth: depth + 1 }
}

function entryOf(position: Position): Position {
  return { ...position, shape: position.shape?.items }
}

/** What a value is called; undefined where it has no name. */
export function findName(value: unknown): { readonly member: string; readonly text: string } | undefined {
  if (!isEntry(value)) return undefined
  for (const member of names) {
    const text = value[member]
    if (typeof text === 'string' && text.trim() !== '') return { member, text }
  }
  return undefined
}

function formatMember(name: string, value: unknown, position: Position): Html {
  if (!isNested(value)) return formatScalar(value, position.shape)
  if (position.depth === deepest) return html`<code class="text">${JSON.stringify(value)}</code>`
  if (Array.isArray(value) && value.length > 0 && isTreeList(position.shape)) return formatTrees(value)
  if (Array.isArray(value)) return formatList(name, value, entryOf(position))
  return formatMembers(Object.entries(value), position)
}

function formatMembers(members: readonly (readonly [string, unknown])[], position: Position): Html {
  if (members.length === 0) return html`<span class="nothing">nothing</span>`
  const rows = members.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${formatMember(name, value, memberOf(position, name))}</dd></div>`,
  )
  return html`<dl>${rows}</dl>`
}

function formatList(name: string, list: readonly unknown[], entries: Position): Html {
  if (list.length === 0) return html`<span class="nothing">none</span>`
  const columns = findColumns(list, entries)
  if (columns) return formatTable(name, list as readonly Entry[], columns, entries)
  if (list.every(isEntry)) {
    return html`<ol class="entries">${list.map((entry) => html`<li>${formatEntry(entry, entries)}</li>`)}</ol>`
  }
  const deeper = { ...entries, depth: entries.depth + 1 }
  return html`<ul>${list.map((entry) => html`<li>${formatMember('', entry, deeper)}</li>`)}</ul>`
}

/** An entry under its name, with the rest of its members to be opened; a short one is open at once. */
function formatEntry(entry: Entry, position: Position): Html {
  const name = findName(entry)
  const text = name?.text ?? 'Entry'
  const [link, ...others] = position.linksOf(entry)
  const rest = Object.entries(entry).filter(([member]) => member !== name?.member)
  const own = link === undefined ? html`<span class="name">${text}</span>` : html`<a href="${link.href}">${text}</a>`
  const heading = html`${own}${others.length > 0 && formatLinks(others)}`
  if (rest.length === 0) return heading
  const open = rest.length <= mostOpenMembers ? html` open` : html``
  const members = formatMembers(rest, { ...position, depth: position.depth + 1 })
  if (link === undefined) return html`<details${open}><summary>${heading}</summary>${members}</details>`
  return html`${heading}<details${open}><summary>More of ${text}</summary>${members}</details>`
}

/**
 * The members that short entries have in common, if they have no others; a lone member makes no table. Entries without a
 * name whose shape is known have all members of any of them.
 */
function findColumns(list: readonly unknown[], { shape, columns: chosen }: Position): readonly string[] | undefined {
  const [first] = list
  if (!isEntry(first)) return undefined
  if (chosen) return chosen
  if (shape?.properties && list.every((entry) => isEntry(entry) && !findName(entry))) {
    const shown = Object.keys(shape.properties).filter((member) =>
      list.some((entry) => Object.hasOwn(entry as Entry, member)),
    )
    if (shown.length > 1 && shown.length <= mostColumnsOfNameless) return shown
  }
  const columns = Object.keys(first)
  if (columns.length < 2 || columns.length > mostColumns) return undefined
  const isRow = (entry: unknown) =>
    isEntry(entry) &&
    Object.keys(entry).length === columns.length &&
    columns.every((column) => Object.hasOwn(entry, column) && !isNested(entry[column]))
  return list.every(isRow) ? columns : undefined
}

/**
 * Wide tables scroll in themselves; keys reach them by the tabindex. An entry is opened by its first cell, if its first link
 * says the same; other links have a column of their own.
 */
function formatTable(name: string, rows: readonly Entry[], columns: readonly string[], entries: Position): Html {
  const [firstColumn = ''] = columns
  const found = rows.map((row) => {
    const [own, ...others] = entries.linksOf(row)
    const opens = own !== undefined && own.text === row[firstColumn]
    return { row, own: opens ? own : undefined, others: opens || own === undefined ? others : [own, ...others] }
  })
  const hasOthers = found.some(({ others }) => others.length > 0)
  const head = columns.map((column) => html`<th scope="col">${column}</th>`)
  const body = found.map(({ row, own, others }) => {
    const cells = columns.map((column, position) => {
      const cell = formatCell(column, row, entries)
      return html`<td>${position === 0 && own ? html`<a href="${own.href}">${own.text}</a>` : cell}</td>`
    })
    return html`<tr>${cells}${hasOthers && html`<td>${formatLinks(others)}</td>`}</tr>`
  })
  return html`<div class="wide" role="region" aria-label="${name || 'Entries'}" tabindex="0"><table>
<thead><tr>${head}${hasOthers && html`<th scope="col">links</th>`}</tr></thead><tbody>${body}</tbody></table></div>`
}

function formatCell(column: string, row: Entry, entries: Position): Html {
  return Object.hasOwn(row, column) ? formatMember(column, row[column], memberOf(entries, column)) : html``
}

function formatLinks(links: readonly EntryLink[]): Html {
  return html`<ul class="links">${links.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`
}

function formatScalar(value: unknown, shape: JsonSchema | undefined): Html {
  if (typeof value === 'string') return formatText(value)
  if (typeof value === 'number' && isTime(shape)) return formatTime(value)
  if (typeof value === 'number' && isDuration(shape)) return formatDuration(value)
  if (typeof value === 'number') return html`<span class="number">${value}</span>`
  if (isExactNumber(value)) return html`<span class="number">${JSON.stringify(value)}</span>`
  return html`<code>${String(value)}</code>`
}

function formatText(text: string): Html {
  if (text === '') return html`<span class="nothing">empty</span>`
  if (text.length < longText) return html`<span class="text">${text}</span>`
  return html`<div class="text long" role="region" aria-label="Long text" tabindex="0">${text}</div>`
}

function formatTime(value: number): Html {
  // Where there was no such moment, the API has -1.
  if (value === -1) return html`<span class="nothing">never</span>`
  const time = new Date(value)
  if (value <= 0 || Number.isNaN(time.getTime())) return html`<span class="number">${value}</span>`
  const iso = time.toISOString()
  const words = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
  return html`<time datetime="${iso}">${words}</time>`
}

/** In hours and minutes: what is measured so takes days. */
function formatDuration(milliseconds: number): Html {
  const minutes = Math.floor(milliseconds / 60_000)
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return html`<span class="number">${words}</span>`
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value)
}

function isEntry(value: unknown): value is Entry {
  return isNested(value) && !Array.isArray(value)
}
