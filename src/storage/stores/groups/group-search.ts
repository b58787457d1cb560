import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { GroupSearch, GroupSortField } from '../../../directory/group-search.ts'
import type { FoundGroup, GroupViewer } from '../../../directory/store.ts'
import type { Page, Slice } from '../../../paging.ts'
import type { Rows } from '../../tables/rows.ts'
import { applications, joinOwners, toGroup } from '../group-rows.ts'
import { groupIndex } from '../items/index/index-directory.ts'
import { isSchemaSet } from '../portal-store.ts'
import { count, type DeadlineCondition, paginate, withinDeadline } from '../select.ts'

/** One page of the matching groups that the viewer sees, in order, and their total. */
export async function searchGroups(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { viewer, search, page }: { viewer: GroupViewer; search: GroupSearch; page: Page },
): Promise<Slice<FoundGroup>> {
  const { condition, memberId, sortField, sortOrder } = search
  const seen = withinDeadline(joinOwners(db), deadlineCondition)
    .where((expression) => isSeen(expression, viewer))
    .where(groupIndex.isMatching(db, condition, deadlineCondition))
  const all = memberId === undefined ? seen : seen.where((expression) => hasMember(expression, memberId))
  const sortKey = sortColumns[sortField]
  const found = all
    .select(['groups.group_id', `${sortKey} as sort_key`])
    .select(({ fn }) => fn.countAll<number>().over().as('total'))
    .orderBy(sortKey, sortOrder)
    .orderBy('groups.group_id')
  // One pass for page and total; whole groups are read for the page only.
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
    memberType: row.member_type ?? undefined,
  }))
  const total = rows[0]?.total ?? (page.start === 1 && page.num > 0 ? 0 : await count(all))
  return { total: Number(total), entries }
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
  if (viewer.canViewEveryGroup) reasons.push(own)
  if (viewer.canViewOrganizationGroups) reasons.push(inOrganization)
  if (viewer.userId !== undefined) reasons.push(hasMember(expression, viewer.userId))
  return expression.or(reasons)
}

function hasMember(expression: GroupExpressions, userId: string) {
  const memberships = expression.selectFrom('members').select('members.group_id').where('members.user_id', '=', userId)
  return expression('groups.group_id', 'in', memberships)
}
