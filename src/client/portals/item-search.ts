import { isAtOrBelow } from '../../categories/change/paths.ts'
import { isObject } from '../../json-text.ts'
import { refused, untried } from '../failure.ts'
import { type Answer, type Connection, type Parameters, PortalRefused } from '../network/connection.ts'
import { objectsOf } from '../network/facts.ts'
import { IdList, type KnownIds } from './id-list.ts'
import type { Place } from './place.ts'

/** An item, with its categories of the place: the organization's, or those of the group. */
export interface FoundItem {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly owner: string
  /** Epoch milliseconds. */
  readonly modified: number
  readonly categories: readonly string[]
}

/** Items of a place, and at each path in lower case, as a search gives it; at a Cartulary with those below. */
type CategoryCounts = Readonly<{ total: number; byPath: ReadonlyMap<string, number> }>

/** Maximum numbers of results of a page, and of one query: later pages are the first ones again (python-api#532). */
const [pageSize, windowSize] = [100, 10_000]
/** Paths of one `categories` parameter, of which an item needs one. */
export const maxPaths = 8
/** Ids that one query names (chosen). */
const maxIds = 100
/** Values of one count: more than a schema has categories. */
const maxCounted = 200
/** Readings of all pages until none is missing: an order with ties may change between answers (chosen). */
const maxPasses = 10

/** Clauses of `q`, and paths of which an item needs one. */
type Filter = Readonly<{ clauses?: readonly string[]; paths?: readonly string[] }>
type IsWanted = (path: string) => boolean

/** Finds items by their categories, never those of another organization, by documented parameters alone. */
export class ItemSearch {
  readonly #connection: Connection
  readonly #portalId: string

  constructor(connection: Connection, portalId: string) {
    this.#connection = connection
    this.#portalId = portalId
  }

