import { expressionBuilder, type Kysely } from 'kysely'
import type {
  Group,
  GroupAccess,
  GroupOutline,
  GroupRecord,
  MembershipAccess,
  SortOrder,
} from '../../directory/group.ts'
import type { MemberType } from '../../directory/membership.ts'
import type { Belonging, NewGroup } from '../../directory/store.ts'
import type { GroupRow } from '../tables/rows/directory.ts'
import type { Rows } from '../tables/rows.ts'
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

/** How many requests to join the group are open. */
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

type OwnedRow = GroupRow & { readonly owner_username: string }

/** The whole group. */
export function toGroup(
  row: OwnedRow & { readonly has_category_schema: number | null; readonly applications: number | null },
): Group {
  const { has_category_schema: hasSchema, applications } = row
  return { ...toRecord(row), hasCategorySchema: hasSchema === 1, applications: Number(applications) }
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

function toRecord(row: OwnedRow): GroupRecord {
  return {
    ...toOutline(row),
    ownerUsername: row.owner_username,
    description: row.description,
    snippet: row.snippet,
    tags: JSON.parse(row.tags),
    sortField: row.sort_field,
    sortOrder: row.sort_order as SortOrder,
    autoJoin: row.auto_join === 1,
    shownItemTypes: row.shown_item_types,
    phone: row.phone,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

export function toRow(group: NewGroup): GroupRow {
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
