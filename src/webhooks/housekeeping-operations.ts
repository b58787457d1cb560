import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { isPulled, type Webhook, webhookLimits } from './hook.ts'
import { auditOf } from './hook-operations.ts'
import type { WebhookReader, WebhookStores } from './store.ts'

const day = 86_400_000

/** Milliseconds for which deliveries are kept (chosen), and after which a hook that no program fetches from is off. */
export const keptFor = { pending: 30 * day, failed: 30 * day, sent: 7 * day, unread: 7 * day } as const

/** Maximum deliveries that one call ends or removes (chosen): bounds the transaction. */
const atOnce = 1_000

/** Work for housekeeping: hooks that no program fetches from, and those with too much pending, or that had too much. */
export interface Untended {
  readonly unread: readonly string[]
  readonly crowded: readonly string[]
  /** Whether any delivery is too old. */
  readonly hasOld: boolean
}

export async function findUntended({ webhooks }: { readonly webhooks: WebhookReader }, now: number): Promise<Untended> {
  const unread: string[] = []
  const crowded: string[] = []
  for (const { hook } of await webhooks.listCollecting()) {
    const pending = await webhooks.countPending(hook.webhookId)
    if (pending > 0 && isUnread(hook, now)) unread.push(hook.webhookId)
    if (pending > webhookLimits.pending || (hook.hasOverflowed && pending < webhookLimits.pendingAgain)) {
      crowded.push(hook.webhookId)
    }
  }
  return { unread, crowded, hasOld: await webhooks.hasOldDeliveries(oldAt(now)) }
}

function isUnread(hook: Webhook, now: number): boolean {
  return isPulled(hook) && hook.isActive && Math.max(hook.pulledAt ?? 0, hook.modifiedAt) < now - keptFor.unread
}

const oldAt = (now: number) => ({
  pending: now - keptFor.pending,
  sent: now - keptFor.sent,
  failed: now - keptFor.failed,
})

/** Switches off hooks that no program fetches from, although something is pending. */
export async function deactivateUnread(
  { webhooks }: WebhookStores,
  { now }: Call,
  input: { readonly webhookIds: readonly string[]; readonly revision: string },
): Promise<WithAuditDetails> {
  const audit: AuditDetails[] = []
  for (const webhookId of input.webhookIds) {
    const hook = await webhooks.findWebhook(webhookId)
    if (!hook || !isUnread(hook, now)) continue
    await webhooks.updateWebhook({ ...hook, isActive: false, ending: 'unread', endedBy: undefined, modifiedAt: now })
    const { portalId } = hook
    audit.push({ operation: 'deactivateWebhook', portalId, ...auditOf(hook, { reason: 'unread' }) })
  }
  if (audit.length === 0) return { audit: nothingDone }
  await webhooks.putRevision(input.revision)
  return { audit }
}

/**
 * Gives up the oldest of too many pending deliveries, and notes that once, until there is room again. Answers whether any are left
 * that are too many.
 */
export async function overflowWebhook(
  { webhooks }: WebhookStores,
  { now }: Call,
  { webhookId }: { readonly webhookId: string },
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  const hook = await webhooks.findWebhook(webhookId)
  const pending = await webhooks.countPending(webhookId)
  const excess = pending - webhookLimits.pending
  const isDone = excess <= atOnce
  if (!hook || excess <= 0) {
    if (hook?.hasOverflowed && pending < webhookLimits.pendingAgain) {
      await webhooks.updateWebhook({ ...hook, hasOverflowed: false })
    }
    return { isDone, audit: nothingDone }
  }
  await webhooks.failOldest(webhookId, Math.min(excess, atOnce), 'queue full', now)
  if (hook.hasOverflowed) return { isDone, audit: nothingDone }
  await webhooks.updateWebhook({ ...hook, hasOverflowed: true })
  const { portalId } = hook
  return { isDone, audit: { portalId, ...auditOf(hook, { reason: 'overflow', dropped: excess }) } }
}

/** Gives up pending deliveries that are too old, and removes others that were kept for their time. */
export async function removeOldDeliveries(
  { webhooks }: WebhookStores,
  { now }: Call,
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  return { isDone: (await webhooks.endOldDeliveries(oldAt(now), atOnce, now)) < atOnce, audit: nothingDone }
}
