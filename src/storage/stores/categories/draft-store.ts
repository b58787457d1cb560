import { type Kysely, sql } from 'kysely'
import {
  draftFields,
  draftProgressFields,
  draftTextFields,
  type SchemaDraft,
  type StoredDraft,
} from '../../../categories/drafts/draft.ts'
import type { DraftStore } from '../../../categories/drafts/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { mapper } from '../mapper.ts'
import { findRow } from '../select.ts'
import { toColumns, toOwner } from './kept-versions.ts'

const drafts = mapper(draftFields)
const progresses = mapper(draftProgressFields)
const texts = mapper(draftTextFields)

const listedColumns = ['owner_kind', 'owner_id', ...drafts.columns] as const

function toListed(row: Pick<Rows['schema_drafts'], (typeof listedColumns)[number]>): SchemaDraft {
  return { ...drafts.toRecord(row), owner: toOwner(row) }
}

function toDraft(row: Rows['schema_drafts']): StoredDraft {
  requireIntact('schema_drafts', row)
  return { ...toListed(row), ...texts.toRecord(row) }
}

function toRow(draft: StoredDraft) {
  const content = texts.toRow(draft)
  const checksum = checksumOf('schema_drafts', content)
  return { ...drafts.toRow(draft), ...toColumns(draft.owner), ...content, checksum }
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
    findDraft: (owner, draftId) => findRow(db, 'schema_drafts', { draft_id: draftId, ...toColumns(owner) }, toDraft),
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
      return rows.map(toListed)
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
      return rows.map(toListed)
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
      return row && toListed(row)
    },
    async listUntouchedDrafts(before, max) {
      const rows = await selectUntouched(db, before)
        .select([...listedColumns, 'reminded_at'])
        .limit(max)
        .execute()
      return rows.map((row) => ({ ...toListed(row), isReminded: (row.reminded_at ?? 0) >= before }))
    },
    async addDraft(draft) {
      await db.insertInto('schema_drafts').values(toRow(draft)).execute()
    },
    async putDraft(draft) {
      await db.updateTable('schema_drafts').set(toRow(draft)).where('draft_id', '=', draft.draftId).execute()
    },
    async putProgress(draftId, progress) {
      await db.updateTable('schema_drafts').set(progresses.toRow(progress)).where('draft_id', '=', draftId).execute()
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