  /** Number of items at or below one of the paths, 8 at most, or of all. */
  async count(place: Place, paths?: readonly string[]): Promise<number> {
    if (paths?.length === 0) return 0
    return totalOf(await this.#ask(place, paths ? { paths } : everything, { num: 0 }))
  }

  /** Number of items that carry a wanted one of these paths, by one search; undefined where one cannot tell. */
  async countAtOnce(place: Place, paths: readonly string[], isWanted: IsWanted): Promise<number | undefined> {
    const tops = topsOf(paths.filter(isWanted))
    // A portal finds paths in any case, and all that is below them.
    const found = tops.map((path) => path.toLowerCase())
    const isWhole = paths.every((path) => isWanted(path) || !isBelowAny(path.toLowerCase(), found))
    return isWhole && tops.length <= maxPaths ? this.count(place, tops) : undefined
  }

  /** Number of items that carry a wanted one of these paths; listed where one search cannot tell. */
  async countCarrying(place: Place, paths: readonly string[], isWanted: IsWanted): Promise<number> {
    const counted = await this.countAtOnce(place, paths, isWanted)
    if (counted !== undefined) return counted
    return (await this.list(place, paths.filter(isWanted))).filter((item) => item.categories.some(isWanted)).length
  }

  /** Number of items that carry no wanted one of these paths, also of those with categories of a former schema. */
  async countOthers(place: Place, paths: readonly string[], isWanted: IsWanted): Promise<number> {
    const { total, byPath } = await this.countEach(place)
    const known = new Set(paths.map((path) => path.toLowerCase()))
    const former = [...byPath.keys()].filter((path) => !known.has(path))
    return total - (await this.countCarrying(place, [...paths, ...former], isWanted))
  }

  async countEach(place: Place): Promise<CategoryCounts> {
    const counting = { countFields: 'categories', countSize: maxCounted, num: 1 }
    const answer = await this.#ask(place, everything, counting)
    const { aggregations } = answer
    const counts = isObject(aggregations) ? objectsOf(aggregations, 'counts') : []
    const values = counts.flatMap((one) => objectsOf(one, 'fieldValues'))
    const byPath = values.map(({ value, count }): [string, number] => [String(value).toLowerCase(), Number(count)])
    return { total: totalOf(answer), byPath: new Map(byPath) }
  }

  /** Items at or below one of the paths. */
  async list(place: Place, paths: readonly string[]): Promise<readonly FoundItem[]> {
    const tops = topsOf(paths)
    const found = new Map<string, FoundItem>()
    for (let at = 0; at < tops.length; at += maxPaths) {
      for (const item of await this.#listAll(place, { paths: tops.slice(at, at + maxPaths) })) found.set(item.id, item)
    }
    // A portal finds paths in any case.
    return [...found.values()].filter(({ categories }) => categories.some((path) => isBelowAny(path, tops)))
  }

  /** Items that were changed since, whatever their categories are. */
  listChangedSince(place: Place, time: number): Promise<readonly FoundItem[]> {
    return this.#listAll(place, { clauses: [timesFrom('modified', time)] })
  }

  /** Finds the items by id, as far as the index has them. */
  async findEach(place: Place, ids: readonly string[]): Promise<ReadonlyMap<string, FoundItem>> {
    const found = new Map<string, FoundItem>()
    for (let at = 0; at < ids.length; at += maxIds) {
      const clauses = [`id:(${ids.slice(at, at + maxIds).join(' OR ')})`]
      const answer = await this.#ask(place, { clauses }, { num: maxIds })
      for (const item of resultsOf(answer).flatMap((result) => this.#itemOf(result, place) ?? [])) {
        found.set(item.id, item)
      }
    }
    return found
  }

  /** The item as it is stored, with its categories of the organization: those of groups are in the index alone. */
  async read(place: Place, id: string): Promise<FoundItem | undefined> {
    try {
      return this.#itemOf(await this.#connection.call(`/content/items/${id}`), place)
    } catch (error) {
      if (error instanceof PortalRefused && error.exit === 1) return undefined
      throw error
    }
  }

  /** All items of the place by pages, each item once. */
  listEach(place: Place): AsyncGenerator<readonly FoundItem[]> {
    return this.#listPages(place, {})
  }

  /**
   * The items of the place by pages as the portal describes them, each once. Those whose ids are in `seen` are left out, and
   * those that were created before `from` come last.
   */
  async *listResults(place: Place, seen: KnownIds, from: number): AsyncGenerator<readonly Answer[]> {
    for await (const page of this.#readAll(place, {}, seen, from)) yield page.filter((one) => this.#isOwn(one))
  }

  /** The items that meet a clause, 100 at most, as the portal describes them. */
  async findResults(place: Place, clause: string): Promise<readonly Answer[]> {
    const answer = await this.#ask(place, { clauses: [clause] }, { num: pageSize })
    return resultsOf(answer).filter((one) => this.#isOwn(one))
  }

  async #listAll(place: Place, filter: Filter): Promise<readonly FoundItem[]> {
    const found: FoundItem[] = []
    for await (const page of this.#listPages(place, filter)) found.push(...page)
    return found
  }

  async *#listPages(place: Place, filter: Filter): AsyncGenerator<readonly FoundItem[]> {
    for await (const page of this.#readAll(place, filter, new IdList(), 0)) {
      yield page.flatMap((result) => this.#itemOf(result, place) ?? [])
    }
  }

  /** Reads all pages until no item is missing of those that the portal counts. */
  async *#readAll(place: Place, filter: Filter, seen: KnownIds, from: number): AsyncGenerator<readonly Answer[], void> {
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const begin = pass === 0 ? from : 0
      const read = yield* this.#readWindows(place, filter, seen, begin)
      const total = begin === 0 ? read : await this.count(place)
      if (seen.size >= total) return
    }
    throw refused(`The search of ${this.#connection.url} leaves items out: its pages overlap.`)
  }

  /** Queries go by windows of `created`, none of which has more items than can be paged through. */
  async *#readWindows(
    place: Place,
    filter: Filter,
    seen: KnownIds,
    begin: number,
  ): AsyncGenerator<readonly Answer[], number> {
    let whole: number | undefined
    for (let from = begin; ; ) {
      const clauses = [...(filter.clauses ?? []), timesFrom('created', from)]
      let [last, read, total] = [from, 0, 0]
      for (let start = 1; start <= windowSize; start += pageSize) {
        const sorted = { start, num: pageSize, sortField: 'created', sortOrder: 'asc' }
        const answer = await this.#ask(place, { ...filter, clauses }, sorted)
        const results = resultsOf(answer)
        const others = results.filter(({ id }) => !seen.has(String(id)))
        for (const { id } of others) seen.add(String(id))
        for (const { created } of results) last = Math.max(last, Number(created))
        yield others
        read += results.length
        total = totalOf(answer)
        whole ??= total
        if (results.length === 0 || read >= total) break
      }
      if (read >= total) return whole ?? total
      if (last === from) throw refused(`More than ${windowSize} items were created at one time: they cannot be listed.`)
      from = last
    }
  }

  #ask(place: Place, { clauses = [], paths }: Filter, page: Parameters) {
    const ofOrganization = place.groupId === undefined
    const q = [...(ofOrganization ? [`orgid:${this.#portalId}`] : []), ...clauses].join(' AND ')
    const path = ofOrganization ? '/search' : `/content/groups/${place.groupId}/search`
    return this.#connection.call(path, { q: q === '' ? undefined : q, categories: paths?.join(','), ...page })
  }

  #isOwn({ orgId }: Answer): boolean {
    return orgId === undefined || orgId === this.#portalId
  }

  /** Undefined for an item of another organization. */
  #itemOf(result: Answer, place: Place): FoundItem | undefined {
    if (!this.#isOwn(result)) return undefined
    const { id, title, type, owner, modified, categories, groupCategories } = result
    const given = place.groupId === undefined ? categories : groupCategories
    const paths = Array.isArray(given) ? given.filter((path) => typeof path === 'string') : []
    const described = { title: String(title), type: String(type), owner: String(owner), modified: Number(modified) }
    return { id: String(id), ...described, categories: paths }
  }
}

const everything: Filter = { clauses: [timesFrom('created', 0)] }

/** The paths that are below no other one. */
export function topsOf(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)))
}

export function isBelowAny(path: string, tops: readonly string[]): boolean {
  return tops.some((top) => isAtOrBelow(path, top))
}

/** Times have 19 digits, as they are compared as texts. */
function timesFrom(field: 'created' | 'modified', time: number): string {
  return `${field}:[${String(Math.max(0, time)).padStart(19, '0')} TO ${'9'.repeat(19)}]`
}

function totalOf({ total }: Answer): number {
  if (typeof total !== 'number') throw untried('The portal answers a search without a total.')
  return total
}

function resultsOf({ results }: Answer): readonly Answer[] {
  if (!Array.isArray(results) || !results.every(isObject)) {
    throw untried('The portal answers a search without a list of items.')
  }
  return results
}
