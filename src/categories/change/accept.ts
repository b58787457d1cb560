import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { categorySchemaRejected, resourceNotFound } from '../../errors.ts'
import { type Conditions, requireConditions } from '../history/conditions.ts'
import { parseDocument } from '../history/document-hash.ts'
import type { ChangeReaders } from '../history/store.ts'
import type { Move } from '../moves.ts'
import { type EditableOwner, type OwnerInput, requireAssignable, requireDeletable } from '../owners.ts'
import type { CategorySchema, SchemaVerdict } from '../schema.ts'
import type { SchemaOwner } from '../store.ts'
import { acceptPaths, type PathChange, type Vanishing } from './accept-paths.ts'

/** Options of an assign besides the schema (chosen). */
export interface AssignOptions extends Pick<Conditions, 'ifVersion' | 'ifHash'> {
  readonly comment?: string | undefined
  /** Items follow them. */
  readonly moves?: readonly Move[] | undefined
  /** Fate of categories that items have and the schema has no longer; by default `keep`. */
  readonly vanishing?: Vanishing | undefined
}

export interface AssignInput extends OwnerInput, Pick<Conditions, 'ifMatch'> {
  readonly schema: Parsed<SchemaVerdict>
  /** Undefined for a plain assign. */
  readonly options?: AssignOptions | undefined
}

/** A validated assign. */
export interface AcceptedAssign extends EditableOwner {
  readonly document: string
  readonly size: { readonly trees: number; readonly categories: number }
  readonly options: AssignOptions
  /** Undefined if no path changes. */
  readonly paths: PathChange | undefined
  /** The schema that is replaced, and the new one, where they had to be read. */
  readonly schemas: { readonly before: CategorySchema; readonly after: CategorySchema } | undefined
}

/**
 * The verdict on an assign, the same for the assign itself and for its plan: permission, then input, moves that the new schema
 * refuses among it, then the version, then what depends on the present schema and the items. Throws what the caller is answered.
 */
export async function acceptAssign(stores: ChangeReaders, call: Call, input: AssignInput): Promise<AcceptedAssign> {
  const editable = await requireAssignable(stores, call, input)
  const { ifMatch, options = {} } = input
  const { document, size } = acceptSchema(input.schema)
  const { moves = [], vanishing = 'keep' } = options
  const requireExpected = () => requireConditions(stores, editable.owner, { ...options, ifMatch }, 'assign')
  // A plain assign looks at no document.
  if (moves.length === 0 && vanishing === 'keep') {
    await requireExpected()
    return { ...editable, document, size, options, paths: undefined, schemas: undefined }
  }
  const schemas = { before: await readPresent(stores, editable.owner), after: JSON.parse(document) }
  const paths = await acceptPaths(stores.items, editable.owner, schemas, { moves, vanishing }, requireExpected)
  return { ...editable, document, size, options, paths, schemas }
}

function acceptSchema(judged: Parsed<SchemaVerdict>) {
  const verdict = unwrapParsed(judged)
  if ('violations' in verdict) throw categorySchemaRejected(verdict.violations, verdict.reasons)
  return verdict
}

/** The schema that is set; the empty one if none is. */
export async function readPresent({ categories }: ChangeReaders, owner: SchemaOwner): Promise<CategorySchema> {
  return parseDocument((await categories.findDocument(owner))?.document)
}

/** Options of a deletion (chosen). */
export interface DeleteOptions extends Pick<Conditions, 'ifVersion' | 'ifHash'> {
  readonly comment?: string | undefined
}

export interface DeleteInput extends OwnerInput, Pick<Conditions, 'ifMatch'> {
  readonly options: Parsed<DeleteOptions>
}

export interface AcceptedDeletion extends EditableOwner {
  readonly options: DeleteOptions
}

/** The verdict on a deletion: 404 if none is set, after everything else. */
export async function acceptDeletion(stores: ChangeReaders, call: Call, input: DeleteInput): Promise<AcceptedDeletion> {
  const editable = await requireDeletable(stores, call, input)
  const options = unwrapParsed(input.options)
  await requireConditions(stores, editable.owner, { ...options, ifMatch: input.ifMatch }, 'delete')
  const head = await stores.schemaHistory.findHead(editable.owner)
  if (!head?.isSet) throw resourceNotFound()
  return { ...editable, options }
}
