import { type Kysely, sql } from 'kysely'
import type { Bounds, Excess, Kept, KeptOfOwner, SchemaOwner } from '../../../categories/store.ts'
import type { CategorySchemaRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { bytesOfVersion } from './version-bytes.ts'

/** An owner in columns. */
export type OwnerColumns = Pick<CategorySchemaRow, 'owner_kind' | 'owner_id'>

export function toColumns(owner: SchemaOwner): OwnerColumns {
  return { owner_kind: owner.kind, owner_id: owner.kind === 'group' ? owner.groupId : owner.portalId }
}

export function toOwner({ owner_kind, owner_id }: OwnerColumns): SchemaOwner {
  return owner_kind === 'group' ? { kind: 'group', groupId: owner_id } : { kind: 'portal', portalId: owner_id }
}

/** Maximum versions that one call removes (chosen): bounds the transaction. */
const maxRemoved = 128

const selectHead = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schemas')
    .select(['version', 'group_deleted_at'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

/** Oldest versions: those that may be removed, the next one, and one that may have to stay. */
const selectOldest = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_schema_versions')
    .select(['version', 'same_as', 'assigned_at', bytesOfVersion.as('bytes')])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .orderBy('version')
    .limit(sql.lit(maxRemoved + 2)),
)

const deleteOlder = prepared((db, { owner_kind, owner_id, end, but }: OwnerColumns & { end: number; but: number }) =>
  db
    .deleteFrom('category_schema_versions')
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('version', '<', end)
    .where('version', '<>', but),
)

const oldest = sql`from category_schema_versions as kept where kept.owner_kind = category_schemas.owner_kind
  and kept.owner_id = category_schemas.owner_id order by kept.version limit 1 offset`

/**
 * Time at which the oldest removable version was replaced: the assignment of the second version or, if that one needs the
 * document of the oldest, of the third.
 */
const removableSince = sql<number | null>`coalesce(
  (select case when kept.same_as is null then kept.assigned_at end ${oldest} 1), (select kept.assigned_at ${oldest} 2))`

const countDown = prepared((db, { owner_kind, owner_id, versions, bytes }: OwnerColumns & Kept) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({
      kept_versions: expression('kept_versions', '-', versions),
      kept_bytes: expression('kept_bytes', '-', bytes),
      removable_since: removableSince,
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
 * Number of the oldest versions to remove, and the next one, which stays; undefined if none stays. The version that has
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
    const isEnough = !isOld && removed.versions >= excess.versions
    if (isEnough || removed.versions === maxRemoved || next.version === latest) return { removed, next }
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
      'portal_id',
      'kept_versions',
      'kept_bytes',
      'removable_since',
      'group_deleted_at',
    ])

type KeptRow = Omit<CategorySchemaRow, 'version' | 'is_set' | 'assigned_at' | 'document_version' | 'checksum'>

function toKept(row: KeptRow): KeptOfOwner {
  return {
    owner: toOwner(row),
    portalId: row.portal_id ?? undefined,
    deletedAt: row.group_deleted_at ?? undefined,
    versions: row.kept_versions,
    bytes: row.kept_bytes,
    replacedAt: row.removable_since ?? undefined,
  }
}

const findKeptRow = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  selectKept(db).where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

export async function findKept(db: Kysely<Rows>, owner: SchemaOwner): Promise<KeptOfOwner | undefined> {
  const row = await findKeptRow.first(db, toColumns(owner))
  return row && toKept(row)
}

const columnOf = {
  deletedBefore: 'group_deleted_at',
  replacedBefore: 'removable_since',
  moreVersionsThan: 'kept_versions',
} as const satisfies Record<keyof Bounds, keyof KeptRow>

export async function listOutdated(db: Kysely<Rows>, bounds: Bounds, num: number): Promise<readonly KeptOfOwner[]> {
  const found = new Map<string, KeptOfOwner>()
  // One after the other: each of the first two is a look-up in an index.
  for (const [name, column] of Object.entries(columnOf)) {
    const bound = bounds[name as keyof Bounds]
    if (bound === undefined) continue
    const rows = await selectKept(db)
      .where(column, column === 'kept_versions' ? '>' : '<', bound)
      .orderBy(column)
      .limit(num)
      .execute()
    for (const row of rows) found.set(`${row.owner_kind} ${row.owner_id}`, toKept(row))
  }
  return [...found.values()]
}

export async function listLargest(db: Kysely<Rows>, num: number): Promise<readonly KeptOfOwner[]> {
  const rows = await selectKept(db).orderBy('kept_bytes', 'desc').orderBy('owner_id').limit(num).execute()
  return rows.map(toKept)
}

/** Versions and bytes that all owners keep together; PostgreSQL gives sums of bigint as decimal numbers. */
export async function sumUsage(db: Kysely<Rows>): Promise<Kept> {
  const sumOf = (column: string) => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`
  return db
    .selectFrom('category_schemas')
    .select([sumOf('kept_versions').as('versions'), sumOf('kept_bytes').as('bytes')])
    .executeTakeFirstOrThrow()
}
