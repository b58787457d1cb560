import { expressionBuilder, type Kysely } from 'kysely'
import type { Group, GroupAccess, GroupOutline, MembershipAccess } from '../../directory/group.ts'
import type { MemberType } from '../../directory/membership.ts'
import type { Belonging, NewGroup } from '../../directory/store.ts'
import type { GroupRow } from '../tables/rows/directory.ts'
import type { Rows } from '../tables/rows.ts'
import { boolean, decode, json } from './decode.ts'
import { isSchemaSet } from './portal-store.ts'

/** Groups with their owners. */
export const joinOwners = (db: Kysely<Rows>) =>
  db.selectFrom('groups').innerJoin('users', 'users.user_id', 'groups.owner_id')

/** Whole groups. */
export const selectGroups = (db: Kysely<Rows>) =>
  joinOwners(db)
    .selectAll('groups')
    .select('users.username as owner_username')
    .select([isSchemaSet('group', 'groups.group_id'), applications()])

/** Number of open requests to join the group. */
export function applications() {
  const expression = expressionBuilder<Rows, 'groups'>()
  return expression
    .selectFrom('group_applications')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .whereRef('group_applications.group_id', '=', 'groups.group_id')
    .as('applications')
}

/** Only the columns that permissions depend on: selected before nearly every operation on a group. */
export const selectBelonging = (db: Kysely<Rows>, { groupId, userId }: { groupId: string; userId: string | null }) =>
  db
    .selectFrom('groups')
    .leftJoin('members', (member) =>
      member.onRef('members.group_id', '=', 'groups.group_id').on('members.user_id', '=', userId),
    )
    .select(['groups.group_id', 'groups.portal_id', 'groups.owner_id', 'groups.title', 'groups.access'])
    .select([
      'groups.is_invitation_only',
      'groups.is_protected',
      'groups.is_view_only',
      'groups.gives_item_control',
      'groups.is_leaving_disallowed',
      'groups.hides_members',
    ])
    .select(['groups.membership_access', 'members.member_type'])
    .where('groups.group_id', '=', groupId)

export function toBelonging(row: OutlineRow & { readonly member_type: string | null }): Belonging {
  return { group: toOutline(row), memberType: (row.member_type ?? undefined) as MemberType | undefined }
}

/** The whole group. */
export function toGroup(
  row: GroupRow & {
    readonly owner_username: string
    readonly has_category_schema: number | null
    readonly applications: number | null
  },
): Group {
  return {
    ...records.toValue(row),
    ownerUsername: row.owner_username,
    hasCategorySchema: row.has_category_schema === 1,
    applications: Number(row.applications),
  }
}

/** The columns that permissions depend on. */
type OutlineRow = Pick<
  GroupRow,
  | 'group_id'
  | 'portal_id'
  | 'owner_id'
  | 'title'
  | 'access'
  | 'is_invitation_only'
  | 'is_protected'
  | 'is_view_only'
  | 'gives_item_control'
  | 'is_leaving_disallowed'
  | 'hides_members'
  | 'membership_access'
>

function toOutline(row: OutlineRow): GroupOutline {
  return {
    groupId: row.group_id,
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
}

const records = decode<Omit<GroupRow, 'title_key'>, NewGroup>()({
  groupId: 'group_id',
  portalId: 'portal_id',
  ownerId: 'owner_id',
  title: 'title',
  description: 'description',
  snippet: 'snippet',
  tags: json('tags'),
  access: 'access',
  sortField: 'sort_field',
  sortOrder: 'sort_order',
  isViewOnly: boolean('is_view_only'),
  isInvitationOnly: boolean('is_invitation_only'),
  autoJoin: boolean('auto_join'),
  isProtected: boolean('is_protected'),
  givesItemControl: boolean('gives_item_control'),
  isLeavingDisallowed: boolean('is_leaving_disallowed'),
  hidesMembers: boolean('hides_members'),
  membershipAccess: 'membership_access',
  shownItemTypes: 'shown_item_types',
  phone: 'phone',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

export function toRow(group: NewGroup): GroupRow {
  return { ...records.toRow(group), title_key: group.title.toLowerCase() }
}
