import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type {
  Group,
  GroupAccess,
  GroupOutline,
  GroupRecord,
  MembershipAccess,
  SortOrder,
} from '../../directory/group.ts'
import type { GroupQuery, GroupSortField, GroupTerm } from '../../directory/group-query.ts'
import type { Member, MemberType } from '../../directory/membership.ts'
import type { DirectoryStore, FoundGroup, GroupViewer, ListBounds, NewGroup } from '../../directory/store.ts'
import { usernameKey } from '../../directory/user.ts'
import type { Page, Slice } from '../../paging.ts'
import type { GroupRow, MemberRow, Rows } from '../tables/rows.ts'
import { removeGroupLinks } from './items/group-links.ts'
import { isSchemaSet } from './portal-store.ts'
import { prepared } from './prepared.ts'
import { indexGroup, isGroupMatching } from './search-index/index-directory.ts'
import { contains, count, type InTime, paginate, whileInTime } from './select.ts'

type Groups =
  | 'findGroup'
  | 'findGroupFor'
  | 'addGroup'
  | 'updateGroup'
  | 'removeGroup'
  | 'searchGroups'
  | 'searchGroupsBy'
  | 'listGroupsOf'
  | 'countGroupsOwnedBy'
  | 'listGroupIdsOwnedBy'
  | 'countMemberships'
  | 'findMember'
  | 'listMembers'
  | 'putMember'
  | 'removeMember'

const join = (db: Kysely<Rows>) => db.selectFrom('groups').innerJoin('users', 'users.user_id', 'groups.owner_id')

const select = (db: Kysely<Rows>) =>
  join(db)
    .selectAll('groups')
    .select('users.username as owner_username')
    .select([isSchemaSet('group', 'groups.group_id'), applications()])

/** How many requests to join the group are open. */
function applications() {
  const expression = expressionBuilder<Rows, 'groups'>()
  return expression
    .selectFrom('group_applications')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .whereRef('group_applications.group_id', '=', 'groups.group_id')
    .as('applications')
}

const findGroup = prepared((db, { groupId }: { groupId: string }) => select(db).where('groups.group_id', '=', groupId))

/** Only the columns that permissions depend on: selected before nearly every operation on a group. */
const findGroupFor = prepared((db, { groupId, userId }: { groupId: string; userId: string | null }) =>
  db
    .selectFrom('groups')
    .leftJoin('members', (member) =>
      member.onRef('members.group_id', '=', 'groups.group_id').on('members.user_id', '=', userId),
    )
    .select(['groups.portal_id', 'groups.owner_id', 'groups.title', 'groups.access'])
    .select([
      'groups.is_invitation_only',
      'groups.is_protected',
      'groups.is_view_only',
      'groups.gives_item_control',
      'groups.is_leaving_disallowed',
      'groups.hides_members',
    ])
    .select(['groups.membership_access', 'members.member_type'])
    .where('groups.group_id', '=', groupId),
)

