import { expressionBuilder, type Kysely } from 'kysely'
import { type Group, groupFields, type NewGroup, outlineFields } from '../../directory/group.ts'
import type { MemberType } from '../../directory/membership.ts'
import type { Belonging } from '../../directory/store.ts'
import type { RowOf } from '../../record.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { isSchemaSet } from './portal-store.ts'

const groups = mapper(groupFields)
const outlines = mapper(outlineFields)

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
    .select(outlines.columns.map((column) => `groups.${column}` as const))
    .select('members.member_type')
    .where('groups.group_id', '=', groupId)

export function toBelonging(row: RowOf<typeof outlineFields> & { readonly member_type: MemberType | null }): Belonging {
  return { group: outlines.toRecord(row), memberType: row.member_type ?? undefined }
}

/** The whole group. */
export function toGroup(
  row: Rows['groups'] & {
    readonly owner_username: string
    readonly has_category_schema: number | null
    readonly applications: number | null
  },
): Group {
  return {
    ...groups.toRecord(row),
    ownerUsername: row.owner_username,
    hasCategorySchema: row.has_category_schema === 1,
    applications: Number(row.applications),
  }
}

export function toRow(group: NewGroup): Rows['groups'] {
  return { ...groups.toRow(group), title_key: group.title.toLowerCase() }
}
