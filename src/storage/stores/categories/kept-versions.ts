import type { Kysely } from 'kysely'
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely'
import type { Excess, Former, Kept, KeptOfOwner, SchemaOwner } from '../../../categories/store.ts'
import type { CategorySchemaRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { bytesOfVersion } from './version-bytes.ts'

/** An owner in columns. */
export type OwnerColumns = Pick<CategorySchemaRow, 'owner_kind' | 'owner_id'>

export function toColumns(owner: SchemaOwner): OwnerColumns {
  return { owner_kind: owner.kind, owner_id: owner.kind === 'group' ? owner.groupId : owner.portalId }
}

function toOwner({ owner_kind, owner_id }: OwnerColumns): SchemaOwner {
  return owner_kind === 'group' ? { kind: 'group', groupId: owner_id } : { kind: 'portal', portalId: owner_id }
}

/** Most versions that one call removes (chosen): bounds the transaction. */
const mostRemoved = 128

const selectHead = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas')
    .select(['version', 'group_deleted_at'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

/** One more than may be removed, and one that may have to stay. */
const selectOldest = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schema_versions')
    .select(['version', 'same_as', 'assigned_at', bytesOfVersion.as('bytes')])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .orderBy('version')
    .limit(sql.lit(mostRemoved + 2)),
)

const deleteOlder = prepared((db, { owner_kind, owner_id, end, but }: OwnerColumns & { end: number; but: number }) =>
  db
    .deleteFrom('category_schema_versions')
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('version', '<', end)
    .where('version', '<>', but),
)

const countDown = prepared((db, { owner_kind, owner_id, versions, bytes }: OwnerColumns & Kept) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({
      kept_versions: expression('kept_versions', '-', versions),
      kept_bytes: expression('kept_bytes', '-', bytes),
    }))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

const deleteHead = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db.deleteFrom('category_schemas').where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

interface OldVersion {
  readonly version: number
  readonly same_as: number | null
  readonly assigned_at: number
  readonly bytes: number
}

export async function removeOldVersions(db: Kysely<Rows>, owner: SchemaOwner, excess: Excess): Promise<Kept> {
  const key = toColumns(owner)
  const head = await selectHead.first(db, key)
  if (!head) return { versions: 0, bytes: 0 }
  const oldest = await selectOldest.all(db, key)
  const latest = head.group_deleted_at === null ? head.version : undefined
  const { removed, next } = chooseOldest(oldest, excess, latest)
  if (removed.versions > 0) {
    await deleteOlder.run(db, { ...key, end: next?.version ?? head.version + 1, but: next?.same_as ?? 0 })
    await countDown.run(db, { ...key, ...removed })
  }
  if (head.group_deleted_at !== null && !next) await deleteHead.run(db, key)
  return removed
}

/**
 * How many of the oldest versions to remove, and the next one, which stays; undefined if none stays. The version that has
 * the document of the next one stays too: it may be older than versions that are removed.
 */
function chooseOldest(oldest: readonly OldVersion[], excess: Excess, latest: number | undefined) {
  const { replacedBefore = Number.NEGATIVE_INFINITY } = excess
  let versions = 0
  let bytes = 0
  for (const [place, next] of oldest.entries()) {
    const source = oldest.find(({ version }) => version === next.same_as)
    const removed = source ? { versions: versions - 1, bytes: bytes - source.bytes } : { versions, bytes }
    const replacedAt = oldest[place + 1]?.assigned_at ?? Number.POSITIVE_INFINITY
    const isOld = replacedAt < replacedBefore
    const isEnough = !isOld && removed.versions >= excess.versions && removed.bytes >= excess.bytes
    if (isEnough || removed.versions === mostRemoved || next.version === latest) return { removed, next }
    versions += 1
    bytes += next.bytes
  }
  return { removed: { versions, bytes }, next: undefined }
}

const selectKept = (db: Kysely<Rows>) =>
  db
    .selectFrom('category_schemas')
    .select([
      'owner_kind',
      'owner_id',
      'kept_versions',
      'kept_bytes',
      'former_portal_id',
      'former_owner_id',
      'group_deleted_at',
    ])
    .select((expression) =>
      expression
        .selectFrom('groups')
        .select('groups.portal_id')
        .whereRef('groups.group_id', '=', 'category_schemas.owner_id')
        .as('portal_id'),
    )

/** One of the oldest versions of the owner of a row. */
const selectFromOldest = (expression: ExpressionBuilder<Rows, 'category_schemas'>, place: 1 | 2) =>
  expression
    .selectFrom('category_schema_versions as kept')
    .whereRef('kept.owner_kind', '=', 'category_schemas.owner_kind')
    .whereRef('kept.owner_id', '=', 'category_schemas.owner_id')
    .orderBy('kept.version')
    .limit(sql.lit(1))
    .offset(sql.lit(place))

/**
 * With the times from which the oldest version can be removed: when the second one was assigned, unless that needs the document of
 * the oldest; and when the third one was.
 */
const selectKeptWithAge = (db: Kysely<Rows>) =>
  selectKept(db)
    .select((expression) =>
      selectFromOldest(expression, 1)
        .select(sql<number | null>`case when kept.same_as is null then kept.assigned_at end`.as('at'))
        .as('second_at'),
    )
    .select((expression) => selectFromOldest(expression, 2).select('kept.assigned_at').as('third_at'))

const findKeptRow = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  selectKept(db).where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

const findKeptRowWithAge = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  selectKeptWithAge(db).where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

type KeptRow = Omit<CategorySchemaRow, 'version' | 'is_set' | 'assigned_at' | 'document_version' | 'checksum'> & {
  readonly portal_id: string | null
  readonly second_at?: number | null
  readonly third_at?: number | null
}

function toKept(row: KeptRow): KeptOfOwner {
  return {
    owner: toOwner(row),
    portalId: (row.owner_kind === 'portal' ? row.owner_id : (row.portal_id ?? row.former_portal_id)) ?? undefined,
    deletedAt: row.group_deleted_at ?? undefined,
    formerOwnerId: row.former_owner_id ?? undefined,
    versions: row.kept_versions,
    bytes: row.kept_bytes,
    replacedAt: row.second_at ?? row.third_at ?? undefined,
  }
}

export async function findKept(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  needsAge = false,
): Promise<KeptOfOwner | undefined> {
  const row = await (needsAge ? findKeptRowWithAge : findKeptRow).first(db, toColumns(owner))
  return row && toKept(row)
}

const selectPresentBytes = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schema_versions')
    .select(bytesOfVersion.as('bytes'))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('version', '=', (present) =>
      present
        .selectFrom('category_schemas')
        .select('document_version')
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id)
        .where('is_set', '=', sql.lit(1)),
    ),
)

