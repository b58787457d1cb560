import type { WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { type NamedWebhook, requireWebhook } from './access.ts'
import type { Attempt, Delivery, DeliveryState, Webhook } from './hook.ts'
import { auditOf } from './hook-operations.ts'
import type { ListedDelivery, WebhookReaders, WebhookStores } from './store.ts'

interface NamedDelivery extends NamedWebhook {
  readonly deliveryId: string
}

interface OfHook {
  /** Pending deliveries are not sent while it is off. */
  readonly hook: Webhook
}

/** Deliveries of a webhook, newest first. */
export async function listWebhookDeliveries(
  stores: WebhookReaders,
  call: Call,
  input: NamedWebhook & { readonly asked: Parsed<Page & { readonly state: DeliveryState | undefined }> },
): Promise<Slice<ListedDelivery> & OfHook & { readonly page: Page }> {
  const { hook } = await requireWebhook(stores, call, input)
  const { state, ...page } = unwrapParsed(input.asked)
  return { ...(await stores.webhooks.listDeliveries(hook.webhookId, state, page)), page, hook }
}

async function requireDelivery(
  stores: WebhookReaders,
  call: Call,
  input: NamedDelivery,
): Promise<OfHook & { readonly delivery: Delivery }> {
  const { hook } = await requireWebhook(stores, call, input)
  const delivery = await stores.webhooks.findDelivery(hook.webhookId, input.deliveryId)
  if (!delivery) throw resourceNotFound()
  return { hook, delivery }
}

/** A delivery with its attempts, oldest first. */
export async function readWebhookDelivery(
  stores: WebhookReaders,
  call: Call,
  input: NamedDelivery,
): Promise<OfHook & { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }> {
  const found = await requireDelivery(stores, call, input)
  return { ...found, attempts: await stores.webhooks.listAttempts(input.deliveryId) }
}

/** All attempts of a webhook, newest first. */
export async function listWebhookNotifications(
  stores: WebhookReaders,
  call: Call,
  input: NamedWebhook & { readonly page: Parsed<Page> },
): Promise<Slice<Attempt & { readonly payload: string }> & { readonly page: Page }> {
  const { hook } = await requireWebhook(stores, call, input)
  const page = unwrapParsed(input.page)
  return { ...(await stores.webhooks.listAttemptsOf(hook.webhookId, page)), page }
}

/** Makes one delivery again, whatever became of it, with the same id and bytes. */
export async function redeliverWebhookDelivery(
  stores: WebhookStores,
  call: Call,
  input: NamedDelivery,
): Promise<WithAuditDetails> {
  const { hook, delivery } = await requireDelivery(stores, call, input)
  await requireOn(stores, hook)
  const { deliveryId } = delivery
  const due = { tries: 0, nextAttemptAt: call.now, leasedUntil: undefined, endedAt: undefined }
  await stores.webhooks.updateDelivery({ ...delivery, ...due, state: 'pending' })
  return { audit: auditOf(hook, { delivery: deliveryId }) }
}

/** Makes all deliveries since a time again that were not sent. */
export async function recoverWebhookDeliveries(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & { readonly since: Parsed<number> },
): Promise<WithAuditDetails & { readonly queued: number }> {
  const { hook } = await requireWebhook(stores, call, input)
  const since = unwrapParsed(input.since)
  await requireOn(stores, hook)
  const queued = await stores.webhooks.recoverDeliveries(hook.webhookId, since, call.now)
  return { queued, audit: auditOf(hook, { since, queued }) }
}

/** Refuses a hook that is off. A person who sends again closes its circuit. */
async function requireOn(stores: WebhookStores, hook: Webhook): Promise<void> {
  if (!hook.isActive) throw operationRefused(say('webhookOff'))
  if (hook.failuresInRow === 0 && hook.waitsUntil === undefined) return
  await stores.webhooks.updateWebhook({ ...hook, failuresInRow: 0, waitsUntil: undefined })
}
