import type { Parsed } from '../../call/parsed.ts'
import type { RowNotes } from './row-notes.ts'
import type { Row } from './table.ts'

export const layouts = ['path', 'levels', 'parent', 'indented'] as const
export type Layout = (typeof layouts)[number]

/** Where the cells of a category stand, as positions in a row; undefined for what the file does not have. */
export type Columns = PathColumns | LevelColumns | ParentColumns | { readonly layout: 'indented' }

interface Texts {
  readonly description: number | undefined
  readonly source: number | undefined
}

export interface PathColumns extends Texts {
  readonly layout: 'path'
  readonly path: number
}

export interface LevelColumns extends Texts {
  readonly layout: 'levels'
  /** From the roots down, each with the description of its category if every level has one. */
  readonly levels: readonly { readonly title: number; readonly description: number | undefined }[]
}

export interface ParentColumns extends Texts {
  readonly layout: 'parent'
  readonly id: number | undefined
  readonly title: number
  readonly parent: number
  /** Column by which a parent is named. */
  readonly by: 'id' | 'title' | 'either'
}

/** Header cells that are understood, without case, blanks, hyphens and underscores. */
const names = {
  path: ['path', 'categorypath', 'fullpath'],
  title: ['title', 'name', 'label', 'termname', 'preflabel'],
  id: ['id', 'key', 'identifier', 'termid'],
  parentId: ['parentid', 'parentkey'],
  parentTitle: ['parenttitle', 'parentname'],
  parent: ['parent', 'broader'],
  description: ['description', 'definition'],
  source: ['source'],
} as const
type Role = keyof typeof names

const level = /^(?:level|l)([1-9]\d?)$/
const levelDescription = /^(?:level|l)?([1-9]\d?)?description([1-9]\d?)?$/

function normalize(cell: string): string {
  return cell
    .trim()
    .replace(/[\s_-]+/g, '')
    .toLowerCase()
}

/** The columns that a header names; undefined if the row is none. */
export function readHeader(header: Row, layout: Layout | undefined, notes: RowNotes): Parsed<Columns | undefined> {
  const cells = header.cells.map(normalize)
  const found = findColumns(cells, layout)
  if (!found) return { value: undefined }
  const used = new Set(positionsOf(found))
  const double = cells.find((cell, at) => used.has(at) && cells.indexOf(cell) !== cells.lastIndexOf(cell))
  if (double !== undefined && !isLevelDescription(found)) {
    return { problems: [`Row ${header.row}: two columns are called ${double}.`] }
  }
  const unused = header.cells.filter((cell, at) => !used.has(at) && cell.trim() !== '')
  for (const name of unused) notes.add(`The column ${shorten(name)} is not used.`, header.row)
  return { value: found }
}

function findColumns(cells: readonly string[], layout: Layout | undefined): Columns | undefined {
  const find = (role: Role): number | undefined => {
    const name = names[role].find((one) => cells.includes(one))
    return name === undefined ? undefined : cells.indexOf(name)
  }
  const texts: Texts = { description: find('description'), source: find('source') }
  const path = find('path')
  if (path !== undefined && isOpen(layout, 'path')) return { layout: 'path', path, ...texts }
  const levels = findLevels(cells)
  if (levels.length > 0 && isOpen(layout, 'levels')) return levelColumns(cells, levels, texts)
  const parent = find('parentId') ?? find('parentTitle') ?? find('parent')
  const id = find('id')
  const title = find('title') ?? id
  if (parent === undefined || title === undefined || !isOpen(layout, 'parent')) return undefined
  const by = parent === find('parentId') ? 'id' : parent === find('parentTitle') ? 'title' : 'either'
  return { layout: 'parent', id, title, parent, by, ...texts }
}

function isOpen(layout: Layout | undefined, one: Layout): boolean {
  return layout === undefined || layout === one
}

/** Positions of `level1`, `level2` and so on; none if one is missing. */
function findLevels(cells: readonly string[]): readonly number[] {
  const byNumber = new Map<number, number>()
  for (const [at, cell] of cells.entries()) {
    const number = Number(level.exec(cell)?.[1])
    if (number > 0 && !byNumber.has(number)) byNumber.set(number, at)
  }
  const levels = Array.from({ length: byNumber.size }, (_, above) => byNumber.get(above + 1))
  return levels.filter((at) => at !== undefined).length === levels.length ? (levels as number[]) : []
}

/** A single description belongs to the row's own category; several belong to the level that they name or follow. */
function levelColumns(cells: readonly string[], levels: readonly number[], texts: Texts): LevelColumns {
  const described = new Map<number, number>()
  for (const [at, cell] of cells.entries()) {
    const match = levelDescription.exec(cell)
    if (!match) continue
    const named = Number(match[1] ?? match[2] ?? 0) - 1
    const above = named >= 0 ? named : levels.indexOf(at - 1)
    if (levels[above] !== undefined && !described.has(above)) described.set(above, at)
  }
  const isEach = levels.length > 1 ? described.size > 1 : described.size === 1
  const all = levels.map((title, above) => ({ title, description: isEach ? described.get(above) : undefined }))
  return { layout: 'levels', levels: all, source: texts.source, description: isEach ? undefined : texts.description }
}

/** Descriptions of levels may all have the same name. */
function isLevelDescription(columns: Columns): boolean {
  return columns.layout === 'levels' && columns.levels.some(({ description }) => description !== undefined)
}

function positionsOf(columns: Columns): readonly (number | undefined)[] {
  if (columns.layout === 'indented') return [0]
  const texts = [columns.description, columns.source]
  if (columns.layout === 'path') return [columns.path, ...texts]
  if (columns.layout === 'parent') return [columns.id, columns.title, columns.parent, ...texts]
  return [...columns.levels.flatMap(({ title, description }) => [title, description]), ...texts]
}

/** The columns of rows without a header, by their shape. */
export function guessColumns(rows: readonly Row[], layout: Layout | undefined): Columns | undefined {
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const guessed = layout ?? guessLayout(rows, width)
  if (guessed === 'path') return { layout: 'path', path: 0, description: 1, source: 2 }
  if (guessed === 'indented') return { layout: 'indented' }
  if (guessed === 'parent') return undefined
  const levels = Array.from({ length: width }, (_, title) => ({ title, description: undefined }))
  return { layout: 'levels', levels, description: undefined, source: undefined }
}

function guessLayout(rows: readonly Row[], width: number): Layout {
  const first = rows.map(({ cells }) => cells[0]!.trim())
  if (first.every((cell) => cell.startsWith('/')) || first.some((cell) => cell.includes(' > '))) return 'path'
  return width === 1 ? 'indented' : 'levels'
}

const maxNameLength = 60

function shorten(name: string): string {
  const shown = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
  return shown.toWellFormed()
}
