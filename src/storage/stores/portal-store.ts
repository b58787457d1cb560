import { expressionBuilder, type Kysely } from 'kysely'
import { type Portal, portalFields, portalKeyFields } from '../../directory/portal.ts'
import type { DirectoryStore } from '../../directory/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { prepared } from './prepared.ts'
import { findRow } from './select.ts'

type Portals =
  | 'findPortal'
  | 'findDefaultPortal'
  | 'listPortals'
  | 'hasOtherPortal'
  | 'addPortal'
  | 'updatePortal'
  | 'hasUrlKey'
  | 'findPortalKey'
  | 'listPortalKeys'
  | 'replaceSealedKey'
  | 'replaceKey'

const select = (db: Kysely<Rows>) =>
  db.selectFrom('portals').selectAll('portals').select(isSchemaSet('portal', 'portals.portal_id'))

const findPortal = prepared((db, { portalId }: { portalId: string }) => select(db).where('portal_id', '=', portalId))

const findDefaultPortal = prepared((db) => select(db).orderBy('created_at').orderBy('portal_id').limit(1))

const findOtherPortal = prepared((db, { portalId }: { portalId: string }) =>
  db.selectFrom('portals').select('portal_id').where('portal_id', '!=', portalId).limit(1),
)

export function portalStore(db: Kysely<Rows>): Pick<DirectoryStore, Portals> {
  return {
    async findPortal(portalId) {
      const row = await findPortal.first(db, { portalId })
      return row && toPortal(row)
    },
    async findDefaultPortal() {
      const row = await findDefaultPortal.first(db, {})
      return row && toPortal(row)
    },
    async listPortals() {
      const rows = await select(db).orderBy('created_at').orderBy('portal_id').execute()
      return rows.map(toPortal)
    },
    hasOtherPortal: async (portalId) => (await findOtherPortal.first(db, { portalId })) !== undefined,
    async addPortal(portal, key) {
      const row = { ...portals.toRow(portal), ...portalKeys.toRow(key) }
      await db.insertInto('portals').values(row).execute()
    },
    async updatePortal(portal) {
      await db.updateTable('portals').set(portals.toRow(portal)).where('portal_id', '=', portal.portalId).execute()
    },
    async hasUrlKey(urlKey) {
      const row = await db.selectFrom('portals').select('portal_id').where('url_key', '=', urlKey).executeTakeFirst()
      return row !== undefined
    },
    findPortalKey: (portalId) => findRow(db, 'portals', { portal_id: portalId }, portalKeys.toRecord),
    async listPortalKeys() {
      const rows = await db
        .selectFrom('portals')
        .select(['portal_id', 'sealed_private_key'])
        .orderBy('portal_id')
        .execute()
      return rows.map((row) => ({ portalId: row.portal_id, sealedPrivateKey: row.sealed_private_key }))
    },
    replaceSealedKey: (portalId, from, to) => updateKey(db, portalId, from, { sealed_private_key: to }),
    replaceKey: (portalId, from, key) => updateKey(db, portalId, from, portalKeys.toRow(key)),
  }
}

async function updateKey(
  db: Kysely<Rows>,
  portalId: string,
  from: string,
  key: Partial<Pick<Rows['portals'], 'public_key' | 'sealed_private_key'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portals')
    .set(key)
    .where('portal_id', '=', portalId)
    .where('sealed_private_key', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Subquery: 1 if the owner in this column has a category schema, otherwise null. */
export function isSchemaSet(kind: 'group' | 'portal', ownerId: 'portals.portal_id' | 'groups.group_id') {
  const expression = expressionBuilder<Rows, 'portals' | 'groups'>()
  return expression
    .selectFrom('category_schemas')
    .select(expression.lit(1).as('one'))
    .where('owner_kind', '=', kind)
    .whereRef('owner_id', '=', ownerId)
    .where('is_set', '=', 1)
    .as('has_category_schema')
}

const portals = mapper(portalFields)
const portalKeys = mapper(portalKeyFields)

function toPortal(row: Rows['portals'] & { has_category_schema: number | null }): Portal {
  return { ...portals.toRecord(row), hasCategorySchema: row.has_category_schema === 1 }
}
