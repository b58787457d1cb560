import { layouts } from '../../../schema-files/csv/columns.ts'
import type { Branch, FileReading, RefusedFile } from '../../../schema-files/schema-file.ts'
import { choice, component, integer, list, object, text, type ValueOf } from '../shape.ts'

const rowNumber = integer('Row of the file, as a spreadsheet counts.', 1)

const tableShape = object(
  {
    layout: choice(layouts),
    columns: list(
      object({
        heading: text('Empty where the table has none.'),
        role: text('path, level1 and so on, title, id, parent, description, source or ignore.'),
      }),
      'From the first column to the last.',
    ),
    rows: list(
      object({ row: rowNumber, cells: list(text()) }),
      'The first rows, the last three, and some that are wrong; cells are cut.',
    ),
    total: integer('Rows that have something in them.', 0),
    marks: list(
      object({ row: rowNumber, message: text() }, { column: integer('From 1.', 1) }),
      'Rows that are wrong, or cells of them.',
    ),
  },
  {
    headingRow: integer('Row of the heading, if there is one.', 1),
    sheet: text('Sheet of the workbook that was read.'),
    sheets: list(text(), 'All sheets of the workbook.'),
  },
)

const languageCounts = list(
  object({ language: text('Empty for labels without a language.'), labels: integer('Concepts with such a label.', 0) }),
  'Languages of the labels, the one of most labels first.',
)

export const readingShape = component(
  'FileReading',
  'How a file was read, with withReading=true.',
  object({}, { table: tableShape, languages: languageCounts }),
)

const branchShape = object({
  id: text('URI of a concept, or path of a category; for the parameter root.'),
  label: text(),
  levels: integer('Levels of the branch.', 1),
  categories: integer('Categories of the branch.', 1),
})

/** Members of the refusal of a file. */
export const refusedFileMembers = {
  branches: list(branchShape, 'Only for a file that is too deep or too large: its branches that would fit, by label.'),
  reading: readingShape,
}

export function readingToWire({ table, languages }: FileReading): ValueOf<typeof readingShape> {
  return {
    ...(languages && { languages }),
    ...(table && {
      table: {
        layout: table.layout,
        columns: table.columns,
        rows: table.rows,
        total: table.total,
        marks: table.marks.map(({ column, ...mark }) => ({
          ...mark,
          ...(column !== undefined && { column: column + 1 }),
        })),
        ...(table.headingRow !== undefined && { headingRow: table.headingRow }),
        ...(table.sheet !== undefined && { sheet: table.sheet }),
        ...(table.sheets && { sheets: table.sheets }),
      },
    }),
  }
}

/** Further members of the refusal of a file. */
export function refusedFileToWire(
  refused: Omit<RefusedFile, 'problems'>,
  withReading: boolean,
): { readonly branches?: readonly Branch[]; readonly reading?: ValueOf<typeof readingShape> } {
  const { branches } = refused
  return {
    ...(branches && branches.length > 0 && { branches }),
    ...(withReading && { reading: readingToWire(refused) }),
  }
}
