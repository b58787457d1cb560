import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { ItemCondition, ItemSearch, ItemViewer } from '../../../../items/search/item-search.ts'
import type { FoundItems } from '../../../../items/store.ts'
import type { Page } from '../../../../paging.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, isAmong, lookBy, toJson } from '../../select.ts'
import { compareTexts } from '../index/compare-texts.ts'
import { type FindCategories, matchingNumbers } from '../index/compile.ts'
import { indexedItems } from '../index/item-fields.ts'
import { both, type Match } from '../index/match.ts'
import { countColumns } from './count-columns.ts'
import type { ItemColumns } from './item-columns.ts'
import { type Selected, seesAll, selectSeen } from './select-seen.ts'
import { selectSmallest } from './select-smallest.ts'
import { selectWide, splitCondition } from './wide-conditions.ts'

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
  const { viewer, search, page, inGroup } = asked
  // An anonymous search is by the index alone, as below.
  const isSplit = search.isWide && viewer.userId !== undefined && columns.crowded.size === 0
  const { wide, others: condition } = isSplit
    ? splitCondition(asked.condition)
    : { wide: { kind: 'all' } as const, others: asked.condition }
  const list = (of: ItemCondition, also: Match) => listNumbers(db, deadlineCondition, { ...asked, condition: of, also })
  const isAll = condition.kind === 'all' && inGroup === undefined && !search.bbox
  // An anonymous search must not take longer for items that its caller may not see. Members may see most matching items.
  const all: Match = viewer.userId === undefined ? asked.seen : (inGroup ?? { kind: 'all' })
  const listed = isAll ? columns.numbers() : await list(condition, all)
  const matching = wide.kind === 'all' ? listed : await selectWide(db, deadlineCondition, columns, wide, listed)
  const isShared = asked.shared.kind !== 'none' && !(viewer.canViewEveryItem && seesAll(columns, viewer, matching))
  const shared = toSet(columns, isShared ? await list(condition, both(all, asked.shared)) : new Uint32Array())
  const isTitled = page.num > 0 && asked.inTitle && search.sort[0]!.field === 'relevance'
  const titled = isTitled ? toSet(columns, await list(asked.inTitle!, { kind: 'all' })) : undefined
  const [first] = search.sort
  const isUp = first !== undefined && first.field !== 'relevance' && first.order === 'asc'
  const isByNumber = first?.field === 'number'
  const look = lookBy(db, deadlineCondition)
  const selected = selectSeen(columns, viewer, { matching, shared, titled, isUp, isByNumber })
  const isCrowded = (kind: number) => columns.crowded.has(columns.kinds.all[kind]!.portal_id)
  if (search.countFields.length > 0 && selected.kinds.some((items, kind) => items > 0 && isCrowded(kind)))
    return undefined
  await look()
  const counts = await countColumns(db, deadlineCondition, columns, search, selected)
  await look()
  return { total: selected.numbers.length, numbers: await pickPage(db, deadlineCondition, selected, page), counts }
}

/** Rows for each check of the deadline. */
const rowsOfClock = 64

async function listNumbers(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  {
    condition,
    also,
    findCategories,
    box,
  }: Pick<ColumnsQuery, 'condition' | 'findCategories' | 'box'> & { also: Match },
): Promise<Uint32Array> {
  const { from, where, number, isLooked } = matchingNumbers(indexedItems, { condition, also, findCategories })
  const conditions = [where, ...box]
  if (deadlineCondition)
    conditions.push(
      isLooked ? deadlineCondition : sql<SqlBool>`(${number} % ${rowsOfClock} <> 0 or ${deadlineCondition})`,
    )
  const join = box.length > 0 ? sql`join items on items.id = ${number}` : sql``
  const { rows } = await sql<{ numbers: Buffer | null }>`select cast(group_concat(${number}) as blob) as numbers
    from ${from} ${join} where ${sql.join(conditions, sql` and `)}`.execute(db)
  return parseNumbers(rows[0]!.numbers)
}

/** Numbers in digits with commas between them. */
function parseNumbers(digits: Buffer | null): Uint32Array {
  if (digits === null) return new Uint32Array()
  const numbers = new Uint32Array((digits.length >> 1) + 1)
  let count = 0
  let number = 0
  // By position, here and below: an iterator takes ten times as long.
  for (let at = 0; at < digits.length; at += 1) {
    const character = digits[at]!
    if (character !== comma) number = number * 10 + character - zero
    else {
      numbers[count++] = number
      number = 0
    }
  }
  numbers[count++] = number
  return numbers.subarray(0, count)
}

const [comma, zero] = [44, 48]

/** Flags by number of an item: 1 for each of these numbers. */
function toSet({ length }: ItemColumns, numbers: Uint32Array): Uint8Array {
  const set = new Uint8Array(length)
  for (const number of numbers) set[number] = 1
  return set
}

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
  { numbers, keys }: Selected,
  { start, num }: Page,
): Promise<readonly number[]> {
  if (num === 0 || start > numbers.length) return []
  const end = Math.min(start - 1 + num, numbers.length)
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
