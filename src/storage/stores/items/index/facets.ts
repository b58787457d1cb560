import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { withAbove } from '../../../../categories/lineage.ts'
import { itemLimits } from '../../../../items/item.ts'
import type { CountedField, FacetCounts, ItemSearch } from '../../../../items/search/item-search.ts'
import { fold } from '../../../../search/folding.ts'
import type { Rows } from '../../../tables/rows.ts'
import { prepared } from '../../prepared.ts'
import { type DeadlineCondition, inParts, isAmong, type Look, listedIn, lookBy, toJson } from '../../select.ts'
import { compareTexts } from './compare-texts.ts'

/** A value of one field, or the comma-separated values of an item, with the number of items that have it. */
export interface Counted {
  readonly value: string
  readonly number: number
}

/** Columns of the found rows from which counts are made. */
export function facetColumns({ countFields }: ItemSearch): readonly Expression<unknown>[] {
  return [...new Set(countFields)].map((field) => {
    if (field === 'owner') return sql`items.owner_id as owner`
    return field === 'carried' ? sql`item_index.categories as carried` : sql.ref(`item_index.${field}`)
  })
}

/** Statement that counts the values of a field among the found rows; a tag that no item may have is not among the values. */
export function countValues(
  db: Kysely<Rows>,
  field: CountedField,
  deadlineCondition: DeadlineCondition,
): RawBuilder<unknown> {
  const part = sql.lit(field)
  if (field !== 'tags') {
    return sql`select ${part}, ${sql.ref(field)}, count(*) from found group by ${sql.ref(field)}`
  }
  const often = deadlineCondition ? sql`and (listed.key % ${sql.lit(tagsOfClock)} <> 0 or ${deadlineCondition})` : sql``
  return sql`select ${part}, listed.value, count(*) from found cross join ${listedIn(db, sql.ref('tags'))}
    where octet_length(listed.value) <= ${sql.lit(maxTagBytes)} ${often} group by listed.value`
}

/** Bytes of the longest tag that an item may have. */
const maxTagBytes = 3 * itemLimits.tag

export function isCountedTag(tag: string): boolean {
  return tag.length <= itemLimits.tag || Buffer.byteLength(tag) <= maxTagBytes
}

/** Tags of an item for each check of the deadline: a check for each tag would take longer than counting it. */
const tagsOfClock = 16

/** The counts of a field, the largest first. */
export async function toCounts(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { countSize, groupId }: ItemSearch,
  field: CountedField,
  counted: readonly Counted[],
): Promise<FacetCounts> {
  const look = lookBy(db, deadlineCondition)
  const values = await countField()
  return { field, values: await largest(look, placesOf(values), countSize) }

  async function countField(): Promise<readonly ValueCount[]> {
    if (field === 'owner') return nameOwners(db, counted)
    if (field !== 'categories' && field !== 'carried') return countFolded(look, counted)
    return countPaths(db, deadlineCondition, { groupId, listOf: pathsCounted[field] }, counted)
  }
}

/** Paths that count an item which carries this one. */
export const pathsCounted = {
  categories: withAbove,
  carried: (path: string): readonly string[] => [path],
} as const

/** Counts by the usernames of the owners with these ids. */
export async function nameOwners(db: Kysely<Rows>, counted: readonly Counted[]): Promise<readonly ValueCount[]> {
  const ids = toJson(counted.map(({ value }) => value))
  const users = await db
    .selectFrom('users')
    .select(['user_id', 'username'])
    .where((row) => isAmong(db, row.ref('user_id'), ids, 'text'))
    .execute()
  const names = new Map(users.map(({ user_id, username }) => [user_id, username]))
  return counted.map(({ value, number }) => ({ value: names.get(value) ?? value, count: number }))
}

/**
 * Texts that a search folds between two checks of the deadline (chosen): some milliseconds for the longest texts, as those of
 * PostgreSQL are folded by the serving thread.
 */
const textsOfPart = 200

/** Values with their counts by place; those without a count are left out. */
export interface CountedPlaces {
  readonly length: number
  countAt(place: number): number
  valueAt(place: number): string
}

