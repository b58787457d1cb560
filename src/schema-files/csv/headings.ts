import type { Parsed } from '../../call/parsed.ts'
import { say } from '../../sentences/say.ts'
import { shown } from '../title.ts'
import { type Columns, columnsOf, type HeadingFacts, type Layout, levelOf, noFacts, type Role } from './columns.ts'
import { isHeadingByShape, isWiderThanAbove } from './heading-shape.ts'
import { columnsBefore, identifierColumns } from './identifiers.ts'
import { findLanguageColumns } from './language-columns.ts'
import type { RowNotes } from './row-notes.ts'
import type { Row } from './table.ts'
import { findWordAtEnd, findWords, normalizeHeading, type Word } from './words.ts'

/** A heading or a number from 1 for each column that is named, by its role. */
export type NamedColumns = readonly { readonly role: Role; readonly column: string }[]

/** Facts that a caller gives about the columns. */
export interface HeadingOptions {
  readonly layout: Layout | undefined
  readonly named: NamedColumns
  /** Preferred languages of columns that differ in their language alone. */
  readonly languages: readonly string[]
}

export interface Heading {
  /** Position of the heading among the rows. */
  readonly at: number
  readonly columns: Columns
}

/** Rows among which a heading is looked for, and characters that a cell of it may have (chosen). */
const maxRowsAbove = 10
const maxHeadingLength = 80

/**
 * The heading of a table, and its columns; undefined where no row is one. Below the first row, a heading is one only if it
 * names more than the rows above it have.
 */
export function findHeading(
  rows: readonly Row[],
  options: HeadingOptions & {
    /** Position of the row that a caller says to be the heading. */
    readonly at?: number | undefined
    /** Whether a caller says that there is one. */
    readonly isAsked?: boolean
  },
  notes: RowNotes,
): Parsed<Heading | undefined> {
  const names = options.named.filter(({ column }) => !isNumber(column))
  const hasNames = (row: Row) => names.every(({ column }) => findPosition(row, column) !== undefined)
  const candidates = options.at === undefined ? rows.slice(0, maxRowsAbove + 1).keys() : [options.at]
  const byName = names.length > 0
  const looked = [...candidates].filter((at) =>
    byName ? hasNames(rows[at]!) : options.at !== undefined || isWiderThanAbove(rows, at),
  )
  // Words count more than shapes, wherever they stand.
  for (const byShape of byName || options.at !== undefined ? [false] : [false, true]) {
    for (const at of looked) {
      const row = rows[at]!
      if (
        byShape &&
        !isHeadingByShape(
          rows,
          at,
          findWords(row.cells).some((word) => word !== undefined),
        )
      )
        continue
      const isSure = byShape || byName || options.at !== undefined
      const found = readHeading(row, rows.slice(at + 1), options, { isSure })
      if ('problems' in found) return found
      if (!found.value) continue
      if (byShape && !options.isAsked) notes.add(say('headingByShape'), row.row)
      return { value: { at, columns: noteUnused(found.value, row, notes) } }
    }
  }
  const first = rows[options.at ?? 0]!
  const missing = names.find(({ column }) => findPosition(first, column) === undefined)
  if (missing) {
    const headings = first.cells.filter((cell) => cell.trim() !== '').map(shorten)
    const name = shorten(missing.column)
    return { problems: [`columns: no column is called ${name}. Row ${first.row} has: ${headings.join(', ')}.`] }
  }
  if (!options.isAsked || options.at !== undefined) return { value: undefined }
  return findHeading(rows, { ...options, at: 0 }, notes)
}

/** Whether a row is the heading once more, as at the beginning of each page of a table. */
export function repeats({ cells }: Row, heading: Row): boolean {
  return cells.length === heading.cells.length && cells.every((cell, at) => cell.trim() === heading.cells[at]!.trim())
}

