import { join } from 'node:path'
import type { CategorySchema } from '../../categories/schema.ts'
import type { Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { Journal } from '../files/journal.ts'
import { withLock } from '../files/lock.ts'
import { portalFolder } from '../portals/open.ts'
import type { TakeoverPlan } from './takeover-plan.ts'

/** Something that a takeover made, or why it did not: a row of its report. */
export type Outcome = readonly [kind: Kind, sourceId: string, targetId: string, result: Result, reason: string]
export type Kind = 'schema' | 'group' | 'member' | 'item' | 'owner' | 'data' | 'categories' | 'access' | 'share'
export type Result = 'made' | 'present' | 'refused'

/** An item that is there, with its owner and the access of its own. */
export type TakenItem = readonly [sourceId: string, targetId: string, result: Result, owner: string, level: string]
/** An item that was shared with a group, with its categories there. */
export type LinkedItem = readonly [sourceId: string, targetId: string, categories: readonly string[]]

/** A line of the journal: what was done, after it was done. A schema is noted before. */
export interface TakeoverLine {
  /** Place at the source: `org`, or the id of a group. */
  readonly place?: string
  readonly schema?: Readonly<{ groupId: string | undefined; before: CategorySchema; after: string }>
  /** A group is about to be made: one that is found after a kill is ours. */
  readonly asked?: true
  readonly outcomes?: readonly Outcome[]
  readonly items?: readonly TakenItem[]
  readonly linked?: readonly LinkedItem[]
  /** Latest time of creation among the items of a page, at the source. */
  readonly created?: number
  /** A group as the takeover left it. */
  readonly group?: Readonly<{ id: string; modified: number; people: string }>
  /** The place is done. */
  readonly ended?: true
  /** All is done, or taken back. */
  readonly state?: 'done' | 'undone'
}

/** The job of a plan under its lock: its journal, and what is needed of it in memory. */
export class TakeoverJob {
  readonly #journal: Journal<TakeoverLine>
  readonly lines: () => Iterable<TakeoverLine>
  /** Items of the source that are made, or present. */
  readonly known = new Set<string>()
  readonly endedPlaces = new Set<string>()
  readonly askedPlaces = new Set<string>()
  /** Groups of the source whose items are shared, some or all. */
  readonly #begunPlaces = new Set<string>()
  /** Groups of the target by those of the source. */
  readonly groups = new Map<string, string>()
  readonly #refused = new Map<string, Outcome>()
  made = 0
  present = 0
  /** Refusals that were noted, those among them that were done later too. */
  refusals = 0
  state: 'begun' | 'done' | 'undone' = 'begun'
  /** Latest time of creation of the place under way. */
  createdOf: Readonly<{ place: string; created: number }> = { place: '', created: 0 }

  constructor(journal: Journal<TakeoverLine>, lines: () => Iterable<TakeoverLine>) {
    this.#journal = journal
    this.lines = lines
    for (const line of lines()) this.#take(line)
  }

  get refused(): readonly Outcome[] {
    return [...this.#refused.values()]
  }

  note(line: TakeoverLine): void {
    this.#journal.append(line)
    this.#take(line)
  }

  /** Items that are in the place, and done there; those of the organization are the strings of `known`, for their memory. */
  seenIn(place: string): Set<string> {
    if (place === 'org') return new Set(this.known)
    const seen = new Set<string>()
    if (!this.#begunPlaces.has(place)) return seen
    for (const line of this.lines()) {
      if (line.place === place) for (const [sourceId] of line.linked ?? []) seen.add(sourceId)
    }
    return seen
  }

  #take({ place = '', asked, outcomes = [], items = [], linked = [], created, ended, state }: TakeoverLine): void {
    for (const [sourceId, targetId, result] of items) {
      this.known.add(sourceId)
      this.#forget('item', sourceId, targetId)
      this.#sum(result)
    }
    for (const [sourceId, targetId] of linked) this.#forget('share', sourceId, targetId)
    for (const outcome of outcomes) this.#count(outcome)
    if (created !== undefined) this.createdOf = { place, created }
    if (linked.length > 0) this.#begunPlaces.add(place)
    if (asked) this.askedPlaces.add(place)
    if (ended) this.endedPlaces.add(place)
    if (state) this.state = state
  }

  #count(outcome: Outcome): void {
    const [kind, sourceId, targetId, result] = outcome
    if (result === 'refused') {
      this.refusals += 1
      this.#refused.set(keyOf(kind, sourceId, targetId), outcome)
      return
    }
    this.#forget(kind, sourceId, targetId)
    if (kind !== 'group') return
    this.groups.set(sourceId, targetId)
    this.#sum(result)
  }

  /** Something that was refused before is done now. */
  #forget(kind: Kind, sourceId: string, targetId: string): void {
    this.#refused.delete(keyOf(kind, sourceId, targetId))
  }

  #sum(result: Result): void {
    if (result === 'made') this.made += 1
    else this.present += 1
  }
}

/** Key of a refusal; a refused item or group has no id at the target yet. */
function keyOf(kind: Kind, sourceId: string, targetId: string): string {
  return kind === 'item' || kind === 'group' ? `${kind} ${sourceId}` : `${kind} ${sourceId} ${targetId}`
}

type Words = Readonly<{ cartularyTakeover: 1; digest: string; portal: string; portalId: string }>

function wordsOf({ digest, to }: TakeoverPlan): Words {
  return { cartularyTakeover: 1, digest, portal: to.url, portalId: to.portalId }
}

function pathOf(call: Call, { to, digest }: TakeoverPlan): string {
  return join(portalFolder(call.shell, to), 'takeovers', `${digest.slice('sha256:'.length).slice(0, 16)}.jsonl`)
}

/** The job of a plan as this machine has it; undefined where it has not begun. */
export function findJob(call: Call, plan: TakeoverPlan): TakeoverJob | undefined {
  const found = Journal.open<TakeoverLine>(pathOf(call, plan))
  if (!found) return undefined
  if (JSON.stringify(found.head) !== JSON.stringify(wordsOf(plan))) {
    throw untried(`${found.journal.path} is the journal of another takeover: move it away.`)
  }
  return new TakeoverJob(found.journal, found.lines)
}

/** Does work on the job of a plan, which no other command does at the same time. */
export async function withTakeover<T>(
  call: Call,
  plan: TakeoverPlan,
  work: (job: TakeoverJob) => Promise<T>,
): Promise<T> {
  const path = pathOf(call, plan)
  return withLock(`${path}.lock`, 1, 'Another command does this takeover at the moment', async () => {
    const found = findJob(call, plan)
    if (found) return work(found)
    Journal.begin<TakeoverLine>(path, wordsOf(plan))
    return work(findJob(call, plan)!)
  })
}
