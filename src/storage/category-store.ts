import type { Kysely } from 'kysely'
import type { CategoryStore, SchemaOwner } from '../categories/store.ts'
import type { Rows } from './rows.ts'

export function categoryStore(db: Kysely<Rows>): CategoryStore {
  return {
    async findDocument(owner) {
      const row = await db
        .selectFrom('category_schemas as present')
        .innerJoin('category_schema_versions as kept', (join) =>
          join
            .onRef('kept.owner_kind', '=', 'present.owner_kind')
            .onRef('kept.owner_id', '=', 'present.owner_id')
            .onRef('kept.version', '=', 'present.version'),
        )
        .select('kept.document')
        .where('present.owner_kind', '=', owner.kind)
        .where('present.owner_id', '=', ownerId(owner))
        .executeTakeFirst()
      return row?.document ?? undefined
    },
    async putDocument(owner, document, author, assignedAt) {
      const key = { owner_kind: owner.kind, owner_id: ownerId(owner) }
      const { version } = await db
        .insertInto('category_schemas')
        .values({ ...key, version: 1, is_set: 1 })
        .onConflict((conflict) =>
          conflict.columns(['owner_kind', 'owner_id']).doUpdateSet((expression) => ({
            version: expression('category_schemas.version', '+', 1),
            is_set: 1,
          })),
        )
        .returning('version')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('category_schema_versions')
        .values({ ...key, version, document, author, assigned_at: assignedAt })
        .execute()
      return version
    },
    async removeDocument(owner, author, removedAt) {
      const key = { owner_kind: owner.kind, owner_id: ownerId(owner) }
      const removed = await db
        .updateTable('category_schemas')
        .set((expression) => ({ version: expression('version', '+', 1), is_set: 0 }))
        .where('owner_kind', '=', key.owner_kind)
        .where('owner_id', '=', key.owner_id)
        .where('is_set', '=', 1)
        .returning('version')
        .executeTakeFirst()
      if (!removed) return false
      await db
        .insertInto('category_schema_versions')
        .values({ ...key, version: removed.version, document: null, author, assigned_at: removedAt })
        .execute()
      return true
    },
    async listVersions(owner) {
      const rows = await db
        .selectFrom('category_schema_versions')
        .selectAll()
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', ownerId(owner))
        .orderBy('version', 'desc')
        .execute()
      return rows.map(({ version, document, author, assigned_at }) => ({
        version,
        document: document ?? undefined,
        author,
        assignedAt: assigned_at,
      }))
    },
  }
}

function ownerId(owner: SchemaOwner): string {
  return owner.kind === 'group' ? owner.groupId : owner.portalId
}
