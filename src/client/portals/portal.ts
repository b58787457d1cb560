import type { Vanishing } from '../../categories/change/accept-paths.ts'
import type { SchemaPlan } from '../../categories/change/plan.ts'
import type { Move } from '../../categories/moves.ts'
import { type CategorySchema, copyTrees } from '../../categories/schema.ts'
import { CommandError, refused, untried } from '../failure.ts'
import type { Answer, Connection } from '../network/connection.ts'
import type { PortalFacts, PortalKind } from '../network/facts.ts'
import { ItemSearch } from './item-search.ts'
import type { Place } from './place.ts'

/**
 * The port by which commands speak to a portal. Each method is one step of a command; which steps are needed, conflicts since
 * a plan, questions to a person and output are the commands' own. A method throws `CommandError` with its exit code.
 */
export abstract class Portal {
  readonly connection: Connection
  readonly kind: PortalKind
  /** Address without `/sharing/rest`. */
  readonly url: string
  readonly portalId: string
  readonly items: ItemSearch
  /** Members that the answer of a plan has besides, such as `{"impactBy":"search","atomic":false}` at ArcGIS. */
  abstract readonly planNotes: object

  constructor(connection: Connection, { kind, portalId }: Pick<PortalFacts, 'kind' | 'portalId'>) {
    this.connection = connection
    this.kind = kind
    this.url = connection.url
    this.portalId = portalId
    this.items = new ItemSearch(connection, portalId)
  }

  /** The schema that is set; the empty one where none is. */
  abstract read(place: Place): Promise<PresentSchema>
  /** A kept version: of the portal at Cartulary, a snapshot of this machine at ArcGIS. Unknown: exit code 1. */
  abstract readVersion(place: Place, version: number): Promise<CategorySchema>
  /** The newest first. */
  abstract listVersions(place: Place): Promise<readonly KeptVersion[]>

  /** The change that makes a kept version the present schema again. */
  abstract changeBack(place: Place, before: PresentSchema, restored: Restored): Promise<SchemaChange>
  /** Effect that a change would have; writes nothing. A schema that the portal would refuse is thrown with exit code 1. */
  abstract plan(change: SchemaChange): Promise<SchemaPlan>
  /**
   * Makes the change; one to the empty schema deletes it. The caller has compared `change.before` with what the portal has, and
   * found that something differs. Throws `ChangedMeanwhile` where the portal says that another schema is set, and exit code 1
   * where it is not known whether it was written, or where it reads back different. Answers the version; null where the portal
   * has none.
   */
  abstract apply(change: SchemaChange, options: ApplyOptions): Promise<number | null>
  /**
   * Moves the items that an interrupted change to the schema that is set has left, or says that there may be some where `items`
   * is undefined; true where they have been moved. Absent where items move with their schema.
   */
  resume?(place: Place, present: PresentSchema, items: ApplyOptions['items']): Promise<boolean>
  /** Refuses moves without a choice of what becomes of their items. Absent as `resume` is. */
  requireChoice?(change: SchemaChange, items: ApplyOptions['items']): void
  /** Keeps the change as a draft and proposes it to a second person; answers its id. Exit code 2 where the portal has none. */
  abstract propose(change: SchemaChange, proposal: Proposal): Promise<string>
}

export interface PresentSchema {
  readonly schema: CategorySchema
  /** `hashOf` the schema. */
  readonly hash: string
  /** Null where the portal has no versions. */
  readonly version: number | null
}

/** A version that is restored, and whether items follow back. */
export type Restored = Readonly<{ version: number; items: 'follow' | 'stay' }>

export interface SchemaChange {
  readonly place: Place
  readonly before: PresentSchema
  readonly after: CategorySchema
  /** Accepted by `judgeMoves` only in their form; the portal judges them by its items. */
  readonly moves: readonly Move[]
  readonly vanishing: Vanishing
  /** Version that `after` is, where the change restores one. */
  readonly restored?: Restored
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

export type Proposal = Readonly<{ name: string; reviewer: string | undefined; note: string | undefined }>

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
  { place, before }: SchemaChange,
  wanted: string,
): Promise<PresentSchema> {
  const present = await portal.read(place).catch(() => undefined)
  if (present?.hash === wanted) return present
  if (present?.hash === before.hash) throw untried(`${lost.message} Nothing was written.`)
  throw refused(`It is not known whether ${place.key} was written; run schema plan again.`, [lost.message])
}
