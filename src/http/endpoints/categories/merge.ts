import type { Parsed } from '../../../call/parsed.ts'
import type { MergeChangeInput, MergedChange } from '../../../categories/merge/operations.ts'
import type { Move } from '../../../categories/moves.ts'
import type { OwnerInput } from '../../../categories/owners.ts'
import type { SchemaVerdict } from '../../../categories/schema.ts'
import { failureOf, PortalError } from '../../../errors.ts'
import { schemaMergeToWire } from '../../shapes/categories/schema-merge.ts'
import { optionalBoolean } from '../parameter-types.ts'

export const withMerge = {
  ...optionalBoolean(
    'true: a conflict has error.merge, in which both changes are put together, if the version that ifVersion or If-Match names is kept.',
  ),
  extension: 'withMerge',
}

/** A change of a schema, as its operation gets it, and its limits. */
interface Change extends Pick<OwnerInput, 'owner'>, Pick<MergeChangeInput, 'limits'> {
  readonly schema: Parsed<SchemaVerdict>
  readonly options:
    | {
        readonly ifVersion?: number | undefined
        readonly moves?: readonly Move[] | undefined
        readonly withMerge?: boolean | undefined
      }
    | undefined
  readonly ifMatch: readonly string[] | 'any' | undefined
}

type Merge = (input: MergeChangeInput) => Promise<MergedChange | undefined>

/** Runs work that a version conflict may refuse. If the caller asks for it, the refusal has a merge of both changes. */
export async function offerMerge<Made>(change: Change, merge: Merge, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    const { owner, schema, options, ifMatch, limits } = change
    const revision = options?.ifVersion === undefined && ifMatch !== 'any' ? ifMatch?.[0] : undefined
    const version = options?.ifVersion ?? findVersionOf(revision)
    if (!options?.withMerge || !(error instanceof PortalError) || error.version === undefined) throw error
    if (version === undefined || 'problems' in schema || !('document' in schema.value)) throw error
    const { document } = schema.value
    const merged = await merge({ owner, version, revision, document, moves: options.moves ?? [], limits })
    throw merged ? new PortalError({ ...failureOf(error), members: { merge: schemaMergeToWire(merged) } }) : error
  }
}

/** The version that an entity tag of a schema names: `<id>-<version>-<time>`, or `<id>-0` where none was set. */
function findVersionOf(revision: string | undefined): number | undefined {
  const version = /^[0-9A-Za-z]+-(\d+)(-[0-9a-z]+)?$/.exec(revision ?? '')?.[1]
  return version === undefined ? undefined : Number(version)
}
