import { type Kysely, type Selectable, sql } from 'kysely'
import { type Extent, type Item, itemFields } from '../../../items/item.ts'
import type { ItemOfMember, NewItem } from '../../../items/store.ts'
import { fold } from '../../../search/folding.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { ItemRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { mapper } from '../mapper.ts'
import { isLive } from './group-links.ts'

/** Items with their owners and categories, as every read needs them. */
export function selectItems(db: Kysely<Rows>) {
  return db
    .selectFrom('items')
    .innerJoin('users', 'users.user_id', 'items.owner_id')
    .selectAll('items')
    .select(['users.username as owner_username', assignedPaths(db).as('categories')])
}

/** JSON array of the paths of the organization's categories, in the order in which they were assigned; a path may be twice. */
function assignedPaths(db: Kysely<Rows>) {
  const [begin, end] = isPostgres(db) ? [sql`json_agg`, sql`::text`] : [sql`json_group_array`, sql``]
  const shown = sql`category_paths.id = item_categories.category_id and category_paths.owner_kind = 'portal'
    and category_paths.state <> 'cleared'`
  // Joined otherwise, each engine may read every path of the organization for each item.
  const looked = isPostgres(db) ? sql`lateral (select * from category_paths where ${shown} offset 0) as` : sql``
  return sql<
    string | null
  >`(select ${begin}(category_paths.path order by item_categories.position, category_paths.id)${end}
    from item_categories cross join ${looked} category_paths where ${shown} and item_categories.item_number = items.id)`
}

/** Whether the user is a member of a group with the item, and of one that gives its members control of it. */
export function belonging(userId: string | null) {
  const groups = sql`item_groups join members on members.group_id = item_groups.group_id
    where item_groups.item_number = items.id and members.user_id = ${userId} and ${isLive}`
  const controlling = sql`item_groups join members on members.group_id = item_groups.group_id
    join ${sql.table('groups')} on ${sql.ref('groups.group_id')} = item_groups.group_id
    where item_groups.item_number = items.id and members.user_id = ${userId} and ${isLive}
    and item_groups.gives_control = 1 and ${sql.ref('groups.gives_item_control')} = 1`
  return [
    sql<number>`case when exists (select 1 from ${groups}) then 1 else 0 end`.as('is_shared'),
    sql<number>`case when exists (select 1 from ${controlling}) then 1 else 0 end`.as('has_control'),
  ] as const
}

type FoundRow = Selectable<ItemRow> & { readonly owner_username: string; readonly categories: string | null }

/** Converts a row; refuses one whose checksum does not match. */
export function toItem(row: FoundRow): Item {
  requireIntact('items', row)
  const { west, south, east, north } = row
  return {
    itemId: row.item_id,
    portalId: row.portal_id,
    ownerId: row.owner_id,
    ownerUsername: row.owner_username,
    title: row.title,
    type: row.type,
    typeKeywords: JSON.parse(row.type_keywords),
    tags: JSON.parse(row.tags),
    snippet: row.snippet,
    description: row.description,
    documentation: row.documentation,
    accessInformation: row.access_information,
    licenseInfo: row.license_info,
    culture: row.culture,
    spatialReference: row.spatial_reference,
    url: row.url,
    extent: west === null ? undefined : ([west, south, east, north] as Extent),
    properties: row.properties ?? undefined,
    level: row.level,
    access: row.access,
    isProtected: row.is_protected === 1,
    size: row.size,
    bytes: row.bytes,
    // Without categories, SQLite has an empty array and PostgreSQL null.
    categories: [...new Set<string>(JSON.parse(row.categories ?? '[]'))],
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

export function toItemOfMember(
  row: FoundRow & { readonly is_shared: number; readonly has_control: number },
): ItemOfMember {
  return { item: toItem(row), isShared: row.is_shared === 1, hasControl: row.has_control === 1 }
}

const items = mapper(itemFields)

/** Columns of a new item. */
export const itemColumns = [
  ...items.columns,
  'access',
  'title_key',
  'west',
  'south',
  'east',
  'north',
  'checksum',
] as const

const fixedColumns: readonly string[] = ['item_id', 'portal_id', 'owner_id', 'created_at']

/** Columns that a change writes: for the others, SQLite would write their indexes again, although they stay the same. */
export const changedColumns = itemColumns.filter((column) => !fixedColumns.includes(column))

export type NewRow = Omit<ItemRow, 'id'>

/** Row of an item, with the access of an item without links. */
export function toRow(item: NewItem): NewRow {
  const [west, south, east, north] = item.extent ?? [null, null, null, null]
  const row = { ...items.toRow(item), access: item.level, title_key: fold(item.title), west, south, east, north }
  return { ...row, checksum: checksumOf('items', row) }
}
