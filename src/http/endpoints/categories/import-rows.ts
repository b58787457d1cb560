import { unwrapParsed } from '../../../call/parsed.ts'
import { hashOfDocument, parseDocument } from '../../../categories/history/document-hash.ts'
import { requireAssignable } from '../../../categories/owners.ts'
import { measureSchema } from '../../../categories/schema.ts'
import { culturesOf } from '../../../directory/portal-operations.ts'
import { operationRefused, refusedWith, schemaRefusalCode } from '../../../errors.ts'
import { exportCategorySchema } from '../../../schema-files/export-operations.ts'
import { importFile } from '../../../schema-files/import.ts'
import type { SchemaFileReader } from '../../../schema-files/schema-file-reader.ts'
import { exampleImport } from '../../examples/imports.ts'
import { refusedFileToWire } from '../../shapes/categories/file-reading.ts'
import { importAnswerShape, importedToWire } from '../../shapes/categories/imported-schema.ts'
import { planAnswer, toVersionResult } from '../../shapes/categories/schema-plan.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { onlyGiven, optionalChoice, withDefault } from '../parameter-types.ts'
import { assignParameters, dryRun } from './change-parameters.ts'
import { fileParameters, readGivenFile } from './import-parameters.ts'
import { exampleIdsOf, type OwnerWords, ownerOf } from './owner-words.ts'

const endpoint = endpointsOf('categories')

/** `replace` takes the file for the whole schema; `merge` adds it to what is there. */
const modes = ['replace', 'merge'] as const

const conditionNeeded =
  'ifVersion: give the version that the import replaces, as the dry run answers it; or ifHash, or the header If-Match.'

/** A file as the schema of an owner. */
export function importRows(words: OwnerWords): readonly Endpoint[] {
  const { name, owner, paths, limits } = words
  const { categorySchema: _, ...options } = assignParameters(words)
  return [
    endpoint({
      id: `import${name}CategorySchema`,
      title: `Import category schema (${owner})`,
      task: 'import categories',
      refusalCode: schemaRefusalCode,
      goals: ['Set up categories', 'Copy categories to another group or server'],
      comparesIfMatch: true,
      path: `${paths.schema}/import`,
      parameters: {
        ...fileParameters,
        mode: withDefault(
          optionalChoice(
            'replace (default): the file is the whole schema. merge: new categories are added, equal paths are one, nothing is removed.',
            modes,
          ),
          'replace',
        ),
        dryRun: withDefault(
          {
            ...dryRun,
            meaning:
              'Default true: nothing is changed. false makes the version, and needs ifVersion, ifHash or If-Match.',
          },
          true,
        ),
        ...options,
      },
      who: words.mayAssign,
      summary: `Makes a file the ${owner}'s category schema, or says what that would do.`,
      source: 'chosen',
      extension: 'import',
      chosen: [
        'JSON: the object of the API, a bare array, or one in data or in a plan file. CSV: paths, levels, parents or an indented list; docs/importing.md has the forms. SKOS: RDF/XML, Turtle, N-Triples, JSON-LD.',
        'What is changed or left out has a note, with the row or the URI, or of the whole file. What cannot be kept is refused, with the row or the URI.',
        'After reading, the rules of schemas and the verdict of an assign decide. The version has the action import.',
        'A file or a text, and what is sent beside it, has at most 1 MiB.',
      ],
      answers: { json: importAnswerShape },
      example: { ids: exampleIdsOf(words), ...exampleImport },
      async answer({ ids, input, ifMatch, requestParameters, languages, dependencies, elsewhere, read, run, search }) {
        // Reading a file is done only for callers who may import it.
        const owner = ownerOf(words, ids)
        const { caller } = await read(requireAssignable, { owner })
        const { mode, dryRun, ifVersion, ifHash, moves, comment, vanishing, ...values } = unwrapParsed(input)
        const namesTag = ifMatch !== undefined && ifMatch !== 'any'
        const isConditional = ifVersion !== undefined || ifHash !== undefined || namesTag
        if (!dryRun && !isConditional) throw operationRefused(conditionNeeded)
        const reader: Pick<SchemaFileReader, 'read'> = {
          read: (given, by) => elsewhere(() => dependencies.schemaFileReader.read(given, by)),
        }
        const preferred = [...languages(), ...(await read(culturesOf, undefined))]
        const present = await read(exportCategorySchema, { owner, version: { value: undefined } })
        const before = parseDocument(present?.document)
        const room = mode === 'merge' ? limits.categories - measureSchema(before).categories : limits.categories
        const reading = { reader, limits, sender: caller, languages: preferred, room }
        const file = await readGivenFile(values, requestParameters.findFile('file'), reading)
        const imported = importFile(file, { before, mode, moves, limits, ...values })
        if ('problems' in imported) {
          throw refusedWith({ members: refusedFileToWire(imported, values.withReading === true) }, imported.problems)
        }
        const { schema, verdict, moves: followed } = imported.value
        // A merge is committed only if the schema is still the one that was read.
        const expected = mode === 'merge' && !dryRun ? (ifHash ?? hashOfDocument(present?.document)) : ifHash
        const declared = moves ?? (followed.length > 0 ? followed : undefined)
        const given = onlyGiven({ ifVersion, ifHash: expected, moves: declared, comment, vanishing })
        const asked = { owner, schema: { value: verdict }, options: given, ifMatch }
        const outcome = dryRun
          ? planAnswer(await search(`plan${name}CategorySchema`, asked))
          : toVersionResult(await run(asked))
        return {
          json: { ...outcome.json, imported: importedToWire(imported.value, values.withReading === true), ...schema },
        }
      },
    }),
  ]
}
