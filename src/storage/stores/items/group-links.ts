import { type Kysely, type SqlBool, sql } from 'kysely'
import type { RecordedChange } from '../../../call/audit-details.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import { linksChanged, recordChange } from '../../../items/item-change.ts'
import type { EndedLinksRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { indexItem } from './index/changed-items.ts'
import { listAssigned, removeAssigned, removePaths } from './item-categories.ts'

/**
 * Links between items and groups, and how they end. Ending one indexes its item again, which takes about a millisecond: of many,
 * the first end immediately, and the others in steps of housekeeping. Until then `ended_links` has them, and no read counts them.
 */

const deleteLink = prepared((db, { item, groupId }: { item: number; groupId: string }) =>
  db.deleteFrom('item_groups').where('item_number', '=', item).where('group_id', '=', groupId),
)

const putAccessOf = prepared((db, { item }: { item: number }) =>
  db
    .updateTable('items')
    .set((set) => ({
      access: set
        .case()
        .when(set.exists(anyLink(db)))
        .then('shared' as const)
        .else('private' as const)
        .end(),
    }))
    .where('id', '=', item)
    .where('level', '=', 'private'),
)

/** A link of the item in the statement around it. */
function anyLink(db: Kysely<Rows>) {
  return db
    .selectFrom('item_groups')
    .select('group_id')
    .whereRef('item_groups.item_number', '=', 'items.id' as never)
}

/** Updates the access of an item: that of a private one depends on whether a group has it. */
export async function putAccess(db: Kysely<Rows>, item: number): Promise<void> {
  await putAccessOf.send(db, { item })
}

/** Ends a link, with the group's categories of the item. */
export async function unlink(db: Kysely<Rows>, item: number, groupId: string): Promise<void> {
  await removeAssigned(db, { kind: 'group', groupId }, item)
  await deleteLink.send(db, { item, groupId })
  await putAccess(db, item)
  await indexItem(db, item)
}

/** Whether the link `item_groups` of the item in `items` has not ended with those of its owner. */
export const isLive = sql<SqlBool>`not exists (select 1 from ended_links
  where ended_links.group_id = item_groups.group_id and ended_links.owner_id = items.owner_id)`

/** Whether the item of `item_categories` has left the group whose categories these are; no item leaves an organization. */
export function hasLeft(owner: SchemaOwner) {
  if (owner.kind === 'portal') return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`exists (select 1 from items join ended_links on ended_links.owner_id = items.owner_id
    where items.id = item_categories.item_number and ended_links.group_id = ${owner.groupId})`
}

/** Value in place of an owner, for all links of a removed group. */
const everyOwner = ''

/** Maximum links that end in one write (chosen): in that of a member who leaves, and in a step. */
const linksAtOnce = 10
const linksOfStep = 50

/** Links that are read for each one that may end (chosen), as links of other owners are among them. */
const looksForOne = 100

type Changes = readonly RecordedChange[]
type Ended = Pick<EndedLinksRow, 'group_id' | 'owner_id'>

const selectNext = prepared((db, { group_id, after_item, max }: EndedLinksRow & { max: number }) =>
  db
    .selectFrom('item_groups')
    .innerJoin('items', 'items.id', 'item_groups.item_number')
    .select(['items.id', 'item_id', 'portal_id', 'items.owner_id', 'gives_control'])
    .where('item_groups.group_id', '=', group_id)
    .where('item_groups.item_number', '>', after_item)
    .orderBy('item_groups.item_number')
    .limit(max),
)

const selectEnded = prepared((db) =>
  db.selectFrom('ended_links').selectAll().orderBy('group_id').orderBy('owner_id').limit(1),
)

const putEnded = prepared((db, { group_id, owner_id, after_item }: EndedLinksRow) =>
  db
    .insertInto('ended_links')
    .values({ group_id, owner_id, after_item })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'owner_id']).doUpdateSet({ after_item: (set) => set.ref('excluded.after_item') }),
    ),
)

const deleteEnded = prepared((db, { group_id, owner_id }: Ended) =>
  db.deleteFrom('ended_links').where('group_id', '=', group_id).where('owner_id', '=', owner_id),
)

const findEnded = prepared((db, { group_id, owner_id }: Ended) =>
  db.selectFrom('ended_links').select('group_id').where('group_id', '=', group_id).where('owner_id', '=', owner_id),
)

const selectFormerOwners = prepared((db) =>
  db
    .selectFrom('ended_links')
    .innerJoin('users', 'users.user_id', 'ended_links.owner_id')
    .select(['ended_links.group_id', 'users.username']),
)

/** Whether links of the owner's items to the group have ended and are still there. */
export async function isEnding(db: Kysely<Rows>, groupId: string, ownerId: string): Promise<boolean> {
  return (await findEnded.first(db, { group_id: groupId, owner_id: ownerId })) !== undefined
}

/** Owners by group whose items have left it, while links and index still have them. */
export async function listFormerOwners(db: Kysely<Rows>): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await selectFormerOwners.all(db, {})
  const byGroup = new Map<string, string[]>()
  for (const { group_id, username } of rows) byGroup.set(group_id, [...(byGroup.get(group_id) ?? []), username])
  return byGroup
}

/** Ends the links of a group that is removed, and removes its categories. Answers what has ended already. */
export function removeGroupLinks(db: Kysely<Rows>, groupId: string): Promise<Changes> {
  return endSome(db, { group_id: groupId, owner_id: everyOwner, after_item: 0 }, linksOfStep)
}

/** Ends the links of the owner's items to the group. Answers what has ended already. */
export function removeOwnerLinks(db: Kysely<Rows>, groupId: string, ownerId: string): Promise<Changes> {
  return endSome(db, { group_id: groupId, owner_id: ownerId, after_item: 0 }, linksAtOnce)
}

/** Ends some of the remaining links of one group. Undefined if there were none. */
export async function endLinks(db: Kysely<Rows>) {
  const ended = await selectEnded.first(db, {})
  return ended && { groupId: ended.group_id, changes: await endSome(db, ended, linksOfStep) }
}

/** Ends at most so many links, and records the rest. Answers the changes of the items. */
async function endSome(db: Kysely<Rows>, ended: EndedLinksRow, max: number): Promise<Changes> {
  const { group_id, owner_id } = ended
  const isOfAll = owner_id === everyOwner
  const looks = isOfAll ? max : max * looksForOne
  const links = await selectNext.all(db, { ...ended, max: looks })
  const own = links.filter((link) => isOfAll || link.owner_id === owner_id)
  const ending = own.slice(0, max)
  const owner = { kind: 'group', groupId: group_id } as const
  const ids = ending.map(({ id }) => id)
  const carried = await listAssigned(db, owner, ids)
  for (const id of ids) await unlink(db, id, group_id)
  const changes = ending.flatMap(({ id, item_id: itemId, portal_id: portalId, gives_control: control }) => {
    const link = { groupId: group_id, givesControl: control === 1, categories: carried.get(id) ?? [] }
    return recordChange({ itemId, portalId }, linksChanged([], [link]))
  })
  const last = ending.length < own.length ? ending.at(-1) : links.length === looks ? links.at(-1) : undefined
  if (last) {
    await putEnded.run(db, { ...ended, after_item: last.id })
    return changes
  }
  await deleteEnded.run(db, { group_id, owner_id })
  if (isOfAll) await removePaths(db, owner)
  return changes
}
