import { hashOf } from '../../categories/history/document-hash.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import type { Answered, Call } from '../command-line/run.ts'
import type { Answer } from '../network/connection.ts'
import { textOf, textsOf } from '../network/facts.ts'
import { formatTable } from '../output/text.ts'
import { hasSamePaths } from '../portals/item-writer.ts'
import type { Place } from '../portals/place.ts'
import { type BothPortals, openPlanned } from './both-portals.ts'
import { extentOf, hasText, levelOf, newItemOf, plainMembers, targetOwnerOf } from './source-items.ts'
import { findGroups, plainGroupMembers, readPeople } from './take-groups.ts'
import { findTaken } from './take-items.ts'
import { readTakeover, type TakeoverPlan } from './takeover-plan.ts'

/** Something that the target has not as the source has it. */
type Difference = Readonly<{ kind: string; sourceId: string; problem: string }>
/** Items of a place on both sides, and at each category there. */
type Counts = Map<string, [source: number, target: number]>

/** Differences of an answer that are shown. */
const maxShown = 10

/** Compares what a plan is to take over, item by item, and counts it by place and category. */
export async function verify(call: Call): Promise<Answered> {
  const plan = await readTakeover(call)
  const comparison = new Comparison(await openPlanned(call, plan), plan)
  await comparison.run()
  const { differences, counts } = comparison
  const rows = [...counts].flatMap(([place, ofPlace]) =>
    [...ofPlace].map(([path, [source, target]]) => [place, path, String(source), String(target)]),
  )
  const lines = [
    formatTable(['place', 'category', 'source', 'target'], rows, call.shell),
    ...differences.slice(0, maxShown).map(({ kind, sourceId, problem }) => `${kind} ${sourceId}: ${problem}`),
    `${differences.length} differences.`,
  ]
  const counted = rows.map(([place, category, source, target]) => {
    return { place, category, source: Number(source), target: Number(target) }
  })
  return { json: { differences, counts: counted }, text: lines.join('\n'), exit: differences.length > 0 ? 1 : 0 }
}

class Comparison {
  readonly #both: BothPortals
  readonly #plan: TakeoverPlan
  readonly differences: Difference[] = []
  readonly counts = new Map<string, Counts>()

  constructor(both: BothPortals, plan: TakeoverPlan) {
    this.#both = both
    this.#plan = plan
  }

  async run(): Promise<void> {
    const { source, target } = this.#both
    const { schema, items, groups } = this.#plan
    if (schema) {
      const { hash } = await target.portal.read(await target.find('org'))
      if (hash !== hashOf(schema.after)) this.#differ('schema', 'org', 'it is another one.')
    }
    if (items === 'org') await this.#compareItems(await source.find('org'), undefined)
    for (const { id } of groups) await this.#compareGroup(id)
  }

