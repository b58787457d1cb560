import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acceptPaths } from '../../../categories/change/accept-paths.ts'
import { listVanishing } from '../../../categories/change/paths.ts'
import { type PlannedChange, planFrom, type SchemaPlan } from '../../../categories/change/plan.ts'
import { diffSchemas } from '../../../categories/diff/diff.ts'
import { formatDiff } from '../../../categories/diff/format-diff.ts'
import { composeMovesBack } from '../../../categories/history/compose-moves.ts'
import { hashOf } from '../../../categories/history/document-hash.ts'
import { followMoves } from '../../../categories/moves.ts'
import { type CategorySchema, judgeSchema } from '../../../categories/schema.ts'
import { listPaths } from '../../../categories/schema-paths.ts'
import { PortalError } from '../../../errors.ts'
import { CommandError, refused, untried } from '../../failure.ts'
import { withLock } from '../../files/lock.ts'
import { type Connection, isSignInRefused, type Parameters, PortalRefused } from '../../network/connection.ts'
import type { PortalFacts } from '../../network/facts.ts'
import { AnswerLost } from '../../network/transport.ts'
import type { Place } from '../place.ts'
import {
  type ApplyOptions,
  ChangedMeanwhile,
  type KeptVersion,
  lookAfter,
  Portal,
  type PresentSchema,
  type Restored,
  type SchemaChange,
  schemaOf,
} from '../portal.ts'
import { ItemMover, movedItems } from './item-mover.ts'
import { MoveJournal } from './move-journal.ts'
import { type CarriedItems, findCarried } from './searched-paths.ts'
import { type SnapshotNote, Snapshots } from './snapshots.ts'

export interface ArcgisSettings {
  readonly connection: Connection
  readonly facts: PortalFacts
  /** Folder of journals and snapshots. */
  readonly folder: string
  say(sentence: string): void
  now(): number
}

/** ArcGIS Online or ArcGIS Enterprise, by documented operations alone: what they lack is done here, and read back. */
export class ArcgisPortal extends Portal {
  override readonly planNotes = { impactBy: 'search', atomic: false }
  readonly #settings: ArcgisSettings
  readonly #snapshots: Snapshots
  readonly #folder: string

  constructor(settings: ArcgisSettings) {
    super(settings.connection, settings.facts)
    this.#settings = settings
    this.#folder = settings.folder
    this.#snapshots = new Snapshots(this.#folder)
  }

  async read({ path }: Place): Promise<PresentSchema> {
    const schema = schemaOf(await this.connection.call(`${path}/categorySchema`))
    return { schema, hash: hashOf(schema), version: null }
  }

  async readVersion(place: Place, version: number): Promise<CategorySchema> {
    return this.#snapshots.find(place, version).schema
  }

  async listVersions(place: Place): Promise<readonly KeptVersion[]> {
    return this.#snapshots.list(place).map(({ document: _, moves: __, ...version }) => version)
  }

  async changeBack(place: Place, before: PresentSchema, restored: Restored): Promise<SchemaChange> {
    const { schema, since } = this.#snapshots.find(place, restored.version)
    const moves = restored.items === 'stay' ? [] : composeMovesBack(listPaths(schema), listPaths(before.schema), since)
    return { place, before, after: schema, moves, vanishing: 'keep', restored }
  }

  async plan(change: SchemaChange): Promise<SchemaPlan> {
    const { place, before, after, moves, restored } = change
    requireValid(change)
    const found = await this.#findCarried(change)
    const owner = ownerOf(place, this.portalId)
    const schemas = { before: before.schema, after }
    if (!restored) await acceptPaths(found, owner, schemas, change, async () => {}).catch(refuseInItsWords)
    const plan = await planFrom({ before: before.schema, version: 0 }, found, { owner, after, moves, isCleared: false })
    // Searches by path do not find categories that the schema does not have.
    return { ...plan, impact: { ...plan.impact, unrecognizedBefore: null, unrecognizedAfter: null } }
  }

