import { operationRefused } from '../../errors.ts'
import { choosePaths, type KnownPaths, requireFew, unknownCategory } from '../categories/category-paths.ts'

export const assignModes = ['set', 'add', 'remove'] as const
export const unknownChoices = ['refuse', 'skip'] as const

/** Paths of one item that are set, added or removed. */
export interface CategoryRules {
  readonly mode: (typeof assignModes)[number]
  /** Whether an item with paths that are none of the schema's is refused, or they are left out. */
  readonly onUnknown: (typeof unknownChoices)[number]
}

/** Paths that the item is to carry; refused if it may not. */
export function judgeCategories(
  given: readonly string[],
  carried: readonly string[],
  known: KnownPaths,
  { mode, onUnknown }: CategoryRules,
): readonly string[] {
  const { paths, unknown } = choosePaths(given, known, carried)
  const [first] = unknown
  if (first !== undefined && onUnknown === 'refuse') throw operationRefused(unknownCategory(first, known))
  if (mode === 'remove') return carried.filter((path) => !paths.includes(path))
  return requireFew(mode === 'add' ? [...new Set([...carried, ...paths])] : paths)
}