/** The columns that a row names; undefined if it is no heading. A caller who says that it is one is believed. */
function readHeading(
  row: Row,
  below: readonly Row[],
  options: HeadingOptions,
  { isSure }: { readonly isSure: boolean },
): Parsed<Columns | undefined> {
  const others = below.filter((one) => !repeats(one, row))
  const languages = findLanguageColumns(row.cells, options.languages, others)
  const headings = row.cells.map((cell, at) => languages.get(at) ?? cell)
  const empty = columnsBefore([row, ...others])
  const ignored = [...[...languages].flatMap(([at, heading]) => (heading === '' ? [at] : [])), ...empty]
  const strict = readKnownHeading(headings, options.layout)
  const double = strict && findDouble(headings, strict.positions)
  if (options.named.length === 0) {
    if (double !== undefined) return { problems: [`Row ${row.row}: two columns are called ${double}.`] }
    if (strict) return { value: strict.columns }
  }
  const words = findWords(headings)
  const hasIdentifiers = identifierColumns(others, row).size > 0
  // A heading of other words says nothing of a single column.
  const hasLanguages = languages.size > 0
  const isSingle =
    options.named.length === 0 && !hasLanguages && headings.filter((heading) => heading.trim() !== '').length === 1
  if (isSure && isSingle && words.every((word) => word === undefined)) return { value: undefined }
  if (
    !isSure &&
    !hasLanguages &&
    !isHeading(headings, words, others) &&
    !(hasIdentifiers && options.layout !== 'indented')
  ) {
    return { value: undefined }
  }
  const guessed = strict && !double ? strict.roles : guessRoles(headings, words, identifierColumns(others), ignored)
  const roles = nameRoles(guessed, row, options.named)
  if ('problems' in roles) return roles
  if (options.layout !== undefined && layoutOf(roles.value) !== options.layout) return { value: undefined }
  return columnsOf(roles.value, factsOf(headings, words))
}

/** Puts the roles that a caller names in the place of those that were found. */
export function nameRoles(found: readonly Role[], row: Row | undefined, named: NamedColumns): Parsed<readonly Role[]> {
  // Named roles replace all guessed ones.
  const isStructured = named.some(({ role }) => !['ignore', 'description', 'source'].includes(role))
  const roles: Role[] = found.map((role) =>
    !isStructured || role === 'description' || role === 'source' ? role : 'ignore',
  )
  for (const { role } of named) {
    if (role !== 'ignore') for (const [at, one] of roles.entries()) if (one === role) roles[at] = 'ignore'
  }
  for (const { role, column } of named) {
    const at = (row && findPosition(row, column)) ?? (isNumber(column) ? Number(column) - 1 : undefined)
    if (at === undefined) return { problems: [`columns: no column is called ${shorten(column)}.`] }
    while (roles.length <= at) roles.push('ignore')
    roles[at] = role
  }
  return { value: closeLevels(roles) }
}

/** Numbers levels again where a column between them is ignored. */
function closeLevels(roles: readonly Role[]): readonly Role[] {
  const levels = roles.flatMap((role) => levelOf(role) ?? []).sort((one, other) => one - other)
  const isDistinct = new Set(levels).size === levels.length
  if (!isDistinct) return roles
  return roles.map((role) => {
    const level = levelOf(role)
    return level === undefined ? role : (`level${levels.indexOf(level) + 1}` as const)
  })
}

function layoutOf(roles: readonly Role[]): Layout {
  if (roles.includes('path')) return 'path'
  return roles.includes('parent') || roles.includes('narrower') ? 'parent' : 'levels'
}

/** Columns count from 1, and a heading wins over a number. */
function findPosition({ cells }: Row, column: string): number | undefined {
  const wanted = normalizeHeading(column)
  const at = cells.findIndex((cell) => cell.trim() !== '' && normalizeHeading(cell) === wanted)
  return at === -1 ? undefined : at
}

export function isNumber(column: string): boolean {
  return /^[1-9]\d?$/.test(column.trim())
}

