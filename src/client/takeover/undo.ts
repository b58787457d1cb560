import { hashOf } from '../../categories/history/document-hash.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import { isObject } from '../../json-text.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { refused } from '../failure.ts'
import { resumable } from '../items/job.ts'
import { type Answer, PortalRefused } from '../network/connection.ts'
import { objectsOf, textOf, textsOf } from '../network/facts.ts'
import { hasSamePaths } from '../portals/item-writer.ts'
import { confirm } from '../schemas/apply.ts'
import { type BothPortals, openPlanned } from './both-portals.ts'
import { digestOfPeople, readPeople, removeTwins } from './take-groups.ts'
import { orRefusal, reasonOf } from './take-items.ts'
import { type TakeoverJob, type TakeoverLine, withTakeover } from './takeover-job.ts'
import { readTakeover } from './takeover-plan.ts'

/** Something that others have changed since, or do not let go. */
type Kept = Readonly<{ kind: 'item' | 'group' | 'schema'; targetId: string; reason: string }>

type TakenSchema = NonNullable<TakeoverLine['schema']>

/** Deletes what a takeover made, where no one has changed it since; the rest is named. */
export async function undo(call: Call): Promise<Answered> {
  const plan = await readTakeover(call)
  const both = await openPlanned(call, plan)
  return withTakeover(call, plan, async (job) => {
    if (job.made === 0) throw refused('This machine has made nothing by this plan.')
    await confirm(call, `Delete what was made of ${job.made} groups and items in ${plan.to.url}?`)
    const undoing = new Undoing(both, job)
    await resumable(
      call,
      () => `${undoing.looked} of ${job.known.size}`,
      async () => {
        await removeTwins(both, plan, job)
        await undoing.run()
      },
    )
    job.note({ state: 'undone' })
    const { kept, deleted } = undoing
    const lines = [
      `${deleted} deleted, ${kept.length} kept.`,
      ...kept.map(({ kind, targetId, reason }) => `${kind} ${targetId}: ${reason}`),
    ]
    const json = { summary: { deleted, kept: kept.length }, kept }
    return { json, text: lines.join('\n'), exit: kept.length > 0 ? 1 : 0 }
  })
}

const changed = 'it has been changed since, and is kept.'

class Undoing {
  readonly #both: BothPortals
  readonly #job: TakeoverJob
  readonly kept: Kept[] = []
  deleted = 0
  looked = 0
  /** Ids of items, with those of the groups that they were shared with. */
  readonly #groupsOf = new Map<string, string>()
  readonly #sorted = new Set<string>()

  constructor(both: BothPortals, job: TakeoverJob) {
    this.#both = both
    this.#job = job
  }

  async run(): Promise<void> {
    const groups = new Map<string, TakeoverLine['group']>()
    const schemas: TakenSchema[] = []
    for (const line of this.#job.lines()) {
      const { outcomes = [], group, schema } = line
      for (const [kind, , id, result] of outcomes) if (kind === 'group' && result === 'made') groups.set(id, undefined)
      if (group && groups.has(group.id)) groups.set(group.id, group)
      if (schema) schemas.push(schema)
      await this.#lookAtGroup(line)
    }
    for (const { items } of this.#job.lines()) if (items) await this.#deleteItems(items)
    for (const [id, group] of groups) {
      const ofGroup = schemas.filter(({ groupId }) => groupId === id)
      await this.#deleteGroup(id, group, ofGroup)
    }
    for (const schema of schemas) if (schema.groupId === undefined) await this.#restoreSchema(schema)
  }

  /** Looks which items were shared, and which of them others have sorted in the group since. */
  async #lookAtGroup({ place = '', linked = [] }: TakeoverLine): Promise<void> {
    const groupId = this.#job.groups.get(place)
    if (groupId === undefined || linked.length === 0) return
    const { connection } = this.#both.target.portal
    const q = `id:(${linked.map(([, id]) => id).join(' OR ')})`
    const answer = await orRefusal(connection.call(`/content/groups/${groupId}/search`, { q, num: 100 }))
    const results = answer instanceof PortalRefused ? [] : objectsOf(answer, 'results')
    const found = new Map(results.map((item) => [textOf(item['id']), item]))
    for (const [, id, categories] of linked) {
      const former = this.#groupsOf.get(id)
      this.#groupsOf.set(id, former === undefined ? groupId : `${former},${groupId}`)
      const item = found.get(id)
      if (item && !hasSamePaths(textsOf(item['groupCategories']), categories)) this.#sorted.add(id)
    }
  }

