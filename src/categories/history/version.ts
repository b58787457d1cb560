import type { PathMoves } from '../carried-paths.ts'
import type { SchemaSize } from '../limits.ts'
import type { Move } from '../moves.ts'

/** How a version came about. */
export type SchemaAction = 'assign' | 'delete' | 'restore' | 'import'

/** The draft that a version was published from. */
export interface VersionDraft {
  readonly id: string
  readonly name: string
  /** Name of the user or app that saved it last, and username of who proposed it. */
  readonly savedBy: string
  readonly proposedBy?: string
  /** Words of the proposal. */
  readonly note?: string
}

/** Note kept of a version besides its document, where it was not simply assigned or deleted. */
export interface VersionNote {
  readonly action: SchemaAction
  readonly comment?: string | undefined
  /** Declared moves, which items followed. */
  readonly moves?: readonly Move[]
  /** Moves of the paths that items carry, in the order in which they were made. */
  readonly pathMoves?: readonly PathMoves[]
  readonly restoredFrom?: number | undefined
  readonly draft?: VersionDraft | undefined
}

/** A version as lists have it. */
export interface SchemaVersion {
  readonly version: number
  readonly action: SchemaAction
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Username. */
  readonly author: string
  readonly comment: string | undefined
  readonly moves: readonly Move[]
  readonly restoredFrom: number | undefined
  readonly draft: VersionDraft | undefined
  /** Undefined in versions of earlier releases, which did not count. Of a deletion, nothing. */
  readonly size: SchemaSize | undefined
}

/** A version with its document; without one if it is a deletion. */
export interface WholeVersion extends SchemaVersion {
  readonly document: Uint8Array | undefined
}

/** The latest version of an owner, without its document. */
export interface SchemaHead {
  readonly version: number
  /** False after a deletion. */
  readonly isSet: boolean
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Username. */
  readonly author: string
  readonly comment: string | undefined
}

/** Moves of paths by a version. */
export interface VersionMoves {
  readonly version: number
  readonly moves: readonly Move[]
  readonly pathMoves: readonly PathMoves[]
}
