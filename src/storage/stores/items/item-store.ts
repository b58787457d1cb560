import type { Kysely } from 'kysely'
import type { SchemaOwner } from '../../../categories/store.ts'
import { linksChanged, readLinks, recordChange } from '../../../items/item-change.ts'
import type { ItemLink, ItemSortField, ItemStore, NewItem } from '../../../items/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { pick, prepared } from '../prepared.ts'
import { count, type DeadlineCondition, isAmong, isStoredAsGiven, paginate, toJson, withinDeadline } from '../select.ts'
import { listGroupCategories, putCategories, putGroupCategories } from './assign-categories.ts'
import { carriedPathStore } from './carried-paths.ts'
import { countCoverage } from './count-paths.ts'
import { coverageDays } from './coverage-days.ts'
import { endLinks, isEnding, isLive, putAccess, removeOwnerLinks, unlink } from './group-links.ts'
import { forgetItem, indexItem, indexNewItem } from './index/changed-items.ts'
import { toIndexed } from './index/index-item.ts'
import { forgetChanges } from './index/item-changes.ts'
import { putAssigned, putFirstAssigned } from './item-categories.ts'
import {
  countItems,
  countItemsOf,
  findItemCount,
  listItemCounts,
  listLargestOwners,
  putItemCount,
  sumItemsOf,
  sumUpCounts,
} from './item-counts.ts'
import { belonging, changedColumns, itemColumns, type NewRow, selectItems, toItemOfMember, toRow } from './item-rows.ts'
import { type ItemIndex, listFound, searchItems } from './item-search.ts'
import { countTags, sumUpTags } from './item-tags.ts'

const findItemFor = prepared((db, { itemId, userId }: { itemId: string; userId: string | null }) =>
  selectItems(db)
    .select(() => belonging(userId as string))
    .where('items.item_id', '=', itemId),
)

const listItemsFor = prepared((db, { itemIds, userId }: { itemIds: string; userId: string | null }) =>
  selectItems(db)
    .select(() => belonging(userId))
    .where((row) => isAmong(db, row.ref('items.item_id'), itemIds, 'text'))
    .orderBy('items.item_id'),
)

const findText = prepared((db, { itemId }: { itemId: string }) =>
  db
    .selectFrom('item_texts')
    .innerJoin('items', 'items.id', 'item_texts.item_number')
    .select(['item_texts.item_number', 'item_texts.text', 'item_texts.checksum'])
    .where('items.item_id', '=', itemId),
)

const putTextRow = prepared((db, { item, text, checksum }: { item: number; text: string; checksum: number }) =>
  db
    .insertInto('item_texts')
    .values({ item_number: item, text, checksum })
    .onConflict((conflict) =>
      conflict
        .column('item_number')
        .doUpdateSet({ text: (set) => set.ref('excluded.text'), checksum: (set) => set.ref('excluded.checksum') }),
    ),
)

function putText(db: Kysely<Rows>, item: number, text: string): Promise<void> {
  return putTextRow.send(db, { item, text, checksum: checksumOf('item_texts', { text }) })
}

const findNumber = prepared((db, { itemId }: { itemId: string }) =>
  db.selectFrom('items').select(['id', 'portal_id', 'level', 'access']).where('item_id', '=', itemId),
)

const insertItem = prepared((db, given: NewRow) =>
  db
    .insertInto('items')
    .values(pick(given, itemColumns))
    .returning(({ selectFrom }) => [
      'id',
      selectFrom('users')
        .select('username')
        .whereRef('users.user_id', '=', 'items.owner_id')
        .$asScalar()
        .as('username'),
    ]),
)

const changeItem = prepared((db, given: NewRow) =>
  db.updateTable('items').set(pick(given, changedColumns)).where('item_id', '=', given.item_id).returning('id'),
)

const putOwner = prepared((db, { itemId, userId }: { itemId: string; userId: string }) =>
  db.updateTable('items').set({ owner_id: userId }).where('item_id', '=', itemId).returning('id'),
)

const findRemoved = prepared((db, { itemId }: { itemId: string }) =>
  db.selectFrom('removed_items').select('item_id').where('item_id', '=', itemId),
)

const selectLinks = prepared((db, { itemId }: { itemId: string }) =>
  db
    .selectFrom('item_groups')
    .innerJoin('items', 'items.id', 'item_groups.item_number')
    .innerJoin('groups', 'groups.group_id', 'item_groups.group_id')
    .select(['item_groups.group_id', 'item_groups.gives_control'])
    .where('items.item_id', '=', itemId)
    .where(isLive)
    .orderBy('item_groups.group_id'),
)

