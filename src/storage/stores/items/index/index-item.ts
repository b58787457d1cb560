import { type Kysely, sql } from 'kysely'
import { type ItemAccess, itemFields } from '../../../../items/item.ts'
import { itemKeywords, itemTexts } from '../../../../items/search/item-search.ts'
import type { RowOf } from '../../../../record.ts'
import { fold } from '../../../../search/folding.ts'
import { isPostgres } from '../../../tables/catalog.ts'
import type { Rows } from '../../../tables/rows.ts'
import { mapper } from '../../mapper.ts'
import { prepared } from '../../prepared.ts'
import { isAmong, toJson } from '../../select.ts'
import { compareTexts } from './compare-texts.ts'
import { belowCode, categorizedCode, categoryCode } from './compile.ts'
import { indexed, keywordToken } from './document.ts'
import { type IndexedRecord, putIndexRows } from './index-rows.ts'
import { levelCode, organizationLevel, ownerCode, portalCode } from './item-fields.ts'

const items = mapper(itemFields)

/** A JSON array of numbers of items. */
type OfItems = { readonly items: string }

/** Items with their groups and their digests in the index, in one statement: each look-up is a round trip to PostgreSQL. */
const selectItems = prepared((db, { items }: OfItems) =>
  db
    .selectFrom('items')
    .innerJoin('users', 'users.user_id', 'items.owner_id')
    .selectAll('items')
    .select(['users.username', groupsOf(db).as('group_ids'), digestOfItem.as('before')])
    .where((row) => isAmong(db, row.ref('items.id'), items, 'bigint')),
)

const digestOfItem = sql<string | null>`(select digest from item_index where number = items.id)`

/** JSON array in the order of the ids; null or empty without groups. */
function groupsOf(db: Kysely<Rows>) {
  const [begin, end] = isPostgres(db) ? [sql`json_agg`, sql`::text`] : [sql`json_group_array`, sql``]
  return sql<
    string | null
  >`(select ${begin}(group_id order by group_id)${end} from item_groups where item_number = items.id)`
}

/** A category that the item carries, or one above it. */
interface CategoryOfItem extends IndexedCategory {
  readonly item_number: number
}

export interface IndexedCategory {
  readonly id: number
  readonly owner_kind: string
  readonly owner_id: string
  readonly is_carried: number
}

/** Categories of items and those above them; one may be both. Those above a cleared one are left out: none must find the item. */
const selectCategories = prepared<OfItems, CategoryOfItem>((db, { items }) => ({
  compile: () =>
    sql<CategoryOfItem>`with recursive categories (item_number, id, owner_kind, owner_id, parent_id, is_carried) as (
      select item_categories.item_number, path.id, path.owner_kind, path.owner_id,
        case when path.state = 'cleared' then null else path.parent_id end, 1
      from item_categories join category_paths as path on path.id = item_categories.category_id
      where ${isAmong(db, sql.ref('item_categories.item_number'), items, 'bigint')}
      union
      select categories.item_number, path.id, path.owner_kind, path.owner_id, path.parent_id, 0
      from categories join category_paths as path on path.id = categories.parent_id)
    select item_number, id, owner_kind, owner_id, is_carried from categories order by is_carried desc, id`.compile(
      db,
    ) as never,
}))

/** Indexes items as they are stored now; the number of look-ups does not depend on that of a batch. */
export async function indexItems(db: Kysely<Rows>, items: readonly number[]): Promise<void> {
  for (let begin = 0; begin < items.length; begin += maxConcurrent) {
    await putIndexRows(db, 'item_index', await listItemRecords(db, items.slice(begin, begin + maxConcurrent)))
  }
}

/** Items of a batch: bounds the memory for their texts. */
const maxConcurrent = 500

/** Records that the index has to have of the existing ones of the items, with their rows and the digests of the present records. */
export async function listItemRecords(db: Kysely<Rows>, items: readonly number[]) {
  const given = { items: toJson(items) }
  const rows = await selectItems.all(db, given)
  const categories = Map.groupBy(await selectCategories.all(db, given), (row) => row.item_number)
  return rows.map((row) => {
    const groups: readonly string[] = JSON.parse(row.group_ids ?? '[]')
    return { ...toIndexed(row, groups, categories.get(row.id) ?? []), before: row.before ?? undefined, item: row }
  })
}

type IndexedRow = Readonly<RowOf<typeof itemFields>> & {
  readonly id: number
  readonly access: ItemAccess
  readonly username: string
}

/** Record of an item in the index. */
export function toIndexed(
  row: IndexedRow,
  groups: readonly string[],
  categories: readonly IndexedCategory[],
): IndexedRecord<'item_index'> {
  const item = { ...items.toRecord(row), access: row.access, ownerUsername: row.username, groups }
  const { document, keywords } = indexed(item, itemTexts, itemKeywords, 'typekeywords')
  const carried = categories.filter(({ is_carried }) => is_carried === 1)
  const owners = new Set(carried.map((one) => (one.owner_kind === 'portal' ? '' : one.owner_id)))
  const visibility = [
    keywordToken(levelCode, row.level === 'org' ? organizationLevel(row.portal_id) : row.level),
    keywordToken(ownerCode, row.owner_id),
    keywordToken(portalCode, row.portal_id),
    ...carried.map(({ id }) => keywordToken(categoryCode, String(id))),
    ...[...owners].map((owner) => keywordToken(categorizedCode, owner)),
  ]
  const above = categories.filter(({ is_carried }) => is_carried === 0)
  return {
    document: { ...document, keywords: [...document.keywords, ...visibility] },
    uncompared: above.map(({ id }) => keywordToken(belowCode, String(id))),
    keywords,
    row: {
      number: row.id,
      item_id: row.item_id,
      created_at: row.created_at,
      modified_at: row.modified_at,
      access: row.access,
      type: row.type,
      type_key: fold(row.type),
      tags: JSON.stringify(onceFolded(item.tags)),
      categories: carried.map(({ id }) => id).join(','),
    },
  }
}

/** Values without duplicates by folding, each in the first spelling by code points. */
function onceFolded(values: readonly string[]): readonly string[] {
  const byFolded = new Map<string, string>()
  for (const value of values) {
    const known = byFolded.get(fold(value))
    if (known === undefined || compareTexts(value, known) < 0) byFolded.set(fold(value), value)
  }
  return [...byFolded.values()]
}
