import { type Kysely, sql } from 'kysely'
import type { SchemaDraft, StoredDraft } from '../../../categories/drafts/draft.ts'
import type { DraftStore } from '../../../categories/drafts/store.ts'
import type { SchemaDraftRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { decode, json, optional } from '../decode.ts'
import { toColumns, toOwner } from './kept-versions.ts'

type ContentColumn = 'document' | 'moves' | 'comment' | 'vanishing'
type ContentRow = Pick<SchemaDraftRow, ContentColumn>
type WrittenRow = Omit<SchemaDraftRow, 'reminded_at'>

const listed = decode<Omit<WrittenRow, ContentColumn | 'checksum'>, SchemaDraft>()({
  draftId: 'draft_id',
  portalId: 'portal_id',
  owner: { toValue: toOwner, toRow: toColumns },
  name: 'name',
  categories: 'categories',
  baseVersion: 'base_version',
  revision: 'revision',
  savedRevision: 'saved_revision',
  action: 'action',
  restoredFrom: optional('restored_from'),
  items: optional('items'),
  people: json('people'),
  createdBy: 'created_by',
  createdAt: 'created_at',
  savedBy: 'saved_by',
  savedAt: 'saved_at',
  state: 'state',
  stateBy: optional('state_by'),
  stateAt: optional('state_at'),
  note: optional('note'),
  reviewer: optional('reviewer'),
  publishAt: optional('publish_at'),
})

const contents = decode<ContentRow, Pick<StoredDraft, ContentColumn>>()({
  document: 'document',
  moves: json('moves'),
  comment: optional('comment'),
  vanishing: optional('vanishing'),
})

const listedColumns = [
  'draft_id',
  'portal_id',
  'owner_kind',
  'owner_id',
  'name',
  'categories',
  'base_version',
  'revision',
  'saved_revision',
  'action',
  'restored_from',
  'items',
  'people',
  'created_by',
  'created_at',
  'saved_by',
  'saved_at',
  'state',
  'state_by',
  'state_at',
  'note',
  'reviewer',
  'publish_at',
] as const

function toDraft(row: SchemaDraftRow): StoredDraft {
  requireIntact('schema_drafts', row)
  return { ...listed.toValue(row), ...contents.toValue(row) }
}

function toRow(draft: StoredDraft): WrittenRow {
  const content = contents.toRow(draft)
  return { ...listed.toRow(draft), ...content, checksum: checksumOf('schema_drafts', content) }
}

/** The oldest first. */
const selectUntouched = (db: Kysely<Rows>, before: number) =>
  db
    .selectFrom('schema_drafts')
    .where('saved_at', '<', before)
    .where((row) => row.or([row('state_at', 'is', null), row('state_at', '<', before)]))
    .where('publish_at', 'is', null)
    .orderBy('saved_at')

/** The store of drafts of category schemas. */
export function draftStore(db: Kysely<Rows>): DraftStore {
  const due = (now: number) =>
    db
      .selectFrom('schema_drafts')
      .where('state', '=', sql.lit('scheduled' as const))
      .where('publish_at', '<=', now)
  return {
    async findDraft(owner, draftId) {
      const { owner_kind, owner_id } = toColumns(owner)
      const row = await db
        .selectFrom('schema_drafts')
        .selectAll()
        .where('draft_id', '=', draftId)
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
      return row && toDraft(row)
    },
    async listDrafts(owner) {
      const { owner_kind, owner_id } = toColumns(owner)
      const rows = await db
        .selectFrom('schema_drafts')
        .select(listedColumns)
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id)
        .orderBy('saved_at', 'desc')
        .orderBy('draft_id')
        .execute()
      return rows.map(listed.toValue)
    },
    async listPendingDrafts({ portalId, withPortal, userId }, num) {
      const managed = db
        .selectFrom('members')
        .select('group_id')
        .where('user_id', '=', userId)
        .where('member_type', '<>', 'member')
      const rows = await db
        .selectFrom('schema_drafts')
        .select(listedColumns)
        .where('portal_id', '=', portalId)
        .where('state', '<>', sql.lit('open' as const))
        .where((where) => {
          const ofGroups = where.and([where('owner_kind', '=', 'group'), where('owner_id', 'in', managed)])
          return withPortal ? where.or([where('owner_kind', '=', 'portal'), ofGroups]) : ofGroups
        })
        .orderBy('state_at', 'desc')
        .orderBy('draft_id')
        .limit(num)
        .execute()
      return rows.map(listed.toValue)
    },
    async listDuePublishers(now) {
      const rows = await due(now)
        .select(({ fn }) => ['portal_id', 'state_by', fn.min('publish_at').as('publish_at')])
        .groupBy(['portal_id', 'state_by'])
        .execute()
      return rows.map((row) => ({
        portalId: row.portal_id,
        username: row.state_by ?? '',
        publishAt: row.publish_at ?? now,
      }))
    },
    async findDueDraft(now, { portalId, username }) {
      const row = await due(now)
        .select(listedColumns)
        .where('portal_id', '=', portalId)
        .where(({ fn, val }) => fn.coalesce('state_by', val('')), '=', username)
        .orderBy('publish_at')
        .orderBy('draft_id')
        .limit(1)
        .executeTakeFirst()
      return row && listed.toValue(row)
    },
    async listUntouchedDrafts(before, max) {
      const rows = await selectUntouched(db, before)
        .select([...listedColumns, 'reminded_at'])
        .limit(max)
        .execute()
      return rows.map((row) => ({ ...listed.toValue(row), isReminded: (row.reminded_at ?? 0) >= before }))
    },
    async addDraft(draft) {
      await db.insertInto('schema_drafts').values(toRow(draft)).execute()
    },
    async putDraft(draft) {
      await db.updateTable('schema_drafts').set(toRow(draft)).where('draft_id', '=', draft.draftId).execute()
    },
    async putProgress(draftId, { revision, people, state, stateBy, stateAt, note, reviewer, publishAt }) {
      await db
        .updateTable('schema_drafts')
        .set({
          revision,
          people: JSON.stringify(people),
          state,
          state_by: stateBy ?? null,
          state_at: stateAt ?? null,
          note: note ?? null,
          reviewer: reviewer ?? null,
          publish_at: publishAt ?? null,
        })
        .where('draft_id', '=', draftId)
        .execute()
    },
    async removeDraft(draftId) {
      await db.deleteFrom('schema_drafts').where('draft_id', '=', draftId).execute()
    },
    async noteReminder(draftId, at) {
      await db.updateTable('schema_drafts').set({ reminded_at: at }).where('draft_id', '=', draftId).execute()
    },
    async removeUntouchedDrafts(before, max) {
      const old = selectUntouched(db, before).select('draft_id').limit(max)
      await db.deleteFrom('schema_drafts').where('draft_id', 'in', old).execute()
    },
  }
}
