import { byteOrderMark, formatCsvRow, guardFormula } from '../csv-text.ts'
import type { Delimiter } from '../schema-files/csv/table.ts'

/** An item as a sheet has it. */
export interface ItemRow {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly owner: string
  /** Epoch milliseconds. */
  readonly modified: number
  readonly categories: readonly string[]
}

export const sheetFormats = ['json', 'csv', 'xlsx', 'ndjson'] as const
export const sheetLayouts = ['long', 'wide'] as const

export interface SheetOptions {
  readonly format: (typeof sheetFormats)[number]
  /** `wide`: a column for each category of the item that has most. */
  readonly layout: (typeof sheetLayouts)[number]
  readonly delimiter: Delimiter
  /** Version of the category schema. */
  readonly version: number
}

/** A text of all rows, which a spreadsheet opens without losing letters. */
export function writeSheet(rows: readonly ItemRow[], options: SheetOptions): string {
  const { format, delimiter, version } = options
  if (format === 'json') return JSON.stringify({ version, items: rows })
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify({ ...row, version })}\n`).join('')
  const lines = listCells(rows, options).map((cells) => formatCsvRow(cells.map(guardFormula), delimiter))
  return byteOrderMark + lines.join('')
}

/** A heading, and the cells of each item. */
export function listCells(
  rows: readonly ItemRow[],
  { layout, version }: Pick<SheetOptions, 'layout' | 'version'>,
): readonly (readonly string[])[] {
  const most = Math.max(1, ...rows.map(({ categories }) => categories.length))
  const isWide = layout === 'wide'
  const names = isWide ? Array.from({ length: most }, (_, at) => `category ${at + 1}`) : ['categories']
  const heading = ['id', 'title', 'type', 'owner', 'modified', 'version', ...names]
  const lines = rows.map(({ id, title, type, owner, modified, categories }) => {
    const paths = isWide ? names.map((_, at) => categories[at] ?? '') : [categories.join(' | ')]
    return [id, title, type, owner, new Date(modified).toISOString(), String(version), ...paths]
  })
  return [heading, ...lines]
}
