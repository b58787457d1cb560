import { mapParsed, type Parsed, unwrapParsed } from '../../../call/parsed.ts'
import { operationRefused } from '../../../errors.ts'
import { itemsOfSearch, readTable, requireSheetImporter } from '../../../item-sheets/operations.ts'
import { type PlannedRows, rowsOfSearch, type SheetRules, sumUpPlan } from '../../../item-sheets/plan.ts'
import { maxSheetBytes, maxSheetRows, readSheet, sheetRoles } from '../../../item-sheets/read-sheet.ts'
import { type ItemRow, listCells, sheetFormats, sheetLayouts, writeSheet } from '../../../item-sheets/write-sheet.ts'
import { assignModes, unknownChoices } from '../../../items/changes/categorize.ts'
import type { Page } from '../../../paging.ts'
import { workbookType } from '../../../schema-files/written-rows.ts'
import { exampleTime } from '../../examples/examples.ts'
import { itemId } from '../../examples/items.ts'
import { sheetAnswerShape, sheetPlanToWire, sheetShape, tableShape } from '../../shapes/items/item-sheets.ts'
import { delimiter } from '../delimiter.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { startOf } from '../page-parameters.ts'
import {
  guard,
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalText,
  type Values,
  withDefault,
} from '../parameter-types.ts'
import { columnsOf, readGivenTable, tableParameters } from '../table-parameters.ts'
import { groupOfCategories } from './bulk-rows.ts'
import { conditionOf, conditionParameters } from './search-parameters.ts'

const endpoint = endpointsOf('items')

const roles = {
  names: sheetRoles.join(', '),
  isRole: (role: string): role is (typeof sheetRoles)[number] => sheetRoles.some((one) => one === role),
  example: '{"id":"Item","categories":["Theme 1","Theme 2"]}',
}

const { header, headerRow, ignoreRows, ...tableFile } = tableParameters(`4 MiB and ${maxSheetRows} rows`)

const importParameters = {
  ...tableFile,
  ...{ header, headerRow, ignoreRows },
  columns: columnsOf(roles),
  mode: withDefault(
    optionalChoice('Whether the paths of a row are set (default), added or removed.', assignModes),
    'set',
  ),
  onUnknown: withDefault(
    optionalChoice(
      'refuse (default): a row with a path that is none of the schema’s is not applied. skip: the path is left out.',
      unknownChoices,
    ),
    'refuse',
  ),
  ifUnchanged: withDefault(
    optionalBoolean('true (default): a row is not applied if its item was changed after its time in modified.'),
    true,
  ),
  group: groupOfCategories,
  dryRun: withDefault(optionalBoolean('Default true: nothing is changed. false begins the run.'), true),
  plan: guard(
    optionalText('With dryRun=false: id of the dry run; refused if the changes would be others.', { maxLength: 64 }),
    'to begin the run whatever would change',
  ),
}

const typesOfFormats = { csv: 'text/csv', xlsx: workbookType, ndjson: 'application/x-ndjson' } as const