const findMember = prepared((db, { groupId, userId }: { groupId: string; userId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.user_id', 'members.user_id')
    .selectAll('members')
    .select('users.username')
    .where('members.group_id', '=', groupId)
    .where('members.user_id', '=', userId),
)

/** About the bytes of a group as JSON without its texts. */
const bytesWithoutTexts = 700

/** The length of a text is stored beside it: long texts are not read for it. */
const bytesOfTexts = sql<number>`${bytesWithoutTexts} + octet_length(groups.title) + octet_length(groups.snippet)
  + octet_length(groups.tags) + octet_length(groups.description)`

interface GroupsOfUser extends ListBounds {
  readonly userId: string
}

/** Which groups fit is decided by titles and lengths, before the whole groups are read. */
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

export function groupStore(db: Kysely<Rows>, inTime?: InTime): Pick<DirectoryStore, Groups> {
  async function countMembershipsOf(userId: string): Promise<number> {
    const row = await countMemberships.first(db, { userId })
    return Number(row?.total)
  }

  /** One page of the groups that a query without columns has, in order. */
  async function readFound(
    all: ReturnType<typeof join>,
    { viewer, sortField, sortOrder }: Pick<GroupQuery, 'sortField' | 'sortOrder'> & { readonly viewer: GroupViewer },
    page: Page,
  ): Promise<Slice<FoundGroup>> {
    const sortKey = sortColumns[sortField]
    const found = all
      .select(['groups.group_id', `${sortKey} as sort_key`])
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .orderBy(sortKey, sortOrder)
      .orderBy('groups.group_id')
    // One pass over the texts for page and total; whole groups are read for the page only.
    const rows = await db
      .with('found', () => paginate(found, page))
      .selectFrom('found')
      .innerJoin('groups', 'groups.group_id', 'found.group_id')
      .innerJoin('users', 'users.user_id', 'groups.owner_id')
      .leftJoin('members', (member) =>
        member.onRef('members.group_id', '=', 'found.group_id').on('members.user_id', '=', viewer.userId ?? null),
      )
      .selectAll('groups')
      .select(['users.username as owner_username', 'members.member_type', 'found.total'])
      .select([isSchemaSet('group', 'groups.group_id'), applications()])
      .orderBy('found.sort_key', sortOrder)
      .orderBy('found.group_id')
      .execute()
    const entries = rows.map((row) => ({
      group: toGroup(row),
      memberType: (row.member_type ?? undefined) as MemberType | undefined,
    }))
    const total = rows[0]?.total ?? (page.start === 1 && page.num > 0 ? 0 : await count(all))
    return { total: Number(total), entries }
  }

  return {
    async findGroup(groupId) {
      const row = await findGroup.first(db, { groupId })
      return row && toGroup(row)
    },
    async findGroupFor(groupId, userId) {
      const row = await findGroupFor.first(db, { groupId, userId: userId ?? null })
      if (!row) return undefined
      const group: GroupOutline = {
        groupId,
        portalId: row.portal_id,
        ownerId: row.owner_id,
        title: row.title,
        access: row.access as GroupAccess,
        isInvitationOnly: row.is_invitation_only === 1,
        isProtected: row.is_protected === 1,
        isViewOnly: row.is_view_only === 1,
        givesItemControl: row.gives_item_control === 1,
        isLeavingDisallowed: row.is_leaving_disallowed === 1,
        hidesMembers: row.hides_members === 1,
        membershipAccess: row.membership_access as MembershipAccess,
      }
      return { group, memberType: (row.member_type ?? undefined) as MemberType | undefined }
    },
    async addGroup(group) {
      await db.insertInto('groups').values(toRow(group)).execute()
      await indexGroup(db, group.groupId)
    },
    async updateGroup(group) {
      await db.updateTable('groups').set(toRow(group)).where('group_id', '=', group.groupId).execute()
      await indexGroup(db, group.groupId)
    },
    async removeGroup(groupId, deletedAt) {
      await db
        .updateTable('category_schemas')
        .set({ is_set: 0, group_deleted_at: deletedAt })
        .set(({ selectFrom }) => ({
          former_portal_id: selectFrom('groups').select('portal_id').where('group_id', '=', groupId),
        }))
        .where('owner_kind', '=', 'group')
        .where('owner_id', '=', groupId)
        .execute()
      await removeGroupLinks(db, groupId)
      await db.deleteFrom('groups').where('group_id', '=', groupId).execute()
    },
    searchGroups(viewer, { terms, sortField, sortOrder }, page) {
      const all = terms.reduce(
        (query, term) => query.where((expression) => matches(db, expression, term)),
        whileInTime(join(db), inTime).where((expression) => isSeen(expression, viewer)),
      )
      return readFound(all, { viewer, sortField, sortOrder }, page)
    },
    searchGroupsBy(viewer, { condition, sortField, sortOrder }, page) {
      const all = whileInTime(join(db), inTime)
        .where((expression) => isSeen(expression, viewer))
        .where(isGroupMatching(db, condition))
      return readFound(all, { viewer, sortField, sortOrder }, page)
    },
    async listGroupsOf(userId, most) {
      const rows = await listGroupsOf.all(db, { userId, ...most })
      const entries = rows.map((row) => ({ group: toGroup(row), memberType: row.member_type as MemberType }))
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
    async listMembers(groupId, most) {
      const all = whileInTime(db.selectFrom('members'), inTime).where('members.group_id', '=', groupId)
      const first = all
        .innerJoin('users', 'users.user_id', 'members.user_id')
        .selectAll('members')
        .select(['users.username', 'users.username_key'])
        .orderBy(rank)
        .orderBy('users.username_key')
        .limit(most)
      const rows = await db.selectFrom(first.as('first')).selectAll().orderBy('username_key').execute()
      return { total: rows.length < most ? rows.length : await count(all), entries: rows.map(toMember) }
    },
    async putMember(groupId, { userId, memberType, joinedAt }) {
      await db
        .insertInto('members')
        .values({ group_id: groupId, user_id: userId, member_type: memberType, joined_at: joinedAt })
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

const sortColumns = {
  title: 'groups.title_key',
  owner: 'users.username_key',
  created: 'groups.created_at',
  modified: 'groups.modified_at',
} as const satisfies Record<GroupSortField, string>

type GroupExpressions = ExpressionBuilder<Rows, 'groups' | 'users'>

function isSeen(expression: GroupExpressions, viewer: GroupViewer): Expression<SqlBool> {
  const own = expression('groups.portal_id', '=', viewer.portalId)
  const isPublic = expression.and([own, expression('groups.access', '=', 'public')])
  const inOrganization = expression.and([own, expression('groups.access', '=', 'org')])
  const reasons = [isPublic]
  if (viewer.seesEveryGroup) reasons.push(own)
  if (viewer.seesOrganizationGroups) reasons.push(inOrganization)
  if (viewer.userId !== undefined) {
    const memberships = expression
      .selectFrom('members')
      .select('members.group_id')
      .where('members.user_id', '=', viewer.userId)
    reasons.push(expression('groups.group_id', 'in', memberships))
  }
  return expression.or(reasons)
}

function matches(db: Kysely<Rows>, expression: GroupExpressions, { field, text }: GroupTerm): Expression<SqlBool> {
  const lower = text.toLowerCase()
  switch (field) {
    case 'id':
      return expression('groups.group_id', '=', lower)
    case 'orgid':
      return expression('groups.portal_id', '=', text)
    case 'access':
      return expression('groups.access', '=', lower)
    case 'owner':
      return expression('users.username_key', '=', usernameKey(text))
    case 'title':
      return contains(db, expression.ref('groups.title_key'), lower)
    case 'tags':
      return contains(db, expression.ref('groups.tags_key'), JSON.stringify(lower))
    default:
      return contains(db, expression.ref('groups.search_text'), lower)
  }
}

type OwnedRow = GroupRow & { readonly owner_username: string }

function toGroup(
  row: OwnedRow & { readonly has_category_schema: number | null; readonly applications: number | null },
): Group {
  const { has_category_schema: hasSchema, applications } = row
  return { ...toRecord(row), hasCategorySchema: hasSchema === 1, applications: Number(applications) }
}

function toRecord(row: OwnedRow): GroupRecord {
  return {
    groupId: row.group_id,
    portalId: row.portal_id,
    ownerId: row.owner_id,
    ownerUsername: row.owner_username,
    title: row.title,
    description: row.description,
    snippet: row.snippet,
    tags: JSON.parse(row.tags),
    access: row.access as GroupAccess,
    sortField: row.sort_field,
    sortOrder: row.sort_order as SortOrder,
    isViewOnly: row.is_view_only === 1,
    isInvitationOnly: row.is_invitation_only === 1,
    autoJoin: row.auto_join === 1,
    isProtected: row.is_protected === 1,
    givesItemControl: row.gives_item_control === 1,
    isLeavingDisallowed: row.is_leaving_disallowed === 1,
    hidesMembers: row.hides_members === 1,
    membershipAccess: row.membership_access as MembershipAccess,
    shownItemTypes: row.shown_item_types,
    phone: row.phone,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

/** Length of the searched text in characters; title, tags and snippet come first (chosen). */
const searchedLength = 2_000

function toRow(group: NewGroup): GroupRow {
  const { title, snippet, tags, description } = group
  return {
    group_id: group.groupId,
    portal_id: group.portalId,
    owner_id: group.ownerId,
    title,
    description,
    snippet,
    tags: JSON.stringify(tags),
    title_key: title.toLowerCase(),
    tags_key: JSON.stringify(tags.map((tag) => tag.toLowerCase())),
    search_text: [title, ...tags, snippet, description].join('\n').slice(0, searchedLength).toLowerCase(),
    access: group.access,
    sort_field: group.sortField,
    sort_order: group.sortOrder,
    is_view_only: group.isViewOnly ? 1 : 0,
    is_invitation_only: group.isInvitationOnly ? 1 : 0,
    auto_join: group.autoJoin ? 1 : 0,
    is_protected: group.isProtected ? 1 : 0,
    gives_item_control: group.givesItemControl ? 1 : 0,
    is_leaving_disallowed: group.isLeavingDisallowed ? 1 : 0,
    hides_members: group.hidesMembers ? 1 : 0,
    membership_access: group.membershipAccess,
    shown_item_types: group.shownItemTypes,
    phone: group.phone,
    created_at: group.createdAt,
    modified_at: group.modifiedAt,
  }
}

function toMember(row: MemberRow & { username: string }): Member {
  return {
    userId: row.user_id,
    username: row.username,
    memberType: row.member_type as MemberType,
    joinedAt: row.joined_at,
  }
}