const findForeignItem = prepared((db, { groupId, max }: { groupId: string; max: number }) =>
  db
    .selectFrom(firstLinks(db, groupId, max).as('item_groups'))
    .innerJoin('items', 'items.id', 'item_groups.item_number')
    .select('items.item_id')
    .where('items.level', '=', 'org')
    .where(isLive)
    .where(({ eb, selectFrom }) =>
      eb('items.owner_id', 'not in', selectFrom('members').select('user_id').where('group_id', '=', groupId)),
    )
    .limit(1),
)

function firstLinks(db: Kysely<Rows>, groupId: string, max: number) {
  return db
    .selectFrom('item_groups')
    .select(['item_number', 'group_id'])
    .where('group_id', '=', groupId)
    .orderBy('item_number')
    .limit(max)
}

const countLinks = prepared((db, { groupId, max }: { groupId: string; max: number }) =>
  db
    .selectFrom(firstLinks(db, groupId, max).as('links'))
    .select((expression) => expression.fn.countAll<number>().as('links')),
)

/** Links that end when the user gets the item: to groups of which the user is no member, and already ended ones. */
const selectForeignLinks = prepared((db, { itemId, userId }: { itemId: string; userId: string }) =>
  db
    .selectFrom('item_groups')
    .innerJoin('items', 'items.id', 'item_groups.item_number')
    .select(['item_groups.group_id', 'gives_control'])
    .where('items.item_id', '=', itemId)
    .orderBy('item_groups.group_id')
    .where(({ eb, or, not, selectFrom }) =>
      or([
        not(isLive),
        eb('item_groups.group_id', 'not in', selectFrom('members').select('group_id').where('user_id', '=', userId)),
        eb('item_groups.group_id', 'in', selectFrom('ended_links').select('group_id').where('owner_id', '=', userId)),
      ]),
    ),
)

const putLink = prepared((db, { item, groupId, control }: { item: number; groupId: string; control: number }) =>
  db
    .insertInto('item_groups')
    .values({ item_number: item, group_id: groupId, gives_control: control })
    .onConflict((conflict) =>
      conflict
        .columns(['item_number', 'group_id'])
        .doUpdateSet({ gives_control: (set) => set.ref('excluded.gives_control') }),
    ),
)

