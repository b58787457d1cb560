import type { Kysely } from 'kysely'
import type { ItemCondition, ItemFields } from '../../../../items/search/item-search.ts'
import { allOf, type CategoryCondition, type CategoryHolder } from '../../../../search/condition.ts'
import { fold } from '../../../../search/folding.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, withinDeadline } from '../../select.ts'
import type { ItemColumns, ItemKind } from './item-columns.ts'

/**
 * Conditions that columns decide: organization, access, type and categories. The index is faster where few items match; columns are
 * where most do.
 */

/** The parts of a condition that columns decide and the others; both have to hold. */
export function splitCondition(condition: ItemCondition): {
  readonly wide: ItemCondition
  readonly others: ItemCondition
} {
  const [wide, others]: [ItemCondition[], ItemCondition[]] = [[], []]
  let sets = 0
  for (const part of condition.kind === 'and' ? listOf(condition) : [condition]) {
    const ofPart = countSets(part)
    const isWide = sets + ofPart <= combined.length
    if (isWide) sets += ofPart
    ;(isWide ? wide : others).push(part)
  }
  return { wide: allOf<ItemFields>(wide), others: allOf<ItemFields>(others) }
}

function listOf(condition: ItemCondition): readonly ItemCondition[] {
  return (condition as { readonly of: readonly ItemCondition[] }).of
}

function isOfCategories({ kind }: ItemCondition): boolean {
  return kind === 'category' || kind === 'categorized'
}

/** Number of sets of categories by which columns decide a condition, those that an `or` joins as one; infinite if they do not. */
function countSets(condition: ItemCondition): number {
  const sum = (of: readonly ItemCondition[]) => of.reduce((sets, part) => sets + countSets(part), 0)
  switch (condition.kind) {
    case 'and':
      return sum(listOf(condition))
    case 'or': {
      const rest = listOf(condition).filter((part) => !isOfCategories(part))
      return sum(rest) + (rest.length < listOf(condition).length ? 1 : 0)
    }
    case 'not':
      return countSets(condition.of as ItemCondition)
    case 'key':
      return !condition.isPrefix && Object.hasOwn(columnOf, condition.field) ? 0 : Number.POSITIVE_INFINITY
    case 'all':
      return 0
    default:
      return isOfCategories(condition) ? 1 : Number.POSITIVE_INFINITY
  }
}

const columnOf = { orgid: 'portal_id', access: 'access', type: 'type' } as const satisfies Readonly<
  Record<string, keyof ItemKind>
>

/** Which items match, by their kind and by the sets of categories that they carry one of. */
export interface WideTest {
  /** By the place of a kind: one bit for each combination of sets, 1 where an item that carries it matches. */
  readonly matches: Int32Array
  /** By the place of a category: one bit for each set that has it. */
  readonly sets: Uint8Array
  /** Combination of all sets. */
  readonly all: number
}

/** Bits of the combinations with each set. */
const combined = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000] as const
/** Bits of all combinations. */
export const everyCombination = -1

/** Compiles a condition that columns decide. */
export async function compileWide(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  columns: ItemColumns,
  condition: ItemCondition,
): Promise<WideTest> {
  const sets = new Uint8Array(columns.categories.all.length)
  let count = 0
  const matchesOf = await compilePart(condition)
  return { matches: Int32Array.from(columns.kinds.all, (_, kind) => matchesOf(kind)), sets, all: (1 << count) - 1 }

  async function compilePart(part: ItemCondition): Promise<(kind: number) => number> {
    switch (part.kind) {
      case 'and': {
        const parts = await compileParts(listOf(part))
        return (kind) => parts.reduce((all, of) => all & of(kind), everyCombination)
      }
      case 'or': {
        const ofCategories = listOf(part).filter(isOfCategories)
        const parts = await compileParts(listOf(part).filter((one) => !isOfCategories(one)))
        const carrying = ofCategories.length > 0 ? await addSet(ofCategories) : 0
        return (kind) => parts.reduce((all, of) => all | of(kind), carrying)
      }
      case 'not': {
        const matches = await compilePart(part.of as ItemCondition)
        return (kind) => ~matches(kind)
      }
      case 'key': {
        const isOfKind = flagKinds(columns, columnOf[part.field as keyof typeof columnOf], part.value)
        return (kind) => (isOfKind[kind] === 1 ? everyCombination : 0)
      }
      case 'all':
        return () => everyCombination
      default: {
        const carrying = await addSet([part])
        return () => carrying
      }
    }
  }

  async function compileParts(parts: readonly ItemCondition[]) {
    const compiled = []
    for (const part of parts) compiled.push(await compilePart(part))
    return compiled
  }

  /** Adds the set of the categories that the conditions name; returns the combinations with it. */
  async function addSet(conditions: readonly ItemCondition[]): Promise<number> {
    const bit = 1 << count
    for (const one of conditions as readonly CategoryCondition[]) {
      for (const id of await listShown(db, deadlineCondition, one.holder, 'path' in one ? one.path : undefined)) {
        const place = columns.categories.find(id)
        if (place !== undefined) sets[place]! |= bit
      }
    }
    return combined[count++]!
  }
}

/** For each kind, whether the folded value of the column is this one. */
function flagKinds({ kinds }: ItemColumns, column: keyof ItemKind, value: string): Uint8Array {
  const known = new Map<string, 0 | 1>()
  return Uint8Array.from(kinds.all, (kind) => {
    const text = kind[column]
    const flag = known.get(text) ?? (fold(text) === value ? 1 : 0)
    known.set(text, flag)
    return flag
  })
}

/** Categories of the holder that items show: all, or those at the folded path and below it. */
async function listShown(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  holder: CategoryHolder,
  path?: string,
): Promise<readonly number[]> {
  let shown = withinDeadline(db.selectFrom('category_paths'), deadlineCondition)
    .select('id')
    .where('state', '<>', 'cleared')
    .where('owner_kind', '=', holder === 'portal' ? 'portal' : 'group')
  if (holder !== 'portal') shown = shown.where('owner_id', '=', holder.groupId)
  if (path !== undefined) {
    shown = shown.where((row) =>
      row.or([
        row('path_key', '=', path),
        // Paths that begin with this path and a slash: 0 is the next character.
        row.and([row('path_key', '>', `${path}/`), row('path_key', '<', `${path}0`)]),
      ]),
    )
  }
  return (await shown.execute()).map(({ id }) => id)
}
