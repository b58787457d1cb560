import { crc32 } from 'node:zlib'
import { type Kysely, type NotNull, sql } from 'kysely'
import type { CategoryStore, PresentSchema, SchemaOwner } from '../../../categories/store.ts'
import type { CategorySchemaRow, CategorySchemaVersionRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { requireIntact } from '../checksums.ts'
import { selectBelonging, toBelonging } from '../group-rows.ts'
import { lookUp, prepared } from '../prepared.ts'
import type { DocumentCache } from './document-cache.ts'
import {
  countVersions,
  findKept,
  listOutdated,
  type OwnerColumns,
  removeOldVersions,
  toColumns,
} from './kept-versions.ts'

const findGroupSchema = lookUp((db, given: { groupId: string; userId: string | null }) =>
  selectBelonging(db, given)
    .leftJoin('category_schemas', (head) =>
      head
        .on('category_schemas.owner_kind', '=', sql.lit('group'))
        .onRef('category_schemas.owner_id', '=', 'groups.group_id')
        .on('category_schemas.is_set', '=', sql.lit(1)),
    )
    .select(['category_schemas.version', 'category_schemas.assigned_at']),
)

const findPresent = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas')
    .select(['version', 'assigned_at'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('is_set', '=', sql.lit(1)),
)

const findPresentDocument = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas as present')
    .innerJoin('category_schema_versions as kept', (join) =>
      join
        .onRef('kept.owner_kind', '=', 'present.owner_kind')
        .onRef('kept.owner_id', '=', 'present.owner_id')
        .onRef('kept.version', '=', 'present.document_version'),
    )
    .select(['present.version', 'present.assigned_at', 'present.document_version', 'kept.checksum', 'kept.document'])
    .where('present.owner_kind', '=', owner_kind)
    .where('present.owner_id', '=', owner_id)
    .where('present.is_set', '=', sql.lit(1))
    .where('kept.document', 'is not', null)
    .$narrowType<{ document: NotNull }>(),
)

type NewDocument = OwnerColumns & Pick<CategorySchemaRow, 'assigned_at' | 'checksum'>

/** Organization of the owner; null if there is no such owner. */
const portalOf = (owner_kind: string, owner_id: string) =>
  sql<string | null>`case when ${owner_kind} = 'portal' then ${owner_id}
    else (select "groups".portal_id from "groups" where "groups".group_id = ${owner_id}) end`

/** Adds a version, and assumes that its document equals the present one if their checksums are equal. */
const countUp = prepared((db, { owner_kind, owner_id, assigned_at, checksum }: NewDocument) =>
  db
    .insertInto('category_schemas')
    .values({
      owner_kind,
      owner_id,
      version: sql.lit(1),
      is_set: sql.lit(1),
      assigned_at,
      document_version: sql.lit(1),
      checksum,
      kept_versions: sql.lit(1),
      portal_id: portalOf(owner_kind, owner_id),
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_kind', 'owner_id']).doUpdateSet((expression) => {
        const { ref } = expression
        const seemsEqual = expression.and([
          expression('category_schemas.is_set', '=', sql.lit(1)),
          expression('category_schemas.checksum', '=', ref('excluded.checksum')),
        ])
        const version = expression('category_schemas.version', '+', sql.lit(1))
        const isFirstAgain = expression.and([seemsEqual, expression('category_schemas.kept_versions', '=', sql.lit(1))])
        return {
          version,
          is_set: sql.lit(1),
          assigned_at: ref('excluded.assigned_at'),
          document_version: expression
            .case()
            .when(seemsEqual)
            .then(ref('category_schemas.document_version'))
            .else(version)
            .end(),
          checksum: ref('excluded.checksum'),
          kept_versions: expression('category_schemas.kept_versions', '+', sql.lit(1)),
          // The only version stays as long as the new one needs its document.
          removable_since: expression
            .case()
            .when(isFirstAgain)
            .then(null)
            .else(expression.fn.coalesce('category_schemas.removable_since', 'excluded.assigned_at'))
            .end(),
        }
      }),
    )
    .returning(['version', 'document_version', 'kept_versions']),
)

/** Corrects the row of the owner where the documents differ, although their checksums are equal. */
const countDifferent = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({
      document_version: expression.ref('version'),
      removable_since: expression.fn.coalesce('removable_since', 'assigned_at'),
    }))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

const unset = prepared((db, { owner_kind, owner_id, assigned_at }: OwnerColumns & { readonly assigned_at: number }) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({
      version: expression('version', '+', sql.lit(1)),
      is_set: sql.lit(0),
      assigned_at,
      kept_versions: expression('kept_versions', '+', sql.lit(1)),
      removable_since: expression.fn.coalesce('removable_since', sql<number>`cast(${assigned_at} as bigint)`),
    }))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('is_set', '=', sql.lit(1))
    .returning('version'),
)

type NewVersion = OwnerColumns &
  Pick<
    CategorySchemaVersionRow,
    'version' | 'document' | 'author' | 'assigned_at' | 'trees' | 'categories' | 'checksum'
  >

