/**
 * Origin of a category in the schema that the draft is based on: its path there; null for a new one; several paths, its own
 * first, for one that others were merged into.
 */
export type Origin = string | null | readonly string[]

export function pathsOfOrigin(origin: Origin): readonly string[] {
  if (origin === null) return []
  return typeof origin === 'string' ? [origin] : origin
}

/** Joins origins in their simplest form, each path once. */
export function joinOrigins(...origins: readonly Origin[]): Origin {
  const paths = [...new Set(origins.flatMap(pathsOfOrigin))]
  return paths.length > 1 ? paths : (paths[0] ?? null)
}

/** Path of the category itself, without those of merged ones. */
export function ownPath(origin: Origin): string | null {
  return pathsOfOrigin(origin)[0] ?? null
}

export function isOrigin(value: unknown): value is Origin {
  if (value === null || typeof value === 'string') return true
  return Array.isArray(value) && value.every((path) => typeof path === 'string')
}
