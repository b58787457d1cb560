import type { Parsed } from '../../call/parsed.ts'
import { shown } from '../title.ts'
import { isHeadingByShape } from './heading-shape.ts'
import { findAbsentColumn } from './read.ts'
import type { Row } from './table.ts'
import { normalizeHeading } from './words.ts'

/** Columns of any list, such as people or items: found by the words of their headings, or named. */

/** Meaning of a column: the words of headings for it, without case, accents and signs between words. */
export interface ListRole {
  readonly words: string
  /** Whether several columns may have it; a number behind the word counts them. */
  readonly isMany?: boolean
}

export type ListRoles<Role extends string> = Readonly<Record<Role, ListRole>>

/** Facts that a person or a program gives about a list; undefined ones are found. */
export interface ListOptions {
  readonly header?: boolean | undefined
  /** Row of the heading, from 1. */
  readonly headerRow?: number | undefined
  /** Headings or numbers from 1, by role. */
  readonly columns?: readonly { readonly role: string; readonly column: string }[] | undefined
  readonly ignoredRows?: readonly number[] | undefined
}

export interface List<Role extends string> {
  readonly heading: Row | undefined
  readonly roles: readonly (Role | 'ignore')[]
  /** Rows below the heading that are not left out. */
  readonly rows: readonly Row[]
}

/** Rows among which a heading is looked for (chosen). */
const maxLooked = 11

/** The columns of a list, whose heading is the first row that names most of them, or has the shape of one. */
export function findListColumns<Role extends string>(
  given: readonly Row[],
  list: ListRoles<Role>,
  { header, headerRow, columns = [], ignoredRows = [] }: ListOptions,
): Parsed<List<Role>> {
  const ignored = new Set(ignoredRows)
  const rows = given.filter(({ row }) => !ignored.has(row))
  const roleOf = rolesByWord(list)
  const absent = rows.length > 0 && findAbsentColumn(rows, columns)
  if (absent) return { problems: [absent] }
  const named = (row: Row) =>
    row.cells.filter((cell) => roleOf(cell) !== undefined || columns.some(({ column }) => isCalled(cell, column)))
      .length
  const looked = rows.slice(0, maxLooked)
  const most = Math.max(0, ...looked.map(named))
  const at =
    header === false
      ? -1
      : headerRow !== undefined
        ? rows.findIndex(({ row }) => row === headerRow)
        : most > 0
          ? looked.findIndex((row) => named(row) === most)
          : header
            ? 0
            : looked.findIndex((_, at) => isHeadingByShape(rows, at, false))
  if (headerRow !== undefined && header !== false && at === -1) {
    return { problems: [`headerRow: row ${headerRow} is empty, or not in the file.`] }
  }
  const heading = rows[at]
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const roles = Array.from(
    { length: width },
    (_, column): Role | 'ignore' => roleOf(heading?.cells[column]) ?? 'ignore',
  )
  for (const [column, role] of roles.entries()) {
    if (role !== 'ignore' && !list[role].isMany && roles.indexOf(role) < column) roles[column] = 'ignore'
  }
  for (const { role } of columns)
    for (const [column, one] of roles.entries()) if (one === role) roles[column] = 'ignore'
  for (const { role, column } of columns) {
    const called = heading?.cells.findIndex((cell) => isCalled(cell, column)) ?? -1
    const position = called === -1 ? Number(column) - 1 : called
    if (!(position >= 0)) return { problems: [`columns: no column is called ${shown(column, 60)}.`] }
    roles[position] = role as Role
  }
  return { value: { heading, roles, rows: rows.slice(at + 1) } }
}

function rolesByWord<Role extends string>(list: ListRoles<Role>) {
  const roles = Object.entries<ListRole>(list) as [Role, ListRole][]
  const byWord = new Map(roles.flatMap(([role, { words }]) => words.split(/\s+/).map((word) => [word, role] as const)))
  return (cell = ''): Role | undefined => {
    const name = normalizeHeading(cell)
    const counted = byWord.get(name.replace(/\d{1,2}$/, ''))
    return byWord.get(name) ?? (counted !== undefined && list[counted].isMany ? counted : undefined)
  }
}

function isCalled(cell: string, column: string): boolean {
  return cell.trim() !== '' && normalizeHeading(cell) === normalizeHeading(column)
}
