import type { SchemaPlan } from '../../categories/change/plan.ts'
import { hashOf } from '../../categories/history/document-hash.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { refused } from '../failure.ts'
import { type Answer, type Connection, type Parameters, PortalRefused } from '../network/connection.ts'
import { objectsOf, type PortalFacts, textOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import { countFound } from './item-count.ts'
import {
  type ApplyOptions,
  ChangedMeanwhile,
  type KeptVersion,
  lookAfter,
  type Place,
  type Portal,
  type PresentSchema,
  type Proposal,
  type SchemaChange,
  type SchemaRestore,
  schemaOf,
} from './portal.ts'

/** Versions of one page. */
const pageSize = 100

/** A Cartulary, by its extensions of the public API: each change is one transaction there. */
export class CartularyPortal implements Portal {
  readonly kind = 'cartulary'
  readonly url: string
  readonly version: string
  readonly portalId: string
  readonly planNotes = {}
  readonly #connection: Connection

  constructor(connection: Connection, { version, portalId }: PortalFacts) {
    this.#connection = connection
    this.url = connection.url
    this.version = version
    this.portalId = portalId
  }

  async read({ path }: Place): Promise<PresentSchema> {
    const answer = await this.#connection.call(`${path}/categorySchema`, { withVersion: true })
    const schema = schemaOf(answer)
    return { schema, hash: hashOf(schema), version: versionOf(answer) }
  }

  async readVersion({ path }: Place, version: number): Promise<CategorySchema> {
    return schemaOf(await this.#connection.call(`${path}/categorySchema/versions/${version}`))
  }

  async listVersions({ path }: Place): Promise<readonly KeptVersion[]> {
    const versions: KeptVersion[] = []
    let start = 1
    while (start > 0) {
      const page = await this.#connection.call(`${path}/categorySchema/versions`, { start, num: pageSize })
      versions.push(...(objectsOf(page, 'versions') as readonly object[] as readonly KeptVersion[]))
      start = Number(page['nextStart'] ?? -1)
    }
    return versions
  }

  async plan(change: SchemaChange): Promise<SchemaPlan> {
    const { place } = change
    return this.#planned(() => this.#connection.call(`${place.path}/categorySchema/plan`, parametersOf(change)))
  }

  async apply(change: SchemaChange, { comment }: ApplyOptions): Promise<number | null> {
    const { place, after } = change
    const parameters = { ...parametersOf(change), comment }
    const write = () =>
      // Sent twice it has the effect of one: the hash that it is for is another one after the first.
      this.#connection.call(`${place.path}/assignCategorySchema`, parameters, { isWrite: true })
    return this.#written(write, change, hashOf(after))
  }

  async planRestore({ place, before, version, items }: SchemaRestore): Promise<SchemaPlan> {
    const parameters = { ifVersion: before.version ?? undefined, items, dryRun: true }
    const path = `${place.path}/categorySchema/versions/${version}/restore`
    return this.#planned(() => this.#connection.call(path, parameters, { isWrite: true, isRepeatable: true }))
  }

  async restore(restore: SchemaRestore, { comment }: ApplyOptions): Promise<number | null> {
    const { place, before, version, items } = restore
    const path = `${place.path}/categorySchema/versions/${version}/restore`
    const parameters = { ifVersion: before.version ?? undefined, items, comment }
    const wanted = hashOf(await this.readVersion(place, version))
    return this.#written(() => this.#connection.call(path, parameters, { isWrite: true }), restore, wanted)
  }

  async delete(place: Place, before: PresentSchema): Promise<number | null> {
    const parameters = { ifHash: before.hash }
    const write = () => this.#connection.call(`${place.path}/deleteCategorySchema`, parameters, { isWrite: true })
    return this.#written(write, { place, before }, hashOf({ categorySchema: [] }))
  }

  async propose(change: SchemaChange, { name, reviewer, note }: Proposal): Promise<string> {
    const { place, before } = change
    const { ifHash: _, ...schema } = parametersOf(change)
    const drafts = `${place.path}/categorySchema/drafts`
    const made = await this.#connection.call(
      drafts,
      { name, ...schema, baseVersion: before.version ?? undefined },
      { isWrite: true },
    )
    const id = textOf(made['draftId'])
    await this.#connection.call(`${drafts}/${id}/propose`, { to: reviewer, note }, { isWrite: true })
    return id
  }

  countItems(place: Place, paths?: readonly string[]): Promise<number | null> {
    return countFound(this.#connection, this.portalId, place, paths)
  }

  async #planned(call: () => Promise<Answer>): Promise<SchemaPlan> {
    try {
      return (await call()) as unknown as SchemaPlan
    } catch (error) {
      throw isConflict(error) ? new ChangedMeanwhile() : error
    }
  }

  /** Makes a change, and where its answer is lost, looks what is there. */
  async #written(
    write: () => Promise<Answer>,
    change: Pick<SchemaChange, 'place' | 'before'>,
    wanted: string,
  ): Promise<number | null> {
    try {
      return versionOf(await write())
    } catch (error) {
      if (isConflict(error)) throw new ChangedMeanwhile()
      if (error instanceof AnswerLost) return (await lookAfter(this, error, change, wanted)).version
      if (error instanceof PortalRefused && error.portalCode === 400 && (await this.#asksSecondPerson(change.place))) {
        throw refused(error.message, [...error.details, 'cartulary schema propose gives it to a second person.'])
      }
      throw error
    }
  }

  /** Whether a change by one person is refused. */
  async #asksSecondPerson({ groupId }: Place): Promise<boolean> {
    const { categoryApproval: approval } = await this.#connection.call('/portals/self')
    return approval === 'all' || (approval === 'organization' && groupId === undefined)
  }
}

function parametersOf({ before, after, moves, vanishing }: SchemaChange): Parameters {
  return {
    categorySchema: JSON.stringify({ categorySchema: after.categorySchema }),
    ifHash: before.hash,
    moves: moves.length > 0 ? JSON.stringify(moves) : undefined,
    vanishing,
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof PortalRefused && error.portalCode === 409
}

function versionOf({ version }: Answer): number | null {
  return typeof version === 'number' ? version : null
}
