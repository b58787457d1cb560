import { type Endpoint, kindOf } from '../endpoints/endpoint.ts'
import { ancestorsOf, childrenOf, type Ids, pathOf, segmentsOf } from '../endpoints/places.ts'
import { escapeDirection, type Html, html } from './html.ts'

/** The ways from a page to others. */

/** Place of a page. */
export interface Standpoint {
  readonly table: readonly Endpoint[]
  /** Path of the API, `/sharing/rest` behind the context. */
  readonly base: string
  readonly ids: Ids
}

interface Place {
  readonly text: string
  readonly href: string
  readonly kind: ReturnType<typeof kindOf>
}

/** Pages of what an id names, its own first. */
const pagesOf: Readonly<Record<string, readonly string[]>> = {
  portalId: ['/portals/:portalId', '/accounts/:portalId'],
  username: ['/community/users/:username', '/content/users/:username'],
  groupId: ['/community/groups/:groupId', '/content/groups/:groupId'],
  itemId: ['/content/items/:itemId', '/content/users/:username/items/:itemId'],
  clientId: ['/oauth2/apps/:clientId'],
  jobId: ['/portals/:portalId/jobs/:jobId'],
  entryId: ['/portals/:portalId/history/:entryId/revert'],
}

/** Names that ids have in paths, by the member of a value. */
const idNames: Readonly<Record<string, string>> = {
  owner: 'username',
  username: 'username',
  orgId: 'portalId',
  itemId: 'itemId',
  client_id: 'clientId',
  jobId: 'jobId',
  revertId: 'entryId',
  version: 'version',
  name: 'templateName',
}

/** Names that the ids of entries have in paths, by the member of a value that has the entries, or the one that was made. */
const entryNames: Readonly<Record<string, string>> = {
  results: 'itemId',
  items: 'itemId',
  history: 'entryId',
  group: 'groupId',
  groups: 'groupId',
  admin: 'groupId',
  member: 'groupId',
  other: 'groupId',
}

/** Maximum number of links that a page has of its value: several for each entry of the longest list that clients ask for. */
const maxLinks = 500

type Value = Readonly<Record<string, unknown>>

/** Links to what the ids in a value name, and to the pages of its entries. */
function findLinks({ table, base, ids }: Standpoint, row: Endpoint, value: unknown): readonly Place[] {
  if (!isValue(value)) return []
  const named = idsOf(value)
  const known: Ids = { portalId: 'self', ...ids, ...named }
  const below = entriesBelow(table, row)
  const places = new Map<string, Place>()
  const add = (target: Endpoint | undefined, of: Ids, text?: string) => {
    if (!target || idsIn(target).some((name) => !of[name])) return
    const href = base + pathOf(target, of)
    places.set(href, { text: escapeDirection(text ?? target.title), href, kind: kindOf(target) })
  }
  const find = (path: string | undefined) => table.find((other) => other.path === path)
  const own = /:(\w+)$/.exec(row.path)?.[1] ?? ''
  for (const name of new Set([own, ...Object.values(idNames).filter((one) => one in named)])) {
    for (const path of pagesOf[name] ?? []) if (path !== row.path) add(find(path), known)
  }
  for (const [member, part] of Object.entries(value)) {
    // Other objects may be JSON of a client.
    const entries: readonly unknown[] = Array.isArray(part) ? part : member in entryNames ? [part] : []
    for (const entry of entries.filter(isValue)) {
      const name = below.idName ?? ('username' in entry ? 'username' : entryNames[member])
      const id = name && idOf(entry, name)
      if (!id || places.size >= maxLinks) continue
      const targets = below.idName === undefined ? [find(pagesOf[name]?.[0])] : below.rows
      const called = [entry['title'], entry['name']].find((text) => typeof text === 'string' && text.trim() !== '')
      for (const target of targets)
        add(target, { ...known, [name]: id }, called ? String(called) : `${target?.title} ${id}`)
    }
  }
  return [...places.values()]
}

/** Rows of the entries of a list: the page of one, or the operations on one that has no page. */
function entriesBelow(table: readonly Endpoint[], row: Endpoint) {
  const { length } = segmentsOf(row.path)
  const below = table.filter((other) => {
    const [first, ...rest] = segmentsOf(other.path).slice(length)
    const isOfEntry = other.path.startsWith(`${row.path}/:`) && first?.startsWith(':') && !other.isAlwaysRefused
    return isOfEntry && rest.every((segment) => !segment.startsWith(':'))
  })
  const page = below.find(({ path }) => segmentsOf(path).length === length + 1)
  return { idName: below[0] && idsIn(below[0]).at(-1), rows: page ? [page] : below }
}

function idsIn({ path }: Endpoint): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

function idsOf(value: Value): Ids {
  const found = Object.entries(idNames).map(([member, name]): [string, unknown] => [name, value[member]])
  return Object.fromEntries(found.filter((one): one is [string, string] => typeof one[1] === 'string'))
}

/** The id of an entry; undefined without one. */
function idOf(entry: Value, name: string): string | undefined {
  const member = Object.keys(idNames).find((one) => idNames[one] === name && one in entry)
  const { id = (entry['portalInfo'] as Value | undefined)?.['id'] } = entry
  const found = member === undefined ? id : entry[member]
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

function isValue(part: unknown): part is Value {
  return typeof part === 'object' && part !== null
}

export function formatCrumbs({ table, base, ids }: Standpoint, row: Endpoint): Html {
  const above = ancestorsOf(table, row).map(
    (ancestor) => html`<li><a href="${base}${pathOf(ancestor, ids)}">${ancestor.title}</a></li>`,
  )
  if (above.length === 0) return html``
  return html`<nav class="crumbs" aria-label="Above this page"><ol>${above}
<li aria-current="page">${row.title}</li></ol></nav>`
}

/** Links to what is below, and to what the value refers to. */
export function formatNeighbours(standpoint: Standpoint, row: Endpoint, value: unknown): Html {
  const { table, base, ids } = standpoint
  const children = childrenOf(table, row).map((child) => ({
    text: child.title,
    href: base + pathOf(child, ids),
    kind: kindOf(child),
  }))
  const known = new Set(children.map(({ href }) => href))
  const links = findLinks(standpoint, row, value)
  const places: readonly Place[] = [...children, ...links.filter(({ href }) => !known.has(href))]
  const group = (heading: string, kind: Place['kind']) => {
    const found = places.filter((place) => place.kind === kind)
    if (found.length === 0) return html``
    const list = found.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)
    return html`<h2>${heading}</h2><ul>${list}</ul>`
  }
  if (places.length === 0) return html``
  return html`<nav class="near" aria-label="From this page">
${group('Resources', 'resource')}
${group('Operations', 'operation')}
</nav>`
}
