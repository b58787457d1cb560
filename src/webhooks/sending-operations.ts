import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type AttemptOutcome, quickAttempts, settleAttempt } from './attempts.ts'
import { type Delivery, defaultSettings, isPulled, type Webhook, type WebhookSettings } from './hook.ts'
import { auditOf } from './hook-operations.ts'
import type { SealedSecrets } from './secrets.ts'
import type { WebhookReader, WebhookStores } from './store.ts'

/** Time-out that stands for 0, in seconds (chosen). */
const usualTimeout = 10

/** An attempt that this server is to make. */
export interface Claimed {
  readonly webhookId: string
  readonly url: string
  readonly delivery: Pick<Delivery, 'deliveryId' | 'payload' | 'attempts'>
  readonly sealedSecrets: SealedSecrets
  /** Milliseconds. */
  readonly timeout: number
}

/** Hooks that may have an attempt now: those that are sent to, and have a delivery that is due. */
export async function listDue(
  { webhooks }: { readonly webhooks: WebhookReader },
  now: number,
): Promise<readonly string[]> {
  return (await webhooks.listDueHooks(now)).map(({ webhookId }) => webhookId)
}

/**
 * Takes the next attempt of each of these hooks that has one: one request of a hook is in flight, whichever server makes it. The
 * lease ends by itself, so that another one sends what a server that has ended did not.
 */
export async function claimDeliveries(
  { webhooks }: WebhookStores,
  { now }: Call,
  input: { readonly webhookIds: readonly string[]; readonly lease: string },
): Promise<WithAuditDetails & { readonly claimed: readonly Claimed[] }> {
  const claimed: Claimed[] = []
  for (const webhookId of input.webhookIds) {
    const hook = await webhooks.findWebhook(webhookId)
    if (!hook || !mayBeSentTo(hook, now)) continue
    const settings = (await webhooks.findSettings(hook.portalId)) ?? defaultSettings
    const delivery = settings.sends ? await findDue(webhooks, hook, settings, now) : undefined
    if (!delivery) continue
    const timeout = (settings.notificationTimeOutInSeconds || usualTimeout) * 1_000
    await webhooks.updateWebhook({ ...hook, lease: input.lease, leasedUntil: now + 2 * timeout })
    claimed.push({ webhookId, url: hook.url, delivery, timeout, sealedSecrets: secretsOf(hook, now) })
  }
  return { claimed, audit: nothingDone }
}

/** Secrets that count, the newer one first. */
export function secretsOf({ sealedSecret, formerSecret, formerSecretEndsAt = 0 }: Webhook, now: number): SealedSecrets {
  return formerSecret !== undefined && formerSecretEndsAt > now ? [sealedSecret, formerSecret] : [sealedSecret]
}

function mayBeSentTo(hook: Webhook, now: number): boolean {
  return hook.isActive && !isPulled(hook) && (hook.leasedUntil ?? 0) <= now && (hook.waitsUntil ?? 0) <= now
}

/** Deliveries that are looked at by one statement. */
const looked = 200

/**
 * The oldest delivery that is due, and that no earlier one holds back: one that shares an object and is in its quick attempts.
 * Later ones pass it after these.
 */
async function findDue(
  webhooks: WebhookReader,
  { webhookId }: Webhook,
  settings: Pick<WebhookSettings, 'notificationAttempts'>,
  now: number,
): Promise<Delivery | undefined> {
  const quick = quickAttempts(settings)
  const held = new Set<string>()
  for (let after = 0; ; ) {
    const heads = await webhooks.listUnsettled(webhookId, { after, quick, now }, looked)
    for (const { number, objects, nextAttemptAt = 0 } of heads) {
      const isHeld = objects.some((object) => held.has(object))
      if (!isHeld && nextAttemptAt <= now) return (await webhooks.listNumbered([number]))[0]
      for (const object of objects) held.add(object)
    }
    if (heads.length < looked) return undefined
    after = heads.at(-1)!.number
  }
}

/** Writes what became of an attempt. Nothing is written by a server whose lease another one has. */
export async function settleDelivery(
  { webhooks }: WebhookStores,
  { now }: Call,
  input: {
    readonly webhookId: string
    readonly deliveryId: string
    readonly lease: string
    readonly outcome: AttemptOutcome
    readonly jitter: number
    /** Random: of another list of hooks that collect, where this attempt switches the hook off. */
    readonly revision: string
  },
): Promise<WithAuditDetails> {
  const { webhookId, deliveryId, outcome, jitter } = input
  const before = await webhooks.findWebhook(webhookId)
  const present = await webhooks.findDelivery(webhookId, deliveryId)
  if (!before || !present || before.lease !== input.lease) return { audit: nothingDone }
  const settings = (await webhooks.findSettings(before.portalId)) ?? defaultSettings
  const { delivery, hook } = settleAttempt({ delivery: present, hook: before, settings, outcome, now, jitter })
  await webhooks.updateDelivery(delivery)
  await webhooks.updateWebhook({ ...hook, lease: undefined, leasedUntil: undefined })
  const { lastStatus: status, lastError: error, tookMs } = delivery
  const responseText = 'text' in outcome ? outcome.text : undefined
  // Deliveries that could not be signed were not sent.
  if (delivery.attempts > present.attempts) {
    await webhooks.addAttempts([{ deliveryId, webhookId, attemptedAt: now, status, error, tookMs, responseText }])
  }
  const { ending } = hook
  if (!before.isActive || hook.isActive) return { audit: nothingDone }
  await webhooks.putRevision(input.revision)
  return {
    audit: { operation: 'deactivateWebhook', portalId: hook.portalId, ...auditOf(hook, { reason: ending ?? '' }) },
  }
}
