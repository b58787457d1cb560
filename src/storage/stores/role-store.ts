import type { Kysely } from 'kysely'
import { isPrivilege } from '../../call/privilege.ts'
import { type Role, roleFields } from '../../directory/role.ts'
import type { DirectoryStore } from '../../directory/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { count, findRow, paginate } from './select.ts'

type Roles = 'findRole' | 'addRole' | 'updateRole' | 'removeRole' | 'listRoles' | 'listRoleNames' | 'countUsersWithRole'

export function roleStore(db: Kysely<Rows>): Pick<DirectoryStore, Roles> {
  return {
    findRole: (roleId) => findRow(db, 'roles', { role_id: roleId }, toRole),
    async addRole(role) {
      await db.insertInto('roles').values(roles.toRow(role)).execute()
    },
    async updateRole(role) {
      await db.updateTable('roles').set(roles.toRow(role)).where('role_id', '=', role.roleId).execute()
    },
    async removeRole(roleId) {
      await db.deleteFrom('roles').where('role_id', '=', roleId).execute()
    },
    async listRoles(portalId, page) {
      const own = db.selectFrom('roles').where('portal_id', '=', portalId)
      const rows = await paginate(own.selectAll().orderBy('name').orderBy('role_id'), page).execute()
      return { total: await count(own), entries: rows.map(toRole) }
    },
    async listRoleNames(portalId) {
      const own = db.selectFrom('roles').select(['role_id', 'name']).where('portal_id', '=', portalId)
      const rows = await own.orderBy('name').orderBy('role_id').execute()
      return rows.map(({ role_id: roleId, name }) => ({ roleId, name }))
    },
    countUsersWithRole(roleId) {
      return count(db.selectFrom('users').where('role', '=', roleId))
    },
  }
}

const roles = mapper(roleFields)

function toRole(row: Rows['roles']): Role {
  const role = roles.toRecord(row)
  return { ...role, privileges: role.privileges.filter(isPrivilege) }
}
