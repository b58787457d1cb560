import { type Kysely, sql } from 'kysely'
import type { Portal, PortalAccess } from '../directory/portal.ts'
import type { DirectoryStore, NewPortal } from '../directory/store.ts'
import type { PortalRow, Rows } from './rows.ts'

type Portals =
  | 'findPortal'
  | 'findDefaultPortal'
  | 'listPortals'
  | 'addPortal'
  | 'updatePortal'
  | 'hasUrlKey'
  | 'findPortalKey'

export function portalStore(db: Kysely<Rows>): Pick<DirectoryStore, Portals> {
  const select = () => db.selectFrom('portals').selectAll('portals').select(isSchemaSet('portal', 'portals.portal_id'))
  return {
    async findPortal(portalId) {
      const row = await select().where('portal_id', '=', portalId).executeTakeFirst()
      return row && toPortal(row)
    },
    async findDefaultPortal() {
      const row = await select().orderBy('created_at').orderBy('portal_id').limit(1).executeTakeFirst()
      return row && toPortal(row)
    },
    async listPortals() {
      const rows = await select().orderBy('created_at').orderBy('portal_id').execute()
      return rows.map(toPortal)
    },
    async addPortal(portal, key) {
      await db
        .insertInto('portals')
        .values({ ...toRow(portal), public_key: key.publicKey, sealed_private_key: key.sealedPrivateKey })
        .execute()
    },
    async updatePortal(portal) {
      await db.updateTable('portals').set(toRow(portal)).where('portal_id', '=', portal.portalId).execute()
    },
    async hasUrlKey(urlKey) {
      const row = await db.selectFrom('portals').select('portal_id').where('url_key', '=', urlKey).executeTakeFirst()
      return row !== undefined
    },
    async findPortalKey(portalId) {
      const row = await db
        .selectFrom('portals')
        .select(['public_key', 'sealed_private_key'])
        .where('portal_id', '=', portalId)
        .executeTakeFirst()
      return row && { publicKey: row.public_key, sealedPrivateKey: row.sealed_private_key }
    },
  }
}

/** Whether the owner in this column has a category schema now: 1, or null. */
export function isSchemaSet(kind: 'group' | 'portal', ownerId: 'portals.portal_id' | 'groups.group_id') {
  return sql<number | null>`(
    select 1 from category_schemas where owner_kind = ${kind} and owner_id = ${sql.ref(ownerId)} and is_set = 1
  )`.as('has_category_schema')
}

function toPortal(row: PortalRow & { has_category_schema: number | null }): Portal {
  return {
    portalId: row.portal_id,
    name: row.name,
    description: row.description,
    urlKey: row.url_key,
    access: row.access as PortalAccess,
    hasCategorySchema: row.has_category_schema === 1,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function toRow(portal: NewPortal): Omit<PortalRow, 'public_key' | 'sealed_private_key'> {
  return {
    portal_id: portal.portalId,
    name: portal.name,
    description: portal.description,
    url_key: portal.urlKey,
    access: portal.access,
    created_at: portal.createdAt,
    modified_at: portal.modifiedAt,
  }
}