  #differ(kind: string, sourceId: string, problem: string): void {
    this.differences.push({ kind, sourceId, problem })
  }

  async #compareGroup(id: string): Promise<void> {
    const { source, target } = this.#both
    const found = await findGroups(this.#both, this.#plan, id)
    if (found.length !== 1) return this.#differ('group', id, found.length === 0 ? 'left out' : 'made twice')
    const groupId = textOf(found[0]!['id'])
    const described = await source.portal.connection.call(`/community/groups/${id}`)
    const made = await target.portal.connection.call(`/community/groups/${groupId}`)
    const missed = plainGroupMembers.filter(
      (name) => described[name] !== undefined && !isLike(described[name], made[name]),
    )
    if (textOf(made['owner']) !== targetOwnerOf(this.#plan, textOf(described['owner']))) missed.push('owner' as never)
    if (missed.length > 0) this.#differ('group', id, `differs in ${missed.join(', ')}`)
    const [from, to] = [await source.find(`group:${id}`), await target.find(`group:${groupId}`)]
    const { schema, hash } = await source.portal.read(from)
    if (schema.categorySchema.length > 0 && (await target.portal.read(to)).hash !== hash) {
      this.#differ('schema', id, 'it is another one.')
    }
    if (this.#plan.members) await this.#comparePeople(id, groupId)
    if (this.#plan.items !== 'none') await this.#compareItems(from, to)
  }

  async #comparePeople(id: string, groupId: string): Promise<void> {
    const { source, target } = this.#both
    const [wanted, present] = [await readPeople(source.portal, id), await readPeople(target.portal, groupId)]
    const there = new Set([...present.admins, ...present.users])
    const { owners } = this.#plan
    const missing = [...wanted.admins, ...wanted.users].filter(
      (name) => Object.hasOwn(owners, name) && !there.has(owners[name]!),
    )
    if (missing.length > 0) this.#differ('member', id, `${missing.join(', ')} left out`)
  }

  /** Compares the items of a place, and those of a group by what they are there too. */
  async #compareItems(from: Place, to: Place | undefined): Promise<void> {
    const { source, target } = this.#both
    const counts: Counts = new Map()
    this.counts.set(from.key, counts)
    const count = (path: string, side: 0 | 1) => {
      const both = counts.get(path) ?? [0, 0]
      both[side] += 1
      counts.set(path, both)
    }
    const known = to ? undefined : new Set(listPaths((await target.portal.read(await target.find('org'))).schema))
    for await (const page of source.portal.items.listResults(from, new Set(), 0)) {
      const ids = page.map(({ id }) => textOf(id))
      if (ids.length === 0) continue
      const found = await findTaken(this.#both, this.#plan, ids)
      const targetIds = ids.flatMap((id) => found.get(id)?.map((one) => textOf(one['id'])) ?? [])
      const linked = to && (await target.portal.items.findEach(to, targetIds))
      for (const item of page) {
        const id = textOf(item['id'])
        const several = found.get(id) ?? []
        const wanted = textsOf(item[to ? 'groupCategories' : 'categories']).filter((path) => known?.has(path) ?? true)
        for (const path of ['', ...wanted]) count(path, 0)
        if (several.length !== 1) {
          this.#differ('item', id, several.length === 0 ? 'left out' : 'made twice')
          continue
        }
        const made = several[0]!
        const inGroup = linked?.get(textOf(made['id']))
        if (to && !inGroup) {
          this.#differ('share', id, `is not in ${to.key}`)
          continue
        }
        const paths = inGroup?.categories ?? textsOf(made['categories'])
        for (const path of ['', ...paths]) count(path, 1)
        if (!hasSamePaths(wanted, paths)) this.#differ('categories', id, `differ in ${from.key}`)
        if (!to || this.#plan.items === 'groups') await this.#compareItem(item, made)
      }
    }
  }

  async #compareItem(item: Answer, made: Answer): Promise<void> {
    const { source, target } = this.#both
    const id = textOf(item['id'])
    const wished = newItemOf(this.#plan, item, undefined)
    const differing: string[] = ['title', 'url', ...plainMembers].filter(
      (name) => textOf(wished[name]) !== textOf(made[name]),
    )
    if (!hasSamePaths(textsOf(item['tags']), textsOf(made['tags']))) differing.push('tags')
    if (extentOf(item) !== extentOf(made)) differing.push('extent')
    if (textOf(made['owner']) !== targetOwnerOf(this.#plan, textOf(item['owner']))) differing.push('owner')
    const level = levelOf(this.#plan, item)
    if (level !== (made['access'] === 'shared' ? 'private' : made['access'])) differing.push('access')
    if (this.#plan.keepIds && id !== made['id']) differing.push('id')
    if (this.#plan.data && hasText(item)) {
      const path = (one: Answer) => `/content/items/${textOf(one['id'])}/data`
      const text = await source.portal.connection.text(path(item))
      if (text !== (await target.portal.connection.text(path(made)))) differing.push('data')
    }
    if (differing.length > 0) this.#differ('item', id, `differs in ${differing.join(', ')}`)
  }
}

/** Whether a value is the same but for what a portal writes in place of none. */
function isLike(one: unknown, other: unknown): boolean {
  return (one || null) === (other || null)
}