function isHeading(headings: readonly string[], words: readonly (Word | undefined)[], below: readonly Row[]): boolean {
  const cells = headings.filter((heading) => heading.trim() !== '')
  if (below.length === 0 || cells.some((cell) => cell.length > maxHeadingLength)) return false
  const isBelow = (at: number) => below.some((row) => row.cells[at]?.trim() === headings[at]!.trim())
  const known = words.flatMap((word, at) => (word === undefined || isBelow(at) ? [] : [word]))
  if (cells.length === 1) {
    // The first line of an indented list has another one below it.
    const isList = below.some((row) => row.cells.length > 1) || /^\s/.test(below[0]!.cells[0]!)
    return !isList && known.length === 1 && ['title', 'level', 'path'].includes(known[0]!)
  }
  const levels = known.filter((word) => word === 'level').length
  if (known.length > levels || levels > 1) return true
  return headings.filter((heading) => findWordAtEnd(heading) !== undefined).length > 1
}

/**
 * Roles of columns by the words in their headings. Where none is that of a title, all that have neither another word nor
 * identifiers are levels, from left to right, as far as the description: behind it stand owners and dates (chosen).
 */
function guessRoles(
  headings: readonly string[],
  words: readonly (Word | undefined)[],
  identifiers: ReadonlySet<number>,
  ignored: readonly number[],
): readonly Role[] {
  const meanings = headings.map((heading, at) =>
    ignored.includes(at) ? 'ignore' : (words[at] ?? findWordAtEnd(heading)),
  )
  const first = (...wanted: readonly Word[]) => {
    const at = meanings.findIndex((meaning) => wanted.includes(meaning as Word))
    return at === -1 ? undefined : at
  }
  const roles = Array.from<Role>({ length: headings.length }).fill('ignore')
  const set = (at: number | undefined, role: Role) => {
    if (at !== undefined) roles[at] = role
  }
  const description = first('description')
  set(description, 'description')
  set(first('source'), 'source')
  const path = first('path')
  if (path !== undefined) {
    set(path, 'path')
    return roles
  }
  const parent = first('parentId', 'parentTitle', 'parent')
  const narrower = first('narrower')
  const id = first('id') ?? [...identifiers][0]
  const title = first('title')
  const isLevel = (at: number) => meanings[at] === 'level'
  if ((parent ?? narrower) !== undefined) {
    const named = title ?? headings.findIndex((_, at) => isLevel(at) || (meanings[at] === undefined && at !== id))
    set(id, 'id')
    set(named === -1 ? undefined : named, 'title')
    set(parent, 'parent')
    set(narrower, 'narrower')
    return roles
  }
  set(title, 'title')
  const free = headings.flatMap((_, at) => {
    const isFree = roles[at] === 'ignore' && meanings[at] !== 'ignore' && !identifiers.has(at)
    return isFree && (isLevel(at) || (title === undefined && meanings[at] === undefined)) ? [at] : []
  })
  const before = free.filter((at) => isLevel(at) || description === undefined || at < description)
  const levels = before.length > 0 ? before : free
  if (levels.length === 1 && title === undefined) set(levels[0], 'title')
  else for (const [above, at] of levels.entries()) set(at, `level${above + 1}`)
  return roles
}

const level = /^(?:level|tier|l|ebene|stufe|niveau|nivel|livello|レベル)([1-9]\d?)$/
const levelDescription = /^(?:level|l)?([1-9]\d?)?(?:description|definition|beschreibung)([1-9]\d?)?$/

/** Columns of a heading that names all of a layout. */
interface KnownHeading {
  readonly columns: Columns
  readonly roles: readonly Role[]
  /** Columns with a meaning that no second one may have. */
  readonly positions: readonly number[]
}

