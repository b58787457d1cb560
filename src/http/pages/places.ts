import { type Endpoint, kindOf } from '../endpoints/endpoint.ts'

/** The hierarchy of endpoints, derived from their paths. */

export type Ids = Readonly<Record<string, string>>

export function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Path of an endpoint below the base, with these ids, encoded for a link. */
export function pathOf(row: Endpoint, ids: Ids): string {
  return encodePath(segmentsOf(row.path).map((segment) => (isId(segment) ? (ids[segment.slice(1)] ?? '') : segment)))
}

export function encodePath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** The resources above an endpoint, from the root down. */
export function ancestorsOf(table: readonly Endpoint[], row: Endpoint): readonly Endpoint[] {
  return table
    .filter((other) => kindOf(other) === 'resource' && isBelow(row, other))
    .sort((one, other) => segmentsOf(one.path).length - segmentsOf(other.path).length)
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
  const ids = new Set(segmentsOf(from.path).filter(isId))
  return !row.isAlwaysRefused && segmentsOf(row.path).every((segment) => !isId(segment) || ids.has(segment))
}

/** The endpoint that a link leads to. */
export function findEndpoint(table: readonly Endpoint[], given: readonly string[]): Endpoint | undefined {
  const fits = (path: readonly string[]) =>
    path.length === given.length && path.every((segment, position) => isId(segment) || segment === given[position])
  return table.find((row) => fits(segmentsOf(row.path)))
}

function isId(segment: string): boolean {
  return segment.startsWith(':')
}

function isBelow(row: Endpoint, other: Endpoint): boolean {
  const segments = segmentsOf(row.path)
  const above = segmentsOf(other.path)
  return above.length < segments.length && above.every((segment, position) => segment === segments[position])
}
