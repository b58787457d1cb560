import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type {
  ItemCondition,
  ItemFields,
  ItemSearch,
  ItemSortField,
  ItemViewer,
} from '../../../items/search/item-search.ts'
import type { FoundItem, FoundItems } from '../../../items/store.ts'
import type { Page, Slice } from '../../../paging.ts'
import { allOf, anyOf, mapLeaves, negationOf } from '../../../search/condition.ts'
import { fold } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { type DeadlineCondition, isAmong, lookBy, toJson } from '../select.ts'
import { type ColumnsQuery, type ColumnsResult, findByColumns, isOrderedByColumns } from './columns/find-by-columns.ts'
import type { ItemColumnCache } from './columns/item-column-cache.ts'
import { findCategories } from './find-categories.ts'
import { listFormerOwners } from './group-links.ts'
import { matchingRows } from './index/compile.ts'
import { keywordToken } from './index/document.ts'
import { countValues, facetColumns, toCounts } from './index/facets.ts'
import { indexedItems, levelCode, organizationLevel, ownerCode, portalCode } from './index/item-fields.ts'
import { both, either, type Match, token } from './index/match.ts'
import { belonging, selectItems, toItemOfMember } from './item-rows.ts'

/**
 * Matching items that the viewer sees: their total, one page, and counts of their values. With columns in memory, the index only
 * finds the matching items.
 */
export async function searchItems(db: Kysely<Rows>, means: SearchMeans, asked: SearchOfItems): Promise<FoundItems> {
  const { numbers, ...found } = await findNumbers(db, means, asked)
  return { ...found, entries: await readFound(db, asked, numbers) }
}

/** Items that are read together of a page of any length (chosen): whole items are in memory meanwhile. */
const itemsAtOnce = 500

/** Matching items in the order of creation, each as `toRow` makes it. */
export async function listFound<Row>(
  db: Kysely<Rows>,
  means: SearchMeans,
  asked: SearchOfItems,
  toRow: (found: FoundItem) => Row,
): Promise<Slice<Row>> {
  const { total, numbers } = await findNumbers(db, means, asked)
  const look = lookBy(db, means.deadlineCondition)
  const entries: Row[] = []
  for (let at = 0; at < numbers.length; at += itemsAtOnce) {
    for (const found of await readFound(db, asked, numbers.slice(at, at + itemsAtOnce))) entries.push(toRow(found))
    await look()
  }
  return { total, entries }
}

/** The index of items: on the connection of the tables, or in the search replica of a server on PostgreSQL. */
export interface ItemIndex {
  readonly db: Kysely<Rows>
  readonly deadlineCondition: DeadlineCondition
  readonly columns: ItemColumnCache | undefined
}

export interface SearchMeans {
  readonly deadlineCondition: DeadlineCondition
  readonly index: ItemIndex
}

interface SearchOfItems {
  readonly viewer: ItemViewer
  readonly search: ItemSearch
  readonly page: Page
}

/** The result, with the numbers of the items of the page. */
async function findNumbers(
  db: Kysely<Rows>,
  { index: { db: index, deadlineCondition, columns } }: SearchMeans,
  { viewer, search, page }: SearchOfItems,
): Promise<ColumnsResult> {
  const formerOwners = await listFormerOwners(db)
  const condition = withoutFormer(search.condition, formerOwners)
  const inTitle = search.inTitle && withoutFormer(search.inTitle, formerOwners)
  const group = search.groupId === undefined ? undefined : inGroup(search.groupId, formerOwners)
  const shared = await sharedWith(db, viewer, formerOwners)
  const asked: ColumnsQuery = {
    viewer,
    search,
    page,
    condition,
    inTitle,
    findCategories: await findCategories(index, deadlineCondition, inTitle ? [condition, inTitle] : [condition]),
    inGroup: group,
    shared,
    seen: seenBy(viewer, group, shared),
    box: inBox(search),
  }
  const known = isOrderedByColumns(search, page) ? await columns?.find(index, deadlineCondition) : undefined
  const byColumns = known && (await findByColumns(index, deadlineCondition, known, asked))
  return byColumns ?? findByStatement(index, deadlineCondition, asked)
}

