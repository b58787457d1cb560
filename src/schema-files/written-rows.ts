import { mapParsed, type Parsed } from '../call/parsed.ts'
import type { Category, CategorySchema } from '../categories/schema.ts'
import { listCategories } from '../categories/schema-paths.ts'
import { byteOrderMark, formatCsvRow, guardFormula } from '../csv-text.ts'
import type { Delimiter } from './csv/table.ts'
import { listProblems, type WrittenSchemaFile } from './schema-file.ts'
import { partsOf, zipParts } from './xlsx/parts.ts'

export const writtenLayouts = ['path', 'levels'] as const

export interface RowOptions {
  readonly layout: (typeof writtenLayouts)[number]
  /** Whether a last column has the path of each category, by which a later import knows it if it has another title. */
  readonly ids?: boolean
}

/** A category with its titles from the root down, '' for none. */
interface Line {
  readonly titles: readonly string[]
  readonly category: Category
}

/** A heading, and a row for each category, parents first, in the order of the schema (contract §6.2). */
export function listRows(
  schema: CategorySchema,
  { layout, ids = false }: RowOptions,
): Parsed<readonly (readonly string[])[]> {
  const lines = listLines(schema.categorySchema, [])
  const problems = lines.flatMap((line) => findProblems(line, layout))
  if (problems.length > 0) return { problems: listProblems(problems) }
  const depth = Math.max(1, ...lines.map(({ titles }) => titles.length))
  const numbers = Array.from({ length: depth }, (_, above) => above + 1)
  const header = layout === 'path' ? ['path'] : numbers.map((number) => `level${number}`)
  const paths = ids ? listCategories(schema).map(({ path = '' }) => path) : []
  const rows = lines.map(({ titles, category: { description = '', source = '' } }, at) => [
    ...(layout === 'path' ? [pathOf(titles)] : numbers.map((number) => titles[number - 1] ?? '')),
    description,
    source,
    ...(ids ? [paths[at]!] : []),
  ])
  return { value: [[...header, 'description', 'source', ...(ids ? ['id'] : [])], ...rows] }
}

function listLines(categories: readonly Category[], above: readonly string[]): readonly Line[] {
  return categories.flatMap((category) => {
    const titles = [...above, category.title ?? '']
    return [{ titles, category }, ...listLines(category.categories ?? [], titles)]
  })
}

/** Begins with a slash, so that no path is a formula. */
export function pathOf(titles: readonly string[]): string {
  return `/${titles.join('/')}`
}

/** Why the category would not be read back as it is. */
function findProblems({ titles, category }: Line, layout: RowOptions['layout']): readonly string[] {
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

const indent = '  '

/** Writes the titles of a schema as a list in which a category is indented below its parent. */
export function writeTextList({ categorySchema }: CategorySchema): Parsed<WrittenSchemaFile<string>> {
  const lines = listLines(categorySchema, [])
  const problems = lines.flatMap(({ titles, category: { title } }) => {
    const path = pathOf(titles)
    if (title === undefined) return [`${path} has no title; format=csv or format=json keeps it.`]
    return /^\s/.test(title) ? [`The title of ${path} begins with a blank; format=csv or format=json keeps it.`] : []
  })
  if (problems.length > 0) return { problems: listProblems(problems) }
  const content = lines.map(({ titles }) => `${indent.repeat(titles.length - 1)}${titles.at(-1)}\n`).join('')
  return { value: { content, extension: 'txt', contentType: 'text/plain; charset=utf-8' } }
}

export interface CsvWriteOptions extends RowOptions {
  readonly delimiter: Delimiter
  /** Whether the file begins with a byte order mark, without which Excel does not take it for UTF-8. */
  readonly bom: boolean
}

/** Writes the rows of a schema as CSV (contract §6.2). */
export function writeCsv(
  schema: CategorySchema,
  { delimiter, bom, ...options }: CsvWriteOptions,
): Parsed<WrittenSchemaFile<string>> {
  return mapParsed(listRows(schema, options), (rows) => {
    const text = rows.map((cells) => formatCsvRow(cells.map(guardFormula), delimiter)).join('')
    return { content: bom ? byteOrderMark + text : text, extension: 'csv', contentType: 'text/csv; charset=utf-8' }
  })
}

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Writes the rows of a schema as an Excel workbook (contract §6.2). */
export function writeWorkbook(schema: CategorySchema, options: RowOptions): Parsed<WrittenSchemaFile<Uint8Array>> {
  return mapParsed(listRows(schema, options), (rows) => ({
    content: zipParts(partsOf(rows)),
    extension: 'xlsx',
    contentType: workbookType,
  }))
}