function readKnownHeading(headings: readonly string[], layout: Layout | undefined): KnownHeading | undefined {
  const words = findWords(headings)
  const find = (...wanted: readonly Word[]): number | undefined => {
    for (const word of wanted) {
      const at = words.indexOf(word)
      if (at !== -1) return at
    }
    return undefined
  }
  const isOpen = (one: Layout) => layout === undefined || layout === one
  const path = find('path')
  const levels = findLevels(headings.map(normalizeHeading))
  const parent = find('parentId', 'parentTitle', 'parent')
  const narrower = find('narrower')
  const id = find('id')
  const title = find('title') ?? id
  const structure: [number, Role][] = []
  if (path !== undefined && isOpen('path')) structure.push([path, 'path'])
  else if (levels.length > 0 && isOpen('levels')) {
    for (const [above, at] of levels.entries()) structure.push([at, `level${above + 1}`])
  } else if ((parent ?? narrower) !== undefined && title !== undefined && isOpen('parent')) {
    structure.push([title, 'title'])
    if (parent !== undefined) structure.push([parent, 'parent'])
    if (narrower !== undefined) structure.push([narrower, 'narrower'])
  } else return undefined
  if (id !== undefined && !structure.some(([at]) => at === id)) structure.push([id, 'id'])
  const roles = Array.from<Role>({ length: headings.length }).fill('ignore')
  const facts = factsOf(headings, words)
  for (const [at, word] of words.entries()) {
    const isOfLevel = levels.length > 0 && levelDescription.test(normalizeHeading(headings[at]!))
    if (word === 'description' || isOfLevel) roles[at] = 'description'
  }
  const source = find('source')
  if (source !== undefined) structure.push([source, 'source'])
  for (const [at, role] of structure) roles[at] = role
  const columns = columnsOf(roles, facts)
  if ('problems' in columns) return undefined
  const descriptions = roles.flatMap((role, at) => (role === 'description' ? [at] : []))
  const isEach =
    columns.value.layout === 'levels' && columns.value.levels.some(({ description }) => description !== undefined)
  const positions = [...structure.map(([at]) => at), ...(isEach ? [] : descriptions)]
  return { columns: columns.value, roles, positions }
}

/** The name of two columns, of which one alone may be read. */
function findDouble(headings: readonly string[], positions: readonly number[]): string | undefined {
  const names = headings.map(normalizeHeading)
  const at = positions.find((position) => names.indexOf(names[position]!) !== names.lastIndexOf(names[position]!))
  return at === undefined ? undefined : names[at]
}

/** Positions of `level1`, `level2` and so on; none if one is missing. */
function findLevels(names: readonly string[]): readonly number[] {
  const byNumber = new Map<number, number>()
  for (const [at, name] of names.entries()) {
    const number = Number(level.exec(name)?.[1])
    if (number > 0 && !byNumber.has(number)) byNumber.set(number, at)
  }
  const levels = Array.from({ length: byNumber.size }, (_, above) => byNumber.get(above + 1))
  return levels.filter((at) => at !== undefined).length === levels.length ? (levels as number[]) : []
}

function factsOf(headings: readonly string[], words: readonly (Word | undefined)[]): HeadingFacts {
  const meanings = headings.map((heading, at) => words[at] ?? findWordAtEnd(heading))
  const parent = meanings.find((word) => word === 'parentId' || word === 'parentTitle')
  return {
    parentBy: parent === 'parentId' ? 'id' : parent === 'parentTitle' ? 'title' : noFacts.parentBy,
    describedLevel(at) {
      const match = levelDescription.exec(normalizeHeading(headings[at] ?? ''))
      const named = Number(match?.[1] ?? match?.[2] ?? 0) - 1
      return named >= 0 ? named : undefined
    },
  }
}

/** Notes on the columns that have a heading and are not read. */
function noteUnused(columns: Columns, row: Row, notes: RowNotes): Columns {
  const used = new Set(positionsOf(columns))
  const unused = row.cells.filter((cell, at) => !used.has(at) && cell.trim() !== '')
  for (const name of unused) notes.add(say('columnUnused', { column: shorten(name) }), row.row)
  return columns
}

function positionsOf(columns: Columns): readonly (number | undefined)[] {
  if (columns.layout === 'indented') return [0]
  const texts = [columns.description, columns.source, columns.id]
  if (columns.layout === 'path') return [columns.path, ...texts]
  if (columns.layout === 'parent') return [columns.title, columns.parent, columns.narrower, ...texts]
  return [...columns.levels.flatMap(({ title, description }) => [title, description]), ...texts]
}

/** A heading in a sentence. */
function shorten(name: string): string {
  return shown(name, 60)
}