/** Items and their links to groups, in tables. */
export function itemStore(
  db: Kysely<Rows>,
  deadlineCondition?: DeadlineCondition,
  index: ItemIndex = { db, deadlineCondition, columns: undefined },
): ItemStore {
  const means = { deadlineCondition, index }
  const store: ItemStore = {
    ...carriedPathStore(db, means),
    ...coverageDays(db),
    async findItemFor(itemId, userId) {
      const row = await findItemFor.first(db, { itemId, userId: userId ?? null })
      return row && toItemOfMember(row)
    },
    async listItemsFor(itemIds, userId) {
      if (itemIds.length === 0) return []
      const rows = await listItemsFor.all(db, { itemIds: toJson(itemIds), userId: userId ?? null })
      return rows.map(toItemOfMember)
    },
    async hasItemId(itemId) {
      const isThere = await findNumber.first(db, { itemId })
      return isThere !== undefined || (await findRemoved.first(db, { itemId })) !== undefined
    },
    async findItemText(itemId) {
      const row = await findText.first(db, { itemId })
      if (row) requireIntact('item_texts', row)
      return row?.text
    },
    async listItemLinks(itemId) {
      const rows = await selectLinks.all(db, { itemId })
      return rows.map(toLink)
    },
    listGroupCategories: (groupId, itemIds) => listGroupCategories(db, groupId, itemIds),
    async listItemsOf(ownerId, userId, { sortField, sortOrder }, page) {
      const rows = await paginate(
        withinDeadline(selectItems(db), deadlineCondition)
          .select(() => belonging(userId))
          .where('items.owner_id', '=', ownerId)
          .orderBy(sortColumns[sortField], sortOrder)
          .orderBy('items.item_id'),
        page,
      ).execute()
      const all = withinDeadline(db.selectFrom('items'), deadlineCondition).where('owner_id', '=', ownerId)
      return { total: await count(all), entries: rows.map(toItemOfMember) }
    },
    countItemsOwnedBy: (userId) => countItemsOf(db, userId),
    sumItemsOwnedBy: (userId) => sumItemsOf(db, userId),
    findItemCount: (userId) => findItemCount(db, 'user', userId),
    async mergeItemCounts() {
      await sumUpCounts(db)
      await forgetChanges(db)
      return sumUpTags(db)
    },
    countTags: (ownerId, more) => countTags(db, ownerId, more),
    async findForeignItem(groupId, max) {
      const found = await findForeignItem.first(db, { groupId, max })
      if (found) return { itemId: found.item_id }
      const { links } = (await countLinks.first(db, { groupId, max: max + 1 }))!
      return links > max ? 'too many' : undefined
    },
    isEnding: (groupId, ownerId) => isEnding(db, groupId, ownerId),
    countItemsOfPortal: (portalId) => findItemCount(db, 'portal', portalId),
    listItemCounts: (after, num) => listItemCounts(db, after, num),
    putItemCount: (portalId, counted) => putItemCount(db, 'portal', portalId, counted),
    listLargestOwners: (kind, num) => listLargestOwners(db, kind, num),
    async listItemIdsOwnedBy(userId, max, after = '') {
      const owned = db
        .selectFrom('items')
        .select('item_id')
        .where('owner_id', '=', userId)
        .where('item_id', '>', after)
        .orderBy('item_id')
      return (await owned.limit(max).execute()).map((row) => row.item_id)
    },
    countCoverage: (owner) => countCoverage(db, means, owner),
    listFound: (viewer, search, page, toRow) => listFound(db, means, { viewer, search, page }, toRow),
    searchItems: (viewer, search, page) => searchItems(db, means, { viewer, search, page }),
    async addItem(item, text) {
      const row = toRow(item)
      const { id, username } = (await insertItem.first(db, row))!
      await countItems(db, item.ownerId, { items: 1, bytes: item.bytes })
      const categories = await putFirstAssigned(db, portalOf(item), { item: id, paths: item.categories })
      if (text !== undefined) await putText(db, id, text)
      if (categories && username !== null && isStoredAsGiven(row)) {
        await indexNewItem(db, toIndexed({ ...row, id, username }, [], categories))
      } else await indexItem(db, id)
    },
    async updateItem(item, text, grownBy = 0) {
      const found = await changeItem.first(db, toRow(item))
      if (!found) return
      if (grownBy !== 0) await countItems(db, item.ownerId, { items: 0, bytes: grownBy })
      if (item.level === 'private') await putAccess(db, found.id)
      await putAssigned(db, portalOf(item), [{ item: found.id, paths: item.categories }])
      if (text !== undefined) await putText(db, found.id, text)
      await indexItem(db, found.id)
    },
    async removeItem(itemId) {
      const removing = db.deleteFrom('items').where('item_id', '=', itemId).returning(['id', 'owner_id', 'bytes'])
      const [removed] = await removing.execute()
      if (removed) {
        forgetItem(db, removed.id)
        await countItems(db, removed.owner_id, { items: -1, bytes: -removed.bytes })
      }
      await db
        .insertInto('removed_items')
        .values({ item_id: itemId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async giveItem(itemId, userId) {
      const row = await findItemFor.first(db, { itemId, userId })
      if (!row) return []
      const foreign = await selectForeignLinks.all(db, { itemId, userId })
      const ended = await readLinks({ items: store }, itemId, foreign.map(toLink))
      await indexItem(db, (await putOwner.first(db, { itemId, userId }))!.id)
      await countItems(db, row.owner_id, { items: -1, bytes: -row.bytes })
      await countItems(db, userId, { items: 1, bytes: row.bytes })
      for (const { groupId } of ended) await store.removeItemLink(itemId, groupId)
      const owner = { from: row.owner_id, to: userId }
      return recordChange({ itemId, portalId: row.portal_id }, { owner, ...linksChanged([], ended) })
    },
    putCategories: (assigned, modifiedAt) => putCategories(db, assigned, modifiedAt),
    putGroupCategories: (groupId, assigned) => putGroupCategories(db, groupId, assigned),
    async putItemLink(itemId, { groupId, givesControl }) {
      const found = await findNumber.first(db, { itemId })
      if (!found) return
      await putLink.send(db, { item: found.id, groupId, control: givesControl ? 1 : 0 })
      await putAccess(db, found.id)
      await indexItem(db, found.id)
    },
    async removeItemLink(itemId, groupId) {
      const found = await findNumber.first(db, { itemId })
      if (found) await unlink(db, found.id, groupId)
    },
    removeItemLinksOf: (userId, groupId) => removeOwnerLinks(db, groupId, userId),
    endLinks: () => endLinks(db),
  }
  return store
}

function toLink(row: { readonly group_id: string; readonly gives_control: number }): ItemLink {
  return { groupId: row.group_id, givesControl: row.gives_control === 1 }
}

const sortColumns = {
  modified: 'items.modified_at',
  created: 'items.created_at',
  title: 'items.title_key',
  type: 'items.type',
} as const satisfies Record<ItemSortField, string>

function portalOf({ portalId }: Pick<NewItem, 'portalId'>): SchemaOwner {
  return { kind: 'portal', portalId }
}