/** Finds total, page and counts by one statement, which reads the index once. */
async function findByStatement(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  asked: ColumnsQuery,
): Promise<ColumnsResult> {
  const { search, page, condition, inTitle, box } = asked
  const { countFields } = search
  const rowsOf = (of: ItemCondition, also: Match) =>
    matchingRows(db, indexedItems, { condition: of, also, findCategories: asked.findCategories })
  const { from, where } = rowsOf(condition, asked.seen)
  const titled = page.num > 0 && inTitle ? rowsOf(inTitle, { kind: 'all' }) : undefined
  const keys = page.num > 0 ? sortKeys(search, titled !== undefined) : []

  const columns = keys.map(({ value }, at) => sql`${value} as ${keyName(at)}`)
  const conditions = [where, ...box, ...(deadlineCondition ? [deadlineCondition] : [])]
  const found = sql`select ${sql.join([sql.ref('item_index.number'), sql.ref('item_index.item_id'), ...columns, ...facetColumns(search)])}
    from ${from} ${sql.join(joins(search, keys), sql` `)} where ${sql.join(conditions, sql` and `)}`
  const order = sql.join([...keys.map((key, at) => sql`${keyName(at)} ${sql.raw(key.order)}`), sql`item_id`])
  const parts = [sql`select 'total' as part, cast(null as text) as value, count(*) as number from found`]
  if (page.num > 0) {
    const ofPage = sql`select * from found order by ${order} limit ${page.num} offset ${page.start - 1}`
    parts.push(sql`select 'page', cast(row_number() over (order by ${order}) as text), number from (${ofPage}) as page`)
  }
  parts.push(...[...new Set(countFields)].map((field) => countValues(db, field, deadlineCondition)))
  const sets = [sql`found as materialized (${found})`]
  // Once: PostgreSQL would look for the words of a long query again at each row that is found.
  if (titled) {
    sets.unshift(sql`titled as materialized (select item_index.number from ${titled.from} where ${titled.where})`)
  }
  const answer = await sql<AnswerRow>`with ${sql.join(sets)} ${sql.join(parts, sql` union all `)}`.execute(db)

  const rowsIn = (part: string) => answer.rows.filter((row) => row.part === part)
  const numbers = rowsIn('page')
    .toSorted((one, other) => Number(one.value) - Number(other.value))
    .map(({ number }) => number)
  const counts = []
  for (const field of countFields) counts.push(await toCounts(db, deadlineCondition, search, field, rowsIn(field)))
  return { total: rowsIn('total')[0]!.number, numbers, counts }
}

/** A row of the answer: the total, a place of the page with the number of an item, or a value with the number of its items. */
interface AnswerRow {
  readonly part: string
  readonly value: string
  readonly number: number
}

type FormerOwners = Awaited<ReturnType<typeof listFormerOwners>>

/** Rewrites conditions on groups, so that they match no item that has left the group. */
function withoutFormer(condition: ItemCondition, formerOwners: FormerOwners): ItemCondition {
  if (formerOwners.size === 0) return condition
  return mapLeaves(condition, (leaf) => {
    const owners = leaf.kind === 'key' && leaf.field === 'group' ? formerOwners.get(leaf.value) : undefined
    if (!owners) return leaf
    const own = owners.map((name) => ({ kind: 'key', field: 'owner', value: fold(name), isPrefix: false }) as const)
    return allOf([leaf, negationOf(anyOf<ItemFields>(own))])
  })
}

function seenBy(viewer: ItemViewer, group: Match | undefined, shared: Match): Match {
  const reasons = [token(keywordToken(levelCode, 'public'))]
  if (viewer.canViewOrganizationItems) reasons.push(token(keywordToken(levelCode, organizationLevel(viewer.portalId))))
  if (viewer.canViewEveryItem) reasons.push(token(keywordToken(portalCode, viewer.portalId)))
  if (viewer.userId !== undefined) reasons.push(token(keywordToken(ownerCode, viewer.userId)))
  const seen = either([...reasons, shared])
  return group ? both(seen, group) : seen
}

/** Match for the items of the viewer's groups. */
async function sharedWith(db: Kysely<Rows>, { userId }: ItemViewer, formerOwners: FormerOwners): Promise<Match> {
  if (userId === undefined) return { kind: 'none' }
  const groups = await db.selectFrom('members').select('group_id').where('user_id', '=', userId).execute()
  return groups.length === 0 ? { kind: 'none' } : either(groups.map(({ group_id }) => inGroup(group_id, formerOwners)))
}

