import type { Kysely } from 'kysely'
import type { ItemCondition, ItemFields } from '../../../../items/search/item-search.ts'
import { allOf, type CategoryHolder } from '../../../../search/condition.ts'
import { fold } from '../../../../search/folding.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, lookBy, withinDeadline } from '../../select.ts'
import { type ItemColumns, type ItemKind, lengthOfRecord } from './item-columns.ts'
import { inPartsOfItems } from './select-seen.ts'

/**
 * Conditions that columns decide: organization, access, type and categories. The index is faster where few items match; columns are
 * where most do.
 */

/** The parts of a condition that columns decide and the others; both have to hold. */
export function splitCondition(condition: ItemCondition): {
  readonly wide: ItemCondition
  readonly others: ItemCondition
} {
  const parts = condition.kind === 'and' ? listOf(condition) : [condition]
  return {
    wide: allOf<ItemFields>(parts.filter(isDecided)),
    others: allOf<ItemFields>(parts.filter((part) => !isDecided(part))),
  }
}

function listOf(condition: ItemCondition): readonly ItemCondition[] {
  return (condition as { readonly of: readonly ItemCondition[] }).of
}

function isDecided(condition: ItemCondition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return listOf(condition).every(isDecided)
    case 'not':
      return isDecided(condition.of as ItemCondition)
    case 'key':
      return !condition.isPrefix && Object.hasOwn(columnOf, condition.field)
    default:
      return condition.kind === 'category' || condition.kind === 'categorized'
  }
}

const columnOf = { orgid: 'portal_id', access: 'access', type: 'type' } as const satisfies Readonly<
  Record<string, keyof ItemKind>
>

/** Items among these that match a condition which columns decide. */
export async function selectWide(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  columns: ItemColumns,
  condition: ItemCondition,
  numbers: Uint32Array,
): Promise<Uint32Array> {
  const { records } = columns
  const isMatch = await compileTest(condition)
  const matching = new Uint32Array(numbers.length)
  let count = 0
  await inPartsOfItems(lookBy(db, deadlineCondition), { begins: numbers }, (from, to) => {
    for (let at = from; at < to; at += 1) {
      const record = numbers[at]! * lengthOfRecord
      const kind = records[record]
      if (kind && isMatch(kind - 1, records[record + 1]!)) matching[count++] = numbers[at]!
    }
  })
  return matching.subarray(0, count)

  async function compileTest(part: ItemCondition): Promise<Test> {
    switch (part.kind) {
      case 'and':
      case 'or': {
        const tests = await Promise.all(listOf(part).map(compileTest))
        // In pairs: a loop over them would take twice as long.
        return part.kind === 'and'
          ? tests.reduce((one, other) => (kind, begin) => one(kind, begin) && other(kind, begin))
          : tests.reduce((one, other) => (kind, begin) => one(kind, begin) || other(kind, begin))
      }
      case 'not': {
        const test = await compileTest(part.of as ItemCondition)
        return (kind, begin) => !test(kind, begin)
      }
      case 'key': {
        const isOfKind = flagKinds(columns, columnOf[part.field as keyof typeof columnOf], part.value)
        return (kind) => isOfKind[kind] === 1
      }
      case 'category':
        return carryingTest(columns, await listShown(db, deadlineCondition, part.holder, part.path))
      case 'categorized':
        return carryingTest(columns, await listShown(db, deadlineCondition, part.holder))
      default:
        return () => part.kind === 'all'
    }
  }
}

/** Whether an item matches, by the place of its kind and the beginning of its lists. */
type Test = (kind: number, begin: number) => boolean

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

/** Whether an item carries one of the categories. */
function carryingTest({ categories, lists }: ItemColumns, ids: readonly number[]): Test {
  const isOne = new Uint8Array(categories.all.length)
  for (const id of ids) {
    const place = categories.find(id)
    if (place !== undefined) isOne[place] = 1
  }
  return (_, begin) => {
    const end = begin + lists[begin]!
    for (let at = begin + 1; at <= end; at += 1) if (isOne[lists[at]!] === 1) return true
    return false
  }
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
