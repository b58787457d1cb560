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

/** Endpoints directly below a resource that need no further id, and that can succeed. */
export function childrenOf(table: readonly Endpoint[], row: Endpoint): readonly Endpoint[] {
  if (kindOf(row) !== 'resource') return []
  const ids = new Set(segmentsOf(row.path).filter(isId))
  return table.filter(
    (other) =>
      !other.isAlwaysRefused &&
      ancestorsOf(table, other).at(-1) === row &&
      segmentsOf(other.path).every((segment) => !isId(segment) || ids.has(segment)),
  )
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
