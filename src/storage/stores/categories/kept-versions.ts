import { type Kysely, sql } from 'kysely'
import type { Bounds, Excess, KeptOfOwner, SchemaOwner } from '../../../categories/store.ts'
import type { CategorySchemaRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

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
    .select(['version', 'same_as', 'assigned_at'])
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

const countDown = prepared((db, { owner_kind, owner_id, versions }: OwnerColumns & { readonly versions: number }) =>
  db
    .updateTable('category_schemas')
    .set((expression) => ({
      kept_versions: expression('kept_versions', '-', versions),
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
}

export async function removeOldVersions(db: Kysely<Rows>, owner: SchemaOwner, excess: Excess): Promise<number> {
  const key = toColumns(owner)
  const head = await selectHead.first(db, key)
  if (!head) return 0
  const oldest = await selectOldest.all(db, key)
  const latest = head.group_deleted_at === null ? head.version : undefined
  const { removed, next } = chooseOldest(oldest, excess, latest)
  if (removed > 0) {
    await deleteOlder.run(db, { ...key, end: next?.version ?? head.version + 1, but: next?.same_as ?? 0 })
    await countDown.run(db, { ...key, versions: removed })
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
  for (const [place, next] of oldest.entries()) {
    const removed = oldest.some(({ version }) => version === next.same_as) ? versions - 1 : versions
    const replacedAt = oldest[place + 1]?.assigned_at ?? Number.POSITIVE_INFINITY
    const isOld = replacedAt < replacedBefore
    const isEnough = !isOld && removed >= excess.versions
    if (isEnough || removed === maxRemoved || next.version === latest) return { removed, next }
    versions += 1
  }
  return { removed: versions, next: undefined }
}

const selectKept = (db: Kysely<Rows>) =>
  db
    .selectFrom('category_schemas')
    .select(['owner_kind', 'owner_id', 'kept_versions', 'removable_since', 'group_deleted_at'])

type KeptRow = OwnerColumns & Pick<CategorySchemaRow, 'kept_versions' | 'removable_since' | 'group_deleted_at'>

function toKept(row: KeptRow): KeptOfOwner {
  return {
    owner: toOwner(row),
    deletedAt: row.group_deleted_at ?? undefined,
    versions: row.kept_versions,
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

/** Versions that all owners keep together. */
export async function countVersions(db: Kysely<Rows>): Promise<number> {
  const sum = sql<number>`coalesce(sum(kept_versions), 0)`.as('versions')
  return (await db.selectFrom('category_schemas').select(sum).executeTakeFirstOrThrow()).versions
}
