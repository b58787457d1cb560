import { type Item, searchWindow, type World } from './world.ts'

/** Entry of the index: a copy of the item as it was when it was indexed. */
interface Indexed {
  readonly item: Item
  readonly categories: readonly string[]
  readonly inGroups: ReadonlyMap<string, readonly string[]>
  readonly modified: number
}

interface Waiting {
  readonly dueAt: number
  readonly entry: Indexed
}

/** The search index of items: it is a store of its own, and behind the truth by as many searches as the quirk says. */
export class ItemIndex {
  readonly #world: World
  readonly #entries = new Map<string, Indexed>()
  #waiting: Waiting[] = []
  #searches = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Takes note of a change of the item, now or later. */
  update(item: Item): void {
    const { categories, modified } = item
    const entry = { item, categories, modified, inGroups: new Map(item.inGroups) }
    const lag = this.#world.quirks.indexLag ?? 0
    if (lag === 0) this.#entries.set(item.id, entry)
    else this.#waiting.push({ dueAt: this.#searches + lag, entry })
  }

  /** Takes note of all items now. */
  settle(): void {
    this.#waiting = []
    for (const item of this.#world.items.values()) {
      const { categories, modified } = item
      this.#entries.set(item.id, { item, categories, modified, inGroups: new Map(item.inGroups) })
    }
  }

  /** An answer to `/search`, or to that of a group. */
  search(parameters: URLSearchParams, groupId: string | undefined): object {
    this.#catchUp()
    const text = (name: string) => parameters.get(name) ?? ''
    if (text('q') === '' && text('filter') === '' && !parameters.has('categories')) {
      throw new Error("'q', 'bbox' or 'categories' parameter must be specified.")
    }
    const query = parseQuery(text('q'))
    const wanted = parameters.getAll('categories').map(listOf)
    if (wanted.length > 8 || wanted.some((list) => list.length > 8)) throw new Error('Up to 8 categories are allowed.')
    const found = [...this.#entries.values()].filter(
      (entry) =>
        (groupId === undefined || entry.inGroups.has(groupId)) &&
        query(entry) &&
        wanted.every((list) => list.some((path) => this.#hasCategory(entry, path, groupId))),
    )
    const sorted = this.#sorted(found, text('sortField'), text('sortOrder'))
    const num = Math.min(parameters.has('num') ? Number(text('num')) : 10, 100)
    const asked = Number(text('start') || 1)
    const start = asked > searchWindow ? 1 : asked
    const page = sorted.slice(start - 1, start - 1 + num)
    const next = asked + num
    return {
      query: text('q'),
      total: found.length,
      start,
      num,
      nextStart: num > 0 && next <= found.length ? next : -1,
      results: page.map((entry) => viewOf(entry, groupId)),
      ...(parameters.has('countFields') && { aggregations: countCategories(found, groupId) }),
    }
  }

  #catchUp(): void {
    this.#searches += 1
    for (const { dueAt, entry } of this.#waiting) {
      if (dueAt <= this.#searches) this.#entries.set(entry.item.id, entry)
    }
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > this.#searches)
  }

  /** Items of a path are those that have it, or one below it, in any case. */
  #hasCategory(entry: Indexed, path: string, groupId: string | undefined): boolean {
    const wanted = path.toLowerCase()
    if (this.#world.quirks.forgetsLostPaths && !this.#knows(wanted, groupId)) return false
    return categoriesOf(entry, groupId).some((own) => `${own.toLowerCase()}/`.startsWith(`${wanted}/`))
  }

  #knows(path: string, groupId: string | undefined): boolean {
    const trees = this.#world.schemas.get(groupId ?? this.#world.id)?.categorySchema ?? []
    let siblings = trees
    return path
      .slice(1)
      .split('/')
      .every((title) => {
        const found = siblings.find((node) => node.title?.toLowerCase() === title)
        siblings = found?.categories ?? []
        return found !== undefined
      })
  }

  #sorted(found: Indexed[], field: string, order: string): Indexed[] {
    const turn = this.#world.quirks.hasUnstableOrder ? this.#searches % Math.max(found.length, 1) : 0
    const turned = [...found.slice(turn), ...found.slice(0, turn)]
    if (field !== 'created' && field !== 'modified') return turned
    const sign = order === 'desc' ? -1 : 1
    const timeOf = (entry: Indexed) => (field === 'created' ? entry.item.created : entry.modified)
    return turned.sort((one, other) => sign * (timeOf(one) - timeOf(other)))
  }
}

function categoriesOf(entry: Indexed, groupId: string | undefined): readonly string[] {
  return groupId === undefined ? entry.categories : (entry.inGroups.get(groupId) ?? [])
}

function viewOf({ item, categories, modified, inGroups }: Indexed, groupId: string | undefined): object {
  const { id, title, type, owner, orgId, created } = item
  const ofGroup = groupId !== undefined && { groupCategories: inGroups.get(groupId) }
  return { ...item.described, id, title, type, owner, orgId, created, modified, categories, ...ofGroup }
}

/** Values as ArcGIS Online counts them: the leaves alone, in lower case (content counts of real portals). */
function countCategories(found: readonly Indexed[], groupId: string | undefined): object {
  const counts = new Map<string, number>()
  for (const path of found.flatMap((entry) => categoriesOf(entry, groupId))) {
    counts.set(path.toLowerCase(), (counts.get(path.toLowerCase()) ?? 0) + 1)
  }
  const fieldValues = [...counts].map(([value, count]) => ({ value, count }))
  return { counts: [{ fieldName: 'categories', fieldValues }] }
}

/** One `categories` parameter: paths separated by commas, or a JSON array of them. */
function listOf(parameter: string): readonly string[] {
  return parameter.startsWith('[') ? JSON.parse(parameter) : parameter.split(',')
}

type Query = (entry: Indexed) => boolean

/** The clauses that clients of categories send, side by side or joined by AND. Times have 19 digits, as texts are compared. */
function parseQuery(q: string): Query {
  const clause =
    /(?:^|\s+)(?:AND\s+)?(?:(?<field>orgid|owner|id):(?:\((?<list>[^)]*)\)|(?<value>[^\s()]+))|(?<time>created|modified):\[(?<from>\S+) TO (?<to>\S+)\])/gy
  const parts: Query[] = []
  let end = 0
  for (const match of q.matchAll(clause)) {
    end = match.index + match[0].length
    const { field, list, value, time, from, to } = match.groups!
    if (time) {
      parts.push((entry) => {
        const at = String(time === 'created' ? entry.item.created : entry.modified).padStart(19, '0')
        return (from === '*' || at >= from!) && (to === '*' || at <= to!)
      })
      continue
    }
    const values = new Set(list === undefined ? [value!] : list.split(' OR '))
    const memberOf = { orgid: 'orgId', owner: 'owner', id: 'id' } as const
    parts.push(({ item }) => values.has(item[memberOf[field as keyof typeof memberOf]]))
  }
  if (q.slice(end).trim() !== '') throw new Error(`Unable to parse the query at ${JSON.stringify(q.slice(end))}.`)
  return (entry) => parts.every((part) => part(entry))
}
