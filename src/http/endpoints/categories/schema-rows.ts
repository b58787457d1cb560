import { mapParsed } from '../../../call/parsed.ts'
import { revisionOf } from '../../../categories/history/conditions.ts'
import type { MergeChangeInput } from '../../../categories/merge/operations.ts'
import type { ReadSchema } from '../../../categories/operations.ts'
import { requireAssignable } from '../../../categories/owners.ts'
import { schemaRefusalCode } from '../../../errors.ts'
import type { DocumentAnswer } from '../../answer.ts'
import { exampleSchema } from '../../examples/examples.ts'
import { changedSchemaShape, planAnswer, toVersionResult } from '../../shapes/categories/schema-plan.ts'
import { presentSchemaShape, withLatestVersion } from '../../shapes/categories/schema-version.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { onlyGiven, optionalBoolean } from '../parameter-types.ts'
import {
  assignParameters,
  comment,
  conditions,
  droppedIn,
  dryRun,
  isDryRun,
  judge,
  misspeltIn,
  optionsOf,
  warningsOf,
} from './change-parameters.ts'
import { offerMerge, withMerge } from './merge.ts'
import { exampleIdsOf, type OwnerWords, ownerOf } from './owner-words.ts'

const endpoint = endpointsOf('categories')

const ifMatchNote =
  'If-Match with an entity tag of the schema, in the tag of either format: 409 if another one is set now. `*` holds where any schema is set.'

const versionNote =
  'With any parameter besides the schema, the answer has the version. A conflict is 409 with the present version, who changed it and when; permission is judged before input, moves that the new schema cannot have among it, and input before the version.'

const chosenForAssign = [
  'Roots count towards the 200 categories. Characters are UTF-16 code units.',
  'Titles must not be blank, hold a slash, a comma, control characters or lone surrogates; spaces around them are kept.',
  'Siblings may have the same title. Members other than title, description, categories and source are dropped. Dry runs, plans and pages name both in warnings; any answer names members that were perhaps misspelt.',
  'A bare array as the value, the JSON as the body without a parameter name, and application/json are accepted.',
  'A document of more than 10,000 values, unknown members included, is not a category schema.',
  'If the value is not a category schema, reasons has each cause with its place beside the documented sentence.',
  ifMatchNote,
  'ORG_1132 has one sentence with a JSON pointer for each violation of a depth, total, title or description limit; any other refused input has that code too.',
  versionNote,
]

const chosenForRead = [
  'The answer has an ETag; a GET with that tag in If-None-Match is answered 304 without a body.',
  'withVersion adds version, hash and time; modifiedBy and comment for those who may see the versions.',
]

/** Document of an owner without a schema (observed). */
const noSchema = Buffer.from('{"categorySchema":[]}')

function schemaAnswer({ owner, present, latest }: ReadSchema): DocumentAnswer {
  const document = present?.document ?? noSchema
  const revision = revisionOf({ owner, present })
  if (!latest) return { document, revision }
  // Deletions have different versions, and one tag.
  return { document: withLatestVersion(document, latest), ...(present && { revision }) }
}

/** The schema of an owner: what is read, assigned and deleted. */
export function schemaRows(words: OwnerWords): readonly Endpoint[] {
  const { name, owner, paths, source } = words
  return [
    endpoint({
      id: `assign${name}CategorySchema`,
      title: `Assign category schema (${owner})`,
      task: 'assign category schema',
      refusalCode: schemaRefusalCode,
      goals: ['Set up categories'],
      comparesIfMatch: true,
      path: paths.assign,
      parameters: { ...assignParameters(words), dryRun, withMerge },
      bareBody: 'categorySchema',
      who: words.mayAssign,
      summary: `Replaces the ${owner}'s category schema.`,
      source: source.assign,
      since: 'Release 10.6.1; April 2018',
      chosen: chosenForAssign,
      answers: { json: changedSchemaShape },
      example: { ids: exampleIdsOf(words), parameters: { categorySchema: exampleSchema }, answer: { success: true } },
      async answer({ ids, input, ifMatch, format, read, run, search }) {
        const schema = await judge(input, words.limits, () => read(requireAssignable, { owner: ownerOf(words, ids) }))
        const options = optionsOf(input)
        const asked = { owner: ownerOf(words, ids), schema, options, ifMatch }
        const change = { ...asked, limits: words.limits }
        const merge = (given: MergeChangeInput) => search(`merge${name}CategorySchema`, given)
        if (isDryRun(input)) {
          const plan = () => search(`plan${name}CategorySchema`, asked)
          return planAnswer(await offerMerge(change, merge, plan), droppedIn(input))
        }
        const made = await offerMerge(change, merge, () => run(asked))
        const answer = options ? toVersionResult(made) : success
        return { ...answer, warnings: format === 'html' ? warningsOf(input, schema) : misspeltIn(input, schema) }
      },
    }),
    endpoint({
      id: `delete${name}CategorySchema`,
      title: `Delete category schema (${owner})`,
      task: 'delete category schema',
      comparesIfMatch: true,
      path: paths.delete,
      parameters: { ...conditions, comment, dryRun },
      who: words.mayDelete,
      summary: `Deletes the ${owner}'s category schema; 404 if none is set.`,
      source: source.delete,
      chosen: [...words.chosen.delete, ifMatchNote, versionNote],
      answers: { json: changedSchemaShape },
      example: { ids: exampleIdsOf(words), answer: { success: true } },
      async answer({ ids, input, ifMatch, run, search }) {
        const options = mapParsed(input, onlyGiven)
        const asked = { owner: ownerOf(words, ids), options, ifMatch }
        if (isDryRun(input)) return planAnswer(await search(`plan${name}SchemaDeletion`, asked))
        const made = await run(asked)
        return 'value' in options && Object.keys(options.value).length > 0 ? toVersionResult(made) : success
      },
    }),
    endpoint({
      id: `read${name}CategorySchema`,
      title: `Category schema (${owner})`,
      task: 'read category schema',
      path: paths.schema,
      parameters: { withVersion: optionalBoolean('true: with version, hash, time, author and comment.') },
      token: 'optional',
      who: words.mayRead,
      summary: `The ${owner}'s category schema exactly as it was assigned; an empty list if none is set.`,
      chosen: [...words.chosen.read, ...chosenForRead],
      answers: { document: presentSchemaShape },
      example: { ids: exampleIdsOf(words), answer: JSON.parse(exampleSchema) },
      async answer({ ids, input, run }) {
        const withVersion = mapParsed(input, ({ withVersion = false }) => withVersion)
        return schemaAnswer(await run({ owner: ownerOf(words, ids), withVersion }))
      },
    }),
  ]
}
