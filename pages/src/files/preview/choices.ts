import type { Move } from '../../../../src/categories/moves.ts'
import type { Parameters } from '../../api/parameters.ts'
import type { SuggestedMove } from '../../schemas/answers.ts'
import type { TableChoices } from '../../tables/choose-roles.ts'
import type { ImportSource } from '../../tables/import-source.ts'

/** Choices of a person about an import; undefined ones are left to the server, which answers what it has chosen. */
export interface ImportChoices {
  readonly mode: 'merge' | 'replace'
  readonly table: TableChoices
  /** Renames that the person has confirmed, with those that the file itself says; empty to have only the latter. */
  readonly moves: readonly Move[]
  readonly format?: string | undefined
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  readonly delimiter?: string | undefined
  readonly language?: string | undefined
  /** Title of a root above all; `none` for no root. */
  readonly below?: string | undefined
  /** The branch that is taken alone. */
  readonly root?: string | undefined
  readonly depth?: 'cut' | undefined
  readonly titles?: 'cut' | undefined
  readonly cycles?: 'break' | undefined
  readonly polyhierarchy?: string | undefined
  readonly keepUris?: boolean | undefined
}

/** New categories are added, and nothing is removed, unless the source says otherwise. */
export function firstChoices({ parameters }: ImportSource): ImportChoices {
  return { mode: parameters['mode'] === 'replace' ? 'replace' : 'merge', table: {}, moves: [] }
}

/** Choices that make those about a table meaningless: it becomes another one. */
const ofAnotherTable = ['format', 'encoding', 'sheet', 'delimiter'] as const satisfies readonly (keyof ImportChoices)[]

/** Changes a choice; renames were confirmed for what was read before. */
export function changeChoices(choices: ImportChoices, change: Partial<ImportChoices>): ImportChoices {
  const isOther = ofAnotherTable.some((name) => name in change)
  return { ...choices, ...(isOther && { table: {}, root: undefined }), moves: [], ...change }
}

/**
 * Parameters of the import. Moves are sent only where a file replaces the whole: in a merge, what has another name stays, and
 * the server follows the renames that the file says.
 */
export function parametersOf({ parameters }: ImportSource, choices: ImportChoices): Parameters {
  const { mode, table, moves, ...others } = choices
  const { header, headerRow, columns, layout, ignoreRows } = table
  return {
    ...parameters,
    mode,
    header,
    headerRow,
    layout,
    ignoreRows: ignoreRows?.join(),
    columns: columns && JSON.stringify(columns),
    ...others,
    moves: mode === 'replace' && moves.length > 0 ? JSON.stringify(moves) : undefined,
  }
}

/**
 * Likely renames in the order in which they were first shown: those that are confirmed are suggested no more, and stay. Those that
 * the confirmed ones have made meaningless are left out.
 */
export function addSuggestions(
  shown: readonly SuggestedMove[],
  suggested: readonly SuggestedMove[],
  confirmed: readonly Move[],
): readonly SuggestedMove[] {
  const isIn = (moves: readonly Move[], { from, to }: Move) =>
    moves.some((move) => move.from === from && move.to === to)
  const kept = shown.filter((move) => isIn(confirmed, move) || isIn(suggested, move))
  return [...kept, ...suggested.filter((move) => !isIn(kept, move))]
}
