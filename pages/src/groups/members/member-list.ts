import { findUsernameProblem } from '../../../../src/directory/user.ts'
import { peopleColumns } from '../../people/new/people-table.ts'
import { firstOf, type ListColumns, type ListRow, type Wrong } from '../../tables/list.ts'
import { findingNamed } from '../../tables/names.ts'
import { ofGroupsMembers as t } from '../../texts/rooms.ts'

/** A member in a row of a list. */
export interface ListedMember {
  readonly row: number
  readonly username: string
  readonly type: 'users' | 'admins'
}

export function memberColumns(): ListColumns {
  const { username, role } = peopleColumns()
  return { user: { ...username, name: t('column_user') }, role: { ...role, name: t('role') } }
}

/** Judges usernames and roles; managers only where the person may make some. */
export function judgeMembers(
  rows: readonly ListRow[],
  mayManage: boolean,
): { readonly ready: readonly ListedMember[]; readonly wrong: readonly Wrong[] } {
  const members = [t('type_member'), 'member', 'group_member'].map((name) => ['users', name] as const)
  const managers = [t('type_admin'), 'manager', 'group_admin'].map((name) => ['admins', name] as const)
  const findType = findingNamed(mayManage ? [...members, ...managers] : members)
  const wrong: Wrong[] = []
  const ready = rows.flatMap((listed): ListedMember[] => {
    const { row } = listed
    const [username, given] = [firstOf(listed, 'user'), firstOf(listed, 'role')]
    const type = given === '' ? { id: 'users' } : findType(given)
    if (findUsernameProblem(username)) {
      wrong.push({ row, role: 'user', value: username, problem: t('badUser', { value: username }) })
    } else if (type.id === undefined) {
      wrong.push({ row, role: 'role', value: given, problem: t('noRole', { value: given }), meant: type.meant })
    } else return [{ row, username, type: type.id as ListedMember['type'] }]
    return []
  })
  return { ready, wrong }
}