  async #deleteItems(items: NonNullable<TakeoverLine['items']>): Promise<void> {
    const deletable = new Map<string, string[]>()
    for (const [, id, result, owner, level] of items) {
      this.looked += 1
      if (result !== 'made') continue
      const found = await this.#read(`/content/users/${encodeURIComponent(owner)}/items/${id}`)
      if (found && this.#isAsMade(found, level)) deletable.set(owner, [...(deletable.get(owner) ?? []), id])
      else if (found || (await this.#read(`/content/items/${id}`))) {
        this.kept.push({ kind: 'item', targetId: id, reason: changed })
      }
    }
    const { connection } = this.#both.target.portal
    for (const [owner, ids] of deletable) {
      const path = `/content/users/${encodeURIComponent(owner)}/deleteItems`
      const answer = await connection.call(path, { items: ids.join(',') }, { isWrite: true, isRepeatable: true })
      for (const { itemId, success, error } of objectsOf(answer, 'results')) {
        if (success === true) this.deleted += 1
        else if (await this.#read(`/content/items/${textOf(itemId)}`)) {
          const reason = isObject(error) ? textOf(error['message']) : ''
          this.kept.push({ kind: 'item', targetId: textOf(itemId), reason })
        }
      }
    }
  }

  /** A job makes an item with everything of its own: only others change its time later. */
  #isAsMade({ item, sharing }: Answer, level: string): boolean {
    const { id, created, modified, access } = isObject(item) ? item : {}
    if (modified !== created || this.#sorted.has(textOf(id))) return false
    const groups = isObject(sharing) ? textsOf(sharing['groups']) : []
    const wanted = this.#groupsOf.get(textOf(id))?.split(',') ?? []
    return hasSamePaths(groups, wanted) && access === (level === 'private' && wanted.length > 0 ? 'shared' : level)
  }

  async #deleteGroup(id: string, made: TakeoverLine['group'], schemas: readonly TakenSchema[]): Promise<void> {
    const { portal, find } = this.#both.target
    const path = `/community/groups/${id}`
    const group = await this.#read(path)
    if (!group) return
    const keep = (reason: string) => void this.kept.push({ kind: 'group', targetId: id, reason })
    const place = await find(`group:${id}`)
    if ((await portal.items.count(place)) > 0) return keep('it has items, and is kept.')
    const isSame = !made || made.people === digestOfPeople(await readPeople(portal, id))
    if (!isSame || (made && made.modified !== group['modified'])) return keep(changed)
    const known = schemas.flatMap(({ before, after }) => [after, hashOf(before)])
    if (known.length > 0 && !known.includes((await portal.read(place)).hash)) return keep(changed)
    const answer = await orRefusal(portal.connection.call(`${path}/delete`, {}, { isWrite: true, isRepeatable: true }))
    if (!(answer instanceof PortalRefused)) this.deleted += 1
    else if (await this.#read(path)) keep(reasonOf(answer))
  }

  /** Gives the organization its former schema, where no item would lose a category. */
  async #restoreSchema({ before, after }: TakenSchema): Promise<void> {
    const { portal, find } = this.#both.target
    const place = await find('org')
    const present = await portal.read(place)
    if (present.hash === hashOf(before)) return
    const keep = (reason: string) => void this.kept.push({ kind: 'schema', targetId: 'org', reason })
    if (present.hash !== after) return keep(changed)
    const former = new Set(listPaths(before))
    const items = await portal.items.countCarrying(place, listPaths(present.schema), (path) => !former.has(path))
    if (items > 0) return keep(`${items} items have its categories.`)
    await portal.apply({ place, before: present, after: before, moves: [], vanishing: 'keep' }, {})
    this.deleted += 1
  }

  /** Undefined where it is gone. */
  async #read(path: string): Promise<Answer | undefined> {
    const answer = await orRefusal(this.#both.target.portal.connection.call(path))
    return answer instanceof PortalRefused ? undefined : answer
  }
}