function inGroup(id: string, formerOwners: FormerOwners): Match {
  const link = token(keywordToken(indexedItems.keywords.group, id))
  const owners = formerOwners.get(id)
  if (!owners) return link
  const own = owners.map((name) => token(keywordToken(indexedItems.keywords.owner, fold(name))))
  return both(link, { kind: 'not', of: either(own) })
}

interface SortKey {
  readonly value: Expression<unknown>
  readonly order: 'asc' | 'desc'
  /** Table that the key needs in the join. */
  readonly joins?: 'items' | 'users' | 'titled'
}

function keyName(at: number) {
  return sql.ref(`key${at}`)
}

/** Sort keys; for relevance, items that match in their title come first, then the last modified. */
function sortKeys({ sort }: ItemSearch, isTitled: boolean): readonly SortKey[] {
  return sort.flatMap(({ field, order }): readonly SortKey[] => {
    if (field !== 'relevance') return [{ ...sortColumns[field], order }]
    const newest = { ...sortColumns.modified, order: 'desc' as const }
    if (!isTitled) return [newest]
    return [{ value: sql`case when titled.number is null then 1 else 0 end`, order: 'asc', joins: 'titled' }, newest]
  })
}

const sortColumns = {
  title: { value: sql.ref('items.title_key'), joins: 'items' },
  created: { value: sql.ref('item_index.created_at') },
  modified: { value: sql.ref('item_index.modified_at') },
  type: { value: sql.ref('item_index.type_key') },
  owner: { value: sql.ref('users.username_key'), joins: 'users' },
  number: { value: sql.ref('item_index.number') },
} as const satisfies Record<Exclude<ItemSortField, 'relevance'> | 'number', Omit<SortKey, 'order'>>

function joins({ bbox, countFields }: ItemSearch, keys: readonly SortKey[]) {
  const wanted = keys.map((key) => key.joins)
  const parts = []
  if (bbox || countFields.includes('owner') || wanted.includes('items') || wanted.includes('users')) {
    parts.push(sql`join items on items.id = item_index.number`)
  }
  if (wanted.includes('users')) parts.push(sql`join users on users.user_id = items.owner_id`)
  if (wanted.includes('titled')) parts.push(sql`left join titled on titled.number = item_index.number`)
  return parts
}

/** Conditions for an overlap of `bbox` with the extent of the item. */
function inBox({ bbox }: ItemSearch): readonly Expression<SqlBool>[] {
  if (!bbox) return []
  const [west, south, east, north] = bbox
  return [
    sql<SqlBool>`items.west <= ${east} and items.east >= ${west} and items.south <= ${north} and items.north >= ${south}`,
  ]
}

const selectFound = prepared((db, { numbers, userId }: { numbers: string; userId: string | null }) =>
  selectItems(db)
    .select(() => belonging(userId))
    .where((row) => isAmong(db, row.ref('items.id'), numbers, 'bigint')),
)

/** The items with these numbers, in this order. */
async function readFound(
  db: Kysely<Rows>,
  { viewer: { userId }, search: { groupId } }: SearchOfItems,
  numbers: readonly number[],
): Promise<readonly FoundItem[]> {
  if (numbers.length === 0) return []
  const rows = await selectFound.all(db, { numbers: toJson(numbers), userId: userId ?? null })
  const categories = groupId === undefined ? undefined : await listGroupCategories(db, groupId, numbers)
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  return numbers.map((number) => {
    const groupCategories = categories && (categories.get(number) ?? [])
    return { ...toItemOfMember(byNumber.get(number)!), groupCategories }
  })
}

async function listGroupCategories(db: Kysely<Rows>, groupId: string, numbers: readonly number[]) {
  const rows = await db
    .selectFrom('item_categories')
    .innerJoin('category_paths', 'category_paths.id', 'item_categories.category_id')
    .select(['item_number', 'path'])
    .where('item_number', 'in', numbers)
    .where('owner_kind', '=', 'group')
    .where('owner_id', '=', groupId)
    .where('state', '<>', 'cleared')
    .orderBy('position')
    .orderBy('category_id')
    .execute()
  const byItem = new Map<number, string[]>()
  for (const { item_number, path } of rows) {
    const paths = byItem.get(item_number)
    if (!paths) byItem.set(item_number, [path])
    else if (!paths.includes(path)) paths.push(path)
  }
  return byItem
}
