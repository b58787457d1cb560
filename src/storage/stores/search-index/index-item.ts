import type { Kysely, Selectable } from 'kysely'
import { fold } from '../../../search/folding.ts'
import type { ItemRow, Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { categorizedCode, categoryCode } from './compile.ts'
import { fieldKeywords, fieldWords, foldedValues, type IndexDocument, keywordToken } from './document.ts'
import { type IndexedRecord, putIndexRow } from './index-rows.ts'
import { itemKeywords, itemText, levelCode, organizationLevel, ownerCode, portalCode } from './item-fields.ts'

const findItem = prepared((db, { item }: { item: number }) =>
  db
    .selectFrom('items')
    .innerJoin('users', 'users.user_id', 'items.owner_id')
    .selectAll('items')
    .select('users.username')
    .where('items.id', '=', item),
)

const selectGroups = prepared((db, { item }: { item: number }) =>
  db.selectFrom('item_groups').select('group_id').where('item_number', '=', item).orderBy('group_id'),
)

const selectCategories = prepared((db, { item }: { item: number }) =>
  db
    .selectFrom('item_categories')
    .innerJoin('category_paths', 'category_paths.id', 'item_categories.category_id')
    .select(['category_paths.id', 'owner_kind', 'owner_id'])
    .where('item_number', '=', item)
    .orderBy('category_paths.id'),
)

/** Writes what the index has of an item, as it is stored now: at the end of every write that changes one. */
export async function indexItem(db: Kysely<Rows>, item: number): Promise<void> {
  const record = await findItemRecord(db, item)
  if (record) await putIndexRow(db, 'item_index', record)
}

/** What the index has to have of an item. */
export async function findItemRecord(db: Kysely<Rows>, item: number): Promise<IndexedRecord<'item_index'> | undefined> {
  const row = await findItem.first(db, { item })
  if (!row) return undefined
  const groups = await selectGroups.all(db, { item })
  const categories = await selectCategories.all(db, { item })
  return toIndexed(
    row,
    groups.map(({ group_id }) => group_id),
    categories,
  )
}

type IndexedRow = Readonly<Selectable<ItemRow>> & { readonly username: string }
type CarriedCategory = { readonly id: number; readonly owner_kind: string; readonly owner_id: string }

/** What the index has of an item. */
export function toIndexed(
  row: IndexedRow,
  groups: readonly string[],
  categories: readonly CarriedCategory[],
): IndexedRecord<'item_index'> {
  const tags = JSON.parse(row.tags) as string[]
  const typeKeywords = JSON.parse(row.type_keywords) as string[]
  const texts = {
    title: [row.title],
    tags,
    snippet: [row.snippet],
    description: [row.description],
    type: [row.type],
    typekeywords: typeKeywords,
    accessinformation: [row.access_information],
    licenseinfo: [row.license_info],
  }
  const values = {
    ...texts,
    owner: [row.username],
    id: [row.item_id],
    group: groups,
    orgid: [row.portal_id],
    access: [row.access],
    culture: [row.culture],
    spatialreference: [row.spatial_reference],
    itemtype: [row.url === '' ? 'text' : 'url'],
  }
  const names = Object.keys(itemKeywords) as (keyof typeof itemKeywords)[]
  const owners = new Set(categories.map((one) => (one.owner_kind === 'portal' ? '' : one.owner_id)))
  const document: IndexDocument = {
    words: (Object.keys(itemText) as (keyof typeof itemText)[]).map((name) => fieldWords(itemText[name], texts[name])),
    keywords: [
      ...names.flatMap((name) => fieldKeywords(itemKeywords[name], values[name])),
      keywordToken(levelCode, row.level === 'org' ? organizationLevel(row.portal_id) : row.level),
      keywordToken(ownerCode, row.owner_id),
      keywordToken(portalCode, row.portal_id),
      ...categories.map(({ id }) => keywordToken(categoryCode, String(id))),
      ...[...owners].map((owner) => keywordToken(categorizedCode, owner)),
    ],
  }
  const compared = names.filter((name) => !(name in texts) || name === 'typekeywords')
  return {
    document,
    keywords: compared.flatMap((name) => foldedValues(values[name]).map((value) => itemKeywords[name] + value)),
    row: {
      number: row.id,
      item_id: row.item_id,
      created_at: row.created_at,
      modified_at: row.modified_at,
      access: row.access,
      type: row.type,
      type_key: fold(row.type),
      tags: JSON.stringify(onceFolded(tags)),
      categories: categories.map(({ id }) => id).join(','),
    },
  }
}

/** Values that fold to the same count once, in the first spelling. */
function onceFolded(values: readonly string[]): readonly string[] {
  const byFolded = new Map<string, string>()
  for (const value of values) if (!byFolded.has(fold(value))) byFolded.set(fold(value), value)
  return [...byFolded.values()]
}
