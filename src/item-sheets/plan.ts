import { sha256Of } from '../digest.ts'
import type { CategoryRules } from '../items/changes/categorize.ts'
import type { RefusedRow, Sheet } from './read-sheet.ts'

/** Plan of an import of items' categories. */

/** Rules of an import, the same for all rows. */
export interface SheetRules extends CategoryRules {
  /** Whether an item is left as it is where it was changed after the export. */
  readonly ifUnchanged: boolean
  /** Group whose categories the file has; undefined for those of the organization. */
  readonly groupId: string | undefined
}

/** Changes and refusals that a plan lists (contract). */
export const maxListed = 1_000

/** A change that an import would make. */
export interface PlannedChange {
  readonly row: number
  readonly itemId: string
  readonly title: string
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** A row that an import would not apply. */
export interface UnappliedRow extends RefusedRow {
  /** Whether its item was changed after the export. */
  readonly isStale: boolean
}

/** Plan of some rows. */
export interface PlannedRows {
  readonly changes: readonly PlannedChange[]
  readonly refused: readonly UnappliedRow[]
  /** Rows whose items stay as they are. */
  readonly unchanged: number
  readonly unknownPaths: readonly UnknownPath[]
}

interface UnknownPath {
  readonly path: string
  readonly rows: number
  /** The only path of a category with the same title. */
  readonly meant: string | undefined
}

export interface SheetPlan {
  readonly summary: {
    readonly rows: number
    readonly changed: number
    readonly unchanged: number
    readonly stale: number
    readonly refused: number
    readonly unknownPaths: number
  }
  readonly changes: readonly PlannedChange[]
  readonly refused: readonly UnappliedRow[]
  readonly unknownPaths: readonly UnknownPath[]
  /** Notes on the whole file. */
  readonly notes: readonly string[]
  /** Digest of the changes: another one says that the file or the items are others. */
  readonly planId: string
}

/** Rows that one search plans (chosen): above that, its time would end in a large organization. */
export const rowsOfSearch = 2_500

/** The plan of a whole table, from those of its parts. */
export function sumUpPlan(rules: SheetRules, sheet: Sheet, parts: readonly PlannedRows[]): SheetPlan {
  const changes = parts.flatMap((part) => part.changes)
  const unreadable = sheet.refused.map((row) => ({ ...row, isStale: false }))
  const refused = [...unreadable, ...parts.flatMap((part) => part.refused)]
  const stale = refused.filter(({ isStale }) => isStale).length
  const unknown = new Map<string, UnknownPath>()
  for (const one of parts.flatMap((part) => part.unknownPaths)) {
    unknown.set(one.path, { ...one, rows: one.rows + (unknown.get(one.path)?.rows ?? 0) })
  }
  return {
    summary: {
      rows: sheet.total,
      changed: changes.length,
      unchanged: parts.reduce((sum, part) => sum + part.unchanged, 0),
      stale,
      refused: refused.length - stale,
      unknownPaths: unknown.size,
    },
    changes: changes.slice(0, maxListed),
    refused: refused.toSorted((one, other) => one.row - other.row).slice(0, maxListed),
    unknownPaths: [...unknown.values()]
      .slice(0, maxListed)
      .map((one) => ({ ...one, path: one.path.slice(0, maxShownLength).toWellFormed() })),
    notes: sheet.notes,
    planId: sha256Of(JSON.stringify([rules, changes.map(({ itemId, from, to }) => [itemId, from, to])])),
  }
}

/** Length of an unknown path that is shown, in UTF-16 code units. */
const maxShownLength = 500
