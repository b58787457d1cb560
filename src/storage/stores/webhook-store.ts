import { type Expression, type Kysely, sql } from 'kysely'
import {
  attemptFields,
  collects,
  defaultSettings,
  deliveryFields,
  type NewDelivery,
  pullAddress,
  webhookFields,
  webhookSettingFields,
} from '../../webhooks/hook.ts'
import type { CollectingHook, OldDeliveries, WebhookStore } from '../../webhooks/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { pick, prepared } from './prepared.ts'
import { count, findRow, isAmong, paginate, toJson } from './select.ts'

const hooks = mapper(webhookFields)
const settings = mapper(webhookSettingFields)
const deliveries = mapper(deliveryFields)
const attempts = mapper(attemptFields)

const deliveryColumns = [...deliveries.columns, 'id'] as const
const listedColumns = deliveryColumns.filter((column) => column !== 'payload')

type NewRow = ReturnType<typeof deliveries.toRow>

const insertDelivery = prepared((db, row: NewRow) =>
  db.insertInto('webhook_deliveries').values(pick(row, deliveries.columns)),
)

/** The deliveries of one hook that are to be made, oldest first. */
const listPending = prepared((db, { webhookId, after, max }: { webhookId: string; after: number; max: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .select(deliveryColumns)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', sql.lit('pending' as const))
    .where('id', '>', after)
    .orderBy('id')
    .limit(max),
)

const findRevision = prepared((db) => db.selectFrom('webhook_revision').select('revision').where('id', '=', sql.lit(1)))

interface OwnerRow {
  readonly username: string | null
  readonly owner_portal: string | null
  readonly role: string | null
  readonly disabled: number | null
  readonly privileges: string | null
}

function ownerOf({ username, owner_portal, role, disabled, privileges }: OwnerRow): CollectingHook['owner'] {
  if (username === null) return undefined
  const customPrivileges = privileges === null ? undefined : JSON.parse(privileges)
  return { username, portalId: owner_portal!, role: role!, disabled: disabled === 1, customPrivileges }
}

/** The store of webhooks, and of what is delivered to them. */
export function webhookStore(db: Kysely<Rows>): WebhookStore {
  const toDelivery = (row: NewRow & { readonly id: number }) => ({
    ...deliveries.toRecord(row),
    number: row.id,
  })
  const ofHook = (webhookId: string) => db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  const listOf = async (portalId: string) => {
    const of = db.selectFrom('webhooks').select(hooks.columns).where('portal_id', '=', portalId)
    return (await of.orderBy('created_at').orderBy('webhook_id').execute()).map(hooks.toRecord)
  }
  /** Pending ones, and those that have ended. */
  const oldOf = ({ pending, sent, failed }: OldDeliveries) => {
    const all = db.selectFrom('webhook_deliveries')
    return [
      all.where('state', '=', sql.lit('pending' as const)).where('created_at', '<', pending),
      all
        .where('ended_at', 'is not', null)
        .where('ended_at', '<', sent)
        .where((row) => row.or([row('state', '=', 'sent'), row('ended_at', '<', failed)])),
    ] as const
  }
  const fail = async (ids: readonly number[], error: string, now: number) => {
    if (ids.length > 0) {
      const failed = {
        state: 'failed',
        last_error: error,
        next_attempt_at: null,
        leased_until: null,
        ended_at: now,
      } as const
      await db.updateTable('webhook_deliveries').set(failed).where('id', 'in', ids).execute()
    }
    return ids.length
  }
  return {
    findWebhook: (webhookId) => findRow(db, 'webhooks', { webhook_id: webhookId }, hooks.toRecord),
    listWebhooks: listOf,
    async listCollecting() {
      const rows = await db
        .selectFrom('webhooks')
        .innerJoin('webhook_settings', 'webhook_settings.portal_id', 'webhooks.portal_id')
        .leftJoin('users', 'users.user_id', 'webhooks.owner_id')
        .leftJoin('roles', 'roles.role_id', 'users.role')
        .selectAll('webhooks')
        .select(['webhook_settings.portal_url', 'webhook_settings.sends'])
        .select([
          'users.username',
          'users.portal_id as owner_portal',
          'users.role',
          'users.disabled',
          'roles.privileges',
        ])
        .orderBy('webhooks.created_at')
        .orderBy('webhooks.webhook_id')
        .execute()
      return rows.flatMap((row) => {
        const hook = hooks.toRecord(row)
        if (!collects(hook, { sends: row.sends === 1 })) return []
        return { hook, portalUrl: row.portal_url, owner: ownerOf(row) }
      })
    },
    async findRevision() {
      return (await findRevision.first(db, {}))?.revision
    },
    async listSettings() {
      return (await db.selectFrom('webhook_settings').selectAll().execute()).map(settings.toRecord)
    },
    findSettings: (portalId) => findRow(db, 'webhook_settings', { portal_id: portalId }, settings.toRecord),
    findDelivery: async (webhookId, deliveryId) =>
      findRow(db, 'webhook_deliveries', { delivery_id: deliveryId, webhook_id: webhookId }, toDelivery),
    async listDeliveries(webhookId, state, page) {
      const all = ofHook(webhookId)
      const listed = state === undefined ? all : all.where('state', '=', state)
      const rows = await paginate(listed.select(listedColumns).orderBy('id', 'desc'), page).execute()
      return { total: await count(listed), entries: rows.map((row) => toDelivery({ ...row, payload: '' })) }
    },
    async listStates(webhookId, deliveryIds) {
      const named = isAmong(db, sql.ref('delivery_id'), toJson(deliveryIds), 'text')
      const rows = await ofHook(webhookId).select(['delivery_id', 'state']).where(named).orderBy('id').execute()
      return rows.map((row) => ({ deliveryId: row.delivery_id, state: row.state }))
    },
    async listPending(webhookId, after, max) {
      const rows = await listPending.all(db, { webhookId, after, max })
      return rows.map((row) => toDelivery(row as NewRow & { readonly id: number }))
    },
    async listHeads(webhookId, after, max) {
      const pending = ofHook(webhookId)
        .where('state', '=', sql.lit('pending' as const))
        .where('id', '>', after)
      const rows = await pending.select(['id', 'objects', 'leased_until']).orderBy('id').limit(max).execute()
      return rows.map(({ id: number, objects, leased_until }) => ({
        number,
        objects: JSON.parse(objects),
        leasedUntil: leased_until ?? undefined,
      }))
    },
    async listNumbered(numbers) {
      const named = db.selectFrom('webhook_deliveries').where('id', 'in', numbers)
      return (await named.select(deliveryColumns).orderBy('id').execute()).map(toDelivery)
    },
    countPending: (webhookId) => count(ofHook(webhookId).where('state', '=', 'pending')),
    async listAttempts(deliveryId) {
      const of = db.selectFrom('webhook_attempts').select(attempts.columns).where('delivery_id', '=', deliveryId)
      return (await of.orderBy('id').execute()).map(attempts.toRecord)
    },
    async listAttemptsOf(webhookId, page) {
      const all = db
        .selectFrom('webhook_attempts')
        .innerJoin('webhook_deliveries', 'webhook_deliveries.delivery_id', 'webhook_attempts.delivery_id')
        .where('webhook_attempts.webhook_id', '=', webhookId)
      const rows = await all
        .selectAll('webhook_attempts')
        .select('webhook_deliveries.payload')
        .orderBy('webhook_attempts.id', 'desc')
        .limit(page.num)
        .offset(page.start - 1)
        .execute()
      const total = await count(db.selectFrom('webhook_attempts').where('webhook_id', '=', webhookId))
      return { total, entries: rows.map((row) => ({ ...attempts.toRecord(row), payload: row.payload })) }
    },
    async listDueHooks(now) {
      const due = (row: { readonly ref: (column: 'webhooks.webhook_id') => Expression<string> }) =>
        db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_deliveries.webhook_id', '=', row.ref('webhooks.webhook_id'))
          .where('state', '=', sql.lit('pending' as const))
          .where('next_attempt_at', '<=', now)
      const rows = await db
        .selectFrom('webhooks')
        .select(['webhook_id', 'portal_id'])
        .where('is_active', '=', 1)
        .where('url', '!=', pullAddress)
        .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<=', now)]))
        .where((row) => row.or([row('waits_until', 'is', null), row('waits_until', '<=', now)]))
        .where((row) => row.exists(due(row)))
        .orderBy('created_at')
        .execute()
      return inTurns(rows).map((row) => ({ webhookId: row.webhook_id }))
    },
    async listUnsettled(webhookId, { after, quick, now }, max) {
      const rows = await ofHook(webhookId)
        .select(['id', 'objects', 'leased_until', 'next_attempt_at'])
        .where('state', '=', sql.lit('pending' as const))
        .where('id', '>', after)
        .where((row) => row.or([row('tries', '<', quick), row('next_attempt_at', '<=', now)]))
        .orderBy('id')
        .limit(max)
        .execute()
      return rows.map(({ id: number, objects, leased_until, next_attempt_at }) => ({
        number,
        objects: JSON.parse(objects),
        leasedUntil: leased_until ?? undefined,
        nextAttemptAt: next_attempt_at ?? undefined,
      }))
    },
    async hasOldDeliveries(before) {
      for (const old of oldOf(before)) if (await old.select('id').limit(1).executeTakeFirst()) return true
      return false
    },
    async listFetchable(webhookIds, now) {
      if (webhookIds.length === 0) return []
      const lent = sql<number>`coalesce(sum(case when leased_until > ${now} then 1 else 0 end), 0)`
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => ['webhook_id', fn.countAll().as('pending'), fn.max('id').as('last'), lent.as('lent')])
        .where('webhook_id', 'in', webhookIds)
        .where('state', '=', sql.lit('pending' as const))
        .groupBy('webhook_id')
        .execute()
      const queues = rows.map((row) => ({
        webhookId: row.webhook_id,
        pending: Number(row.pending),
        lent: Number(row.lent),
        last: Number(row.last),
      }))
      return queues.filter((queue) => queue.pending > queue.lent)
    },
    async addWebhook(hook) {
      await db.insertInto('webhooks').values(hooks.toRow(hook)).execute()
    },
    async updateWebhook(hook) {
      await db.updateTable('webhooks').set(hooks.toRow(hook)).where('webhook_id', '=', hook.webhookId).execute()
    },
    async removeWebhook(webhookId) {
      await db.deleteFrom('webhooks').where('webhook_id', '=', webhookId).execute()
    },
    async putSettings(portalId, change) {
      const row = settings.toRow({ ...defaultSettings, ...change, portalId })
      const members = Object.keys(webhookSettingFields)
      const changed = pick(
        row,
        settings.columns.filter((_, at) => members[at]! in change),
      )
      await db
        .insertInto('webhook_settings')
        .values(row)
        .onConflict((conflict) => conflict.column('portal_id').doUpdateSet(changed))
        .execute()
    },
    async putRevision(revision) {
      await db.deleteFrom('webhook_revision').execute()
      if ((await this.listCollecting()).length === 0) return
      await db.insertInto('webhook_revision').values({ id: 1, revision }).execute()
    },
    async addDeliveries(added) {
      for (const one of added) await insertDelivery.send(db, toNewRow(one))
    },
    async updateDelivery({ number, ...delivery }) {
      const { payload: _, ...row } = deliveries.toRow(delivery)
      await db.updateTable('webhook_deliveries').set(row).where('id', '=', number).execute()
    },
    async lendDeliveries(numbers, until) {
      await db
        .updateTable('webhook_deliveries')
        .set(({ eb }) => ({ leased_until: until, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', numbers)
        .execute()
    },
    async acknowledgeDeliveries(deliveryIds, now) {
      const ended = { leased_until: null, next_attempt_at: null, last_error: null, ended_at: now }
      await db
        .updateTable('webhook_deliveries')
        .set({ state: 'sent', ...ended })
        .where(isAmong(db, sql.ref('delivery_id'), toJson(deliveryIds), 'text'))
        .execute()
    },
    async hastenPending(webhookId, now) {
      await db
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: now })
        .where('webhook_id', '=', webhookId)
        .where('state', '=', sql.lit('pending' as const))
        .execute()
    },
    async failOldest(webhookId, max, error, now) {
      const oldest = await ofHook(webhookId)
        .where('state', '=', sql.lit('pending' as const))
        .select('id')
        .orderBy('id')
        .limit(max)
        .execute()
      return fail(
        oldest.map(({ id }) => id),
        error,
        now,
      )
    },
    async endOldDeliveries(before, max, now) {
      const [pending, ended] = await Promise.all(
        oldOf(before).map(async (old) => (await old.select('id').limit(max).execute()).map(({ id }) => id)),
      )
      if (ended!.length > 0) await db.deleteFrom('webhook_deliveries').where('id', 'in', ended!).execute()
      return (await fail(pending!, 'too old', now)) + ended!.length
    },
    async addAttempts(added) {
      if (added.length > 0) await db.insertInto('webhook_attempts').values(added.map(attempts.toRow)).execute()
    },
    async recoverDeliveries(webhookId, since, now) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', tries: 0, next_attempt_at: now, leased_until: null, ended_at: null })
        .where('webhook_id', '=', webhookId)
        .where('state', '!=', 'sent')
        .where('created_at', '>=', since)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
  }
}

/** Rows of all organizations by turns: the first of each, then the second. */
function inTurns<Row extends { readonly portal_id: string }>(rows: readonly Row[]): readonly Row[] {
  const queues = [...Map.groupBy(rows, (row) => row.portal_id).values()]
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue[at] ?? [])).flat()
}

const toNewRow = (delivery: NewDelivery): NewRow =>
  deliveries.toRow({ ...delivery, state: 'pending', attempts: 0, tries: 0 })