const insertVersion = prepared(
  (db, { owner_kind, owner_id, version, document, author, assigned_at, trees, categories, checksum }: NewVersion) =>
    db
      .insertInto('category_schema_versions')
      .values({ owner_kind, owner_id, version, document, author, assigned_at, trees, categories, checksum }),
)

type LikelyEqual = NewVersion & { readonly source: number }

/** Inserts a version that refers to the document of another one, or has its own where the two differ after all. */
const insertLikelyEqual = prepared(
  (
    db,
    { owner_kind, owner_id, version, document, author, assigned_at, trees, categories, checksum, source }: LikelyEqual,
  ) =>
    db
      .insertInto('category_schema_versions')
      .columns([
        'owner_kind',
        'owner_id',
        'version',
        'author',
        'assigned_at',
        'trees',
        'categories',
        'document',
        'checksum',
        'same_as',
      ])
      .expression((expression) =>
        expression
          // A value that occurs once is converted once.
          .selectFrom([
            'category_schema_versions as present',
            sql<{ document: string }>`(select cast(${document} as text) as document)`.as('given'),
          ])
          .select([
            'present.owner_kind',
            'present.owner_id',
            sql<number>`cast(${version} as integer)`.as('version'),
            sql<string>`cast(${author} as text)`.as('author'),
            sql<number>`cast(${assigned_at} as bigint)`.as('assigned_at'),
            sql<number>`cast(${trees} as integer)`.as('trees'),
            sql<number>`cast(${categories} as integer)`.as('categories'),
            sql<string>`nullif(given.document, present.document)`.as('document'),
            sql<number>`case when given.document = present.document then null else cast(${checksum} as bigint) end`.as(
              'checksum',
            ),
            sql<number>`case when given.document = present.document then present.version end`.as('same_as'),
          ])
          .where('present.owner_kind', '=', owner_kind)
          .where('present.owner_id', '=', owner_id)
          .where('present.version', '=', source),
      )
      .returning('same_as'),
)

/** Columns of a version that is a deletion. */
const nothing = { document: null, trees: null, categories: null, checksum: null }

/** `documents` only for reads: a document that was read in a writing transaction may be rolled back. */
export function categoryStore(db: Kysely<Rows>, documents?: DocumentCache): CategoryStore {
  /** The present schema, whose version may be in the cache. */
  async function findDocumentOf(owner: SchemaOwner, version: number, assignedAt: number) {
    const document = documents?.find({ owner, version, assignedAt })
    return document ? { document, version, assignedAt } : readDocument(owner)
  }

  async function readDocument(owner: SchemaOwner): Promise<PresentSchema | undefined> {
    const key = toColumns(owner)
    const row = await findPresentDocument.first(db, key)
    if (!row) return undefined
    requireIntact('category_schema_versions', { ...row, ...key, version: row.document_version })
    const found = { document: Buffer.from(row.document), version: row.version, assignedAt: row.assigned_at }
    documents?.put({ owner, ...found }, found.document)
    return found
  }

  return {
    async findDocument(owner) {
      if (!documents) return readDocument(owner)
      const head = await findPresent.first(db, toColumns(owner))
      return head && findDocumentOf(owner, head.version, head.assigned_at)
    },
    async findGroupSchema(groupId, userId) {
      const row = await findGroupSchema.first(db, { groupId, userId: userId ?? null })
      if (!row) return undefined
      const { version, assigned_at: assignedAt } = row
      const isSet = version !== null && assignedAt !== null
      const owner = { kind: 'group', groupId } as const
      return { ...toBelonging(row), present: isSet ? await findDocumentOf(owner, version, assignedAt) : undefined }
    },
    async putDocument(owner, document, author, assignedAt, size) {
      const key = toColumns(owner)
      const checksum = crc32(document)
      const head = (await countUp.first(db, { ...key, assigned_at: assignedAt, checksum }))!
      const { version, document_version: source, kept_versions: versions } = head
      const { trees = null, categories = null } = size ?? {}
      const row = { ...key, version, document, author, assigned_at: assignedAt, trees, categories, checksum }
      if (source === version) await insertVersion.send(db, row)
      else if ((await insertLikelyEqual.first(db, { ...row, source }))!.same_as === null) {
        await countDifferent.run(db, key)
      }
      return { version, versions }
    },
    async removeDocument(owner, author, removedAt) {
      const key = toColumns(owner)
      const removed = await unset.first(db, { ...key, assigned_at: removedAt })
      if (!removed) return undefined
      const { version } = removed
      await insertVersion.send(db, { ...key, version, author, assigned_at: removedAt, ...nothing })
      return version
    },
    removeOldVersions: (owner, excess) => removeOldVersions(db, owner, excess),
    findKept: (owner) => findKept(db, owner),
    listOutdated: (bounds, num) => listOutdated(db, bounds, num),
    countVersions: () => countVersions(db),
  }
}
