import type { Vanishing } from '../../categories/change/accept-paths.ts'
import type { SchemaPlan } from '../../categories/change/plan.ts'
import type { SchemaLimits } from '../../categories/limits.ts'
import type { Move } from '../../categories/moves.ts'
import { type CategorySchema, copyTrees } from '../../categories/schema.ts'
import { CommandError, refused, untried } from '../failure.ts'
import type { Answer } from '../network/connection.ts'

/**
 * The port by which commands speak to a portal. Each method is one step of a command; which steps are needed, conflicts since
 * a plan, questions to a person and output are the commands' own. A method throws `CommandError` with its exit code.
 */
export interface Portal {
  readonly kind: 'cartulary' | 'online' | 'enterprise'
  /** Address without `/sharing/rest`. */
  readonly url: string
  readonly version: string
  readonly portalId: string
  /** Members that the answer of a plan has besides, such as `{"impactBy":"search","atomic":false}` at ArcGIS. */
  readonly planNotes: object

  /** The schema that is set; the empty one where none is. */
  read(place: Place): Promise<PresentSchema>
  /** A kept version: of the portal at Cartulary, a snapshot of this machine at ArcGIS. Unknown: exit code 1. */
  readVersion(place: Place, version: number): Promise<CategorySchema>
  /** All kept versions, the newest first. */
  listVersions(place: Place): Promise<readonly KeptVersion[]>

  /** Effect that a change would have; writes nothing. A schema that the portal would refuse is thrown with exit code 1. */
  plan(change: SchemaChange): Promise<SchemaPlan>
  /**
   * Makes the change. The caller has compared `change.before` with what the portal has, and found that something differs.
   * Throws `ChangedMeanwhile` where the portal says that another schema is set, and exit code 1 where it is not known
   * whether it was written, or where it reads back different. Answers the version, as `restore` and `delete` do; null where
   * the portal has none.
   */
  apply(change: SchemaChange, options: ApplyOptions): Promise<number | null>
  /** Effect that a restore would have. */
  planRestore(restore: SchemaRestore): Promise<SchemaPlan>
  /** Makes the kept version the present schema again. */
  restore(restore: SchemaRestore, options: ApplyOptions): Promise<number | null>
  /**
   * Moves the items that an interrupted change to the schema that is set has left; false where there are none. Absent where
   * items move with their schema.
   */
  resume?(place: Place, present: PresentSchema): Promise<boolean>
  /** Whether an interrupted change to the schema that is set may have left items. Absent as `resume` is. */
  isInterrupted?(place: Place, present: PresentSchema): boolean
  /** Refuses moves without a choice of what becomes of their items. Absent as `resume` is. */
  requireChoice?(hasMoves: boolean, items: ApplyOptions['items']): void
  /** Deletes the schema that is set. */
  delete(place: Place, before: PresentSchema): Promise<number | null>
  /** Keeps the change as a draft and proposes it to a second person; answers its id. Exit code 2 where the portal has none. */
  propose(change: SchemaChange, proposal: Proposal): Promise<string>

  /**
   * Different items of the place at or below any of the paths; without paths, all items of the place. Null where they are not
   * counted.
   */
  countItems(place: Place, paths?: readonly string[]): Promise<number | null>
}

/** Owner of a schema. */
export interface Place {
  /** Name in plan files: `org` or `group:<id>`. */
  readonly key: string
  /** Path of the owner below `/sharing/rest`: `/portals/<id>` or `/community/groups/<id>`. */
  readonly path: string
  readonly groupId: string | undefined
  /** Title of the group, or name of the organization. */
  readonly title: string
  readonly limits: SchemaLimits
}

export interface PresentSchema {
  readonly schema: CategorySchema
  /** `hashOf` the schema. */
  readonly hash: string
  /** Null where the portal has no versions. */
  readonly version: number | null
}

interface FromPresent {
  readonly place: Place
  readonly before: PresentSchema
}

export interface SchemaChange extends FromPresent {
  readonly after: CategorySchema
  /** Accepted by `judgeMoves` only in their form; the portal judges them by its items. */
  readonly moves: readonly Move[]
  readonly vanishing: Vanishing
}

export interface SchemaRestore extends FromPresent {
  readonly version: number
  /** Whether items follow back, or stay. */
  readonly items: 'follow' | 'stay'
}

export interface ApplyOptions {
  readonly comment?: string | undefined
  /** At ArcGIS: whether items of moved paths get their new paths. Undefined with moves: exit code 1 before the first write. */
  readonly items?: 'move' | 'leave' | undefined
}

export interface KeptVersion {
  readonly version: number
  readonly action: string
  /** Epoch milliseconds. */
  readonly modified: number
  readonly modifiedBy: string | null
  readonly comment: string | null
  readonly categories: number
}

export interface Proposal {
  readonly name: string
  readonly reviewer: string | undefined
  readonly note: string | undefined
}

/** Another schema is set than the one that the change is from. */
export class ChangedMeanwhile extends CommandError {
  constructor() {
    super(4, 'The schema has changed meanwhile; nothing was written.')
  }
}

/** The schema of an answer, without what stands beside it. */
export function schemaOf({ categorySchema }: Answer): CategorySchema {
  const copied = Array.isArray(categorySchema) ? copyTrees(categorySchema) : { reasons: [] }
  if ('reasons' in copied) throw untried('The portal answers with something else than a category schema.')
  return copied.schema
}

/** Looks what became of a write whose answer is lost, or no success: `wanted` is the hash of what it was to make. */
export async function lookAfter(
  portal: Pick<Portal, 'read'>,
  lost: Error,
  { place, before }: FromPresent,
  wanted: string,
): Promise<PresentSchema> {
  const present = await portal.read(place).catch(() => undefined)
  if (present?.hash === wanted) return present
  if (present?.hash === before.hash) throw untried(`${lost.message} Nothing was written.`)
  throw refused(`It is not known whether ${place.key} was written; run schema plan again.`, [lost.message])
}
