import type { SheetPlan } from '../../../item-sheets/plan.ts'
import { causeMember, causeToWire } from '../cause.ts'
import {
  boolean,
  choice,
  constant,
  either,
  id,
  integer,
  list,
  matching,
  nullable,
  object,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

const paths = list(text('Path of a category.'))
const row = integer('Row of the file, from 1.', 1)

export const sheetShape = object({
  version: integer('Version of the category schema; 0 where none was set.', 0),
  items: list(
    object({
      id: id(),
      title: text(),
      type: text(),
      owner: text('Username.'),
      modified: time('When it was changed last.'),
      categories: paths,
    }),
    'In the order of creation.',
  ),
})

export const tableShape = object({
  format: choice(['csv', 'xlsx']),
  sheet: nullable(text('Name of the sheet that was read.')),
  sheets: list(text(), 'Names of all sheets of a workbook.'),
  rows: list(object({ row, cells: list(text(), 'Without the empty ones at the end.') })),
  notes: list(text(), 'What was left out or changed while reading.'),
})

const planShape = object({
  dryRun: constant(true),
  summary: object({
    rows: integer('Rows below the heading.', 0),
    changed: integer('Items that get other categories.', 0),
    unchanged: integer('Items that stay as they are.', 0),
    stale: integer('Rows whose item was changed after the export.', 0),
    refused: integer('Other rows that are not applied.', 0),
    unknownPaths: integer('Different paths that are none of the schema’s.', 0),
  }),
  changes: list(object({ row, itemId: id(), title: text(), from: paths, to: paths }), 'The first 1,000.'),
  refused: list(
    object(
      {
        row,
        itemId: text('As it was given.'),
        problem: text('Why the row is not applied.'),
        stale: boolean('Whether its item was changed after the export.'),
      },
      causeMember,
    ),
    'Rows that are not applied, stale ones too: the first 1,000.',
  ),
  unknownPaths: list(
    object({
      path: text(),
      rows: integer('Rows that have it.', 1),
      meant: nullable(text('The only path of a category with the same title.')),
    }),
    'The first 1,000.',
  ),
  notes: list(text(), 'What was left out or changed while reading, of the whole file.'),
  id: matching('^[0-9a-f]{64}$', 'Digest of the changes: as plan, it has the same changes applied, or none.'),
})

const begunShape = object({
  dryRun: constant(false),
  id: id('The run, and its job: its state is at /portals/<portal>/jobs/<id>.'),
  total: integer('Rows to be applied.', 0),
})

export const sheetAnswerShape = either(
  [planShape, begunShape],
  'What an import would do, or the run that it has begun.',
)

export function sheetPlanToWire({
  summary,
  changes,
  refused,
  unknownPaths,
  notes,
  planId,
}: SheetPlan): ValueOf<typeof planShape> {
  return {
    dryRun: true,
    summary,
    changes: changes.map(({ row: at, itemId, title, from, to }) => ({ row: at, itemId, title, from, to })),
    refused: refused.map(({ row: at, itemId, problem, isStale }) => ({
      row: at,
      itemId,
      problem,
      ...causeToWire(problem),
      stale: isStale,
    })),
    unknownPaths: unknownPaths.map(({ path, rows, meant }) => ({ path, rows, meant: meant ?? null })),
    notes,
    id: planId,
  }
}
