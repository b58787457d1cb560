import { mapParsed } from '../../../call/parsed.ts'
import { formatDiff } from '../../../categories/diff/format-diff.ts'
import { hashOf } from '../../../categories/history/document-hash.ts'
import { exampleSchema, exampleTime } from '../../examples/examples.ts'
import {
  schemaVersionsShape,
  versionDiffShape,
  versionDiffToWire,
  versionToWire,
  wholeVersionShape,
  wholeVersionToWire,
} from '../../shapes/categories/schema-version.ts'
import { pageToWire } from '../../shapes/page.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalInteger } from '../parameter-types.ts'
import { exampleIdsOf, type OwnerWords, ownerOf } from './owner-words.ts'

const endpoint = endpointsOf('categories')

const goneNote =
  'The oldest versions are removed when there are more than the limits allow, 1,000 by default: they are 404 with `Version <n> is no longer kept.` in details.'

const { categorySchema } = JSON.parse(exampleSchema)
const exampleChange = {
  version: 1,
  action: 'assign',
  modified: exampleTime,
  modifiedBy: 'admin',
  comment: null,
} as const
const noChanges = { added: 0, removed: 0, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 0 }

/** The versions of an owner's schema. */
export function versionRows(words: OwnerWords): readonly Endpoint[] {
  const { name, owner, paths } = words
  const versions = `${paths.schema}/versions` as const
  const ofVersion = { ...exampleIdsOf(words), version: '1' }
  return [
    endpoint({
      id: `list${name}SchemaVersions`,
      title: `Versions of the category schema (${owner})`,
      task: 'list versions of category schema',
      goals: ['See who changed a schema, and how', 'Undo a schema change'],
      path: versions,
      parameters: pageParameters,
      who: words.maySeeVersions,
      summary: `The versions of the ${owner}'s category schema, newest first; deletions are versions too.`,
      source: 'chosen',
      extension: 'versions',
      chosen: [goneNote],
      answers: { json: schemaVersionsShape },
      example: {
        ids: exampleIdsOf(words),
        answer: {
          total: 1,
          start: 1,
          num: 10,
          nextStart: -1,
          firstKept: 1,
          versions: [{ ...exampleChange, trees: 1, categories: 4, moves: 0 }],
        },
      },
      async answer({ ids, input, run }) {
        const listed = await run({ owner: ownerOf(words, ids), page: input })
        return { json: { ...pageToWire('versions', listed, versionToWire), firstKept: listed.firstKept } }
      },
    }),
    endpoint({
      id: `read${name}SchemaVersion`,
      title: `Version of the category schema (${owner})`,
      task: 'read version of category schema',
      path: `${versions}/:version`,
      who: words.maySeeVersions,
      summary: `A version of the ${owner}'s category schema; a deletion has an empty list.`,
      source: 'chosen',
      chosen: [goneNote],
      answers: { json: wholeVersionShape },
      example: {
        ids: ofVersion,
        answer: { categorySchema, hash: hashOf({ categorySchema }), ...exampleChange, moves: [] },
      },
      answer: async ({ ids, run }) => ({
        json: wholeVersionToWire(await run({ owner: ownerOf(words, ids), version: ids.version })),
      }),
    }),
    endpoint({
      id: `diff${name}SchemaVersions`,
      title: `Differences between versions (${owner})`,
      task: 'compare versions of category schema',
      goals: ['See who changed a schema, and how'],
      path: `${versions}/:version/diff`,
      parameters: {
        from: optionalInteger('Version to compare with; by default the one before. 0 is the empty schema.', {
          minimum: 0,
        }),
      },
      who: words.maySeeVersions,
      summary: `How a version of the ${owner}'s category schema differs from another one.`,
      source: 'chosen',
      chosen: [
        'A category is identified by its path. Only declared moves, and sources that are URIs, make one of another path the same; other renames are a removal and an addition, with a suggestion.',
        'moves has what was declared, composed over the versions between; it is empty where one of these is removed.',
        'A deletion counts as an empty schema. f=text has one line for each change, and one with the sums.',
        goneNote,
      ],
      answers: { json: versionDiffShape, texts: ['text'] },
      example: {
        ids: ofVersion,
        answer: {
          from: { version: 0 },
          to: exampleChange,
          summary: { ...noChanges, added: 1 },
          changes: [{ op: 'add', path: '/Region', pointer: '/categorySchema/0', categories: 4 }],
          suggestions: [],
          moves: [],
        },
      },
      async answer({ ids, input, format, run }) {
        const diff = await run({
          owner: ownerOf(words, ids),
          version: ids.version,
          from: mapParsed(input, ({ from }) => from),
        })
        if (format === 'text') return { text: formatDiff(diff), contentType: 'text/plain; charset=utf-8' }
        return { json: versionDiffToWire(diff) }
      },
    }),
  ]
}