/** Categories of items as a table, out and in; and tables of any meaning. */
export const sheetRows: readonly Endpoint[] = [
  endpoint({
    id: 'readTable',
    title: 'Read a table',
    task: 'read a table',
    goals: ['Sort content into categories'],
    path: '/content/readTable',
    parameters: tableFile,
    maxBodyBytes: maxSheetBytes,
    who: 'Any signed-in user',
    summary: 'Cells of a file or text, as every import reads them: CSV, cells that are pasted, or an Excel workbook.',
    source: 'chosen',
    extension: 'itemSheets',
    chosen: ['Rows count from 1, as a spreadsheet counts; empty ones are left out. Nothing is kept.'],
    answers: { json: tableShape },
    example: {
      parameters: { text: 'name,mail\nanna,anna@example.org' },
      answer: {
        format: 'csv',
        sheet: null,
        sheets: [],
        rows: [
          { row: 1, cells: ['name', 'mail'] },
          { row: 2, cells: ['anna', 'anna@example.org'] },
        ],
        notes: [],
      },
    },
    async answer({ input, requestParameters, dependencies, elsewhere, run }) {
      const sender = await run()
      const { schemaFileReader } = dependencies
      const bytes = requestParameters.findFile('file')
      const table = unwrapParsed(
        await readGivenTable(unwrapParsed(input), bytes, { reader: schemaFileReader, elsewhere, sender }),
      )
      const { format, sheet = null, sheets = [], rows, notes = [] } = table
      return { json: { format, sheet, sheets, rows, notes } }
    },
  }),
  endpoint({
    id: 'exportItemCategories',
    title: 'Export categories of items',
    task: 'export categories of items',
    goals: ['Sort content into categories'],
    path: '/content/categories/export',
    parameters: {
      ...conditionParameters,
      group: groupOfCategories,
      format: withDefault(optionalChoice('Format of the file; default json.', sheetFormats), 'json'),
      layout: withDefault(
        optionalChoice(
          'Tables: all paths of an item in one column (long, default), or one column for each (wide).',
          sheetLayouts,
        ),
        'long',
      ),
      delimiter: withDefault(delimiter, ','),
      start: startOf(1),
      num: withDefault(
        optionalInteger(`Most rows; default ${maxSheetRows}, and no more.`, { minimum: 1, cap: maxSheetRows }),
        maxSheetRows,
      ),
    },
    who: 'Any signed-in user; only items that the caller can see are in it',
    summary: 'Items with their categories, to be edited in a spreadsheet and imported again.',
    source: 'chosen',
    extension: 'itemSheets',
    chosen: [
      'JSON has items, and version of the category schema. Columns of csv and xlsx are id, title, type, owner, modified, version and categories: paths with a bar between them.',
      'Rows are in the order of creation. Where there are more, the header X-Next-Start is the start of the next file.',
      'A cell of csv that a spreadsheet would take for a formula begins with an apostrophe.',
    ],
    answers: { file: sheetShape, otherTypes: Object.values(typesOfFormats) },
    example: {
      parameters: { q: 'lakes' },
      answer: {
        version: 1,
        items: [
          {
            ...{ id: itemId, title: 'Alpine lakes', type: 'Web Map', owner: 'admin', modified: exampleTime },
            categories: ['/Region/Europe/Alps'],
          },
        ],
      },
    },
    async answer({ input, dependencies, elsewhere, read, run }) {
      const groupId = 'value' in input ? input.value.group || undefined : undefined
      const query = conditionOf(input, groupId === undefined ? 'portal' : { groupId })
      const rows: ItemRow[] = []
      const pageOf = ({ start, num }: Page) => ({
        start: start + rows.length,
        num: Math.min(num - rows.length, itemsOfSearch),
      })
      let found = await run({ query, groupId, page: mapParsed(input, pageOf) })
      rows.push(...found.entries)
      const { format, layout, delimiter: sign, start, num } = unwrapParsed(input)
      while (found.entries.length > 0 && rows.length < num && start + rows.length <= found.total) {
        found = await run({ query, groupId, page: { value: pageOf({ start, num }) } })
        rows.push(...found.entries)
      }
      const options = { format, layout, delimiter: sign, version: found.version }
      const written = async () => {
        const sender = await read(readTable, undefined)
        const cells = listCells(rows, options)
        return elsewhere(() => dependencies.schemaFileReader.writeWorkbook({ format: 'rows', rows: cells }, sender))
      }
      const content = format === 'xlsx' ? unwrapParsed(await written()) : writeSheet(rows, options)
      const next = start + rows.length
      const hasMore = rows.length > 0 && next <= found.total
      return {
        file: content,
        fileName: `item-categories.${format}`,
        ...(format === 'xlsx' && { contentType: typesOfFormats[format] }),
        ...((format === 'csv' || format === 'ndjson') && { contentType: `${typesOfFormats[format]}; charset=utf-8` }),
        headers: hasMore ? { 'x-next-start': String(next) } : {},
      }
    },
  }),
  endpoint({
    id: 'importItemCategories',
    title: 'Import categories of items',
    task: 'import categories of items',
    goals: ['Sort content into categories'],
    path: '/content/categories/import',
    parameters: importParameters,
    maxBodyBytes: maxSheetBytes,
    refusesMisspelt: true,
    judgesEach: true,
    who: 'Any signed-in user; each item: users who may update it, and custom roles with portal:admin:categorizeItems. A group’s categories: its owner and managers',
    summary: 'Gives items the categories of a table, or says what that would do.',
    source: 'chosen',
    chosen: [
      'A row names the columns: id, itemId, item_id or Item ID; categories, category, Content Category or path, or several, as category 1; or columns does. Rows of one id are one.',
      'modified says whether the item was changed since, at the precision of the cell; without a time zone, as exported or as the server has it. Other columns are ignored.',
      'A path is one of the category schema, if need be in another case. Each row is refused for itself; the others are applied, in a run that can be undone.',
      'An item that the caller does not see is as one that does not exist.',
      'One run of a user at a time.',
    ],
    answers: { json: sheetAnswerShape },
    example: {
      parameters: { text: `id,categories\n${itemId},/Region/World` },
      answer: {
        dryRun: true,
        summary: { rows: 1, changed: 1, unchanged: 0, stale: 0, refused: 0, unknownPaths: 0 },
        changes: [{ row: 2, itemId, title: 'Lakes', from: [], to: ['/Region/World'] }],
        refused: [],
        unknownPaths: [],
        notes: [],
        id: '0'.repeat(64),
      },
      varies: true,
    },
    async answer({ input, requestParameters, dependencies, elsewhere, read, search, run }) {
      const bytes = requestParameters.findFile('file')
      const rules = rulesOf(input)
      const sender = await read(requireSheetImporter, { groupId: rules.groupId })
      const values = unwrapParsed(input)
      const reading = { reader: dependencies.schemaFileReader, elsewhere, sender }
      const table = unwrapParsed(await readGivenTable(values, bytes, reading))
      const sheet = unwrapParsed(readSheet(table, { ...values, ignoredRows: values.ignoreRows }))
      const parts: PlannedRows[] = []
      for (let from = 0; from < sheet.rows.length; from += rowsOfSearch) {
        const rows = sheet.rows.slice(from, from + rowsOfSearch)
        parts.push(await search('planItemCategories', { rows, rules }))
      }
      const plan = sumUpPlan(rules, sheet, parts)
      const { dryRun, plan: planned } = values
      if (dryRun) return { json: sheetPlanToWire(plan) }
      if (planned !== undefined && planned !== plan.planId) throw operationRefused(otherPlan)
      const { jobId: id, total } = await run({ jobId: dependencies.random.id(), rows: sheet.rows, rules })
      return { json: { dryRun: false as const, id, total } }
    },
  }),
]

const otherPlan =
  'plan: the file, the items or the schema are others than in that dry run: have the changes shown again.'

type ImportInput = Parsed<Values<typeof importParameters>>

function rulesOf(input: ImportInput): SheetRules {
  if ('problems' in input) return { mode: 'set', onUnknown: 'refuse', ifUnchanged: true, groupId: undefined }
  const { mode, onUnknown, ifUnchanged, group } = input.value
  return { mode, onUnknown, ifUnchanged, groupId: group || undefined }
}
