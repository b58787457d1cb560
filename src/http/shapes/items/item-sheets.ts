import type { SheetPlan } from '../../../item-sheets/plan.ts'
import {
  boolean,
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
    object({
      row,
      itemId: text('As it was given.'),
      problem: text('Why the row is not applied.'),
      stale: boolean('Whether its item was changed after the export.'),
    }),
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
  planId,
}: SheetPlan): ValueOf<typeof planShape> {
  return {
    dryRun: true,
    summary,
    changes: changes.map(({ row: at, itemId, title, from, to }) => ({ row: at, itemId, title, from, to })),
    refused: refused.map(({ row: at, itemId, problem, isStale }) => ({ row: at, itemId, problem, stale: isStale })),
    unknownPaths: unknownPaths.map(({ path, rows, meant }) => ({ path, rows, meant: meant ?? null })),
    id: planId,
  }
}
