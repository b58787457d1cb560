import { type Endpoint, kindOf, type Link } from '../endpoints/endpoint.ts'
import { ancestorsOf, childrenOf, encodePath, findEndpoint, type Ids, pathOf, segmentsOf } from '../endpoints/places.ts'
import { type Html, html } from './html.ts'
import { escapeDirection } from './prose.ts'

/** The ways from a page to others. */

/** Where a page stands. */
export interface Standpoint {
  readonly table: readonly Endpoint[]
  /** Path of the API, `/sharing/rest` behind the context. */
  readonly base: string
  readonly ids: Ids
}

export interface Place {
  readonly text: string
  readonly href: string
  readonly kind: ReturnType<typeof kindOf>
}

/** Most links that a page has of its value: several for each entry of the longest list that clients ask for. */
const maxLinks = 500

/** The links of a row, with its value. */
export function findLinks(standpoint: Standpoint, row: Endpoint, value: unknown): readonly Place[] {
  if (value === undefined) return []
  const links = row.links?.(value, standpoint.ids) ?? []
  return links.slice(0, maxLinks).map((link) => followLink(standpoint, link))
}

/** Where a link of a row leads, and what it is called. */
function followLink({ table, base }: Standpoint, { text, path, query }: Link): Place {
  const segments = segmentsOf(path)
  const target = findEndpoint(table, segments)
  return {
    text: escapeDirection(text ?? target?.title ?? path),
    href: base + encodePath(segments) + (query ? `?${new URLSearchParams(query)}` : ''),
    kind: target ? kindOf(target) : 'resource',
  }
}

/** Formats the links as the header Link of an answer that is a file, where the page has no place for them. */
export function formatLinkHeader(standpoint: Standpoint, row: Endpoint, value: unknown): string {
  const related = findLinks(standpoint, row, value).map(
    ({ text, href }) => `<${href}>; rel="related"; title="${text.replace(/[^ -!#-[\]-~]/g, '?')}"`,
  )
  return related.join(', ')
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
export function formatNeighbours({ table, base, ids }: Standpoint, row: Endpoint, links: readonly Place[]): Html {
  const children = childrenOf(table, row).map((child) => ({
    text: child.title,
    href: base + pathOf(child, ids),
    kind: kindOf(child),
  }))
  const known = new Set(children.map(({ href }) => href))
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