  async apply(change: SchemaChange, options: ApplyOptions): Promise<number | null> {
    const { place, before, after, moves } = change
    if (after.categorySchema.length > 0) requireValid(change)
    this.requireChoice(change, options.items)
    await this.resume(place, before, 'move')
    if (moves.length === 0 || options.items !== 'move') return this.#make(change, options)
    return this.#withJournal(place, async (path) => {
      const journal = await this.#listMoved(change, path)
      const version = await this.#make(change, options)
      await new ItemMover(this.connection, this.items, place, journal).run()
      return version
    })
  }

  async propose(): Promise<string> {
    throw untried(`schema propose works with Cartulary only; ${this.url} has no drafts.`)
  }

  override requireChoice({ moves }: SchemaChange, items: ApplyOptions['items']): void {
    if (moves.length === 0 || items !== undefined) return
    throw refused('Items of moved paths: --move-items gives them their new paths, --leave-items leaves them.')
  }

  override async resume(place: Place, present: PresentSchema, items: ApplyOptions['items']): Promise<boolean> {
    if (items === 'leave' || !existsSync(this.#journalPath(place))) return false
    return this.#withJournal(place, async (path) => {
      const journal = MoveJournal.open(path)
      if (journal?.head.hash !== present.hash) return false
      const change = `An interrupted change of ${place.key}`
      if (items === undefined) {
        this.#settings.say(`${change} may have left items: --move-items gives them their new paths.`)
        return false
      }
      await new ItemMover(this.connection, this.items, place, journal).run()
      this.#settings.say(`${change} had left items; they have their new paths now.`)
      return true
    })
  }

  /** Does work on the journal of moves of a place, which no other command does at the same time. */
  #withJournal<T>(place: Place, work: (path: string) => Promise<T>): Promise<T> {
    const path = this.#journalPath(place)
    const held = `Another command moves the items of ${place.key} at the moment`
    return withLock(`${path}.lock`, 1, held, () => work(path))
  }

  /** Writes the schema, with a snapshot before and after. */
  async #make(change: SchemaChange, { comment, items }: ApplyOptions): Promise<number | null> {
    const { place, before, after, moves, restored } = change
    const isDeletion = after.categorySchema.length === 0
    const present = await this.read(place)
    if (present.hash !== before.hash && present.hash !== hashOf(after)) throw new ChangedMeanwhile()
    this.#keep(place, before.schema, { action: 'found' })
    if (present.hash !== hashOf(after)) {
      const lost = 'where the schema has changed meanwhile: what another writes in between is lost'
      this.#settings.say(`${this.url} cannot refuse a write ${lost}.`)
      if (isDeletion) await this.#write(change, 'deleteCategorySchema', {})
      else await this.#write(change, 'assignCategorySchema', { categorySchema: documentOf(after) })
    }
    const version = this.#keep(place, after, {
      action: isDeletion ? 'delete' : restored ? 'restore' : 'assign',
      comment: comment ?? null,
      moves: items === 'move' ? moves : [],
    })
    return isDeletion ? null : version
  }

  /** Reader of what items carry of the paths that move or vanish. */
  #findCarried({ place, before, after, moves }: SchemaChange): Promise<CarriedItems> {
    const paths = { before: new Set(listPaths(before.schema)), after: new Set(listPaths(after)), moves }
    const follow = followMoves(moves)
    const moved = [...paths.before].filter((path) => follow(path) !== path)
    const concerned = new Set([...listVanishing(paths), ...moved, ...moves.map(({ from }) => from)])
    return findCarried(this.items, place, [...concerned])
  }

  /** Lists and journals the items of all moved paths, before any of these is lost. */
  async #listMoved({ place, after, moves }: SchemaChange, path: string): Promise<MoveJournal> {
    const froms = moves.map(({ from }) => from)
    const found = await this.items.list(place, froms)
    const kept = new Set(listPaths(after))
    const gone = froms.filter((from) => !kept.has(from))
    const head = { hash: hashOf(after), moves, gone, begun: this.#settings.now() }
    const former = MoveJournal.open(path)
    if (former && former.left.length > 0 && former.head.hash !== head.hash) {
      const left = `${former.left.length} of ${former.items.size} items, and its schema was replaced since`
      const where = `they may carry former categories. Their ids and new paths are in ${former.setAside()}.`
      this.#settings.say(`An earlier change of ${place.key} left ${left}: ${where}`)
    }
    return MoveJournal.begin(path, head, movedItems(found, followMoves(moves)))
  }

  /** Writes, and looks what is there, whatever the portal says. */
  async #write(change: SchemaChange, operation: string, parameters: Parameters): Promise<void> {
    const { place, after } = change
    let failure: Error | undefined
    try {
      const options = { isWrite: true, isRepeatable: true }
      const answer = await this.connection.call(`${place.path}/${operation}`, parameters, options)
      if (answer['success'] !== true) failure = refused(`${this.url} does not say that ${place.key} was written.`)
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof AnswerLost)) throw error
      if (error instanceof PortalRefused && (error.exit === 1 || isSignInRefused(error))) throw error
      failure = error
    }
    if (failure) return void (await lookAfter(this, failure, change, hashOf(after)))
    const present = await this.read(place).catch(() => undefined)
    if (present?.hash === hashOf(after)) return
    if (!present) throw refused(`${this.url} says that ${place.key} was written, and does not let it be read back.`)
    const changes = formatDiff(diffSchemas(after, present.schema, [])).trimEnd()
    throw refused('What reads back differs:', changes.split('\n'))
  }

  #keep(place: Place, schema: CategorySchema, note: Omit<SnapshotNote, 'modified'>): number {
    return this.#snapshots.keep(place, schema, { ...note, modified: this.#settings.now() })
  }

  #journalPath({ key }: Place): string {
    return join(this.#folder, 'moves', `${key.replace(':', '-')}.jsonl`)
  }
}

function documentOf({ categorySchema }: CategorySchema): string {
  return JSON.stringify({ categorySchema })
}

function requireValid({ place, after, vanishing }: SchemaChange): void {
  if (vanishing === 'clear') throw untried('--vanishing clear works with Cartulary only.')
  const verdict = judgeSchema(documentOf(after), place.limits)
  if ('violations' in verdict) throw refused('The portal would refuse this category schema.', verdict.violations)
}

/** A refusal by a rule of the server. */
function refuseInItsWords(error: unknown): never {
  if (error instanceof PortalError) throw refused(error.message, [...error.details, ...error.reasons])
  throw error
}

function ownerOf({ groupId }: Place, portalId: string): PlannedChange['owner'] {
  return groupId === undefined ? { kind: 'portal', portalId } : { kind: 'group', groupId }
}
