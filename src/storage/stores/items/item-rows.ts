import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Extent, Item, ItemAccess, ItemLevel } from '../../../items/item.ts'
import type { ItemOfMember, NewItem } from '../../../items/store.ts'
import { fold } from '../../../search/folding.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { ItemRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
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
  // In this order: in the other one, SQLite would read every path of the organization for each item.
  return sql<
    string | null
  >`(select ${begin}(category_paths.path order by item_categories.position, category_paths.id)${end}
    from item_categories cross join category_paths where category_paths.id = item_categories.category_id
    and item_categories.item_number = items.id and category_paths.owner_kind = 'portal'
    and category_paths.state <> 'cleared')`
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
    level: row.level as ItemLevel,
    access: row.access as ItemAccess,
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

/** Columns that a change writes: for the others, SQLite would write their indexes again, although they stay the same. */
export const changedColumns = [
  'level',
  'access',
  'is_protected',
  'size',
  'bytes',
  'modified_at',
  'title',
  'title_key',
  'type',
  'type_keywords',
  'tags',
  'culture',
  'spatial_reference',
  'url',
  'snippet',
  'access_information',
  'documentation',
  'license_info',
  'description',
  'west',
  'south',
  'east',
  'north',
  'properties',
  'checksum',
] as const satisfies readonly (keyof ItemRow)[]

/** Columns of a new item. */
export const itemColumns = ['item_id', 'portal_id', 'owner_id', 'created_at', ...changedColumns] as const

export type ChangedRow = Pick<Insertable<ItemRow>, (typeof changedColumns)[number]>
export type NewRow = Pick<Insertable<ItemRow>, (typeof itemColumns)[number]>

/** Row of a new item, with the access of an item without links. */
export function toRow(item: NewItem): NewRow {
  return {
    item_id: item.itemId,
    portal_id: item.portalId,
    owner_id: item.ownerId,
    created_at: item.createdAt,
    ...toChangedRow(item),
  }
}

/** Changed columns of an item, with the access of an item without links. */
export function toChangedRow(item: NewItem): ChangedRow {
  const [west, south, east, north] = item.extent ?? [null, null, null, null]
  const row = {
    level: item.level,
    access: item.level,
    is_protected: item.isProtected ? 1 : 0,
    size: item.size,
    bytes: item.bytes,
    modified_at: item.modifiedAt,
    title: item.title,
    title_key: fold(item.title),
    type: item.type,
    type_keywords: JSON.stringify(item.typeKeywords),
    tags: JSON.stringify(item.tags),
    culture: item.culture,
    spatial_reference: item.spatialReference,
    url: item.url,
    snippet: item.snippet,
    access_information: item.accessInformation,
    documentation: item.documentation,
    license_info: item.licenseInfo,
    description: item.description,
    west,
    south,
    east,
    north,
    properties: item.properties ?? null,
  }
  return { ...row, checksum: checksumOf('items', row) }
}
