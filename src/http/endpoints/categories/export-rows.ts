import { mapParsed, type Parsed, unwrapParsed } from '../../../call/parsed.ts'
import { parseDocument } from '../../../categories/history/document-hash.ts'
import type { CategorySchema } from '../../../categories/schema.ts'
import { writeJson } from '../../../schema-files/json.ts'
import type { WrittenSchemaFile } from '../../../schema-files/schema-file.ts'
import { writtenSyntaxes } from '../../../schema-files/skos/syntaxes.ts'
import { writeSkos } from '../../../schema-files/skos/write-skos.ts'
import {
  workbookType,
  writeCsv,
  writeTextList,
  writeWorkbook,
  writtenLayouts,
} from '../../../schema-files/written-rows.ts'
import { exampleSchema } from '../../examples/examples.ts'
import { categorySchemaShape } from '../../shapes/categories/category-schema.ts'
import { delimiter } from '../delimiter.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalBoolean, optionalChoice, optionalInteger, type Values, withDefault } from '../parameter-types.ts'
import { optionalLanguage } from './language.ts'
import { exampleIdsOf, fillIn, type OwnerWords, ownerOf } from './owner-words.ts'

const endpoint = endpointsOf('categories')

const parameters = {
  format: withDefault(
    optionalChoice('Format of the file; default json.', ['json', 'csv', 'xlsx', 'text', 'skos']),
    'json',
  ),
  layout: withDefault(
    optionalChoice('CSV and Excel: a column of paths, or a column for each level; default path.', writtenLayouts),
    'path',
  ),
  ids: withDefault(
    optionalBoolean(
      'CSV and Excel: whether a last column has the path of each category, by which an import recognizes what has a new title; default false.',
    ),
    false,
  ),
  delimiter: withDefault(delimiter, ','),
  bom: withDefault(
    optionalBoolean('CSV: whether the file begins with a byte order mark, as Excel needs it; default true.'),
    true,
  ),
  syntax: withDefault(optionalChoice('SKOS: syntax of RDF; default turtle.', writtenSyntaxes), 'turtle'),
  language: optionalLanguage('SKOS: language of titles and descriptions; by default they have none.'),
  version: optionalInteger('Version to export; by default the present one.', { minimum: 1 }),
}

/** Label of the concept scheme: the file of a schema is the same whatever its owner is called. */
const schemeTitle = 'Category schema'

interface FileToWrite {
  readonly document: Uint8Array | undefined
  readonly isIndented: boolean
  /** URI of the category schema. */
  readonly uri: string
  readonly values: Values<typeof parameters>
}

function writeFile(file: FileToWrite): WrittenSchemaFile {
  return unwrapParsed(write(parseDocument(file.document), file))
}

function write(schema: CategorySchema, { document, isIndented, uri, values }: FileToWrite): Parsed<WrittenSchemaFile> {
  const { layout, ids, delimiter, bom, syntax, language } = values
  switch (values.format) {
    case 'csv':
      return writeCsv(schema, { layout, ids, delimiter, bom })
    case 'xlsx':
      return writeWorkbook(schema, { layout, ids })
    case 'text':
      return writeTextList(schema)
    case 'skos':
      return {
        value: writeSkos(schema, { syntax, uri, title: schemeTitle, ...(language !== undefined && { language }) }),
      }
    default:
      return { value: writeJson(document ? Buffer.from(document).toString() : JSON.stringify(schema), isIndented) }
  }
}

/** The schema of an owner as a file. */
export function exportRows(words: OwnerWords): readonly Endpoint[] {
  const { name, paths } = words
  return [
    endpoint({
      id: `export${name}CategorySchema`,
      title: `Export category schema (${words.owner})`,
      task: 'export categories',
      goals: ['Copy categories to another group or server'],
      path: `${paths.schema}/export`,
      parameters,
      token: 'optional',
      who: `${words.mayRead}; earlier versions: ${words.maySeeVersions}`,
      summary: `The ${words.owner}'s category schema as a file.`,
      source: 'chosen',
      chosen: [
        'JSON is the stored text; with f=pjson it has indented lines.',
        'CSV has a row for each category, parents first, in the order of the schema. A cell that a spreadsheet would evaluate gets an apostrophe before it, which import removes.',
        'A workbook of Excel has the rows of CSV as texts, on a sheet called Categories. The same schema always has the same bytes.',
        'format=text has the titles alone, two blanks further to the right for each level. With ids, a category without a path has no id.',
        'What CSV and Excel cannot keep is refused: lone surrogates, and with layout=levels categories without a title. An empty source is none. In a list of titles, none is missing or begins with a blank.',
        'SKOS is one concept scheme with each root as a top concept. A source that is a URI is that of its concept; any other concept has one that ends with its path. Lone surrogates become U+FFFD.',
        'Where no schema is set, the file has no categories.',
      ],
      answers: {
        file: categorySchemaShape,
        otherTypes: ['text/csv', workbookType, 'text/plain', 'text/turtle', 'application/ld+json'],
      },
      example: { ids: exampleIdsOf(words), answer: JSON.parse(exampleSchema) },
      async answer({ ids, input, format, publicUrl, run }) {
        const version = mapParsed(input, (values) => values.version)
        const { owner, document } = await run({ owner: ownerOf(words, ids), version })
        // Contains the id of the organization, never `self`, which depends on the caller.
        const uri = `${publicUrl}/sharing/rest${fillIn(paths.schema, { ...owner })}`
        const values = unwrapParsed(input)
        const { content, extension, contentType } = writeFile({ document, isIndented: format === 'pjson', uri, values })
        return { file: content, fileName: `categorySchema.${extension}`, contentType }
      },
    }),
  ]
}
