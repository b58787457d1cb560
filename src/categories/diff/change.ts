/**
 * One difference between two schemas. `path` and `pointer` name the category in the old schema, `to` and `toPointer` in
 * the new one; an added category has only its new place, which `path` and `pointer` name. A path has the source of a
 * category in place of a title that it lacks. Equal siblings have equal paths: the pointers tell them apart.
 */
export type Change = Added | Removed | Replaced | Merged | Changed | Reordered

/** `categories` counts the category and what is added, removed, moved or merged with it. */
export interface Added {
  readonly op: 'add'
  readonly path: string
  readonly pointer: string
  readonly categories: number
  /** Path of an equal subtree that the old schema has and the new one keeps. */
  readonly copyOf?: string
}

export interface Removed {
  readonly op: 'remove'
  readonly path: string
  readonly pointer: string
  readonly categories: number
}

/**
 * `rename`: another title below the same parent; `move`: another parent, and perhaps another title. The new position is
 * that of `toPointer`, so there is no `reorder` beside it: a rename is `reordered` if it has another place among the siblings
 * that stay, too.
 */
export interface Replaced {
  readonly op: 'rename' | 'move'
  readonly path: string
  readonly pointer: string
  readonly to: string
  readonly toPointer: string
  readonly categories: number
  /** Whether a move leads here, so that items follow; otherwise the category was recognized by the URI in its source. */
  readonly declared: boolean
  readonly reordered?: true
}

/** Items of the path get the path `to`, which another category has. */
export interface Merged {
  readonly op: 'merge'
  readonly path: string
  /** Absent for a path that only items carry. */
  readonly pointer?: string
  readonly to: string
  readonly toPointer: string
  /** 0 for a path that only items carry. */
  readonly categories: number
  readonly declared: true
}

/** Another description or source; null where there is none. */
export interface Changed {
  readonly op: 'change'
  readonly path: string
  readonly pointer: string
  readonly toPointer: string
  readonly description?: Difference
  readonly source?: Difference
}

export interface Difference {
  readonly from: string | null
  readonly to: string | null
}

/** Another position among the siblings that stay. */
export interface Reordered {
  readonly op: 'reorder'
  readonly path: string
  readonly pointer: string
  readonly toPointer: string
  readonly from: number
  readonly to: number
}

/** The position among its siblings, from 0, of the category that a pointer names. */
export function positionOf(pointer: string): number {
  return Number(pointer.slice(pointer.lastIndexOf('/') + 1))
}

/** How many changes of each kind; a rename that is reordered counts as both. */
export interface DiffSummary {
  readonly added: number
  readonly removed: number
  readonly renamed: number
  readonly moved: number
  readonly merged: number
  readonly changed: number
  readonly reordered: number
}

/** A move that was perhaps meant; nothing follows it before it is declared. */
export interface Suggestion {
  readonly from: string
  readonly to: string
  /** `sure` if no other pair is nearly as good. */
  readonly confidence: 'sure' | 'possible'
  readonly because: readonly string[]
}

export interface Diff {
  readonly summary: DiffSummary
  readonly changes: readonly Change[]
  readonly suggestions: readonly Suggestion[]
}
