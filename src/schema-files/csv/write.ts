import type { Parsed } from '../../call/parsed.ts'
import type { Category, CategorySchema } from '../../categories/schema.ts'
import { byteOrderMark, formatCsvRow, guardFormula } from '../../csv-text.ts'
import { listProblems, type WrittenSchemaFile } from '../schema-file.ts'
import type { Delimiter } from './table.ts'

export const writtenLayouts = ['path', 'levels'] as const

export interface CsvWriteOptions {
  readonly layout: (typeof writtenLayouts)[number]
  readonly delimiter: Delimiter
  /** Whether the file begins with a byte order mark, without which Excel does not take it for UTF-8. */
  readonly bom: boolean
}

/** A category with its titles from the root down, '' for none. */
interface Line {
  readonly titles: readonly string[]
  readonly category: Category
}

/** Writes a row for each category, parents first, in the order of the schema (contract §6.2). */
export function writeCsv(
  { categorySchema }: CategorySchema,
  { layout, delimiter, bom }: CsvWriteOptions,
): Parsed<WrittenSchemaFile> {
  const lines = listLines(categorySchema, [])
  const problems = lines.flatMap((line) => findProblems(line, layout))
  if (problems.length > 0) return { problems: listProblems(problems) }
  const depth = Math.max(1, ...lines.map(({ titles }) => titles.length))
  const numbers = Array.from({ length: depth }, (_, above) => above + 1)
  const header = layout === 'path' ? ['path'] : numbers.map((number) => `level${number}`)
  const rows = lines.map(({ titles, category: { description = '', source = '' } }) => [
    ...(layout === 'path' ? [pathOf(titles)] : numbers.map((number) => guardFormula(titles[number - 1] ?? ''))),
    guardFormula(description),
    guardFormula(source),
  ])
  const text = [[...header, 'description', 'source'], ...rows].map((cells) => formatCsvRow(cells, delimiter)).join('')
  return {
    value: { text: bom ? byteOrderMark + text : text, extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  }
}

function listLines(categories: readonly Category[], above: readonly string[]): readonly Line[] {
  return categories.flatMap((category) => {
    const titles = [...above, category.title ?? '']
    return [{ titles, category }, ...listLines(category.categories ?? [], titles)]
  })
}

/** Begins with a slash, so that no path is a formula. */
function pathOf(titles: readonly string[]): string {
  return `/${titles.join('/')}`
}

/** Why the category would not be read back as it is. */
function findProblems({ titles, category }: Line, layout: CsvWriteOptions['layout']): readonly string[] {
  const { title, description = '', source = '' } = category
  const path = pathOf(titles).toWellFormed()
  const problems: string[] = []
  if (!description.isWellFormed())
    problems.push(`The description of ${path} has a lone surrogate; format=json keeps it.`)
  if (!source.isWellFormed()) problems.push(`The source of ${path} has a lone surrogate; format=json keeps it.`)
  if (title === undefined && layout === 'levels')
    problems.push(`${path} has no title; layout=path or format=json keeps it.`)
  else if (title === undefined && source === '')
    problems.push(`${path} has neither a title nor a source; format=json keeps it.`)
  return problems
}
