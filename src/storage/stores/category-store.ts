import type { Kysely, NotNull } from 'kysely'
import type { CategoryStore, SchemaOwner } from '../../categories/store.ts'
import type { CategorySchemaVersionRow, Rows } from '../tables/rows.ts'
import type { DocumentCache } from './document-cache.ts'
import { prepared } from './prepared.ts'

/** An owner in columns. */
type Owner = Pick<CategorySchemaVersionRow, 'owner_kind' | 'owner_id'>

const selectPresent = (db: Kysely<Rows>, { owner_kind, owner_id }: Owner) =>
  db
    .selectFrom('category_schemas as present')
    .innerJoin('category_schema_versions as kept', (join) =>
      join
        .onRef('kept.owner_kind', '=', 'present.owner_kind')
        .onRef('kept.owner_id', '=', 'present.owner_id')
        .onRef('kept.version', '=', 'present.version'),
    )
    .select(['kept.version', 'kept.assigned_at'])
    .where('present.owner_kind', '=', owner_kind)
    .where('present.owner_id', '=', owner_id)
    .where('kept.document', 'is not', null)

const findPresent = prepared(selectPresent)

const findPresentDocument = prepared((db, owner: Owner) =>
  selectPresent(db, owner).select('kept.document').$narrowType<{ document: NotNull }>(),
)

const countUp = prepared((db, { owner_kind, owner_id }: Owner) =>
  db
    .insertInto('category_schemas')
    .values({ owner_kind, owner_id, version: 1, is_set: 1 })
    .onConflict((conflict) =>
      conflict.columns(['owner_kind', 'owner_id']).doUpdateSet((expression) => ({
        version: expression('category_schemas.version', '+', 1),
        is_set: 1,
      })),
    )
    .returning('version'),
)

const unset = prepared((db, { owner_kind, owner_id }: Owner) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({ version: expression('version', '+', 1), is_set: 0 }))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('is_set', '=', 1)
    .returning('version'),
)

const insertVersion = prepared(
  (db, { owner_kind, owner_id, version, document, author, assigned_at }: CategorySchemaVersionRow) =>
    db.insertInto('category_schema_versions').values({ owner_kind, owner_id, version, document, author, assigned_at }),
)

/** `documents` only for reads: a document that was read in a writing transaction may be rolled back. */
export function categoryStore(db: Kysely<Rows>, documents?: DocumentCache): CategoryStore {
  return {
    async findDocument(owner) {
      if (documents) {
        const present = await findPresent.first(db, toOwner(owner))
        if (!present) return undefined
        const { version, assigned_at: assignedAt } = present
        const document = documents.find({ owner, version, assignedAt })
        if (document !== undefined) return { document, version, assignedAt }
      }
      const row = await findPresentDocument.first(db, toOwner(owner))
      if (!row) return undefined
      const found = { document: Buffer.from(row.document), version: row.version, assignedAt: row.assigned_at }
      documents?.put({ owner, ...found }, found.document)
      return found
    },
    async putDocument(owner, document, author, assignedAt) {
      const key = toOwner(owner)
      const { version } = (await countUp.first(db, key))!
      await insertVersion.run(db, { ...key, version, document, author, assigned_at: assignedAt })
      return version
    },
    async removeDocument(owner, author, removedAt) {
      const key = toOwner(owner)
      const removed = await unset.first(db, key)
      if (!removed) return false
      const { version } = removed
      await insertVersion.run(db, { ...key, version, document: null, author, assigned_at: removedAt })
      return true
    },
  }
}

function toOwner(owner: SchemaOwner): Owner {
  return { owner_kind: owner.kind, owner_id: owner.kind === 'group' ? owner.groupId : owner.portalId }
}
