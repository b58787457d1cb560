import { type Endpoint, kindOf } from './endpoint.ts'

/** The hierarchy of endpoints, derived from their paths. */

export type Ids = Readonly<Record<string, string>>

export function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

const segmentsOfRows = new WeakMap<Endpoint, readonly string[]>()

/** Segments of the path of an endpoint, which never changes: each link of a page is compared with each endpoint. */
function segmentsOfRow(row: Endpoint): readonly string[] {
  const known = segmentsOfRows.get(row)
  if (known) return known
  const segments = segmentsOf(row.path)
  segmentsOfRows.set(row, segments)
  return segments
}

/** Path of an endpoint below the base, with these ids, encoded for a link. */
export function pathOf(row: Endpoint, ids: Ids): string {
  return encodePath(segmentsOfRow(row).map((segment) => (isId(segment) ? (ids[segment.slice(1)] ?? '') : segment)))
}

export function encodePath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** The resources above an endpoint, from the root down. */
export function ancestorsOf(table: readonly Endpoint[], row: Endpoint): readonly Endpoint[] {
  return table
    .filter((other) => kindOf(other) === 'resource' && isBelow(row, other))
    .sort((one, other) => segmentsOfRow(one).length - segmentsOfRow(other).length)
}

/** Children of each resource of a table, which never changes: finding them compares each endpoint with each. */
const children = new WeakMap<readonly Endpoint[], ReadonlyMap<Endpoint, readonly Endpoint[]>>()

/** Endpoints directly below a resource that need no further id, and that can succeed. */
export function childrenOf(table: readonly Endpoint[], row: Endpoint): readonly Endpoint[] {
  const known = children.get(table) ?? findChildren(table)
  children.set(table, known)
  return known.get(row) ?? []
}

function findChildren(table: readonly Endpoint[]): ReadonlyMap<Endpoint, readonly Endpoint[]> {
  const found = new Map<Endpoint, Endpoint[]>()
  for (const row of table) {
    const above = ancestorsOf(table, row).at(-1)
    if (above && isReached(row, above)) found.set(above, [...(found.get(above) ?? []), row])
  }
  return found
}

function isReached(row: Endpoint, from: Endpoint): boolean {
  const ids = new Set(segmentsOfRow(from).filter(isId))
  return !row.isAlwaysRefused && segmentsOfRow(row).every((segment) => !isId(segment) || ids.has(segment))
}

function isId(segment: string): boolean {
  return segment.startsWith(':')
}

function isBelow(row: Endpoint, other: Endpoint): boolean {
  const segments = segmentsOfRow(row)
  const above = segmentsOfRow(other)
  return above.length < segments.length && above.every((segment, position) => segment === segments[position])
}
