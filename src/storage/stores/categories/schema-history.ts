import { type Kysely, sql } from 'kysely'
import type { SchemaHistoryStore } from '../../../categories/history/store.ts'
import type { SchemaVersion } from '../../../categories/history/version.ts'
import type { CategorySchemaVersionRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { requireIntact } from '../checksums.ts'
import { prepared } from '../prepared.ts'
import { type OwnerColumns, toColumns } from './kept-versions.ts'

/** Largest number that the column of versions can have on PostgreSQL. */
const maxVersion = 2 ** 31 - 1

const selectHead = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas as head')
    .innerJoin('category_schema_versions as latest', (join) =>
      join
        .onRef('latest.owner_kind', '=', 'head.owner_kind')
        .onRef('latest.owner_id', '=', 'head.owner_id')
        .onRef('latest.version', '=', 'head.version'),
    )
    .select(['head.version', 'head.is_set', 'head.assigned_at', 'latest.author', 'latest.comment'])
    .where('head.owner_kind', '=', owner_kind)
    .where('head.owner_id', '=', owner_id),
)

const listedColumns = [
  'version',
  'author',
  'assigned_at',
  'trees',
  'categories',
  'action',
  'comment',
  'moves',
  'restored_from',
  'draft',
] as const satisfies readonly (keyof CategorySchemaVersionRow)[]
const ofListed = listedColumns.map((column) => `listed.${column}` as const)

type ListedRow = Pick<CategorySchemaVersionRow, (typeof listedColumns)[number]> & { readonly is_deletion: number }

const isDeletion = sql<number>`case when listed.document is null and listed.same_as is null then 1 else 0 end`

/** Counts of a version that is a deletion. */
const nothing = { trees: 0, categories: 0 }

function toVersion(row: ListedRow): SchemaVersion {
  const { trees, categories } = row
  return {
    version: row.version,
    action: row.action ?? (row.is_deletion === 1 ? 'delete' : 'assign'),
    modifiedAt: row.assigned_at,
    author: row.author,
    comment: row.comment ?? undefined,
    moves: row.moves === null ? [] : JSON.parse(row.moves),
    restoredFrom: row.restored_from ?? undefined,
    draft: row.draft === null ? undefined : JSON.parse(row.draft),
    size: row.is_deletion === 1 ? nothing : trees === null || categories === null ? undefined : { trees, categories },
  }
}

const firstKept = sql<number | null>`(select min(kept.version) from category_schema_versions as kept
  where kept.owner_kind = category_schemas.owner_kind and kept.owner_id = category_schemas.owner_id)`

const selectKept = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas')
    .select(['kept_versions', firstKept.as('first_kept')])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

type PageColumns = OwnerColumns & { readonly num: number; readonly skipped: number }

const selectVersions = prepared((db, { owner_kind, owner_id, num, skipped }: PageColumns) =>
  db
    .selectFrom('category_schema_versions as listed')
    .select(ofListed)
    .select(isDeletion.as('is_deletion'))
    .where('listed.owner_kind', '=', owner_kind)
    .where('listed.owner_id', '=', owner_id)
    .orderBy('listed.version', 'desc')
    .limit(num)
    .offset(skipped),
)

const selectVersion = prepared((db, { owner_kind, owner_id, version }: OwnerColumns & { readonly version: number }) =>
  db
    .selectFrom('category_schema_versions as listed')
    .leftJoin('category_schema_versions as source', (join) =>
      join
        .onRef('source.owner_kind', '=', 'listed.owner_kind')
        .onRef('source.owner_id', '=', 'listed.owner_id')
        .onRef('source.version', '=', 'listed.same_as'),
    )
    .select(ofListed)
    .select([
      isDeletion.as('is_deletion'),
      sql<string | null>`coalesce(listed.document, source.document)`.as('document'),
      sql<number | null>`coalesce(listed.checksum, source.checksum)`.as('checksum'),
      sql<number>`coalesce(source.version, listed.version)`.as('source'),
    ])
    .where('listed.owner_kind', '=', owner_kind)
    .where('listed.owner_id', '=', owner_id)
    .where('listed.version', '=', version),
)

type Between = OwnerColumns & { readonly after: number; readonly upTo: number }

const selectMoves = prepared((db, { owner_kind, owner_id, after, upTo }: Between) =>
  db
    .selectFrom('category_schema_versions')
    .select(['version', 'moves', 'path_moves'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .orderBy('version', 'desc'),
)

type NoteColumns = Pick<
  CategorySchemaVersionRow,
  'action' | 'comment' | 'moves' | 'path_moves' | 'restored_from' | 'draft'
>

const updateNote = prepared((db, given: OwnerColumns & NoteColumns & { readonly version: number }) => {
  const { owner_kind, owner_id, version, action, comment, moves, path_moves, restored_from, draft } = given
  return db
    .updateTable('category_schema_versions')
    .set({ action, comment, moves, path_moves, restored_from, draft })
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('version', '=', version)
})

/** Null for an empty list, so that a version without moves has none of their bytes. */
function formatList(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

export function schemaHistoryStore(db: Kysely<Rows>): SchemaHistoryStore {
  return {
    async findHead(owner) {
      const row = await selectHead.first(db, toColumns(owner))
      if (!row) return undefined
      const { version, is_set, assigned_at: modifiedAt, author, comment } = row
      return { version, isSet: is_set === 1, modifiedAt, author, comment: comment ?? undefined }
    },
    async listVersions(owner, page) {
      const key = toColumns(owner)
      const kept = await selectKept.first(db, key)
      const rows = await selectVersions.all(db, { ...key, num: page.num, skipped: page.start - 1 })
      return { total: kept?.kept_versions ?? 0, firstKept: kept?.first_kept ?? 0, entries: rows.map(toVersion) }
    },
    async findVersion(owner, version) {
      if (version > maxVersion) return undefined
      const key = toColumns(owner)
      const row = await selectVersion.first(db, { ...key, version })
      if (!row) return undefined
      requireIntact('category_schema_versions', { ...row, ...key, version: row.source })
      return { ...toVersion(row), document: row.document === null ? undefined : Buffer.from(row.document) }
    },
    async listMoves(owner, after, upTo) {
      const rows = await selectMoves.all(db, { ...toColumns(owner), after, upTo })
      return rows.map((row) => ({
        version: row.version,
        moves: row.moves === null ? [] : JSON.parse(row.moves),
        pathMoves: row.path_moves === null ? [] : JSON.parse(row.path_moves),
      }))
    },
    async noteVersion(owner, version, { action, comment, moves = [], pathMoves = [], restoredFrom, draft }) {
      await updateNote.send(db, {
        ...toColumns(owner),
        version,
        action,
        comment: comment ?? null,
        moves: formatList(moves),
        path_moves: formatList(pathMoves),
        restored_from: restoredFrom ?? null,
        draft: draft ? JSON.stringify(draft) : null,
      })
    },
  }
}
