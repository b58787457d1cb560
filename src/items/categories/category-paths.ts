import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { withHint } from '../../spelling.ts'
import { itemLimits } from '../item.ts'

/** Which paths of a schema's categories an item may carry. */

export const tooManyCategories = say('categoriesTooMany', { max: itemLimits.categories })

export function unknownCategory(path: string, known: KnownPaths): string {
  const shown = path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path
  const sentence = say('categoryUnknown', { path: shown.toWellFormed() })
  const meant = known.findByTitle(path)
  return meant === undefined ? sentence : withHint(sentence, meant)
}

/** Maximum length of a refused path that is shown, in UTF-16 code units: more than those of a schema have. */
const maxShownLength = 500

/** Paths that an item is to carry: each once, in the spelling of the schema; those that it may not carry are unknown. */
export interface ChosenPaths {
  readonly paths: readonly string[]
  readonly unknown: readonly string[]
}

/**
 * Chooses among the given paths. One that the item carries passes although the schema has lost it: clients add a path to
 * those that they have read (chosen). Any other matches one of the schema, if need be by ignoring case.
 */
export function choosePaths(given: readonly string[], known: KnownPaths, carried: readonly string[]): ChosenPaths {
  const paths = new Set<string>()
  const unknown = new Set<string>()
  for (const one of given) {
    const path = known.find(one) ?? (carried.includes(one) ? one : undefined)
    if (path === undefined) unknown.add(one)
    else paths.add(path)
  }
  return { paths: [...paths], unknown: [...unknown] }
}

/** The chosen paths; refused if one of them is unknown, or they are too many. */
export function requirePaths(
  given: readonly string[],
  known: KnownPaths,
  carried: readonly string[],
): readonly string[] {
  const { paths, unknown } = choosePaths(given, known, carried)
  if (paths.length + unknown.length > itemLimits.categories) throw operationRefused(tooManyCategories)
  const [first] = unknown
  if (first !== undefined) throw operationRefused(unknownCategory(first, known))
  return paths
}

/** The paths; refused if they are more than an item may carry. */
export function requireFew(paths: readonly string[]): readonly string[] {
  if (paths.length > itemLimits.categories) throw operationRefused(tooManyCategories)
  return paths
}

/** The paths of a schema, to be found in any case. */
export class KnownPaths {
  /** Order of the schema. */
  readonly all: readonly string[]
  readonly #paths: ReadonlySet<string>
  readonly #byKey: ReadonlyMap<string, string | undefined>
  #byTitle: ReadonlyMap<string, string | undefined> | undefined

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths)
    this.all = [...this.#paths]
    this.#byKey = indexBy(keyOf, this.#paths)
  }

  /** Whether the path is one, exactly. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** The path exactly; otherwise the only one that differs in case or in the blanks around it. */
  find(given: string): string | undefined {
    return this.#paths.has(given) ? given : this.#byKey.get(keyOf(given))
  }

  /** The only path of a category with the title of the given one, whatever is above it; of several titles, as a cell has them. */
  findByTitle(given: string): string | undefined {
    this.#byTitle ??= indexBy(titleKeyOf, this.#paths)
    const path = this.#byTitle.get(titleKeyOf(given))
    if (path !== undefined || given.includes('/')) return path
    const several = given
      .split(/[,;|]/, itemLimits.categories + 1)
      .map((title) => this.#byTitle!.get(titleKeyOf(title)))
    return several.length > 1 && several.every((one) => one !== undefined) ? several.join(' | ') : undefined
  }
}

/** Paths by their keys; undefined where one would name two. */
function indexBy(key: (path: string) => string, paths: Iterable<string>): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const path of paths) found.set(key(path), found.has(key(path)) ? undefined : path)
  return found
}

function titleKeyOf(path: string): string {
  return keyOf(path.slice(path.lastIndexOf('/') + 1))
}

function keyOf(path: string): string {
  return path.trim().toLowerCase()
}
