import { type Layout, levelOf, type Role } from '../../../src/schema-files/csv/columns.ts'
import type { FileReading } from '../schemas/answers.ts'

type SchemaTable = NonNullable<FileReading['table']>

/** A table as it was read: its first rows, the roles of its columns, and what is wrong. Rows and columns count from 1. */
export interface ReadTable extends Omit<SchemaTable, 'marks'> {
  readonly marks: readonly (SchemaTable['marks'][number] & { readonly isOwn?: boolean })[]
}

/** Columns by their roles, as numbers from 1: the parameter `columns` of an import. */
export type ChosenColumns = Readonly<Record<string, readonly number[]>>

/** Choices of a person about a table: parameters of an import, in plain values. */
export interface TableChoices {
  readonly header?: boolean | undefined
  readonly headerRow?: number | undefined
  readonly columns?: ChosenColumns | undefined
  readonly layout?: Layout | undefined
  /** Rows that are left out. */
  readonly ignoreRows?: readonly number[] | undefined
}

/** Roles of the columns of a table: their names, in the order of a menu, and what choosing one does to the others. */
export interface ColumnRoles {
  list(present: readonly string[]): readonly string[]
  nameOf(role: string): string
  choose(present: readonly string[], at: number, role: string): readonly string[]
}

/** Levels that a menu offers at least: those of a schema. */
const offeredLevels = 4

/** Roles that a menu of a column offers. */
export function listRoles(roles: readonly Role[]): readonly Role[] {
  const deepest = Math.max(offeredLevels, ...roles.map((role) => levelOf(role) ?? 0))
  const levels = Array.from({ length: deepest }, (_, above) => `level${above + 1}` as const)
  return [...levels, 'path', 'title', 'id', 'parent', 'narrower', 'description', 'source', 'ignore']
}

/** Roles that the columns have: the chosen ones, or those that were recognized. */
export function presentRoles(table: Pick<ReadTable, 'columns'>, columns: ChosenColumns | undefined): readonly string[] {
  const recognized = table.columns.map(({ role }) => role)
  if (!columns) return recognized
  const chosen = Object.entries(columns)
  return recognized.map((_, at) => chosen.find(([, numbers]) => numbers.includes(at + 1))?.[0] ?? 'ignore')
}

/**
 * Gives a column another role. The other columns get roles that go with it: a role that only one may have is exchanged, and a
 * path, levels, and titles with parents exclude one another.
 */
export function chooseRole(roles: readonly Role[], at: number, role: Role): readonly Role[] {
  const former = roles[at]!
  const next = roles.map((one, position): Role => {
    if (position === at) return role
    if (one === role && role !== 'ignore' && role !== 'description') return former
    return excludes(role, one) ? 'ignore' : one
  })
  return closeLevels(role === 'parent' || role === 'narrower' ? withTitle(next, roles) : next)
}

/** Columns by their roles, from 1, to be sent. */
export function columnsOf(roles: readonly string[]): ChosenColumns {
  const columns: Record<string, number[]> = {}
  for (const [at, role] of roles.entries()) {
    columns[role] ??= []
    columns[role].push(at + 1)
  }
  return columns
}

function excludes(chosen: Role, other: Role): boolean {
  if (chosen === 'path') return ['title', 'parent', 'narrower'].includes(other) || levelOf(other) !== undefined
  if (levelOf(chosen) !== undefined) return ['path', 'parent', 'narrower'].includes(other)
  if (chosen === 'parent' || chosen === 'narrower') return other === 'path' || levelOf(other) !== undefined
  return chosen === 'title' && other === 'path'
}

/** A table of parents has titles: where none is named, the column of the first level has them. */
function withTitle(next: readonly Role[], before: readonly Role[]): readonly Role[] {
  if (next.includes('title')) return next
  const first = before.findIndex((role, at) => levelOf(role) !== undefined && next[at] === 'ignore')
  return next.map((role, at) => (at === first ? 'title' : role))
}

/** Numbers levels again where one is missing. */
function closeLevels(roles: readonly Role[]): readonly Role[] {
  const levels = [...new Set(roles.flatMap((role) => levelOf(role) ?? []))].sort((one, other) => one - other)
  return roles.map((role): Role => {
    const level = levelOf(role)
    return level === undefined ? role : `level${levels.indexOf(level) + 1}`
  })
}
