import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { operationRefused } from '../errors.ts'
import { maxPageBytes } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { type NamedWebhook, requireWebhook } from './access.ts'
import { type Delivery, isPulled, type Webhook } from './hook.ts'
import { auditOf } from './hook-operations.ts'
import type { SealedSecrets, SignedDelivery } from './secrets.ts'
import type { DeliveryHead, WebhookReader, WebhookReaders, WebhookStores } from './store.ts'

/** Milliseconds after which a fetch is noted again: a reader that waits for nothing writes seldom (chosen). */
const noteInterval = 60_000
const dayMilliseconds = 86_400_000

/** Deliveries that a program fetches, and what they are signed with. */
interface Pulled {
  readonly webhookId: string
  /** Oldest first; `attempts` counts this one. */
  readonly deliveries: readonly SignedDelivery[]
  readonly sealedSecrets: SealedSecrets
}

async function requirePulled(stores: WebhookReaders, call: Call, input: NamedWebhook): Promise<Webhook> {
  const { hook } = await requireWebhook(stores, call, input)
  if (!isPulled(hook)) throw operationRefused(say('webhookSent'))
  return hook
}

/**
 * Lends the oldest deliveries that nothing holds back to the caller, each to one reader. Its first fetch of a day is in the log.
 * `waited` are milliseconds since the call began.
 */
export async function pullWebhookDeliveries(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & {
    readonly asked: Parsed<{ readonly max: number; readonly leaseSeconds: number }>
    readonly waited: number
  },
): Promise<WithAuditDetails & Pulled> {
  const hook = await requirePulled(stores, call, input)
  const { max, leaseSeconds } = unwrapParsed(input.asked)
  if (!hook.isActive) throw operationRefused(say('webhookOff'))
  const now = call.now + input.waited
  const { webhooks } = stores
  const { webhookId, pulledAt = 0 } = hook
  const isFirst = Math.floor(now / dayMilliseconds) !== Math.floor(pulledAt / dayMilliseconds)
  if (isFirst || now - pulledAt >= noteInterval) await webhooks.updateWebhook({ ...hook, pulledAt: now })
  const lent = await listLendable(webhooks, webhookId, now, max)
  if (lent.length > 0) {
    await webhooks.lendDeliveries(
      lent.map(({ number }) => number),
      now + leaseSeconds * 1_000,
    )
    await webhooks.addAttempts(lent.map(({ deliveryId }) => attemptAt(now, webhookId, deliveryId, 'fetched')))
  }
  const { sealedSecret, formerSecret, formerSecretEndsAt = 0 } = hook
  return {
    webhookId,
    deliveries: lent.map(({ deliveryId, payload, attempts }) => ({ deliveryId, payload, attempts: attempts + 1 })),
    sealedSecrets:
      formerSecret !== undefined && formerSecretEndsAt > now ? [sealedSecret, formerSecret] : [sealedSecret],
    audit: isFirst ? auditOf(hook) : nothingDone,
  }
}

function attemptAt(attemptedAt: number, webhookId: string, deliveryId: string, responseText: string) {
  const unasked = { status: undefined, error: undefined, tookMs: undefined }
  return { attemptedAt, webhookId, deliveryId, responseText, ...unasked }
}

/** Deliveries that are looked at by one statement. */
const headsOfStep = 500

/** The oldest that may be fetched, as many as an answer has room for. */
async function listLendable(
  webhooks: WebhookReader,
  webhookId: string,
  now: number,
  max: number,
): Promise<readonly Delivery[]> {
  const free: number[] = []
  const held = new Set<string>()
  for (let after = 0, isMore = true; isMore && free.length < max; ) {
    const heads = await webhooks.listHeads(webhookId, after, headsOfStep)
    free.push(...heads.filter((head) => !isHeld(head, held, now)).map(({ number }) => number))
    after = heads.at(-1)?.number ?? after
    isMore = heads.length === headsOfStep
  }
  const found = free.length === 0 ? [] : await webhooks.listNumbered(free.slice(0, max))
  let bytes = 0
  const end = found.findIndex(({ payload }) => {
    bytes += Buffer.byteLength(payload)
    return bytes > maxPageBytes
  })
  return end === -1 ? found : found.slice(0, Math.max(end, 1))
}

/** Whether it is lent, or shares an object with an earlier one that is held; then its objects are held, too. */
function isHeld({ objects, leasedUntil = 0 }: DeliveryHead, held: Set<string>, now: number): boolean {
  if (leasedUntil <= now && !objects.some((object) => held.has(object))) return false
  for (const object of objects) held.add(object)
  return true
}

/** Ends deliveries that were fetched; those of other hooks, and unknown ones, are only named. */
export async function ackWebhookDeliveries(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & { readonly deliveryIds: Parsed<readonly string[]> },
): Promise<WithAuditDetails & { readonly acked: number; readonly unknown: readonly string[] }> {
  const hook = await requirePulled(stores, call, input)
  const { webhookId } = hook
  const given = [...new Set(unwrapParsed(input.deliveryIds))]
  const found = await stores.webhooks.listStates(webhookId, given)
  const known = new Set(found.map(({ deliveryId }) => deliveryId))
  const open = found.filter(({ state }) => state !== 'sent').map(({ deliveryId }) => deliveryId)
  if (open.length > 0) {
    await stores.webhooks.acknowledgeDeliveries(open, call.now)
    await stores.webhooks.addAttempts(open.map((id) => attemptAt(call.now, webhookId, id, 'acknowledged')))
  }
  const acked = open.length
  const audit = acked === 0 ? nothingDone : auditOf(hook, { acked })
  return { acked, unknown: given.filter((id) => !known.has(id)), audit }
}
