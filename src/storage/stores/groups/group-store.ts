import { type Kysely, sql } from 'kysely'
import { type Member, memberFields } from '../../../directory/membership.ts'
import type { DirectoryStore, ListBounds } from '../../../directory/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { applications, selectBelonging, selectGroups, toBelonging, toGroup, toRow } from '../group-rows.ts'
import { removeGroupLinks } from '../items/group-links.ts'
import { groupIndex } from '../items/index/index-directory.ts'
import { mapper } from '../mapper.ts'
import { isSchemaSet } from '../portal-store.ts'
import { prepared } from '../prepared.ts'
import { count, type DeadlineCondition, withinDeadline } from '../select.ts'
import { searchGroups } from './group-search.ts'

type Groups =
  | 'findGroup'
  | 'findGroupFor'
  | 'addGroup'
  | 'updateGroup'
  | 'removeGroup'
  | 'searchGroups'
  | 'listGroupsOf'
  | 'countGroupsOwnedBy'
  | 'listGroupIdsOwnedBy'
  | 'countMemberships'
  | 'findMember'
  | 'hasForeignMember'
  | 'listMembers'
  | 'putMember'
  | 'removeMember'

const members = mapper(memberFields)

const findGroup = prepared((db, { groupId }: { groupId: string }) =>
  selectGroups(db).where('groups.group_id', '=', groupId),
)

const findGroupFor = prepared(selectBelonging)

const findMember = prepared((db, { groupId, userId }: { groupId: string; userId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.user_id', 'members.user_id')
    .selectAll('members')
    .select('users.username')
    .where('members.group_id', '=', groupId)
    .where('members.user_id', '=', userId),
)

const findForeignMember = prepared((db, { groupId }: { groupId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.user_id', 'members.user_id')
    .innerJoin('groups', 'groups.group_id', 'members.group_id')
    .select('members.user_id')
    .where('members.group_id', '=', groupId)
    .whereRef('users.portal_id', '<>', 'groups.portal_id')
    .limit(1),
)

/** Approximate bytes of a group as JSON without its texts. */
const bytesWithoutTexts = 700

/** Approximate bytes of a group as JSON. The engine stores the length of a text beside it: long texts are not read for this. */
const bytesOfTexts = sql<number>`${bytesWithoutTexts} + octet_length(groups.title) + octet_length(groups.snippet)
  + octet_length(groups.tags) + octet_length(groups.description)`

interface GroupsOfUser extends ListBounds {
  readonly userId: string
}

/** Groups of a user up to a number of entries and bytes: titles and lengths decide before whole groups are read. */
const listGroupsOf = prepared((db, { userId, entries, bytes }: GroupsOfUser) =>
  db
    .with('first', (cte) =>
      cte
        .selectFrom('members')
        .innerJoin('groups', 'groups.group_id', 'members.group_id')
        .select(['groups.group_id', 'groups.title', 'members.member_type', bytesOfTexts.as('bytes')])
        .where('members.user_id', '=', userId)
        .orderBy('groups.title')
        .orderBy('groups.group_id')
        .limit(entries),
    )
    .with('measured', (cte) =>
      cte
        .selectFrom('first')
        .select(['group_id', 'member_type'])
        .select(({ fn }) =>
          fn
            .sum('bytes')
            .over((over) => over.orderBy('title').orderBy('group_id'))
            .as('bytes'),
        ),
    )
    .selectFrom('measured')
    .innerJoin('groups', 'groups.group_id', 'measured.group_id')
    .innerJoin('users', 'users.user_id', 'groups.owner_id')
    .selectAll('groups')
    .select(['users.username as owner_username', 'measured.member_type'])
    .select([isSchemaSet('group', 'groups.group_id'), applications()])
    .where('measured.bytes', '<=', bytes)
    .orderBy('groups.title')
    .orderBy('groups.group_id'),
)

const countMemberships = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId),
)

/** The owner, then managers, then others. */
const rank = sql`case members.member_type when 'owner' then 1 when 'admin' then 2 else 3 end`

export function groupStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): Pick<DirectoryStore, Groups> {
  async function countMembershipsOf(userId: string): Promise<number> {
    const row = await countMemberships.first(db, { userId })
    return Number(row?.total)
  }

  return {
    async findGroup(groupId) {
      const row = await findGroup.first(db, { groupId })
      return row && toGroup(row)
    },
    async findGroupFor(groupId, userId) {
      const row = await findGroupFor.first(db, { groupId, userId: userId ?? null })
      return row && toBelonging(row)
    },
    async addGroup(group) {
      await db.insertInto('groups').values(toRow(group)).execute()
      await groupIndex.put(db, group.groupId)
    },
    async updateGroup(group) {
      await db.updateTable('groups').set(toRow(group)).where('group_id', '=', group.groupId).execute()
      await groupIndex.put(db, group.groupId)
    },
    async removeGroup(groupId, deletedAt) {
      await db
        .updateTable('category_schemas')
        .set({ is_set: 0, group_deleted_at: deletedAt })
        .where('owner_kind', '=', 'group')
        .where('owner_id', '=', groupId)
        .execute()
      await db.deleteFrom('schema_drafts').where('owner_kind', '=', 'group').where('owner_id', '=', groupId).execute()
      const changes = await removeGroupLinks(db, groupId)
      await db.deleteFrom('groups').where('group_id', '=', groupId).execute()
      return changes
    },
    searchGroups: (viewer, search, page) => searchGroups(db, deadlineCondition, { viewer, search, page }),
    async listGroupsOf(userId, max) {
      const rows = await listGroupsOf.all(db, { userId, ...max })
      const entries = rows.map((row) => ({ group: toGroup(row), memberType: row.member_type }))
      return { total: await countMembershipsOf(userId), entries }
    },
    countGroupsOwnedBy(userId) {
      return count(db.selectFrom('groups').where('owner_id', '=', userId))
    },
    async listGroupIdsOwnedBy(userId) {
      const rows = await db.selectFrom('groups').select('group_id').where('owner_id', '=', userId).execute()
      return rows.map((row) => row.group_id)
    },
    countMemberships: countMembershipsOf,
    async findMember(groupId, userId) {
      const row = await findMember.first(db, { groupId, userId })
      return row && toMember(row)
    },
    async hasForeignMember(groupId) {
      return (await findForeignMember.first(db, { groupId })) !== undefined
    },
    async listMembers(groupId, max) {
      const all = withinDeadline(db.selectFrom('members'), deadlineCondition).where('members.group_id', '=', groupId)
      const first = all
        .innerJoin('users', 'users.user_id', 'members.user_id')
        .selectAll('members')
        .select(['users.username', 'users.username_key'])
        .orderBy(rank)
        .orderBy('users.username_key')
        .limit(max)
      const rows = await db.selectFrom(first.as('first')).selectAll().orderBy('username_key').execute()
      return { total: rows.length < max ? rows.length : await count(all), entries: rows.map(toMember) }
    },
    async putMember(groupId, member) {
      const { userId, memberType } = member
      await db
        .insertInto('members')
        .values({ group_id: groupId, ...members.toRow(member) })
        .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ member_type: memberType }))
        .execute()
      await db.deleteFrom('group_invitations').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
      await db.deleteFrom('group_applications').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
    },
    async removeMember(groupId, userId) {
      await db.deleteFrom('members').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
    },
  }
}

function toMember(row: Rows['members'] & { readonly username: string }): Member {
  return { ...members.toRecord(row), username: row.username }
}
