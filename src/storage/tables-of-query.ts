import { InsertQueryNode, type OperationNode, type RootOperationNode, SelectQueryNode, TableNode } from 'kysely'

/**
 * The tables that decide what a SELECT answers, those of its joins and subqueries too; undefined for anything else, and
 * for one with a piece of plain SQL in it, in which nobody looks for tables.
 */
export function tablesRead(query: RootOperationNode): readonly string[] | undefined {
  if (!SelectQueryNode.is(query)) return undefined
  const tables = new Set<string>()
  return collectTables(query, tables) ? [...tables] : undefined
}

/** What a statement may change: nothing, the rows of one table, or anything, as rows fall with those they belong to. */
export function tablesWritten(query: RootOperationNode): { readonly table: string } | 'none' | 'any' {
  if (SelectQueryNode.is(query)) return 'none'
  if (!InsertQueryNode.is(query) || !query.into || query.replace || query.orAction) return 'any'
  return { table: nameOf(query.into) }
}

function collectTables(node: OperationNode, tables: Set<string>): boolean {
  if (node.kind === 'RawNode') return false
  if (TableNode.is(node)) tables.add(nameOf(node))
  return Object.values(node)
    .flat()
    .filter(isNode)
    .every((part) => collectTables(part, tables))
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function nameOf({ table }: TableNode): string {
  return table.identifier.name
}
