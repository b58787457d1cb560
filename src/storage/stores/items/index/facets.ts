import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { withAbove } from '../../../../categories/lineage.ts'
import type { FacetCounts, FacetField, ItemSearch } from '../../../../items/search/item-search.ts'
import { fold } from '../../../../search/folding.ts'
import type { Rows } from '../../../tables/rows.ts'
import { compareTexts } from './compare-texts.ts'
import type { Engine } from './compile.ts'

/** A value of one field with the number of items that have it; or those of an item together, with commas. */
export interface Counted {
  readonly value: string
  readonly number: number
}

/** Columns of what is found that the counts are made of. */
export function facetColumns({ countFields }: ItemSearch): readonly Expression<unknown>[] {
  return [...new Set(countFields)].map((field) => sql.ref(`item_index.${field}`))
}

/** The statement that counts the values of a field among what is found. */
export function countValues(engine: Engine, field: FacetField): RawBuilder<unknown> {
  const part = sql.lit(field)
  if (field !== 'tags') {
    return sql`select ${part}, ${sql.ref(field)}, count(*) from found group by ${sql.ref(field)}`
  }
  const tags =
    engine === 'SQLite' ? sql`json_each(tags) as tag` : sql`jsonb_array_elements_text(tags::jsonb) as tag(value)`
  return sql`select ${part}, tag.value, count(*) from found cross join ${tags} group by tag.value`
}

/** The counts of a field, the largest first. */
export async function toCounts(
  db: Kysely<Rows>,
  { countSize, groupId }: ItemSearch,
  field: FacetField,
  counted: readonly Counted[],
): Promise<FacetCounts> {
  const values = field === 'categories' ? await countPaths(db, groupId, counted) : countFolded(counted)
  return { field, values: largest(values, countSize) }
}

/** The first values of a field. */
export function largest(values: readonly ValueCount[], most: number): readonly ValueCount[] {
  return values.toSorted((one, other) => other.count - one.count || compareTexts(one.value, other.value)).slice(0, most)
}

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** What folds to the same counts together, in the commonest spelling. */
export function countFolded(counted: readonly Counted[]): readonly ValueCount[] {
  const byFolded = new Map<string, { value: string; most: number; count: number }>()
  for (const { value, number } of counted) {
    const key = fold(value)
    const known = byFolded.get(key)
    if (!known) byFolded.set(key, { value, most: number, count: number })
    else {
      known.count += number
      if (number < known.most || (number === known.most && compareTexts(known.value, value) < 0)) continue
      known.value = value
      known.most = number
    }
  }
  return [...byFolded.values()].map(({ value, count }) => ({ value, count }))
}

/** Paths of the organizations, or of the group, and those above them. */
async function countPaths(
  db: Kysely<Rows>,
  groupId: string | undefined,
  counted: readonly Counted[],
): Promise<ValueCount[]> {
  const numbers = new Set(counted.flatMap(({ value }) => toNumbers(value)))
  const paths = new Map((await listPaths(db, groupId, [...numbers])).map(({ id, path }) => [id, path]))
  return [...sumByPath(paths, counted)].map(([value, count]) => ({ value, count }))
}

/**
 * How many items have each path or one below it, each item once. `counted` has numbers of categories, with commas between
 * them, and how many items carry these; numbers without a path are left out.
 */
export function sumByPath(
  paths: ReadonlyMap<number, string>,
  counted: readonly Counted[],
): ReadonlyMap<string, number> {
  const lists = new Map([...paths].map(([id, path]) => [id, withAbove(path)]))
  const sums = new Map<string, number>()
  for (const { value, number } of counted) {
    const carried = toNumbers(value).flatMap((id) => lists.get(id) ?? [])
    for (const path of new Set(carried)) sums.set(path, (sums.get(path) ?? 0) + number)
  }
  return sums
}

function toNumbers(value: string): readonly number[] {
  return value === '' ? [] : value.split(',').map(Number)
}

/** Bounds the parameters of a statement. */
const mostOfStatement = 1_000

/** Those of the categories that are shown and of the organizations, or of the group. */
export async function listPaths(db: Kysely<Rows>, groupId: string | undefined, ids: readonly number[]) {
  const found: { readonly id: number; readonly path: string }[] = []
  for (let begin = 0; begin < ids.length; begin += mostOfStatement) {
    const paths = db
      .selectFrom('category_paths')
      .select(['id', 'path'])
      .where('id', 'in', ids.slice(begin, begin + mostOfStatement))
      .where('state', '<>', 'cleared')
      .where('owner_kind', '=', groupId === undefined ? 'portal' : 'group')
    found.push(...(await (groupId === undefined ? paths : paths.where('owner_id', '=', groupId)).execute()))
  }
  return found
}