export async function findPresentBytes(db: Kysely<Rows>, owner: SchemaOwner): Promise<number> {
  return (await selectPresentBytes.first(db, toColumns(owner)))?.bytes ?? 0
}

const selectBytesBeside = prepared((db, { groupId }: { groupId: string }) =>
  db
    .selectFrom('groups as given')
    .innerJoin('groups', 'groups.owner_id', 'given.owner_id')
    .innerJoin('category_schemas', (join) =>
      join.onRef('category_schemas.owner_id', '=', 'groups.group_id').on('category_schemas.owner_kind', '=', 'group'),
    )
    // PostgreSQL gives sums of bigint as decimal numbers.
    .select(sql<number>`cast(coalesce(sum(category_schemas.kept_bytes), 0) as bigint)`.as('bytes'))
    .where('given.group_id', '=', groupId)
    .where('groups.group_id', '<>', groupId),
)

export async function sumBytesBeside(db: Kysely<Rows>, groupId: string): Promise<number> {
  return Number((await selectBytesBeside.first(db, { groupId }))!.bytes)
}

const selectFirstDeleted = prepared((db, { userId }: { userId: string }) =>
  selectKept(db)
    .where('former_owner_id', '=', userId)
    .orderBy('group_deleted_at')
    .orderBy('owner_id')
    .limit(sql.lit(1)),
)

const selectFormerBytes = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('category_schemas')
    // PostgreSQL gives sums of bigint as decimal numbers.
    .select(sql<number>`cast(coalesce(sum(kept_bytes), 0) as bigint)`.as('bytes'))
    .where('former_owner_id', '=', userId),
)

export async function findFormer(db: Kysely<Rows>, userId: string): Promise<Former> {
  const oldest = await selectFirstDeleted.first(db, { userId })
  const { bytes } = (await selectFormerBytes.first(db, { userId }))!
  return { bytes: Number(bytes), oldest: oldest && toKept(oldest) }
}

export async function listKept(
  db: Kysely<Rows>,
  after: SchemaOwner | undefined,
  num: number,
  needsAge = false,
): Promise<readonly KeptOfOwner[]> {
  const { owner_kind, owner_id } = after ? toColumns(after) : { owner_kind: '', owner_id: '' }
  const { eb, refTuple, tuple } = expressionBuilder<Rows, 'category_schemas'>()
  const rows = await (needsAge ? selectKeptWithAge(db) : selectKept(db))
    .where(eb(refTuple('owner_kind', 'owner_id'), '>', tuple(owner_kind, owner_id)))
    .orderBy('owner_kind')
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map(toKept)
}

export async function listLargest(db: Kysely<Rows>, num: number): Promise<readonly KeptOfOwner[]> {
  const rows = await selectKept(db).orderBy('kept_bytes', 'desc').orderBy('owner_id').limit(num).execute()
  return rows.map(toKept)
}
