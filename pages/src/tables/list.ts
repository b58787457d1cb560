import { formatCsvRow, guardFormula } from '../../../src/csv-text.ts'
import { findListColumns, type ListRole, type ListRoles } from '../../../src/schema-files/csv/list-columns.ts'
import type { Row } from '../../../src/schema-files/csv/table.ts'
import type { TableChoices } from './choose-roles.ts'

/** Lists of any kind that come from a table, without DOM. */

/** A column of a list: words that head it, its name, whether it is needed, and what separates several values in a cell. */
export interface ListColumn extends ListRole {
  readonly name: string
  readonly isRequired?: boolean
  readonly separator?: RegExp
}

export type ListColumns = Readonly<Record<string, ListColumn>>

/** A row by its columns: values without the empty ones. */
export interface ListRow {
  readonly row: number
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** Why a row is not taken: the value at fault, if one is, and the one that was probably meant. */
export interface Wrong {
  readonly row: number
  readonly role?: string
  readonly value?: string
  readonly problem: string
  readonly meant?: string | undefined
  /** Whether the sentence is one of the server. */
  readonly isEnglish?: boolean
}

/** Judgement of rows: what would be done, and what is wrong. */
export interface Judged<Ready> {
  readonly ready: Ready
  readonly wrong: readonly Wrong[]
}

/** Judges rows one by one: what is ready is of those for which nothing is refused. */
export function judgeRows<Ready>(
  rows: readonly ListRow[],
  judge: (
    row: ListRow,
    refuse: (role: string, problem: string, about?: Pick<Wrong, 'value' | 'meant'>) => void,
  ) => Ready,
): Judged<readonly Ready[]> {
  const wrong: Wrong[] = []
  const ready = rows.flatMap((listed): readonly Ready[] => {
    const before = wrong.length
    const judged = judge(listed, (role, problem, about) => wrong.push({ row: listed.row, role, problem, ...about }))
    return wrong.length > before ? [] : [judged]
  })
  return { ready, wrong }
}

/** Values that a person has put in the place of others, in all rows or in one. */
export type Replaced = ReadonlyMap<string, string>

export function keyOf(role: string, value: string, row?: number): string {
  return `${role}\n${value}\n${row ?? ''}`
}

export interface ReadList {
  readonly columns: readonly { readonly heading: string; readonly role: string }[]
  readonly headingRow: number | undefined
  readonly rows: readonly ListRow[]
  /** Required columns that the table does not have. */
  readonly missing: readonly string[]
}

/** The rows of a list, by columns that are chosen or found. */
export function readList(rows: readonly Row[], list: ListColumns, choices: TableChoices, replaced: Replaced): ReadList {
  const chosen = Object.entries(choices.columns ?? {}).flatMap(([role, numbers]) =>
    numbers.map((number) => ({ role, column: String(number) })),
  )
  const { header, headerRow, ignoreRows: ignoredRows } = choices
  const found = findListColumns(rows, list as ListRoles<string>, { header, headerRow, ignoredRows })
  const {
    heading,
    roles: guessed,
    rows: below,
  } = 'problems' in found ? { heading: undefined, roles: [], rows } : found.value
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const roles = Array.from({ length: width }, (_, at) =>
    choices.columns
      ? (chosen.find(({ column }) => column === String(at + 1))?.role ?? 'ignore')
      : (guessed[at] ?? 'ignore'),
  )
  const listed = below.map(({ row, cells }): ListRow => {
    const values: Record<string, string[]> = {}
    for (const [at, role] of roles.entries()) {
      const column = list[role]
      if (!column) continue
      const cell = cells[at] ?? ''
      const parts = (column.separator ? cell.split(column.separator) : [cell]).map((part) => part.trim())
      const given = parts.filter((part) => part !== '')
      values[role] ??= []
      values[role].push(
        ...given.map((one) => replaced.get(keyOf(role, one, row)) ?? replaced.get(keyOf(role, one)) ?? one),
      )
    }
    return { row, values }
  })
  return {
    columns: roles.map((role, at) => ({ heading: heading?.cells[at] ?? '', role })),
    headingRow: heading?.row,
    rows: listed,
    missing: Object.keys(list).filter((role) => list[role]!.isRequired && !roles.includes(role)),
  }
}

/** The first value of a column; empty where there is none. */
export function firstOf({ values }: ListRow, role: string): string {
  return values[role]?.[0] ?? ''
}

/** A failure, with all rows that have it. */
export interface Failure extends Wrong {
  readonly rows: readonly number[]
}

/** Failures, the most frequent first. */
export function groupFailures(wrong: readonly Wrong[]): readonly Failure[] {
  const groups = Map.groupBy(wrong, ({ problem, role, value }) => `${problem}\n${keyOf(role ?? '', value ?? '')}`)
  return [...groups.values()]
    .map((same) => ({ ...same[0]!, rows: [...new Set(same.map(({ row }) => row))] }))
    .sort((one, other) => other.rows.length - one.rows.length)
}

/** A file of these columns without a heading, in which each row keeps its number. */
export function writeRows(rows: readonly ListRow[], roles: readonly string[]): string {
  const lines = Array.from({ length: Math.max(0, ...rows.map(({ row }) => row)) }, () => '\r\n')
  for (const { row, values } of rows) {
    lines[row - 1] = formatCsvRow(roles.map((role) => guardFormula((values[role] ?? []).join(' | '))))
  }
  return lines.join('')
}
