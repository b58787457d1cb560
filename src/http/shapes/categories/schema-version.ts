import { parseDocument } from '../../../categories/history/document-hash.ts'
import type { HashedVersion, MeasuredVersion, VersionDiff } from '../../../categories/history/operations.ts'
import type { Move } from '../../../categories/moves.ts'
import type { LatestVersion } from '../../../categories/operations.ts'
import { pageMembers } from '../page.ts'
import { choice, component, integer, list, matching, nullable, object, text, time, type ValueOf } from '../shape.ts'
import { categorySchemaMember } from './category-schema.ts'
import { diffMembers } from './schema-diff.ts'

export const hashShape = matching(
  '^sha256:[0-9a-f]{64}$',
  'SHA-256 of the canonical form: no white space, members in the order title, description, source, categories; an empty description or list of categories is left out.',
)

const modifiedBy = nullable(text('Username; null if there never was a schema.'))
const comment = nullable(text('Comment on the change.'))

/** Members of a version besides the schema. */
const latestMembers = {
  version: integer('Deletions count; 0 if there never was a schema.', 0),
  hash: hashShape,
  modified: nullable(time('When the version was made; null if there never was a schema.')),
}

export const presentSchemaShape = component(
  'PresentCategorySchema',
  'The category schema that is set; the other members only with withVersion=true, the last two only for those who may see the versions.',
  object({ categorySchema: categorySchemaMember }, { ...latestMembers, modifiedBy, comment }),
)

/** The stored document with further members, whose bytes are otherwise unchanged. */
export function withLatestVersion(
  document: Uint8Array,
  { version, hash, modifiedAt, change }: LatestVersion,
): Uint8Array {
  const members = {
    version,
    hash,
    modified: modifiedAt ?? null,
    ...(change && { modifiedBy: change.author ?? null, comment: change.comment ?? null }),
  }
  // Each document is an object with one member.
  const open = document.subarray(0, document.lastIndexOf(closingBrace))
  return Buffer.concat([open, Buffer.from(`,${JSON.stringify(members).slice(1)}`)])
}

const closingBrace = 0x7d

export const moveShape = object({ from: text('Path before.'), to: text('Path after.') })

const actions = choice(['assign', 'delete', 'restore', 'import'], 'How the version came about.')
const restoredFrom = integer('Only for a restore: the version that was restored.', 1)

const draft = object({
  id: text('Id that the draft had.'),
  name: text(),
  savedBy: text('Who saved it last: a username, or the name of an app.'),
  proposedBy: nullable(text('Username; null if no person proposed it.')),
  publishedBy: text('Username: that of modifiedBy.'),
  comment,
  note: nullable(text('Words of the proposal.')),
})
const origin = { restoredFrom, draft: { ...draft, description: 'Only for a draft that was published.' } }

const changeMembers = {
  version: integer('Number of the version; deletions count.', 1),
  action: actions,
  modified: time('When the version was made.'),
  modifiedBy: text('Username.'),
  comment,
}

export const schemaVersionShape = component(
  'SchemaVersion',
  'A version of a category schema, as lists have it.',
  object(
    {
      ...changeMembers,
      trees: integer('Trees; 0 for a deletion.', 0),
      categories: integer('Categories on all levels; 0 for a deletion.', 0),
      moves: integer('Number of moves that were declared.', 0),
    },
    origin,
  ),
)

export const schemaVersionsShape = object({
  ...pageMembers,
  firstKept: integer('Number of the oldest version that is kept; 0 if none was made.', 0),
  versions: list(schemaVersionShape),
})

export function versionToWire(version: MeasuredVersion): ValueOf<typeof schemaVersionShape> {
  const { trees, categories } = version.size
  return { ...changeToWire(version), trees, categories, moves: version.moves.length, ...originOf(version) }
}

export const wholeVersionShape = component(
  'WholeSchemaVersion',
  'A version of a category schema.',
  object({ categorySchema: categorySchemaMember, hash: hashShape, ...changeMembers, moves: list(moveShape) }, origin),
)

export function wholeVersionToWire(version: HashedVersion): ValueOf<typeof wholeVersionShape> {
  const { categorySchema } = parseDocument(version.document)
  const { hash, moves } = version
  return { categorySchema, hash, ...changeToWire(version), moves: moves.map(moveToWire), ...originOf(version) }
}

function changeToWire({ version, action, modifiedAt, author, comment }: ChangeOfVersion) {
  return { version, action, modified: modifiedAt, modifiedBy: author, comment: comment ?? null }
}
type ChangeOfVersion = Pick<HashedVersion, 'version' | 'action' | 'modifiedAt' | 'author' | 'comment'>

function originOf({
  restoredFrom,
  draft,
  author,
  comment,
}: Pick<HashedVersion, 'restoredFrom' | 'draft' | 'author' | 'comment'>) {
  const ofDraft = draft && {
    id: draft.id,
    name: draft.name,
    savedBy: draft.savedBy,
    proposedBy: draft.proposedBy ?? null,
    publishedBy: author,
    comment: comment ?? null,
    note: draft.note ?? null,
  }
  return { ...(restoredFrom !== undefined && { restoredFrom }), ...(ofDraft && { draft: ofDraft }) }
}

export function moveToWire({ from, to }: Move): ValueOf<typeof moveShape> {
  return { from, to }
}

const sideShape = object(
  { version: integer('0 for what there was before the first.', 0) },
  { action: actions, modified: time('When the version was made.'), modifiedBy: text('Username.'), comment },
)

export const versionDiffShape = component(
  'SchemaVersionDiff',
  'How one version of a category schema differs from another.',
  object({ from: sideShape, to: sideShape, ...diffMembers, moves: list(moveShape) }),
)

export function versionDiffToWire(diff: VersionDiff): ValueOf<typeof versionDiffShape> {
  const { from, to, summary, changes, suggestions, moves } = diff
  return {
    from: from ? changeToWire(from) : { version: 0 },
    to: changeToWire(to),
    summary,
    changes,
    suggestions,
    moves: moves.map(moveToWire),
  }
}
