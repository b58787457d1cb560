import type { Move } from './moves.ts'
import type { SchemaOwner } from './store.ts'

/** Paths of categories that items carry, and what becomes of them when a schema changes. */

/**
 * How a category has its path. Of all that have one path, at most one is primary: items to which the path is assigned carry
 * that one. The others were merged into it, and keep apart, so that they can be put back. A cleared one is hidden.
 */
export type PlaceState = 'primary' | 'merged' | 'cleared'

/** Place of a category. */
export interface CategoryPlace {
  readonly path: string
  readonly state: PlaceState
}

/** A category that items carry or may carry, or that is above one: its id never changes. */
export interface PlacedCategory extends CategoryPlace {
  readonly id: number
}

/** Record of a change, with what is needed to undo it exactly: plain values. */
export interface PathMoves {
  readonly rows: readonly { readonly id: number; readonly from: CategoryPlace; readonly to: CategoryPlace }[]
  /** The highest id at that time: categories with higher ones came later. */
  readonly lastId: number
  /** Maps the paths before to those after, by the longest prefix. */
  readonly forward: readonly Move[]
  /**
   * Mapping back: where categories go that came later. Of a change that undid others, it is the way of the paths that there
   * were: a path that came only after it follows the longest of these, or stays.
   */
  readonly back: readonly Move[]
}

/** Paths, or these and all below them. */
export interface PathSet {
  readonly paths: readonly string[]
  readonly isBelowToo: boolean
}

/** Categories, whatever their paths and whether cleared or not. */
export interface IdSet {
  readonly ids: readonly number[]
}

/**
 * Paths are the owner's, cleared ones left out; items are counted whether the caller sees them or not. An item whose link to
 * the group has ended carries nothing of it, even where rows are still to be removed.
 */
export interface CarriedPathReader {
  /** Returns those of the paths that an item carries itself, in order. */
  listCarriedOf(owner: SchemaOwner, paths: readonly string[]): Promise<readonly string[]>
  /** Every category that an item carries itself, cleared ones too, in the order of ids. Looks at every path: only in a search. */
  listCarried(owner: SchemaOwner): Promise<readonly PlacedCategory[]>
  /** Whether an item carries the path or one below it. */
  isCarried(owner: SchemaOwner, path: string): Promise<boolean>
  /**
   * For each set, how many items carry at least one of its paths or categories, each item once; undefined where that takes too
   * long. Looks at every such item: only in a search.
   */
  countItems(owner: SchemaOwner, sets: readonly (PathSet | IdSet)[]): Promise<readonly (number | undefined)[]>
}

/** Changes rows of paths, never those of items, however many carry them. */
export interface CarriedPathStore extends CarriedPathReader {
  /**
   * Maps all paths in one step: each follows the longest declared prefix. `before` are the paths of the schema that is
   * replaced: those that no item carries yet are categories too, which others may be merged into.
   */
  movePaths(owner: SchemaOwner, moves: readonly Move[], before: ReadonlySet<string>): Promise<PathMoves>
  /**
   * Puts categories back to where they were before these changes, the newest first. They have to be all changes since. A
   * category that came later goes to where its path would have been.
   */
  undoMoves(owner: SchemaOwner, changes: readonly PathMoves[]): Promise<PathMoves>
  /** Items lose exactly these paths. A path that is assigned later is another category. */
  clearPaths(owner: SchemaOwner, paths: readonly string[]): Promise<PathMoves>
}
