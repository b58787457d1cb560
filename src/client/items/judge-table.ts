import type { CategorySchema } from '../../categories/schema.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import { choosePaths, KnownPaths, tooManyCategories, unknownCategory } from '../../items/categories/category-paths.ts'
import { itemLimits } from '../../items/item.ts'
import { say } from '../../sentences/say.ts'
import { findNearest, withHint } from '../../spelling.ts'
import type { ItemSearch } from '../portals/item-search.ts'
import type { Place } from '../portals/place.ts'
import type { ItemTable, Refusal } from './item-table.ts'

export interface Rules {
  readonly mode: 'set' | 'add' | 'remove'
  /** Whether an item without categories in the table loses those that it has. */
  readonly clearsEmpty: boolean
}

/** Decides what items get, by the table and what they carry. */
export class Judge {
  readonly #table: ItemTable
  readonly #rules: Rules
  readonly #known: KnownPaths
  /** Paths of each list of the table in the spelling of the schema; those that are none of its are unknown. */
  readonly #chosen: readonly ReturnType<typeof choosePaths>[]

  constructor(table: ItemTable, schema: CategorySchema, rules: Rules) {
    this.#table = table
    this.#rules = rules
    this.#known = new KnownPaths(listPaths(schema))
    this.#chosen = table.lists.map((paths) => choosePaths(paths, this.#known, []))
  }

  /** Categories that an item is to carry, or why it is refused. */
  decide(at: number, carried: readonly string[]): readonly string[] | string {
    const { mode, clearsEmpty } = this.#rules
    const { unknown } = this.#chosen[this.#table.listNumber(at)]!
    const { paths, unknown: left } =
      unknown.length === 0
        ? this.#chosen[this.#table.listNumber(at)]!
        : choosePaths(this.#table.paths(at), this.#known, carried)
    if (left[0] !== undefined) return describeUnknown(left[0], this.#known)
    const isEmpty = paths.length === 0
    if (isEmpty && carried.length > 0 && !clearsEmpty)
      return 'The row has no category; --clear-empty takes those of the item away.'
    if (mode === 'remove') return carried.filter((path) => !paths.includes(path))
    const to = mode === 'add' ? [...new Set([...carried, ...paths])] : paths
    return to.length > itemLimits.categories ? tooManyCategories : to
  }

  /**
   * Rows that are refused before anything is written. Rows whose paths are none of the schema's, or that have none, are compared with
   * what their items carry: an export may have such rows, and is taken as it is.
   */
  async findRefused(search: ItemSearch, place: Place): Promise<readonly Refusal[]> {
    const { rows, size } = this.#table
    const refused = [...this.#table.refused]
    const compared: number[] = []
    const refuse = (at: number, problem: string) =>
      refused.push({ row: rows[at]!, itemId: this.#table.id(at), problem })
    for (let at = 0; at < size; at += 1) {
      const { paths, unknown } = this.#chosen[this.#table.listNumber(at)]!
      if (paths.length + unknown.length > itemLimits.categories) refuse(at, tooManyCategories)
      else if (unknown.length > 0 || (paths.length === 0 && !this.#rules.clearsEmpty)) compared.push(at)
    }
    for (let from = 0; from < compared.length; from += comparedAtOnce) {
      const part = compared.slice(from, from + comparedAtOnce)
      const found = await search.findEach(
        place,
        part.map((at) => this.#table.id(at)),
      )
      for (const at of part) {
        const decided = this.decide(at, found.get(this.#table.id(at))?.categories ?? [])
        if (typeof decided === 'string') refuse(at, decided)
      }
    }
    return refused.sort((one, other) => one.row - other.row)
  }
}

/** Items of one search. */
const comparedAtOnce = 100

function describeUnknown(path: string, known: KnownPaths): string {
  const near = known.findByTitle(path) === undefined ? findNearest(path, known.all) : undefined
  return near === undefined ? unknownCategory(path, known) : withHint(say('categoryUnknown', { path }), near)
}
