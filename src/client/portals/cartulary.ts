import type { SchemaPlan } from '../../categories/change/plan.ts'
import { hashOf } from '../../categories/history/document-hash.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { refused } from '../failure.ts'
import { type Answer, type Parameters, PortalRefused } from '../network/connection.ts'
import { listAll, textOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import type { Place } from './place.ts'
import {
  type ApplyOptions,
  ChangedMeanwhile,
  type KeptVersion,
  lookAfter,
  Portal,
  type PresentSchema,
  type Proposal,
  type Restored,
  type SchemaChange,
  schemaOf,
} from './portal.ts'

/** A Cartulary, by its extensions of the public API: each change is one transaction there. */
export class CartularyPortal extends Portal {
  override readonly planNotes = {}

  async read({ path }: Place): Promise<PresentSchema> {
    const answer = await this.connection.call(`${path}/categorySchema`, { withVersion: true })
    const schema = schemaOf(answer)
    return { schema, hash: hashOf(schema), version: versionOf(answer) }
  }

  async readVersion({ path, key }: Place, version: number): Promise<CategorySchema> {
    const answer = this.connection.call(`${path}/categorySchema/versions/${version}`).catch((error) => {
      if (!(error instanceof PortalRefused) || error.portalCode !== 404) throw error
      const sentence = `Version ${version} of ${key} does not exist; cartulary schema history ${key} lists those that do.`
      throw refused(sentence, error.details)
    })
    return schemaOf(await answer)
  }

  async listVersions({ path }: Place): Promise<readonly KeptVersion[]> {
    const versions: readonly object[] = await listAll(this.connection, `${path}/categorySchema/versions`, 'versions')
    return versions as readonly KeptVersion[]
  }

  async changeBack(place: Place, before: PresentSchema, restored: Restored): Promise<SchemaChange> {
    const after = await this.readVersion(place, restored.version)
    return { place, before, after, moves: [], vanishing: 'keep', restored }
  }

  async plan(change: SchemaChange): Promise<SchemaPlan> {
    const { operation, parameters } = requestOf(change)
    const [path, further] = change.restored ? [operation, { dryRun: true }] : ['categorySchema/plan', {}]
    const options = { isWrite: change.restored !== undefined, isRepeatable: true }
    try {
      const given = { ...parameters, ...further }
      return (await this.connection.call(`${change.place.path}/${path}`, given, options)) as unknown as SchemaPlan
    } catch (error) {
      throw isConflict(error) ? new ChangedMeanwhile() : error
    }
  }

  /** Sent twice it has the effect of one: the schema that it is for is another one after the first. */
  async apply(change: SchemaChange, { comment }: ApplyOptions): Promise<number | null> {
    const { operation, parameters } = requestOf(change)
    const given = { ...parameters, comment }
    try {
      return versionOf(await this.connection.call(`${change.place.path}/${operation}`, given, { isWrite: true }))
    } catch (error) {
      if (isConflict(error)) throw new ChangedMeanwhile()
      if (error instanceof AnswerLost) return (await lookAfter(this, error, change, hashOf(change.after))).version
      if (error instanceof PortalRefused && error.portalCode === 400 && (await this.#asksSecondPerson(change.place))) {
        throw refused(error.message, [...error.details, 'cartulary schema propose gives it to a second person.'])
      }
      throw error
    }
  }

  async propose(change: SchemaChange, { name, reviewer, note }: Proposal): Promise<string> {
    const { place, before } = change
    const { ifHash: _, ...schema } = requestOf(change).parameters
    const drafts = `${place.path}/categorySchema/drafts`
    const draft = { name, ...schema, baseVersion: before.version ?? undefined }
    const id = textOf((await this.connection.call(drafts, draft, { isWrite: true }))['draftId'])
    await this.connection.call(`${drafts}/${id}/propose`, { to: reviewer, note }, { isWrite: true })
    return id
  }

  /** Whether a change by one person is refused. */
  async #asksSecondPerson({ groupId }: Place): Promise<boolean> {
    const { categoryApproval: approval } = await this.connection.call('/portals/self')
    return approval === 'all' || (approval === 'organization' && groupId === undefined)
  }
}

/** Operation of a change, below the path of the owner, and its parameters. */
function requestOf(change: SchemaChange): Readonly<{ operation: string; parameters: Parameters }> {
  const { before, after, moves, vanishing, restored } = change
  if (restored) {
    const operation = `categorySchema/versions/${restored.version}/restore`
    return { operation, parameters: { ifVersion: before.version ?? undefined, items: restored.items } }
  }
  const ifHash = before.hash
  if (after.categorySchema.length === 0) return { operation: 'deleteCategorySchema', parameters: { ifHash } }
  const categorySchema = JSON.stringify({ categorySchema: after.categorySchema })
  const declared = moves.length > 0 ? JSON.stringify(moves) : undefined
  return { operation: 'assignCategorySchema', parameters: { categorySchema, ifHash, moves: declared, vanishing } }
}

function isConflict(error: unknown): boolean {
  return error instanceof PortalRefused && error.portalCode === 409
}

function versionOf({ version }: Answer): number | null {
  return typeof version === 'number' ? version : null
}
