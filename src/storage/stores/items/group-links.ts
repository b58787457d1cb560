import { type Kysely, sql } from 'kysely'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { indexItem } from '../search-index/index-item.ts'
import { removePaths } from './item-categories.ts'
import { forgetItemCount } from './item-counts.ts'

/** Private items are not shared any more where this group alone has them. */
const putPrivate = prepared((db, { groupId }: { groupId: string }) =>
  db
    .updateTable('items')
    .set({ access: sql.lit('private') })
    .where('level', '=', 'private')
    .where('id', 'in', (linked) =>
      linked.selectFrom('item_groups').select('item_number').where('group_id', '=', groupId),
    )
    .where('id', 'not in', (others) =>
      others
        .selectFrom('item_groups as here')
        .innerJoin('item_groups as other', 'other.item_number', 'here.item_number')
        .select('here.item_number')
        .where('here.group_id', '=', groupId)
        .where('other.group_id', '<>', groupId),
    ),
)

const deleteLinks = prepared((db, { groupId }: { groupId: string }) =>
  db.deleteFrom('item_groups').where('group_id', '=', groupId),
)

const selectLinked = prepared((db, { groupId }: { groupId: string }) =>
  db.selectFrom('item_groups').select('item_number').where('group_id', '=', groupId).orderBy('item_number'),
)

/** Ends every link to a group that is removed, with its categories: LIMIT_ITEMS_PER_GROUP bounds how many. */
export async function removeGroupLinks(db: Kysely<Rows>, groupId: string): Promise<void> {
  const linked = await selectLinked.all(db, { groupId })
  await putPrivate.run(db, { groupId })
  await deleteLinks.run(db, { groupId })
  await forgetItemCount(db, 'group', groupId)
  await removePaths(db, { kind: 'group', groupId })
  for (const { item_number } of linked) await indexItem(db, item_number)
}
