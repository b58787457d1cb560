import type { Kysely } from 'kysely'
import { isPrivilege } from '../../call/privilege.ts'
import type { Role } from '../../directory/role.ts'
import type { DirectoryStore } from '../../directory/store.ts'
import type { RoleRow } from '../tables/rows/directory.ts'
import type { Rows } from '../tables/rows.ts'
import { count, paginate } from './select.ts'

type Roles =
  | 'findRole'
  | 'addRole'
  | 'updateRole'
  | 'removeRole'
  | 'listRoles'
  | 'listRolesNamed'
  | 'countUsersWithRole'

export function roleStore(db: Kysely<Rows>): Pick<DirectoryStore, Roles> {
  return {
    async findRole(roleId) {
      const row = await db.selectFrom('roles').selectAll().where('role_id', '=', roleId).executeTakeFirst()
      return row && toRole(row)
    },
    async addRole(role) {
      await db.insertInto('roles').values(toRow(role)).execute()
    },
    async updateRole(role) {
      await db.updateTable('roles').set(toRow(role)).where('role_id', '=', role.roleId).execute()
    },
    async removeRole(roleId) {
      await db.deleteFrom('roles').where('role_id', '=', roleId).execute()
    },
    async listRoles(portalId, page) {
      const own = db.selectFrom('roles').where('portal_id', '=', portalId)
      const rows = await paginate(own.selectAll().orderBy('name').orderBy('role_id'), page).execute()
      return { total: await count(own), entries: rows.map(toRole) }
    },
    async listRolesNamed(portalId, name) {
      const named = db.selectFrom('roles').selectAll().where('portal_id', '=', portalId).where('name', '=', name)
      return (await named.limit(2).execute()).map(toRole)
    },
    countUsersWithRole(roleId) {
      return count(db.selectFrom('users').where('role', '=', roleId))
    },
  }
}

function toRole(row: RoleRow): Role {
  const privileges: string[] = JSON.parse(row.privileges)
  return {
    roleId: row.role_id,
    portalId: row.portal_id,
    name: row.name,
    description: row.description,
    privileges: privileges.filter(isPrivilege),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function toRow(role: Role): RoleRow {
  return {
    role_id: role.roleId,
    portal_id: role.portalId,
    name: role.name,
    description: role.description,
    privileges: JSON.stringify(role.privileges),
    created_at: role.createdAt,
    modified_at: role.modifiedAt,
  }
}