/** The first values of a field. Values that are not among them become no objects: there may be 100,000. */
export async function largest(
  look: Look,
  { length, countAt, valueAt }: CountedPlaces,
  max: number,
): Promise<readonly ValueCount[]> {
  let first: readonly ValueCount[] = []
  await inParts(look, length, (from, to) => {
    const last = first.length < max ? undefined : first.at(-1)
    const better: ValueCount[] = []
    for (let place = from; place < to; place += 1) {
      const count = countAt(place)
      if (count === 0 || (last && count < last.count)) continue
      const value = valueAt(place)
      if (!last || count > last.count || compareTexts(value, last.value) < 0) better.push({ value, count })
    }
    first = [...first, ...better]
      .sort((one, other) => other.count - one.count || compareTexts(one.value, other.value))
      .slice(0, max)
  })
  return first
}

export function placesOf(values: readonly ValueCount[]): CountedPlaces {
  return { length: values.length, countAt: (place) => values[place]!.count, valueAt: (place) => values[place]!.value }
}

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** Counts values; those that fold alike count together, in the commonest spelling. */
export async function countFolded(look: Look, counted: readonly Counted[]): Promise<readonly ValueCount[]> {
  const byFolded = new Map<string, { value: string; max: number; count: number }>()
  const foldPart = (from: number, to: number) => {
    for (const { value, number } of counted.slice(from, to)) {
      const key = fold(value)
      const known = byFolded.get(key)
      if (!known) byFolded.set(key, { value, max: number, count: number })
      else {
        known.count += number
        if (number < known.max || (number === known.max && compareTexts(known.value, value) < 0)) continue
        known.value = value
        known.max = number
      }
    }
  }
  await inParts(look, counted.length, foldPart, textsOfPart)
  return [...byFolded.values()].map(({ value, count }) => ({ value, count }))
}

/** Counts the paths of the organizations, or of the group, as `listOf` says. */
async function countPaths(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { groupId, listOf }: { readonly groupId: string | undefined; readonly listOf: (path: string) => readonly string[] },
  counted: readonly Counted[],
): Promise<ValueCount[]> {
  const look = lookBy(db, deadlineCondition)
  const numbers = new Set<number>()
  await inParts(look, counted.length, (from, to) => {
    for (const { value } of counted.slice(from, to)) for (const number of toNumbers(value)) numbers.add(number)
  })
  const paths = new Map(
    (await listPaths(db, deadlineCondition, groupId, [...numbers])).map(({ id, path }) => [id, path]),
  )
  return [...(await sumByPath(look, paths, counted, listOf))].map(([value, count]) => ({ value, count }))
}

/**
 * Counts the items that have each path or one below it, each item once. `counted` has comma-separated numbers of categories,
 * and the number of items that carry these; numbers without a path are left out.
 */
async function sumByPath(
  look: Look,
  paths: ReadonlyMap<number, string>,
  counted: readonly Counted[],
  listOf: (path: string) => readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const lists = new Map([...paths].map(([id, path]) => [id, listOf(path)]))
  const sums = new Map<string, number>()
  await inParts(look, counted.length, (from, to) => {
    for (const { value, number } of counted.slice(from, to)) {
      const carried = toNumbers(value).flatMap((id) => lists.get(id) ?? [])
      for (const path of new Set(carried)) sums.set(path, (sums.get(path) ?? 0) + number)
    }
  })
  return sums
}

function toNumbers(value: string): readonly number[] {
  return value === '' ? [] : value.split(',').map(Number)
}

/** Categories that are looked up between two checks of the deadline (chosen). */
const maxPerStatement = 1_000

const selectPaths = prepared(
  (db, { ids, kind, owner }: { ids: string; kind: 'portal' | 'group'; owner: string | null }) =>
    db
      .selectFrom('category_paths')
      .select(['id', 'path'])
      .where((row) => isAmong(db, row.ref('id'), ids, 'bigint'))
      .where('state', '<>', 'cleared')
      .where('owner_kind', '=', kind)
      .where('owner_id', '=', sql<string>`coalesce(cast(${owner} as text), owner_id)`),
)

/** Paths of those of the categories that are not cleared and belong to organizations or, if given, to the group. */
export async function listPaths(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  groupId: string | undefined,
  ids: readonly number[],
) {
  const look = lookBy(db, deadlineCondition)
  const of =
    groupId === undefined ? ({ kind: 'portal', owner: null } as const) : ({ kind: 'group', owner: groupId } as const)
  const found: { readonly id: number; readonly path: string }[] = []
  for (let begin = 0; begin < ids.length; begin += maxPerStatement) {
    if (begin > 0) await look()
    found.push(...(await selectPaths.all(db, { ...of, ids: toJson(ids.slice(begin, begin + maxPerStatement)) })))
  }
  return found
}
