import { mapParsed } from '../../../call/parsed.ts'
import { itemsChoices } from '../../../categories/change/restore.ts'
import { hashOf } from '../../../categories/history/document-hash.ts'
import { requireAssignable } from '../../../categories/owners.ts'
import { schemaRefusalCode } from '../../../errors.ts'
import { exampleSchema } from '../../examples/examples.ts'
import {
  changedSchemaShape,
  planAnswer,
  schemaPlanShape,
  toVersionResult,
} from '../../shapes/categories/schema-plan.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalChoice, withDefault } from '../parameter-types.ts'
import {
  assignParameters,
  comment,
  conditions,
  droppedIn,
  dryRun,
  isDryRun,
  judge,
  optionsOf,
} from './change-parameters.ts'
import { exampleIdsOf, type OwnerWords, ownerOf } from './owner-words.ts'

const endpoint = endpointsOf('categories')

/** Fate of items at a restore. */
export const itemsChoice = optionalChoice(
  'Whether items go back to where they were before the moves since then (follow, the default), or stay.',
  itemsChoices,
)

const present = JSON.parse(exampleSchema)
const [region] = present.categorySchema
const planned = { categorySchema: [{ ...region, categories: [...region.categories, { title: 'Asia' }] }] }

const exampleImpact = { items: 0, moved: 0, vanishing: 0, unrecognizedBefore: 0, unrecognizedAfter: 0, byPath: [] }

/** Rows that plan a change of a schema, and restore an earlier version. */
export function planRows(words: OwnerWords): readonly Endpoint[] {
  const { name, owner, paths } = words
  return [
    endpoint({
      id: `plan${name}CategorySchema`,
      title: `Plan (${owner})`,
      task: 'assign category schema',
      refusalCode: schemaRefusalCode,
      goals: ['See what a schema change would do'],
      comparesIfMatch: true,
      path: `${paths.schema}/plan`,
      parameters: assignParameters(words),
      bareBody: 'categorySchema',
      who: words.mayAssign,
      summary: `What assigning the ${owner}'s category schema with these parameters would do, or the error that it would be refused with.`,
      source: 'chosen',
      extension: 'plan',
      chosen: [
        'Nothing is written, not even in the audit. The verdict is that of the assign, by the same function.',
        'Items follow declared moves only; suggestions are never applied.',
        'Items are counted whether the caller sees them or not: numbers tell no names. Where counting takes too long, a number is null.',
      ],
      answers: { json: schemaPlanShape },
      example: {
        ids: exampleIdsOf(words),
        parameters: { categorySchema: JSON.stringify(planned), ifVersion: '1' },
        answer: {
          success: true,
          dryRun: true,
          version: 1,
          hash: hashOf(present),
          resultHash: hashOf(planned),
          summary: { added: 1, removed: 0, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 0 },
          changes: [{ op: 'add', path: '/Region/Asia', pointer: '/categorySchema/0/categories/2', categories: 1 }],
          suggestions: [],
          impact: exampleImpact,
          warnings: [],
        },
      },
      async answer({ ids, input, ifMatch, read, run }) {
        const schema = await judge(input, words.limits, () => read(requireAssignable, { owner: ownerOf(words, ids) }))
        return planAnswer(
          await run({ owner: ownerOf(words, ids), schema, options: optionsOf(input), ifMatch }),
          droppedIn(input),
        )
      },
    }),
    endpoint({
      id: `restore${name}SchemaVersion`,
      title: `Restore version (${owner})`,
      task: 'restore category schema',
      goals: ['Undo a schema change'],
      comparesIfMatch: true,
      refusesMisspelt: true,
      path: `${paths.schema}/versions/:version/restore`,
      parameters: {
        ...conditions,
        comment,
        items: withDefault(itemsChoice, 'follow'),
        dryRun,
      },
      who: words.mayAssign,
      summary: `Makes the schema of an earlier version the ${owner}'s category schema again, as a new version.`,
      source: 'chosen',
      chosen: [
        'Moves since the version are undone exactly: merged categories come apart again, and cleared ones come back. If a version between is removed, only items=stay is possible.',
        'A deletion is not restored: delete the category schema instead.',
      ],
      answers: { json: changedSchemaShape },
      example: { ids: { ...exampleIdsOf(words), version: '1' }, answer: { success: true, version: 2 } },
      async answer({ ids, input, ifMatch, run, search }) {
        const options = mapParsed(input, ({ dryRun: _, ...given }) => given)
        const asked = { owner: ownerOf(words, ids), version: ids.version, options, ifMatch }
        if (isDryRun(input)) return planAnswer(await search(`plan${name}SchemaRestore`, asked))
        return toVersionResult(await run(asked))
      },
    }),
  ]
}
