import type { Expression, Kysely, SqlBool } from 'kysely'
import type { ItemCondition, ItemSearch, ItemViewer } from '../../../../items/search/item-search.ts'
import type { FoundItems } from '../../../../items/store.ts'
import type { Page } from '../../../../paging.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, isAmong, lookBy, toJson } from '../../select.ts'
import { compareTexts } from '../index/compare-texts.ts'
import type { FindCategories } from '../index/compile.ts'
import type { Match } from '../index/match.ts'
import { toBits } from './bitmaps.ts'
import { countColumns } from './count-columns.ts'
import { findMatching, type Matching } from './find-matching.ts'
import type { ItemColumns } from './item-columns.ts'
import { type Selected, selectItems } from './select-items.ts'
import { selectSmallest } from './select-smallest.ts'
import { flagSeen, limitToNear } from './visible-items.ts'

/** A search, in terms of the index. */
export interface ColumnsQuery {
  readonly viewer: ItemViewer
  readonly search: ItemSearch
  readonly page: Page
  readonly condition: ItemCondition
  readonly inTitle: ItemCondition | undefined
  readonly findCategories: FindCategories
  /** Items of the group that the search is limited to; undefined without one. */
  readonly inGroup: Match | undefined
  /** Items of groups of the viewer. */
  readonly shared: Match
  /** Items that the viewer sees, limited to the group if there is one. */
  readonly seen: Match
  /** Conditions on `items`. */
  readonly box: readonly Expression<SqlBool>[]
}

/** Result of a search, with the numbers of the items of the page. */
export interface ColumnsResult extends Omit<FoundItems, 'entries'> {
  readonly numbers: readonly number[]
}

/** Whether columns suffice for the order: they have no texts to sort by. */
export function isOrderedByColumns({ sort }: ItemSearch, { num }: Page): boolean {
  return num === 0 || (sort.length === 1 && ['relevance', 'modified', 'number'].includes(sort[0]!.field))
}

/**
 * Result equal to that of the statement of `searchItems`. The index mostly finds only the matching items: visibility, counts and
 * order come from the columns. Undefined where the columns lack values to count.
 */
export async function findByColumns(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  columns: ItemColumns,
  asked: ColumnsQuery,
): Promise<ColumnsResult | undefined> {
  const { viewer, search, page, condition, inGroup, findCategories, box } = asked
  const { countFields, sort } = search
  // An anonymous search is by the index alone: it must not take longer for items that its caller may not see.
  const isMember = viewer.userId !== undefined
  const query = { findCategories, box, keptPart: isMember ? keptPart : 0 }
  const find = (of: ItemCondition, also: Match, given: Partial<typeof query> = {}) =>
    findMatching(db, deadlineCondition, columns, { ...query, ...given, condition: of, also })
  const isAll = condition.kind === 'all' && inGroup === undefined && !search.bbox && isMember
  const seen = flagSeen(viewer, columns)
  // Members may see most matching items: those of their groups are found apart, if others than they see may match.
  const isShared = asked.shared.kind !== 'none' && columns.items.some((items, kind) => items > 0 && seen[kind] === 0)
  const toSet = (matching: Exclude<Matching, 'all'>) =>
    'bits' in matching ? matching.bits : toBits(matching, columns.length)
  const shared = isShared
    ? toSet(await find(everyItem, asked.shared, { box: [], keptPart: keptPartOfGroups }))
    : new Uint32Array()
  const isTitled = page.num > 0 && asked.inTitle && sort[0]!.field === 'relevance'
  const [first] = sort
  const look = lookBy(db, deadlineCondition)
  const matching = isAll ? 'all' : await find(condition, isMember ? (inGroup ?? everyItem) : asked.seen)
  const selected = await selectItems(look, columns, {
    matching: isMember ? await limitToNear(columns, viewer, { matching, seen, shared }) : matching,
    seen,
    shared,
    titled: isTitled ? toSet(await find(asked.inTitle!, isMember ? everyItem : asked.seen)) : undefined,
    isUp: first !== undefined && first.field !== 'relevance' && first.order === 'asc',
    isByNumber: first?.field === 'number',
    max: page.num === 0 ? 0 : page.start - 1 + page.num,
    countFields,
  })
  const isCrowded = (kind: number) => columns.crowded.has(columns.kinds.all[kind]!.portal_id)
  if (countFields.length > 0 && selected.kinds.some((items, kind) => items > 0 && isCrowded(kind))) return undefined
  await look()
  const counts = await countColumns(db, deadlineCondition, columns, search, selected)
  await look()
  return { total: selected.total, numbers: await pickPage(db, deadlineCondition, selected, page), counts }
}

const everyItem = { kind: 'all' } as const

/** Frequent parts of queries, and items of groups, match more than one item in so many (chosen): the index takes a millisecond for these. */
const [keptPart, keptPartOfGroups] = [128, 10_000]

interface Candidate {
  readonly number: number
  readonly key: number
}

/** Items of equal times whose ids are sorted by one statement: the deadline is checked between these. */
const tiesOfPart = 10_000

/** Numbers of the page, in order; items that compare equal are in the order of their ids. */
async function pickPage(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { total, first: { numbers, keys } }: Selected,
  { start, num }: Page,
): Promise<readonly number[]> {
  if (num === 0 || start > total) return []
  const end = Math.min(start - 1 + num, total)
  const sorted = selectSmallest(keys, end)
  const [min, greatest] = [sorted[start - 1]!, sorted[end - 1]!]
  const candidates: Candidate[] = []
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at]!
    if (key >= min && key <= greatest) candidates.push({ number: numbers[at]!, key })
  }
  const before = sorted.indexOf(min)
  const isTied = new Set(candidates.map(({ key }) => key)).size < candidates.length
  const first = isTied
    ? await pickTied(db, deadlineCondition, candidates, end - before)
    : candidates.sort((one, other) => one.key - other.key)
  return first.slice(start - 1 - before, end - before).map(({ number }) => number)
}

/** The first candidates, in order, up to the given number. */
async function pickTied(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  candidates: readonly Candidate[],
  max: number,
): Promise<readonly Candidate[]> {
  const size = Math.max(tiesOfPart, max)
  let first: (Candidate & { readonly id: string })[] = []
  for (let at = 0; at < candidates.length; at += size) {
    const part = candidates.slice(at, at + size)
    const ids = await readIds(db, deadlineCondition, part)
    first = [...first, ...part.map((one) => ({ ...one, id: ids.get(one.number)! }))]
      .sort((one, other) => one.key - other.key || compareTexts(one.id, other.id))
      .slice(0, max)
  }
  return first
}

async function readIds(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  items: readonly Candidate[],
): Promise<ReadonlyMap<number, string>> {
  const numbers = toJson(items.map(({ number }) => number))
  const rows = await db
    .withTables<{ item_index: { number: number; item_id: string } }>()
    .selectFrom('item_index')
    .select(['number', 'item_id'])
    .where((row) => isAmong(db, row.ref('number'), numbers, 'bigint'))
    .$if(deadlineCondition !== undefined, (query) => query.where(deadlineCondition!))
    .execute()
  return new Map(rows.map(({ number, item_id }) => [number, item_id]))
}
